import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type PolicyWatchOptions, policyPath, watchPolicy } from "../../adapters/cli/policy-file.ts";
import { parseConfig, parsePolicy } from "../../entry.host.ts";
import { createPolicy } from "../../src/policy/index.ts";
import { fakeTerminal, run, temporaryFolder } from "./fake-terminal.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => folder.remove());

const put = (name: string, text: string) => {
  const path = join(folder.path, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
};
const denying = (group: string) => `profiles:\n  - name: default\n    policy: { deny: [{ group: ${group} }] }\n`;
const here = (argv: readonly string[]) => run(argv, { cwd: folder.path });

describe("the policy file", () => {
  it("stands beside the configuration when its path is relative", () => {
    const config = parseConfig("policy: { file: tools/policy.yaml }");
    expect(policyPath({ config, file: "/etc/wakeful/wakeful.yaml", dataFolder: "/" }, "/home")).toBe(
      "/etc/wakeful/tools/policy.yaml",
    );
    expect(
      policyPath({ config: parseConfig("policy: { file: /p.yaml }"), file: "/etc/w.yaml", dataFolder: "/" }, "/home"),
    ).toBe("/p.yaml");
    expect(policyPath({ config: parseConfig(""), dataFolder: "/" }, "/home")).toBeUndefined();
  });

  it("must be named when there is a policy", async () => {
    put("wakeful.yaml", "policy: {}");
    const { code, stderr } = await here(["config", "check"]);
    expect(code).toBe(2);
    expect(stderr).toContain("policy.file is missing: expected text");
  });

  it.each([["config", "check"], ["serve"], ["chat"]])(
    "stops %s %s when it has mistakes, and names them",
    async (...argv) => {
      put("wakeful.yaml", "policy: { file: policy.yaml }");
      const path = put("policy.yaml", "profiles:\n  - name: a\n    polcy: {}\n    policy: { deny: [{}] }\n");
      const { code, stderr } = await here(argv.filter((word) => typeof word === "string"));
      expect(code).toBe(2);
      expect(stderr.split("\n")).toEqual([
        "error: the configuration has 2 mistakes",
        `${path}:3:5 Unknown key profiles[0].polcy: did you mean "policy"?`,
        `${path}:4:22 profiles[0].policy.deny[0]: expected exactly one of group and tool, got neither`,
        "",
      ]);
    },
  );

  it("stops the start when it is not there", async () => {
    put("wakeful.yaml", "policy: { file: gone.yaml }");
    const { code, stderr } = await here(["serve"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: The policy file \S+gone\.yaml, which policy\.file names, cannot be read: /);
  });
});

describe("wakeful config check", () => {
  it("reads the policy too, and tells its warnings with file and line", async () => {
    const config = put("wakeful.yaml", "policy: { file: policy.yaml }");
    const path = put("policy.yaml", denying("exek"));
    const { code, stdout } = await here(["config", "check"]);
    expect(code).toBe(0);
    expect(stdout.split("\n")).toEqual([
      `${config} is valid`,
      `warning: ${path}:3 Unknown group "exek": did you mean "exec"?`,
      `${path} is valid`,
      "",
    ]);
    expect(JSON.parse((await here(["config", "check", "--json"])).stdout)).toMatchObject({
      ok: true,
      policy: { file: path, warnings: [{ line: 3 }] },
    });
  });

  it("knows the groups that MCP servers are put into", async () => {
    put(
      "wakeful.yaml",
      "policy: { file: policy.yaml }\nmcp: { servers: { shop: { url: https://example.com/mcp, groups: [shop] } } }",
    );
    put("policy.yaml", denying("shop"));
    expect(JSON.parse((await here(["config", "check", "--json"])).stdout)).toMatchObject({ policy: { warnings: [] } });
  });

  it("says that there is no policy file", async () => {
    put("wakeful.yaml", "version: 1");
    expect(JSON.parse((await here(["config", "check", "--json"])).stdout)).toMatchObject({ policy: null });
  });
});

describe("wakeful doctor", () => {
  const rows = async () => {
    const { stdout } = await here(["doctor", "--json"]);
    const { checks } = JSON.parse(stdout) as { checks: readonly { check: string; state: string; what: string }[] };
    return checks.filter(({ check }) => check === "policy").map(({ state, what }) => `${state} ${what}`);
  };

  it("says which policy holds", async () => {
    expect(await rows()).toEqual(["ok no file, the built-in profiles apply"]);
    put("wakeful.yaml", "policy: { file: policy.yaml }");
    const path = put("policy.yaml", denying("exek"));
    expect(await rows()).toEqual([`ok ${path}: default`, `warn ${path}:3 Unknown group "exek": did you mean "exec"?`]);
  });

  it("warns of a file that the assistant could write to", async () => {
    const path = put("work/policy.yaml", denying("exec"));
    put("wakeful.yaml", "policy: { file: work/policy.yaml }\nworkspace: { root: work }");
    const warning = `warn ${path} is in the workspace, where the assistant may write`;
    expect(await rows()).toEqual([`ok ${path}: default`, warning]);
    put("wakeful.yaml", "policy: { file: work/policy.yaml }\nworkspace: { root: wor }");
    expect(await rows()).toEqual([`ok ${path}: default`]);
  });

  it("fails with each mistake of the file", async () => {
    put("wakeful.yaml", "policy: { file: policy.yaml }");
    const path = put("policy.yaml", "fallback: 1");
    expect(await rows()).toEqual([
      `fail ${path}:1:1 profiles is missing: expected a list`,
      `fail ${path}:1:11 fallback: expected "deny" or "allow", got 1`,
    ]);
  });
});

describe("watchPolicy()", () => {
  let stop = () => {};
  afterEach(() => stop());
  const bash = { name: "bash", groups: ["exec"] };

  function watching(text: string, inWorkspace = false) {
    const path = put("conf/policy.yaml", text);
    const lines: string[] = [];
    const policy = createPolicy({ file: parsePolicy(text), parse: parsePolicy });
    const terminal = fakeTerminal();
    const log = (level: string) => (message: string, fields?: { readonly [name: string]: unknown }) => {
      const line = fields?.["line"] === undefined ? "" : `:${fields["line"] as number}`;
      lines.push(`${level} ${String(fields?.["file"]).replace(path, "P")}${line} ${message.replaceAll(path, "P")}`);
    };
    const logger = { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") };
    const options: PolicyWatchOptions = { path, policy, logger, terminal, inWorkspace, quietMs: 20 };
    stop = watchPolicy(options);
    const allowed = () => policy.decide(bash, { channel: "lark" }).allowed;
    return { path, lines, policy, terminal, allowed };
  }

  /** Until it holds; the test's own time limit ends what never does. */
  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await sleep(5);
  }

  it("reads the file again when it is written", async () => {
    const { path, lines, allowed } = watching(denying("exec"));
    expect(allowed()).toBe(false);
    writeFileSync(path, denying("fs"));
    await until(() => lines.length > 0);
    expect(allowed()).toBe(true);
    expect(lines).toEqual(["info P The tool policy was read again"]);
  });

  it("reads a file that was put in its place", async () => {
    const { path, lines, allowed } = watching(denying("exec"));
    renameSync(put("conf/next.yaml", denying("fs")), path);
    await until(() => lines.length > 0);
    expect(allowed()).toBe(true);
  });

  it("keeps the old policy when the new one has mistakes, and says where they are", async () => {
    const { path, lines, allowed } = watching(denying("exec"));
    writeFileSync(path, "profiles:\n  - name: default\n    polcy: {}\n");
    await until(() => lines.length > 0);
    expect(allowed()).toBe(false);
    expect(lines).toEqual([
      [
        "error P The tool policy could not be read again, so the old one stays in use: P:2:5 profiles[0].policy is missing: expected a group of options",
        'P:3:5 Unknown key profiles[0].polcy: did you mean "policy"?',
      ].join("\n"),
    ]);
    writeFileSync(path, denying("fs"));
    await until(() => lines.length > 1);
    expect(allowed()).toBe(true);
  });

  it("keeps the old policy when the file goes away", async () => {
    const { path, lines, allowed } = watching(denying("exec"));
    rmSync(path);
    await until(() => lines.length > 0);
    expect(allowed()).toBe(false);
    expect(lines[0]).toMatch(/^error P The tool policy could not be read again.*cannot be read/);
  });

  it("tells the warnings of the new policy with their lines", async () => {
    const { path, lines } = watching(denying("exec"));
    writeFileSync(path, denying("exek"));
    await until(() => lines.length > 1);
    expect(lines[1]).toBe('warn P:3 Unknown group "exek": did you mean "exec"?');
  });

  it("reads the file again at SIGHUP, also when nothing changed", () => {
    const { lines, terminal } = watching(denying("exec"));
    terminal.hangUp();
    expect(lines).toEqual(["info P The tool policy was read again"]);
  });

  it("takes only SIGHUP for a file that the assistant may write to, and says so", async () => {
    const { path, lines, terminal, allowed } = watching(denying("exec"), true);
    const another = watching(denying("exec"));
    writeFileSync(path, denying("fs"));
    await until(another.allowed);
    expect(allowed()).toBe(false);
    expect(lines).toEqual([expect.stringMatching(/^warn P Changes of the tool policy are not noticed; send SIGHUP/)]);
    terminal.hangUp();
    expect(allowed()).toBe(true);
  });

  it("ends when it is told to", () => {
    const { lines, terminal } = watching(denying("exec"));
    stop();
    terminal.hangUp();
    expect(lines).toEqual([]);
  });
});
