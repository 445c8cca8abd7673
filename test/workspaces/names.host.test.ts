import { execFileSync } from "node:child_process";
import * as files from "node:fs/promises";
import { createServer } from "node:net";
import { join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { virtualWorkspace } from "../../entry.host.ts";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { hostWorkspace } from "../../adapters/workspaces/host/index.ts";
import { hostWorkspaceOver } from "../../adapters/workspaces/host/host-workspace.ts";
import { fileTools, searchTools } from "../../src/tools/index.ts";
import type { Workspace } from "../../kit.ts";
import { workspaceContract } from "../../src/testing/workspace-contract.ts";
import { callTool } from "../tools/call-tool.ts";
import { WHOLE } from "../support/thorough.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { platform } from "../support/this-platform.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  root = join(folder.path, "root");
  await files.mkdir(root);
});
afterEach(() => folder.remove());

const call = (workspace: Workspace, name: string, input: unknown) => {
  const at = { workspaceFor: () => workspace, load: platform.load };
  return callTool({ ...fileTools(at), ...searchTools(at) }, name, input);
};

async function listed(workspace: Workspace, path = ".") {
  const leftOut: string[] = [];
  const entries = await workspace.list(path, { onLeftOut: (reason) => leftOut.push(reason) });
  return { paths: entries?.map((entry) => entry.path), leftOut: leftOut.sort() };
}

/** Makes files by the names that `printf` gives, which need not be UTF-8. */
function makeByBytes(...names: readonly string[]): void {
  for (const name of names) execFileSync("sh", ["-c", `printf milk > "$(printf '${name}')"`], { cwd: root });
}

