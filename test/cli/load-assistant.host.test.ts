import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import { runProgram } from "../../adapters/cli/program.ts";
import { coreOptions, loadAssistant } from "../../adapters/cli/load-assistant.ts";
import { type Config, parseConfig } from "../../entry.host.ts";
import { agentsWith } from "../../src/config/schema/agents.ts";
import { sharedWith } from "../../src/config/schema/shared.ts";
import { stubServer } from "../models/stub-server.ts";
import { fakeTerminal, temporaryFolder } from "./fake-terminal.ts";

it("every option that the file and the code share reaches the assistant", () => {
  const names = Object.keys(sharedWith(agentsWith({ type: "", own: {} }))).filter(
    (name) => name !== "agent" && name !== "agents",
  ); // what they have is made first
  const config = Object.fromEntries(names.map((name) => [name, { of: name }]));
  expect(coreOptions(config as unknown as Config)).toEqual(config);
});

it("all that the file says of the server reaches it, so that automations get in", async () => {
  const folder = temporaryFolder();
  const config = parseConfig(`
server:
  port: 9
  host: 127.0.0.1
  tokens: [{ token: an-owners-token, role: owner }]
  hooks: { token: a-token-of-automations, user: "app:ada" }
  hosts: [bot.example]
  public_url: https://public.example
  rate_limit: { per_token: 3 }
  trusted_proxies: [10.0.0.0/8]
store: { driver: memory }
models: [{ provider: offline }]
`);
  const { assistant } = await loadAssistant(
    { config, dataFolder: join(folder.path, ".wakeful") },
    { env: {}, cwd: folder.path },
    { ownToken: "a-token-of-this-process" },
  );
  const status = async (path: string, token: string, body?: object) =>
    (
      await assistant.fetch(
        new Request(`https://bot.example${path}`, {
          headers: { authorization: `Bearer ${token}` },
          ...(body && { method: "POST", body: JSON.stringify(body) }),
        }),
      )
    ).status;
  expect(await status("/hooks/wake", "a-token-of-automations", { text: "The disk is full" })).toBe(202);
  for (const token of ["an-owners-token", "a-token-of-this-process"])
    expect(await status("/api/v1/jobs", token)).toBe(200);
  await assistant.stop();
  folder.remove();
});

it("an agent of the file has its own models and its own workspace", async () => {
  const folder = temporaryFolder();
  await using server = await stubServer(() => ({ status: 401, json: { error: { message: "no such key" } } }));
  const config = parseConfig(`
agents:
  - { id: main }
  - { id: work, models: [{ provider: openai-compatible, base_url: "${server.url}", model: own }], workspace: { root: work } }
bindings: [{ agent_id: work, match: { channel: app } }]
store: { driver: memory }
`);
  const terminal = { env: {}, cwd: folder.path };
  const { assistant } = await loadAssistant({ config, dataFolder: join(folder.path, ".wakeful") }, terminal);
  await assistant.tools.run("file_write", { path: "shared.txt", content: "all" });
  await assistant.tools.run("file_write", { path: "own.txt", content: "mine" }, { session: "agent:work:app:direct:1" });
  expect(["shared.txt", "own.txt"].map((name) => existsSync(join(folder.path, "work", name)))).toEqual([false, true]);
  expect(await assistant.send({ text: "Hello" })).not.toHaveProperty("error");
  const { error } = await assistant.send({ text: "Hello", user: "app:1" });
  expect(error?.message).toContain("openai-compatible.chat/own");
  await assistant.stop();
  folder.remove();
});

it("agents whose own workspaces have no folder do not see each other's files", async () => {
  const folder = temporaryFolder();
  const config = parseConfig(`
agents: [{ id: main }, { id: a, workspace: { exec: { mode: "off" } } }, { id: b, workspace: {} }]
store: { driver: memory }
`);
  const terminal = { env: {}, cwd: folder.path };
  const { assistant } = await loadAssistant({ config, dataFolder: join(folder.path, ".wakeful") }, terminal);
  const sessions = ["main", "a", "b"].map((id) => ({ session: `agent:${id}:app:direct:1` }));
  for (const [index, session] of sessions.entries())
    await assistant.tools.run("file_write", { path: `${index}.txt`, content: "mine" }, session);
  const seen = [];
  for (const session of sessions) {
    const reads = ["0", "1", "2"].map((name) => assistant.tools.run("file_read", { path: `${name}.txt` }, session));
    seen.push((await Promise.all(reads)).map(({ ok }) => ok));
  }
  expect(seen).toEqual([
    [true, false, false],
    [false, true, false],
    [false, false, true],
  ]);
  await assistant.stop();
  folder.remove();
});

it.each([
  ["agents: [{ id: a, models: [{ provider: openai-compatible, model: x }] }]", "agents[0].models[0].provider"],
  ["agent: { workspace: { exec: { mode: host } } }", "agent.workspace.exec.mode"],
  ["agent: { model: x }", "agent.model"],
])("what an agent of the file cannot have is told with its place: %s", (text, path) => {
  expect(() => parseConfig(text)).toThrow(
    expect.objectContaining({ issues: [expect.objectContaining({ path })] }) as Error,
  );
});

it.skipIf(process.platform !== "linux")(
  "a folder that the system does not make is refused with the file, the field and the value — needs /proc",
  async () => {
    const folder = temporaryFolder();
    const inFile = join(folder.path, "notes.txt");
    writeFileSync(inFile, "");
    const refusal = async (text: string, env: Record<string, string> = {}, command = ["serve", "--port", "0"]) => {
      const file = join(folder.path, "wakeful.yaml");
      rmSync(file, { force: true });
      if (text !== "") writeFileSync(file, text);
      const terminal = fakeTerminal({ cwd: folder.path, env });
      expect(await runProgram(command, terminal)).toBe(2);
      return terminal.errors();
    };
    for (const root of ["/proc/wakeful/files", join(inFile, "files")]) {
      const said = `Cannot create the folder ${root}, which`;
      const end = "name one that this user can create and write to";
      const ofWorkspace = await refusal(`workspace: { root: ${root} }`);
      expect(ofWorkspace).toContain(`${said} workspace.root of ${join(folder.path, "wakeful.yaml")} names (`);
      expect(ofWorkspace).toContain(end);
      expect(await refusal(`store: { driver: sqlite, path: ${root}/wakeful.db }`)).toContain(
        `${said} store.path or the data folder names (`,
      );
      expect(await refusal("", { WAKEFUL_DATA: root }, ["init", "--yes"])).toContain(`${said} WAKEFUL_DATA names (`);
    }
    // Nothing half-made is left that a second init would refuse.
    expect(existsSync(join(folder.path, "wakeful.yaml"))).toBe(false);
    folder.remove();
  },
);
