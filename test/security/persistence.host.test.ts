import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadAssistant } from "../../adapters/cli/load-assistant.ts";
import { readSettings } from "../../adapters/cli/settings.ts";
import type { Assistant } from "../../mod.ts";
import { temporaryFolder } from "../cli/fake-terminal.ts";

/** The worst place for a workspace: the folder in which everything of the assistant lies. */
const CONFIG = `workspace: { root: . }
policy: { file: rules/policy.yaml }
server: { token: { file: keys/token.txt } }
owner: { ids: ["telegram:1"] }
`;
const POLICY = "profiles: [{ name: default, policy: {} }]\n";
const TOKEN = "file-token-0123456789abcdef";

let folder: ReturnType<typeof temporaryFolder>;
let assistant: Assistant;
const read = (path: string) => readFileSync(join(folder.path, path), "utf8");

beforeEach(async () => {
  folder = temporaryFolder();
  for (const name of ["rules", "keys", ".wakeful"]) mkdirSync(join(folder.path, name));
  writeFileSync(join(folder.path, "assistant.yaml"), CONFIG);
  writeFileSync(join(folder.path, "rules/policy.yaml"), POLICY);
  writeFileSync(join(folder.path, "keys/token.txt"), TOKEN);
  writeFileSync(join(folder.path, "notes.md"), "the word is plain\n");
  const terminal = { env: {}, cwd: folder.path };
  ({ assistant } = await loadAssistant(readSettings({ config: "assistant.yaml" }, terminal), terminal));
});
afterEach(async () => {
  await assistant.stop();
  folder.remove();
});

describe("the assistant cannot change what it is", () => {
  const call = (name: string, input: unknown) => assistant.tools.run(name, input, { user: "cli", channel: "cli" });

  it.each([
    "assistant.yaml",
    "rules/policy.yaml",
    "keys/token.txt",
    "wakeful.yaml",
    ".wakeful/config.yaml",
    ".wakeful/approvals/rules.json",
    ".wakeful/sessions/planted.json",
    "ASSISTANT.yaml",
    "./rules/../assistant.yaml",
  ])("with the file tools, at %s", async (path) => {
    const before = readdirSync(folder.path).toSorted();
    const planted = { path, content: "planted" };
    const edit = { path, old_text: "telegram:1", new_text: "telegram:666" };
    for (const [name, input] of [
      ["file_read", { path }],
      ["file_write", planted],
      ["file_edit", edit],
      ["list_files", { path }],
      ["grep", { pattern: ".", path }],
      ["find", { glob: "*", path }],
    ] as const) {
      const result = await call(name, input);
      expect([name, result]).toMatchObject([name, { ok: false, error: { code: "WORKSPACE_REFUSED" } }]);
      expect(JSON.stringify(result)).toContain("belongs to the assistant itself");
    }
    expect([read("assistant.yaml"), read("rules/policy.yaml"), read("keys/token.txt")]).toEqual([
      CONFIG,
      POLICY,
      TOKEN,
    ]);
    expect(readdirSync(folder.path).toSorted()).toEqual(before);
  });

  it("and finds nothing of it in lists and searches of the whole workspace", async () => {
    const outputs = [
      await call("list_files", {}),
      await call("find", { glob: "**" }),
      await call("find", { glob: ".wakeful/**" }),
      await call("grep", { pattern: "telegram|token|profiles|word" }),
    ];
    const text = JSON.stringify(outputs);
    expect(text).toContain("the word is plain");
    expect(text).not.toMatch(/assistant\.yaml|policy\.yaml|token\.txt|file-token|telegram:1|events|sessions/u);
  });

  it("with commands", async () => {
    // In the simulated shell, the default; the sandbox has its own tests.
    const outputs: string[] = [];
    for (const command of [
      "cat assistant.yaml keys/* rules/*",
      "find . -type f",
      "echo planted > assistant.yaml",
      "echo planted > wakeful.yaml",
      "echo planted >> rules/policy.yaml",
      "cp notes.md rules/policy.yaml",
      "ln -s assistant.yaml link; cat link",
      "rm -rf rules keys .wakeful",
      "mv rules old",
      "cp -r . copy; cat copy/*/*",
    ])
      outputs.push(JSON.stringify(await call("bash", { command })));
    expect(outputs[1]).toContain("notes.md");
    expect(outputs.join("\n")).not.toMatch(/file-token|telegram:1|profiles:/u);
    expect([read("assistant.yaml"), read("rules/policy.yaml"), read("keys/token.txt")]).toEqual([
      CONFIG,
      POLICY,
      TOKEN,
    ]);
    expect(readdirSync(folder.path)).not.toContain("wakeful.yaml");
    expect(readdirSync(join(folder.path, ".wakeful")).length).toBeGreaterThan(0);
  });

  it("with any tool that is there: none takes configuration, rules, people or jobs", () => {
    const names = assistant.tools.list({ user: "cli", channel: "cli" }).map(({ name }) => name);
    expect(names.filter((name) => /config|policy|allow|owner|pair|rule|profile|approv|role/u.test(name))).toEqual([]);
  });

  it("when its workspace lies in its data: then it does not start", async () => {
    writeFileSync(join(folder.path, "inside.yaml"), "workspace: { root: .wakeful/files }\n");
    const terminal = { env: {}, cwd: folder.path };
    await assistant.stop();
    await expect(loadAssistant(readSettings({ config: "inside.yaml" }, terminal), terminal)).rejects.toThrow(
      "which belongs to the assistant",
    );
  });
});
