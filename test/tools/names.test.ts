import { beforeEach, describe, expect, it } from "vitest";
import { virtualWorkspace } from "../../entry.host.ts";
import { AssistantError } from "../../src/errors.ts";
import { memoryStore } from "../../src/store/index.ts";
import { type Workspace, fileTools, searchTools } from "../../src/tools/index.ts";
import type { LeftOutReason } from "../../src/tools/index.ts";
import { callTool } from "./call-tool.ts";
import { platform } from "../support/this-platform.ts";

let workspace: Workspace;
const at = { workspaceFor: () => workspace, load: platform.load };
const tools = { ...fileTools(at), ...searchTools(at) };
const call = (name: string, input: unknown) => callTool(tools, name, input) as Promise<Record<string, unknown>>;
const escaped = (name: string) => name.replaceAll(/[\\*?[\]{},!]/gu, "\\$&");
const note = (text: string) => expect.stringContaining(text) as string;

beforeEach(() => {
  workspace = virtualWorkspace({ store: memoryStore() });
});

describe("a name that POSIX allows", () => {
  it.each([
    "12:30 meeting.md",
    "~x.txt",
    "notes.",
    " notes ",
    "a\\b",
    "a\\*b",
    "'single' \"double\" `back`",
    "*",
    "?",
    "[x].md",
    "[!x]",
    "{a,b}.txt",
    "a{b",
    "100%.md",
    "50% off.txt",
    "a%2eb",
    "CON",
    "aux.txt",
    "!important",
    "two\nlines",
    "an\u0303o",
    "x".repeat(255),
  ])("%j is written, read, edited, listed, searched and found", async (name) => {
    for (const path of [name, `folder/${name}`]) {
      expect(await call("file_write", { path, content: "milk\n" })).toEqual({ path, written_bytes: 5 });
      expect(await call("file_edit", { path, old_text: "milk", new_text: "oats" })).toEqual({ path, line: 1 });
      expect(await call("file_read", { path })).toEqual({ path, text: "oats\n", lines: 1 });
      expect(await call("grep", { pattern: "oats", path })).toMatchObject({ searched_files: 1 });
    }
    expect(await call("list_files", {})).toEqual({ path: ".", entries: [name, "folder/"].sort() });
    expect(await call("list_files", { path: "folder" })).toEqual({ path: "folder", entries: [`folder/${name}`] });
    const shown = name.includes("\n") ? JSON.stringify(name) : name;
    const matches = ((await call("grep", { pattern: "oats" })) as { matches: string[] }).matches;
    expect(matches).toContain(`${shown}:1:oats`);
    const paths = [name, `folder/${name}`].sort();
    if (name.length > 150) return;
    for (const glob of [escaped(name), name]) expect(await call("find", { glob }), glob).toMatchObject({ paths });
    expect(await call("find", { glob: escaped(name), path: "folder" })).toEqual({ paths: [`folder/${name}`] });
    expect(await call("find", { glob: `folder/${escaped(name)}` })).toEqual({ paths: [`folder/${name}`] });
  });

  it.each(["~", "C:", "$HOME", "%APPDATA%"])("%j is meant as another place unless ./ is in front", async (name) => {
    for (const [tool, input] of [
      ["file_read", {}],
      ["file_write", { content: "" }],
      ["file_edit", { old_text: "a", new_text: "b" }],
      ["list_files", {}],
      ["grep", { pattern: "a" }],
      ["find", { glob: "*" }],
    ] as const)
      expect(await call(tool, { path: `${name}/x`, ...input }), tool).toEqual({
        refused: "WORKSPACE_REFUSED",
        message: note("with ./ in front"),
      });
    expect(await workspace.list(".")).toEqual([]);

    await call("file_write", { path: `./${name}/x`, content: "milk" });
    expect(await call("list_files", {})).toEqual({ path: ".", entries: [`./${name}/`] });
    expect(await call("list_files", { path: `./${name}/` })).toMatchObject({ entries: [`./${name}/x`] });
    expect(await call("grep", { pattern: "milk" })).toMatchObject({ matches: [`./${name}/x:1:milk`] });
    expect(await call("find", { glob: "x" })).toEqual({ paths: [`./${name}/x`] });
    expect(await call("file_read", { path: `./${name}/x` })).toMatchObject({ text: "milk" });
  });

  it.each(["\\\\server\\share", "C:\\Windows\\win.ini", "c:/windows", "${HOME}/x"])(
    "%j is no name in the workspace",
    async (path) => {
      expect(await call("file_write", { path, content: "" })).toMatchObject({ refused: "WORKSPACE_REFUSED" });
    },
  );

  it("that ends like a line's number is in quotes in the matches of grep", async () => {
    await workspace.write("a:1:b", "milk");
    expect(await call("grep", { pattern: "milk" })).toMatchObject({ matches: ['"a:1:b":1:milk'] });
  });

  it.each([
    ["an\u0303o.md", "a\u00f1o.md"],
    ["a\u00f1o.md", "an\u0303o.md"],
  ])("is found with its accents written another way: %j by %j", async (name, glob) => {
    await workspace.write(`notes/${name}`, "");
    expect(await call("find", { glob })).toEqual({ paths: [`notes/${name}`] });
    expect(await call("find", { glob: `notes/${glob}` })).toEqual({ paths: [`notes/${name}`] });
  });
});

