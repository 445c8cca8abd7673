import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProgram } from "../../adapters/cli/program.ts";
import { fakeTerminal, temporaryFolder } from "./fake-terminal.ts";

const WEBHOOK = 'channels: { webhook: { secret: "a-shared-secret-of-this-test" } }';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => folder.remove());

/** What a start prints on standard output. */
async function started(env: Record<string, string> = {}): Promise<string> {
  const terminal = fakeTerminal({ cwd: folder.path, env });
  const ended = runProgram(["serve", "--port", "0"], terminal);
  await terminal.until("owner code: ");
  // The lines are printed in one tick.
  await new Promise((resolve) => setImmediate(resolve));
  terminal.signal("SIGTERM");
  expect(await ended).toBe(0);
  return terminal.output();
}

const put = (text: string) => writeFileSync(join(folder.path, "wakeful.yaml"), text);
const hints = (output: string) => output.split("\n").filter((line) => /^next: |there is no owner yet/iu.test(line));

describe("the first start without channels", () => {
  it("tells the next step in one line, and no later start does", async () => {
    const first = await started();
    const url = /http:\/\/\S+/.exec(first)?.[0] ?? "";
    expect(hints(first)).toEqual([
      `next: open ${url} and sign in with the token above; npx wakeful init asks for a model and Telegram`,
    ]);
    expect(hints(await started())).toEqual([]);
  });

  it("names what the person has: a token of their own, a configuration", async () => {
    put("version: 1\n");
    const [line] = hints(await started({ WAKEFUL_TOKEN: "an-owners-token" }));
    expect(line).toMatch(/ and sign in with your token; configure models and channels in \S+wakeful\.yaml$/);
  });

  it("is told from one with a folder that holds nothing yet", async () => {
    mkdirSync(join(folder.path, ".wakeful"));
    expect(hints(await started())).toHaveLength(1);
  });

  it("says nothing of it where there are channels", async () => {
    put(`version: 1\n${WEBHOOK}\n`);
    expect(hints(await started())).toEqual([expect.stringMatching(/^There is no owner yet: send \/owner /)]);
  });
});
