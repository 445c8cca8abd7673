import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { run, temporaryFolder } from "./fake-terminal.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  folder = temporaryFolder();
  await (await fsStore({ root: join(folder.path, ".wakeful") })).close?.();
  mkdirSync(join(folder.path, ".wakeful", "goals"));
});
afterEach(() => folder.remove());

const put = (file: string, text: string) => writeFileSync(join(folder.path, ".wakeful", "goals", file), text);

async function rows() {
  const { stdout } = await run(["doctor", "--json"], { cwd: folder.path });
  const { checks } = JSON.parse(stdout) as { checks: readonly { check: string; state: string; what: string }[] };
  return checks.filter(({ check }) => check === "goals");
}

describe("wakeful doctor", () => {
  it("says which files of goals cannot be read, and where", async () => {
    expect(await rows()).toEqual([]);
    put("telegram=42.yaml", "goals:\n  - objective: x\n");
    expect(await rows()).toMatchObject([{ state: "ok", what: "all can be read: 1" }]);
    put("@owner.yaml", "goals:\n  - objective: x\n    review_cadence: at times\n");
    expect(await rows()).toMatchObject([
      { state: "warn", what: expect.stringContaining("goals/@owner.yaml:3:5 goals[0].review_cadence") as string },
    ]);
  });

  it("says that one is no text in UTF-8, also beside what has the store open", async () => {
    writeFileSync(join(folder.path, ".wakeful", "goals", "@owner.yaml"), Uint8Array.of(0x23, 0xe9, 0x0a));
    const alone = await rows();
    const store = await fsStore({ root: join(folder.path, ".wakeful") });
    const beside = await rows();
    await store.close?.();
    expect(alone).toMatchObject([
      { state: "warn", what: expect.stringContaining("expected a text in UTF-8") as string },
    ]);
    expect(beside).toEqual(alone);
  });

  it("says so beside what has the store open", async () => {
    put("telegram=42.yaml", "goals:\n  - objective: x\n    review_cadence: at times\n");
    put("notes.txt", "no goals");
    const store = await fsStore({ root: join(folder.path, ".wakeful") });
    const found = await rows();
    await store.close?.();
    expect(found).toMatchObject([
      { state: "warn", what: expect.stringContaining("goals/telegram=42.yaml:3:5 goals[0].review_cadence") as string },
    ]);
  });
});
