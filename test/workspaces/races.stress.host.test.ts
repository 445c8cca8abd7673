import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hostWorkspace } from "../../adapters/workspaces/host/index.ts";
import { AssistantError } from "../../mod.ts";
import { WHOLE } from "../support/thorough.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { FROM_OUTSIDE, OPERATIONS, changesOutside, layOut, shown } from "./two-folders.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;
let outside: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  root = join(folder.path, "root");
  outside = join(folder.path, "outside");
});
afterEach(() => folder.remove());

describe("a folder that another process swaps for a link all the time", () => {
  it("lets nothing outside be read or written", async (context) => {
    if (process.platform !== "linux") context.skip("only Linux holds folders by /proc");
    layOut({ root, outside });
    const script = join(dirname(fileURLToPath(import.meta.url)), "swap-loop.ts");
    const runner = "Deno" in globalThis ? ["run", "-A", script] : [script];
    let ended = false;
    const attacker = new Promise<string>((resolve, reject) => {
      execFile(process.execPath, [...runner, root, outside, String(WHOLE ? 1 : 0.4)], (error, stdout) => {
        ended = true;
        if (error) reject(error);
        else resolve(stdout);
      });
    });
    const workspace = hostWorkspace({ root });
    const outcomes = new Map<string, number>();
    const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    while (!isOver()) {
      for (const [operation, run] of Object.entries(OPERATIONS)) {
        if (operation === "remove") continue;
        const given = await run(workspace).catch((error: unknown) => {
          if (AssistantError.is(error, "WORKSPACE_REFUSED") || AssistantError.is(error, "CONFLICT"))
            return { refused: error.code };
          throw error;
        });
        const seen = shown(given);
        expect(seen, operation).not.toMatch(FROM_OUTSIDE);
        count(seen.includes("refused") ? "refused" : "done");
      }
    }
    expect(Number(await attacker)).toBeGreaterThan(WHOLE ? 100 : 40);
    expect(changesOutside({ root, outside })).toEqual({ changed: [], added: [] });
    expect(outcomes.get("done")).toBeGreaterThan(0);
    expect(outcomes.get("refused")).toBeGreaterThan(0);

    function isOver(): boolean {
      return ended;
    }
  });
});
