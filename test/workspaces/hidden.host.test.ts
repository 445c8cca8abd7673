import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findSandbox, hostWorkspace } from "../../adapters/workspaces/host/index.ts";
import type { Workspace } from "../../kit.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const found = findSandbox();
const refused = expect.objectContaining({
  code: "WORKSPACE_REFUSED",
  message: expect.stringContaining("belongs to the assistant itself") as string,
}) as unknown;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  root = join(folder.path, "root");
  mkdirSync(join(root, "conf/data/sessions"), { recursive: true });
  writeFileSync(join(root, "conf/data/rules"), "canary");
  writeFileSync(join(root, "conf/data/sessions/log"), "canary");
  writeFileSync(join(root, "wakeful.yaml"), "canary");
  writeFileSync(join(root, "notes.md"), "mine");
});
afterEach(() => folder.remove());

const hiding = () => [join(root, "conf/data"), join(root, "wakeful.yaml"), join(root, "later/policy.yaml")];
const make = (exec?: Parameters<typeof hostWorkspace>[0]["exec"]) =>
  hostWorkspace({ root, hidden: hiding(), ...(exec && { exec }) });

async function everyName(workspace: Workspace, path = "."): Promise<string[]> {
  const names: string[] = [];
  for (const entry of (await workspace.list(path)) ?? []) {
    names.push(entry.path);
    if (entry.kind === "folder") names.push(...(await everyName(workspace, entry.path)));
  }
  return names;
}

describe("what a workspace hides", () => {
  it.each([
    "conf/data",
    "conf/data/rules",
    "conf/data/new",
    "conf/data/new/folder/file",
    "conf/data/sessions/log",
    "wakeful.yaml",
    "wakeful.yaml/below",
    "./conf/../wakeful.yaml",
    "later/policy.yaml",
    "Later/Policy.yaml",
    "link",
    "inner/rules",
  ])("is neither read, written, listed, looked at nor removed as %s", async (path) => {
    symlinkSync("wakeful.yaml", join(root, "link"));
    symlinkSync("conf/data", join(root, "inner"));
    const workspace = make();
    const operations: Record<string, () => Promise<unknown>> = {
      read: () => workspace.read(path),
      write: () => workspace.write(path, "planted"),
      create: () => workspace.write(path, "planted", { expect: null }),
      list: () => workspace.list(path),
      stat: () => workspace.stat(path),
      make: async () => workspace.folders?.make(path),
    };
    // Where nothing is there is nothing to remove, and of a link only itself.
    if (!/^(?:link$|later|wakeful.yaml\/below)/iu.test(path)) {
      operations["remove"] = () => workspace.remove(path);
      operations["removeFolder"] = async () => workspace.folders?.remove(path);
    }
    for (const [name, run] of Object.entries(operations))
      expect(await run().catch((error: unknown) => error), name).toEqual(refused);
    expect(await readFile(join(root, "conf/data/rules"), "utf8")).toBe("canary");
    expect(await readFile(join(root, "wakeful.yaml"), "utf8")).toBe("canary");
    expect((await readdir(root)).toSorted()).toEqual(["conf", "inner", "link", "notes.md", "wakeful.yaml"]);
    expect((await readdir(join(root, "conf/data"))).toSorted()).toEqual(["rules", "sessions"]);
  });

  it("is in no list, by its name or by a link", async () => {
    symlinkSync("conf/data/rules", join(root, "link"));
    expect(await everyName(make())).toEqual(["conf", "notes.md"]);
    await rm(join(root, "link"));
  });

  it("leaves the rest as it is, what only starts with the same name too", async () => {
    const workspace = make();
    for (const path of ["notes.md", "wakeful.yaml.md", "conf/database", "later/notes.md"]) {
      await workspace.write(path, "new");
      expect(await workspace.remove(path)).toBe(true);
    }
  });

  it("is not there for the simulated shell either", async () => {
    const exec = make({ mode: "simulated" }).exec;
    for (const command of [
      "cat wakeful.yaml conf/data/rules conf/data/sessions/*",
      "find . -type f -exec cat {} +",
      "echo x > wakeful.yaml",
      "echo x > conf/data/rules",
      "mkdir -p later; echo x > later/policy.yaml",
      "mv conf other",
      "cp -r conf copy; cat copy/data/rules",
    ])
      expect((await exec?.run(command))?.stdout, command).not.toContain("canary");
    expect(await readFile(join(root, "conf/data/rules"), "utf8")).toBe("canary");
    expect(await readFile(join(root, "wakeful.yaml"), "utf8")).toBe("canary");
    expect(await readdir(join(root, "later")).catch(() => [])).toEqual([]);
  });

  it.skipIf(!found.ok)(
    `cannot be moved away by a command, nor a folder above it${found.ok ? "" : " — needs a sandbox"}`,
    async () => {
      const exec = make({ mode: "sandboxed" }).exec;
      // Written so that the guard over the text has nothing to say.
      const script =
        "import os\nfor one in ['conf', 'conf/data', 'wakeful.yaml']:\n  try: os.rename(one, 'moved')\n  except OSError as error: print(error.errno)\n";
      await exec?.run(
        `cat > move.sh <<'END'\nmv conf moved; mv conf/da* moved; mv wake*.yaml moved; ls\nEND\nsh move.sh`,
      );
      await exec?.runCode("python", script).catch(() => undefined);
      await exec?.run("mkdir -p conf/plan && mv conf/plan conf/planted && echo fine > conf/planted/x");
      expect(await readFile(join(root, "conf/data/rules"), "utf8")).toBe("canary");
      expect(await readFile(join(root, "wakeful.yaml"), "utf8")).toBe("canary");
      expect(await readFile(join(root, "conf/planted/x"), "utf8")).toBe("fine\n");
    },
  );

  it.each(["root", "root/conf/data", "."])("cannot hold the workspace itself: %s", (hidden) => {
    const at = hidden === "root/conf/data" ? join(root, "conf/data/files") : root;
    expect(() => hostWorkspace({ root: at, hidden: [join(folder.path, hidden)] })).toThrow("is hidden or lies in");
  });

  it("is not named by a way over a link in the workspace, which could be replaced", () => {
    symlinkSync("conf", join(root, "other"));
    expect(() => hostWorkspace({ root, hidden: [join(root, "other/data")] })).toThrow(
      "is a symbolic link in the workspace",
    );
    symlinkSync(root, join(folder.path, "way-to-root"));
    expect(() => hostWorkspace({ root, hidden: [join(folder.path, "way-to-root/conf")] })).not.toThrow();
  });

  it("is found by any way to the root", async () => {
    symlinkSync(root, join(folder.path, "way"));
    for (const [at, hidden] of [
      [root, join(folder.path, "way/conf/data")],
      [join(folder.path, "way"), join(root, "conf/data")],
      [join(folder.path, "way"), join(folder.path, "way/conf/data")],
    ] as const) {
      const workspace = hostWorkspace({ root: at, hidden: [hidden] });
      expect(await workspace.read("conf/data/rules").catch((error: unknown) => error)).toEqual(refused);
    }
  });
});