describe("what is left out is told", () => {
  const leavesOut = (reasons: readonly LeftOutReason[], on = "."): Workspace => {
    const { list } = workspace;
    return {
      ...workspace,
      list: async (path, options) => {
        const entries = await list(path, options);
        if (path === on) for (const reason of reasons) options?.onLeftOut?.(reason);
        return entries;
      },
    };
  };

  it.each([
    ["list_files", {}],
    ["find", { glob: "*" }],
    ["grep", { pattern: "milk" }],
  ])("%s names each reason and how often, in one line at the end", async (name, input) => {
    await workspace.write("a.txt", "milk");
    workspace = leavesOut(["linkOutside", "notUtf8Name", "protected", "linkOutside", "special"]);
    expect(await call(name, input)).toMatchObject({
      note: "5 left out: 2 symlinks leave the workspace, 1 device, pipe or socket, 1 name is not UTF-8, 1 belongs to the assistant itself",
    });
  });

  it.each([
    ["find", { glob: "*" }],
    ["grep", { pattern: "milk" }],
  ])("%s counts over all folders", async (name, input) => {
    await workspace.write("a/b/c.txt", "milk");
    workspace = leavesOut(["brokenLink"], "a/b");
    expect(await call(name, input)).toMatchObject({ note: "1 left out: 1 symlink leads nowhere" });
  });

  it("by grep: folders, files that are no text, too large or cannot be read", async () => {
    await workspace.write("a.bin", Uint8Array.of(1, 0, 2));
    await workspace.write("latin1.txt", Uint8Array.of(0xe9));
    await workspace.write("large.txt", "x".repeat(2 * 1024 * 1024 + 1));
    await workspace.write("locked.txt", "milk");
    await workspace.write("locked/a.txt", "milk");
    await workspace.write(".hidden/a.txt", "milk");
    await workspace.write("node_modules/a.txt", "milk");
    const { list, read } = workspace;
    const locked = () => Promise.reject(new AssistantError("WORKSPACE_REFUSED", "the system does not permit it"));
    workspace = {
      ...workspace,
      list: (path, options) => (path === "locked" ? locked() : list(path, options)),
      read: (path) => (path === "locked.txt" ? locked() : read(path)),
    };
    expect(await call("grep", { pattern: "milk" })).toEqual({
      matches: [],
      searched_files: 0,
      note: "7 left out: 2 cannot be read, 1 hidden folder, 1 folder of dependencies or version control, 2 are not text, 1 file is too large",
    });
    expect(await call("grep", { pattern: "milk", path: "a.bin" })).toMatchObject({ note: "1 left out: 1 is not text" });
    expect(await call("find", { glob: "a.txt" })).toEqual({
      paths: [".hidden/a.txt"],
      note: "2 left out: 1 cannot be read, 1 folder of dependencies or version control",
    });
  });

  it("by find: folders that are too deep", async () => {
    const path = `${"d/".repeat(64)}file`;
    await workspace.write(path, "");
    expect(await call("find", { glob: "file" })).toEqual({ paths: [], note: "1 left out: 1 folder is too deep" });
    expect(await call("find", { glob: "file", path: "d" })).toEqual({ paths: [path] });
  });

  it.each([
    ["find", { glob: "none" }],
    ["grep", { pattern: "milk" }],
  ])("%s in a single folder that has too many entries", async (name, input) => {
    const many = Array.from({ length: 20_001 }, (_, index) => ({ path: `${index}`, kind: "file" as const }));
    workspace = {
      ...workspace,
      list: async (_path, { limit = Infinity } = {}) => many.slice(0, limit),
      read: async () => null,
    };
    expect(await call(name, input)).toMatchObject({ note: note("Only the first 20000 entries were looked at") });
  });

  it("list_files counts what is over its limit", async () => {
    const many = Array.from({ length: 5001 }, (_, index) => ({ path: `${index}`, kind: "file" as const }));
    workspace = { ...workspace, list: async (_path, { limit = Infinity } = {}) => many.slice(0, limit) };
    expect(await call("list_files", {})).toMatchObject({
      note: "There are more than are counted here. 4501 left out: 4501 are over the limit",
    });
    many.length = 501;
    expect(await call("list_files", {})).toMatchObject({ note: "1 left out: 1 is over the limit" });
    many.length = 500;
    expect(await call("list_files", {})).not.toHaveProperty("note");
  });
});
