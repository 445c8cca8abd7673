import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProgram } from "../../adapters/cli/program.ts";
import { fakeTerminal, temporaryFolder } from "./fake-terminal.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => folder.remove());

const serveWith = (server: string) => {
  writeFileSync(join(folder.path, "wakeful.yaml"), `version: 1\nserver: ${server}\n`);
  const terminal = fakeTerminal({ cwd: folder.path, env: { WAKEFUL_TOKEN: "a-token-of-mine" } });
  return { terminal, ended: runProgram(["serve", "--port", "0"], terminal) };
};

describe("WAKEFUL_TOKEN that the file has too", () => {
  it("is served as the owner's of the file", async () => {
    const { terminal, ended } = serveWith('{ tokens: [{ token: "a-token-of-mine", role: owner }] }');
    await terminal.until("owner code: ");
    expect(terminal.output()).not.toMatch(/^token: /m);
    terminal.signal("SIGTERM");
    expect(await ended).toBe(0);
  });

  it.each([
    ['{ tokens: [{ token: "a-token-of-mine", role: user, user: "http:ada" }] }', "server.tokens[0].token"],
    ['{ hooks: { token: "a-token-of-mine", user: "http:ada" } }', "server.hooks.token"],
  ])("is no other's: %s", async (server, key) => {
    const { terminal, ended } = serveWith(server);
    expect(await ended).toBe(2);
    expect(terminal.errors()).toBe(
      `error: WAKEFUL_TOKEN is the owner's, and the same as ${key}: give each a token of its own\n`,
    );
  });
});
