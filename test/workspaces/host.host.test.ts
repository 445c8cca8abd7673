import { execFileSync } from "node:child_process";
import * as files from "node:fs/promises";
import { createServer } from "node:net";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { workspaceContract } from "../../src/testing/workspace-contract.ts";
import { hostWorkspace } from "../../adapters/workspaces/host/index.ts";
import { hostWorkspaceOver } from "../../adapters/workspaces/host/host-workspace.ts";
import { differsInCaseOnly } from "../../adapters/workspaces/host/locate.ts";
import type { Workspace } from "../../kit.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { wholeOnNode } from "../support/thorough.ts";

/** The calls of a system that does not show open files under /proc: there folders are reached by path and checked after each step. */
const withoutProc = {
  ...files,
  readlink: (async (path: string) => {
    if (path.startsWith("/proc/")) throw Object.assign(new Error("no such file"), { code: "ENOENT" });
    return files.readlink(path);
  }) as typeof files.readlink,
};

const asTheSystemIs = [
  ["hostWorkspace()", files],
  ["hostWorkspace() without /proc", withoutProc],
] as const;
for (const [name, calls] of wholeOnNode(asTheSystemIs, 2)) {
  workspaceContract(
    { describe, it, expect },
    {
      name,
      async open({ maxFileBytes }) {
        const folder = await temporaryFolder();
        return {
          workspace: hostWorkspaceOver(calls, { root: join(folder.path, "root"), maxFileBytes }),
          dispose: folder.remove,
        };
      },
    },
  );

  describe(`${name} and links`, () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;
    let root: string;
    let outside: string;
    let workspace: Workspace;

    beforeEach(async () => {
      folder = await temporaryFolder();
      [root, outside] = [join(folder.path, "root"), join(folder.path, "outside")];
      await files.mkdir(join(root, "inside"), { recursive: true });
      await files.mkdir(outside);
      await files.writeFile(join(root, "inside", "file"), "inside");
      await files.writeFile(join(outside, "file"), "secret");
      workspace = hostWorkspaceOver(calls, { root });
    });
    afterEach(() => folder.remove());

    async function expectRefused(path: string, reason: string): Promise<void> {
      const operations = {
        read: () => workspace.read(path),
        write: () => workspace.write(path, "overwritten"),
        list: () => workspace.list(path),
        stat: () => workspace.stat(path),
      };
      for (const [operation, run] of Object.entries(operations)) {
        const error = await run().catch((thrown: unknown) => thrown);
        expect(error, operation).toMatchObject({
          code: "WORKSPACE_REFUSED",
          message: expect.stringContaining(reason) as string,
        });
        expect((error as Error).message, "names nothing outside").not.toContain(folder.path);
      }
      expect(await files.readdir(outside)).toEqual(["file"]);
      expect(await files.readFile(join(outside, "file"), "utf8")).toBe("secret");
    }

    it.each([
      { title: "a link to a file outside", target: "../outside/file", path: "link" },
      { title: "a link to a folder outside", target: "../outside", path: "link" },
      { title: "a file under a link to a folder outside", target: "../outside", path: "link/file" },
      { title: "a new file under a link to a folder outside", target: "../outside", path: "link/new" },
      { title: "new folders under a link to a folder outside", target: "../outside", path: "link/new/folder/file" },
      { title: "a link to the folder above", target: "..", path: "link/outside/file" },
      { title: "an absolute link", target: "/etc", path: "link/passwd" },
      { title: "a link to the root of all", target: "/", path: "link/etc/passwd" },
    ])("refuse $title", async ({ target, path }) => {
      await files.symlink(target, join(root, "link"));
      await expectRefused(path, "leads out of the workspace");
      expect((await workspace.list("."))?.map((entry) => entry.path)).toEqual(["inside"]);
    });

    it("refuse a link to a link that leaves", async () => {
      await files.symlink("../outside", join(root, "second"));
      await files.symlink("second/file", join(root, "link"));
      await expectRefused("link", "leads out of the workspace");
    });

    it("refuse a folder beside the root whose name starts like it", async () => {
      await files.mkdir(`${root}-evil`);
      await files.symlink(`${root}-evil`, join(root, "link"));
      await expectRefused("link/file", "leads out of the workspace");
    });

    it.each([
      { title: "to nothing inside", target: "nothing", path: "link" },
      { title: "to nothing outside", target: "../outside/new", path: "link" },
      { title: "to nothing, below which something is written", target: "../outside/new", path: "link/file" },
    ])("refuse a link $title, and never create its target", async ({ target, path }) => {
      await files.symlink(target, join(root, "link"));
      await expectRefused(path, "to something that does not exist");
      expect((await files.readdir(root)).toSorted()).toEqual(["inside", "link"]);
    });

    it("refuse links that lead to each other", async () => {
      await files.symlink("other", join(root, "link"));
      await files.symlink("link", join(root, "other"));
      await expectRefused("link", "leads back to itself");
    });

    it("follow links that stay inside, and keep them", async () => {
      await files.symlink("inside", join(root, "folder"));
      await files.symlink(join(root, "inside", "file"), join(root, "file"));
      await workspace.write("file", "by link");
      await workspace.write("folder/new/file", "new");
      expect(await files.readFile(join(root, "inside", "file"), "utf8")).toBe("by link");
      expect(await files.readFile(join(root, "inside", "new", "file"), "utf8")).toBe("new");
      expect((await files.lstat(join(root, "file"))).isSymbolicLink()).toBe(true);
      expect(await workspace.list(".")).toEqual([
        { path: "file", kind: "file", sizeBytes: 7 },
        { path: "folder", kind: "folder" },
        { path: "inside", kind: "folder" },
      ]);
    });

    it("remove a link itself, wherever it points", async () => {
      for (const [name, target] of Object.entries({
        leaving: "../outside/file",
        dangling: "nothing",
        staying: "inside/file",
      })) {
        await files.symlink(target, join(root, name));
        expect(await workspace.remove(name)).toBe(true);
      }
      expect(await files.readdir(root)).toEqual(["inside"]);
      expect(await files.readFile(join(outside, "file"), "utf8")).toBe("secret");
      expect(await files.readFile(join(root, "inside", "file"), "utf8")).toBe("inside");
    });

    it("refuse pipes without waiting for a writer", async (context) => {
      if (process.platform === "win32") context.skip("Windows has no named pipes in folders");
      execFileSync("mkfifo", [join(root, "pipe")]);
      for (const run of [
        () => workspace.read("pipe"),
        () => workspace.write("pipe", "a"),
        () => workspace.remove("pipe"),
      ]) {
        await expect(run()).rejects.toMatchObject({
          code: "WORKSPACE_REFUSED",
          message: expect.stringContaining("device, pipe or socket") as string,
        });
      }
      expect(await workspace.stat("pipe")).toBeNull();
      expect((await workspace.list("."))?.map(({ path }) => path)).toEqual(["inside"]);
    });

    it("refuse sockets", async (context) => {
      if (process.platform === "win32") context.skip("Windows has no sockets in folders");
      const server = createServer();
      // A socket's path may have about 100 characters, so it is given relative to where we are.
      await new Promise<void>((resolve) => server.listen(relative(process.cwd(), join(root, "socket")), resolve));
      try {
        await expect(workspace.read("socket")).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
        await expect(workspace.write("socket", "a")).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
      } finally {
        await new Promise((resolve) => server.close(resolve));
      }
    });

    it("refuse a link to a device", async () => {
      await files.symlink("/dev/null", join(root, "link"));
      await expectRefused("link", "leads out of the workspace");
    });
  });
}

