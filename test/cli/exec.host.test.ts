import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { workspaceOf } from "../../adapters/cli/load-assistant.ts";
import { findSandbox } from "../../adapters/workspaces/host/index.ts";
import { memoryStore, parseConfig } from "../../entry.host.ts";
import { run, temporaryFolder } from "./fake-terminal.ts";

const found = findSandbox();

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => folder.remove());

/** The row of `wakeful doctor` about commands. */
async function rowFor(config: string) {
  writeFileSync(join(folder.path, "wakeful.yaml"), config);
  const { stdout } = await run(["doctor", "--json"], { cwd: folder.path });
  const { checks } = JSON.parse(stdout) as { checks: readonly { check: string }[] };
  return checks.find(({ check }) => check === "commands");
}

describe("wakeful doctor about commands", () => {
  it.each([
    { config: "", state: "ok", what: "simulated: an interpreter over the workspace's files" },
    { config: "workspace: { root: files }", state: "ok", what: "simulated: an interpreter over the workspace's files" },
    { config: "workspace: { exec: { mode: off } }", state: "ok", what: "off" },
    {
      config: "workspace: { root: files, exec: { mode: host, sandbox: none } }",
      state: "warn",
      what: "host: none: commands have all rights of this process; no code_execute; at most 256 MiB a file, 1024 MiB written, 2048 MiB of memory, 512 processes, 600 s; Commands run on the host with all rights",
    },
  ])("says of $config: $what", async ({ config, state, what }) => {
    expect(await rowFor(config)).toMatchObject({ state, what: expect.stringContaining(what) as string });
  });

  it("says which sandbox holds them, or how to get one", async () => {
    const row = await rowFor("workspace: { root: files, exec: { mode: sandboxed } }");
    if (found.ok)
      expect(row).toMatchObject({
        what: expect.stringContaining(`sandboxed: ${found.sandbox.name}; code_execute for bash`) as string,
      });
    else expect(row).toMatchObject({ state: "fail", what: expect.stringContaining(found.remedy) as string });
  });
});

describe("wakeful doctor about the workspace", () => {
  const cannot = [
    { root: "notes.txt", why: "it is not a folder" },
    { root: "notes.txt/files", why: "ENOTDIR" },
    ...(process.platform === "linux" ? [{ root: "/proc/files", why: "ENOENT" }] : []),
  ];
  it.each([
    ...cannot.map(({ root, why }) => ({ config: `workspace: { root: ${root} }`, why })),
    { config: "agent: { workspace: { root: notes.txt } }", why: "it is not a folder" },
  ])("names one that cannot be made: $config", async ({ config, why }) => {
    writeFileSync(join(folder.path, "notes.txt"), "");
    writeFileSync(join(folder.path, "wakeful.yaml"), config);
    const { stdout, code } = await run(["doctor", "--json"], { cwd: folder.path });
    const { checks } = JSON.parse(stdout) as { checks: readonly { check: string; state: string }[] };
    expect(code).toBe(1);
    expect(checks.filter(({ check }) => check === "workspace")).toEqual([
      {
        check: "workspace",
        state: "fail",
        what: expect.stringMatching(new RegExp(`, set as workspace\\.root, cannot be used: ${why}`)) as string,
        remedy: "set a folder that this user can create and write to",
      },
    ]);
    // The other rows tell of their own, as before anything is begun.
    for (const check of ["commands", "approvals"])
      expect(checks.find((row) => row.check === check)).toMatchObject({ state: "ok" });
    expect(readdirSync(folder.path).toSorted()).toEqual(["notes.txt", "wakeful.yaml"]);
  });

  it("says nothing of one that is there or can be made", async () => {
    for (const root of [".", "files/of/mine"]) {
      writeFileSync(join(folder.path, "wakeful.yaml"), `workspace: { root: ${root} }`);
      const { stdout } = await run(["doctor", "--json"], { cwd: folder.path });
      expect(stdout).not.toContain('"workspace"');
      expect(readdirSync(folder.path)).toEqual(["wakeful.yaml"]);
    }
  });
});

describe("the workspace of a configuration", () => {
  it.skipIf(!found.ok)(
    `hides the assistant's data and file from commands, wherever they lie${found.ok ? "" : " — needs a sandbox"}`,
    async () => {
      mkdirSync(join(folder.path, ".wakeful"));
      writeFileSync(join(folder.path, ".wakeful/token"), "canary");
      writeFileSync(join(folder.path, "wakeful.yaml"), "canary");
      writeFileSync(join(folder.path, "notes.txt"), "shown");
      const config = parseConfig("workspace: { root: ., exec: { mode: sandboxed } }");
      const settings = { config, dataFolder: join(folder.path, ".wakeful"), file: join(folder.path, "wakeful.yaml") };
      const { exec } = await workspaceOf(settings, folder.path, memoryStore());
      const result = await exec?.run("find . -type f -exec cat {} +; find . -name token");
      expect(result?.stdout).toBe("shown");
    },
  );

  it("hands on the limits of commands, in each mode", async () => {
    const inspected = async (text: string) => {
      const settings = { config: parseConfig(text), dataFolder: join(folder.path, ".wakeful") };
      return (await workspaceOf(settings, folder.path, memoryStore())).exec?.inspect();
    };
    const limits = "limits: { disk_bytes: 8388608, seconds: 5 }";
    for (const [config, shown] of [
      [`workspace: { exec: { ${limits} } }`, "8 MiB written, 5 s"],
      [`workspace: { root: w, exec: { ${limits} } }`, "8 MiB written, 5 s"],
      [
        `workspace: { root: w, exec: { mode: host, sandbox: none, ${limits} } }`,
        "256 MiB a file, 8 MiB written, 2048 MiB of memory, 512 processes, 5 s",
      ],
    ] as const)
      expect(await inspected(config)).toMatchObject({ ok: true, limits: shown });
  });

  it("keeps files in the store when it names no folder, with or without commands", async () => {
    const of = (text: string) =>
      workspaceOf({ config: parseConfig(text), dataFolder: folder.path }, folder.path, memoryStore());
    expect((await of("")).exec?.mode).toBe("simulated");
    expect((await of("workspace: { exec: { mode: off } }")).exec).toBe(undefined);
  });
});