describe("a list of the host workspace says what it leaves out:", () => {
  it("links that leave, that lead nowhere and that lead to themselves", async () => {
    await files.symlink("..", join(root, "out"));
    await files.symlink("/etc/passwd", join(root, "passwd"));
    await files.symlink("nothing", join(root, "nowhere"));
    await files.symlink("loop", join(root, "loop"));
    await files.writeFile(join(root, "a"), "");
    await files.symlink("a/below", join(root, "under-a-file"));
    expect(await listed(hostWorkspace({ root }))).toEqual({
      paths: ["a"],
      leftOut: ["brokenLink", "brokenLink", "brokenLink", "linkOutside", "linkOutside"],
    });
  });

  it("pipes and sockets, and links to them", async (context) => {
    if (process.platform === "win32") context.skip("Windows has no named pipes in folders");
    execFileSync("mkfifo", [join(root, "pipe")]);
    await files.symlink("pipe", join(root, "link"));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(relative(process.cwd(), join(root, "socket")), resolve));
    try {
      expect(await listed(hostWorkspace({ root }))).toEqual({ paths: [], leftOut: ["special", "special", "special"] });
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it("names that are no UTF-8, also where they look like another", async (context) => {
    if (process.platform !== "linux") context.skip("This system takes only names in UTF-8");
    makeByBytes("caf\\351.txt", "caf\\352.txt", "\\377", "\\355\\240\\200");
    const replaced = (await files.readdir(root)).find((name) => name.startsWith("caf")) ?? "";
    await files.writeFile(join(root, replaced), "the name is U+FFFD");
    const workspace = hostWorkspace({ root });
    expect(await listed(workspace)).toEqual({ paths: [replaced], leftOut: Array(4).fill("notUtf8Name") });
    expect(await call(workspace, "list_files", {})).toMatchObject({ note: "4 left out: 4 names are not UTF-8" });
    expect(await call(workspace, "find", { glob: "*" })).toMatchObject({ note: "4 left out: 4 names are not UTF-8" });
    expect(await call(workspace, "grep", { pattern: "milk" })).toEqual({
      matches: [],
      searched_files: 1,
      note: "4 left out: 4 names are not UTF-8",
    });
    const { stderr } = (await workspace.exec?.run("ls")) ?? {};
    expect(stderr).toContain("4 left out: 4 names are not UTF-8");
  });

  it("names that hide a separator behind percent signs", async () => {
    for (const name of ["a%2fb", "%2e%2e", "100%.md"]) await files.writeFile(join(root, name), "");
    expect(await listed(hostWorkspace({ root }))).toEqual({
      paths: ["100%.md"],
      leftOut: ["encodedName", "encodedName"],
    });
  });

  it("what is protected, by its name and by a link, and what an unfinished write left", async () => {
    await files.mkdir(join(root, "data"));
    await files.writeFile(join(root, "wakeful.yaml"), "canary");
    await files.symlink("data", join(root, "link"));
    await files.writeFile(join(root, `.wakeful-${crypto.randomUUID()}.tmp`), "");
    const workspace = hostWorkspace({ root, hidden: [join(root, "data"), join(root, "wakeful.yaml")] });
    expect(await listed(workspace)).toEqual({
      paths: [],
      leftOut: ["protected", "protected", "protected", "temporary"],
    });
  });

  it("what may not be read, and lists the rest", async () => {
    for (const name of ["a", "locked", "target"]) await files.writeFile(join(root, name), "");
    await files.symlink("target", join(root, "link"));
    const denied = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
    const workspace = hostWorkspaceOver(
      {
        ...files,
        lstat: ((path: string, ...rest: []) =>
          path.endsWith("/locked") ? denied("EACCES") : files.lstat(path, ...rest)) as typeof files.lstat,
        realpath: ((path: string) =>
          path.endsWith("/link") ? denied("EPERM") : files.realpath(path)) as typeof files.realpath,
      },
      { root },
    );
    expect(await listed(workspace)).toEqual({ paths: ["a", "target"], leftOut: ["unreadable", "unreadable"] });
  });

  it("nothing that went away meanwhile, and each thing once when it starts again", async () => {
    for (const name of ["a", "gone", "a%2fb"]) await files.writeFile(join(root, name), "");
    let reads = 0;
    const workspace = hostWorkspaceOver(
      {
        ...files,
        readdir: (async (path: string) => {
          const names = await files.readdir(path);
          if (reads++ === 0) await files.rename(root, `${root}-moved`).then(() => files.rename(`${root}-moved`, root));
          await files.rm(join(root, "gone"), { force: true });
          if (reads === 1) throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
          return [...names, "gone"];
        }) as unknown as typeof files.readdir,
      },
      { root },
    );
    expect(await listed(workspace)).toEqual({ paths: ["a"], leftOut: ["encodedName"] });
    expect(reads).toBe(2);
  });

  it("in list_files, find and grep as one line", async (context) => {
    if (process.platform !== "linux") context.skip("This system takes only names in UTF-8");
    await files.mkdir(join(root, "notes"));
    await files.writeFile(join(root, "notes", "12:30 meeting.md"), "milk");
    await files.symlink("../..", join(root, "notes", "out"));
    execFileSync("sh", ["-c", `: > "$(printf 'notes/\\377')"`], { cwd: root });
    const workspace = hostWorkspace({ root });
    const note = "2 left out: 1 symlink leaves the workspace, 1 name is not UTF-8";
    const path = "notes/12:30 meeting.md";
    expect(await call(workspace, "list_files", { path: "notes" })).toEqual({ path: "notes", entries: [path], note });
    expect(await call(workspace, "find", { glob: "*.md" })).toEqual({ paths: [path], note });
    expect(await call(workspace, "grep", { pattern: "milk" })).toEqual({
      matches: [`${path}:1:milk`],
      searched_files: 1,
      note,
    });
  });
});

describe("hostWorkspace()", () => {
  it("takes a path as long as the system does", async (context) => {
    if (process.platform !== "linux") context.skip("Other systems take shorter paths");
    const workspace = hostWorkspace({ root });
    const path = `${`${"x".repeat(250)}/`.repeat(12)}file`;
    await workspace.write(path, "deep");
    expect((await workspace.read(path))?.bytes.byteLength).toBe(4);
    expect(await call(workspace, "find", { glob: "file" })).toEqual({ paths: [path] });
    await expect(workspace.write("x/".repeat(2040), "")).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
  });

  it("follows a link to a name that differs in its letters' case only", async (context) => {
    await files.mkdir(join(root, "Docs"));
    await files.writeFile(join(root, "Docs", "README.md"), "read me");
    const isOneName = await files.access(join(root, "docs")).then(
      () => true,
      () => false,
    );
    if (isOneName) context.skip("Here both spellings are one file");
    await files.symlink("Docs", join(root, "docs"));
    await files.symlink("README.md", join(root, "Docs", "readme.md"));
    const workspace = hostWorkspace({ root });
    expect(await listed(workspace)).toEqual({ paths: ["Docs", "docs"], leftOut: [] });
    expect((await workspace.read("docs/readme.md"))?.bytes.byteLength).toBe(7);
  });

  it("refuses another spelling where both are one file", async () => {
    await files.writeFile(join(root, "README.md"), "");
    const oneName = (path: string) => path.replace(/readme/iu, "README");
    const workspace = hostWorkspaceOver(
      {
        ...files,
        realpath: ((path: string) => files.realpath(oneName(path))) as typeof files.realpath,
        lstat: ((path: string, ...rest: []) => files.lstat(oneName(path), ...rest)) as typeof files.lstat,
      },
      { root },
    );
    await expect(workspace.write("readme.md", "")).rejects.toMatchObject({
      message: 'Cannot use path "readme.md": it is spelled "README.md" here',
    });
  });

  it.each([
    "WAKEFUL.YAML",
    "wakeful.yaml.",
    "wakeful.yaml ",
    "Wakeful.yaml. .",
    "wake\u200dful.yaml",
    "\ufeffwakeful.yaml",
    "Wakeful\u00ad.yaml",
    "wa\u212aeful.yaml",
  ])("keeps what is protected from other spellings that some disks take for the same: %j", async (name) => {
    const workspace = hostWorkspace({ root, hidden: [join(root, "wakeful.yaml")] });
    for (const run of [
      () => workspace.write(name, "planted"),
      () => workspace.read(name),
      () => workspace.write(`${name}/below`, "planted"),
      () => workspace.folders?.make(name),
    ])
      await expect(run(), name).rejects.toMatchObject({
        code: "WORKSPACE_REFUSED",
        message: expect.stringContaining("belongs to the assistant itself") as string,
      });
    expect(await files.readdir(root)).toEqual([]);
  });

  it.each(["a\\b", "..\\a", "C:", "a.txt:stream", "NUL", "a.", "~"])(
    "refuses %j on Windows, where it means something else, and says that it is left out",
    async (name) => {
      const workspace = hostWorkspaceOver(files, { root }, "win32");
      for (const run of [
        () => workspace.read(name),
        () => workspace.write(name, ""),
        () => workspace.list(name),
        () => workspace.stat(name),
        () => workspace.remove(name),
      ])
        await expect(run()).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
      if (process.platform === "win32") return;
      await files.writeFile(join(root, name), "");
      expect(await listed(workspace)).toEqual({ paths: [], leftOut: ["refusedName"] });
    },
  );
});

// The store and the workspace are each tried everywhere.
if (WHOLE)
  workspaceContract(
    { describe, it, expect },
    {
      name: "virtualWorkspace() on the file store",
      async open({ maxFileBytes }) {
        const own = await temporaryFolder();
        const store = await fsStore({ root: own.path });
        return {
          workspace: virtualWorkspace({ store, maxFileBytes }),
          async dispose() {
            await store.close?.();
            await own.remove();
          },
        };
      },
    },
  );