describe("hostWorkspace()", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let root: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    root = join(folder.path, "root");
  });
  afterEach(() => folder.remove());

  it("takes absolute paths under its root as the ones they mean", async () => {
    const workspace = hostWorkspace({ root });
    await workspace.write(join(root, "a", "b"), "1");
    expect(await files.readFile(join(root, "a", "b"), "utf8")).toBe("1");
    await expect(workspace.write(join(folder.path, "b"), "1")).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
  });

  it("may have a link as its root", async () => {
    await files.mkdir(join(folder.path, "real"));
    await files.symlink("real", root);
    const workspace = hostWorkspace({ root });
    await workspace.write("a/b", "1");
    expect((await workspace.list("a"))?.map(({ path }) => path)).toEqual(["a/b"]);
  });

  it("keeps the rights of a file that it replaces", async (context) => {
    if (process.platform === "win32") context.skip("Windows has no such rights");
    const workspace = hostWorkspace({ root });
    await workspace.write("run.sh", "1");
    await files.chmod(join(root, "run.sh"), 0o750);
    await workspace.write("run.sh", "2");
    expect((await files.stat(join(root, "run.sh"))).mode & 0o777).toBe(0o750);
  });

  it("leaves a hard link's other name as it was", async () => {
    const workspace = hostWorkspace({ root });
    await workspace.write("a", "1");
    await files.link(join(root, "a"), join(folder.path, "a"));
    await workspace.write("a", "2");
    expect(await files.readFile(join(folder.path, "a"), "utf8")).toBe("1");
  });

  it("refuses to read a file that is too large, whatever wrote it", async () => {
    const workspace = hostWorkspace({ root, maxFileBytes: 10 });
    await workspace.write("a", "1");
    await files.writeFile(join(root, "a"), "x".repeat(11));
    await expect(workspace.read("a")).rejects.toMatchObject({
      code: "WORKSPACE_REFUSED",
      message: expect.stringContaining("at most 10") as string,
    });
  });

  it("leaves no temporary file behind, shows none, and sweeps what a crash left", async () => {
    const workspace = hostWorkspace({ root });
    const [old, fresh] = [1, 2].map((digit) => `.wakeful-${crypto.randomUUID().slice(0, -1)}${digit}.tmp`) as [
      string,
      string,
    ];
    await files.mkdir(root);
    await files.writeFile(join(root, old), "half");
    await files.utimes(join(root, old), new Date(1000), new Date(1000));
    await files.writeFile(join(root, fresh), "half");
    expect(await workspace.list(".")).toEqual([]);
    await workspace.write("a", "1");
    await workspace.write("b", "2");
    expect((await files.readdir(root)).sort()).toEqual([fresh, "a", "b"]);
  });

  it.each(["open", "rename", "mkdir"] as const)(
    "says that the disk is full when %s finds it so, and leaves nothing half",
    async (call) => {
      await files.mkdir(root);
      await files.writeFile(join(root, "a"), "old");
      const full = () => Promise.reject(Object.assign(new Error(`ENOSPC, ${root}`), { code: "ENOSPC" }));
      const original = files[call] as (...given: unknown[]) => Promise<unknown>;
      const workspace = hostWorkspaceOver(
        {
          ...files,
          [call]: (...given: unknown[]) =>
            call === "open" && !String(given[0]).endsWith(".tmp") ? original(...given) : full(),
        },
        { root },
      );
      const error = await workspace.write(call === "mkdir" ? "new/a" : "a", "new").catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "STORE_FULL", message: expect.stringContaining("disk is full") as string });
      expect((error as Error).message).not.toContain(root);
      expect(await files.readdir(root)).toEqual(["a"]);
      expect(await files.readFile(join(root, "a"), "utf8")).toBe("old");
    },
  );

  it("passes on the code of what the system says, never its paths", async () => {
    const broken: typeof files.open = async () => {
      throw Object.assign(new Error(`EIO: i/o error, open '${root}'`), { code: "EIO" });
    };
    const workspace = hostWorkspaceOver({ ...files, open: broken }, { root });
    await workspace.stat(".");
    await files.writeFile(join(root, "a"), "1");
    const error = await workspace.read("a").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "STORE_UNAVAILABLE", message: expect.stringContaining("EIO") as string });
    expect((error as Error).message).not.toContain(root);
  });

  it.each([
    { title: "nothing", root: "", message: "path of a folder" },
    { title: "no text", root: undefined, message: "path of a folder" },
    { title: "the root of all", root: "/", message: "the whole file system" },
    { title: "the root of all, hidden", root: "/tmp/..", message: "the whole file system" },
    { title: "a home folder that nobody fills in", root: "~/workspace", message: "as ~ is not expanded here" },
    { title: "a NUL character", root: "a\0b", message: "NUL" },
  ])("refuses $title as its root", ({ root, message }) => {
    expect(() => hostWorkspace({ root: root as string })).toThrow(message);
  });

  it("whose folder the system lets nobody make says so, and hangs nothing", async (context) => {
    if (process.platform !== "linux") return context.skip("there is no /proc");
    for (const nowhere of ["/proc/wakeful", "/proc/wakeful/work"]) {
      const { write, exec } = hostWorkspace({ root: nowhere });
      const refused = {
        code: "STORE_UNAVAILABLE",
        message: expect.stringContaining("allows none at its root") as string,
      };
      await expect(write("a", "1")).rejects.toMatchObject(refused);
      expect((await exec!.run("echo 1 > a")).exitCode).not.toBe(0);
      const host = hostWorkspace({ root: nowhere, exec: { mode: "host", sandbox: "none" } }).exec!;
      await expect(host.run("echo 1")).rejects.toThrow("allows none at its root");
    }
  });

  it("refuses a way to run commands that there is not", () => {
    expect(() => hostWorkspace({ root, exec: { mode: "on" } as never })).toThrow(
      '"simulated", "sandboxed", "host" or "off"',
    );
  });

  it("runs commands in a simulated shell by default, and none when they are off", () => {
    expect(hostWorkspace({ root }).exec?.mode).toBe("simulated");
    expect(hostWorkspace({ root, exec: { mode: "off" } }).exec).toBe(undefined);
  });

  it("makes and removes folders that hold nothing", async () => {
    const { folders, stat, write } = hostWorkspace({ root });
    await folders?.make("a/b/c");
    await folders?.make("a/b");
    expect(await stat("a/b/c")).toEqual({ path: "a/b/c", kind: "folder" });
    await write("a/file", "1");
    for (const path of ["a", "a/file", ".", "../x", "/etc"])
      await expect(folders?.remove(path), path).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
    for (const path of ["a/file", "a/file/b", "../x"])
      await expect(folders?.make(path), path).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
    expect(await folders?.remove("a/b/c")).toBe(true);
    expect(await folders?.remove("a/b/c")).toBe(false);
    expect(await stat("a/b/c")).toBe(null);
  });

  it("makes and removes no folder behind a link that leads out", async () => {
    const { folders } = hostWorkspace({ root });
    await files.mkdir(root, { recursive: true });
    await files.symlink("..", join(root, "out"));
    await expect(folders?.make("out/planted")).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
    await expect(folders?.remove("out")).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
    await expect(folders?.remove("out/root")).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
  });
});

describe("differsInCaseOnly()", () => {
  it.each([
    { spelled: "README.md", wanted: "readme.MD", differs: true },
    { spelled: "Ärger", wanted: "ärger", differs: true },
    { spelled: "a", wanted: "a", differs: false },
    { spelled: "a\u0303", wanted: "\u00e3", differs: false },
    { spelled: "elsewhere/a", wanted: "link/a", differs: false },
  ])("$spelled and $wanted: $differs", ({ spelled, wanted, differs }) => {
    expect(differsInCaseOnly(spelled, wanted)).toBe(differs);
  });
});
