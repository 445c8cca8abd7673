import { beforeEach, describe, expect, it } from "vitest";
import { virtualWorkspace } from "../../entry.host.ts";
import { re2 } from "../../adapters/patterns/re2/index.ts";
import { AssistantError } from "../../src/errors.ts";
import { memoryStore } from "../../src/store/index.ts";
import { type Workspace, searchTools } from "../../src/tools/index.ts";
import { toolJsonSchema } from "../../src/tools/schema.ts";
import { callTool, contextOf } from "./call-tool.ts";
import { platform } from "../support/this-platform.ts";

let workspace: Workspace;
const tools = searchTools({ load: platform.load, workspaceFor: () => workspace, patterns: re2() });
const call = (name: string, input: unknown, signal?: AbortSignal) =>
  callTool(tools, name, input, contextOf(signal && { signal }));
const put = async (files: Record<string, string | Uint8Array>) => {
  for (const [path, content] of Object.entries(files)) await workspace.write(path, content);
};

beforeEach(async () => {
  workspace = virtualWorkspace({ store: memoryStore() });
  await put({
    "notes/today.md": "water the plants\nbuy milk\r\ncall Ada: milk",
    "notes/old/2025.md": "no milk",
    "a.txt": "milk",
    "image.bin": new Uint8Array([109, 105, 108, 107, 0]),
    "latin1.txt": new Uint8Array([0xe9, 109, 105, 108, 107]),
    ".git/config": "milk",
    ".hidden/x.txt": "milk",
    "node_modules/cow/index.js": "milk",
  });
});

describe("grep and find", () => {
  it("are of the group search, may be run again, and take their inputs and nothing else", async () => {
    const described = Object.entries(tools).map(([name, tool]) => {
      const schema = toolJsonSchema(name, tool) as { properties: object; required: string[] };
      return [name, tool.meta?.category, tool.meta?.idempotent, Object.keys(schema.properties), schema.required];
    });
    expect(described).toEqual([
      ["grep", "search", true, ["pattern", "path"], ["pattern"]],
      ["find", "search", true, ["glob", "path"], ["glob"]],
    ]);
    expect(await call("grep", { pattern: "a", flags: "i" })).toMatchObject({ refused: "BAD_INPUT" });
  });

  it.each([
    ["grep", { pattern: "x", path: "../etc" }],
    ["find", { glob: "*", path: "../etc" }],
  ])("%s hands a refused path to the model", async (name, input) => {
    expect(await call(name, input)).toMatchObject({ refused: "WORKSPACE_REFUSED" });
    expect(await call(name, { ...input, path: "nowhere" })).toMatchObject({ refused: "NOT_FOUND" });
  });

  it.each([
    ["grep", { pattern: "milk" }],
    ["find", { glob: "*" }],
  ])("%s stops when the turn is stopped", async (name, input) => {
    await expect(call(name, input, AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
  });

  it("leave a broken store to whoever handles failures, with its code", async () => {
    const broken = async () => Promise.reject(new AssistantError("STORE_UNAVAILABLE", "no answer"));
    workspace = { ...workspace, read: broken };
    expect(await call("grep", { pattern: "milk" })).toEqual({ refused: "STORE_UNAVAILABLE", message: "no answer" });
  });
});

describe("grep", () => {
  it("gives path, line and text, in order, of text files that are not hidden", async () => {
    expect(await call("grep", { pattern: "milk" })).toEqual({
      matches: [
        "a.txt:1:milk",
        "notes/old/2025.md:1:no milk",
        "notes/today.md:2:buy milk",
        "notes/today.md:3:call Ada: milk",
      ],
      searched_files: 3,
      note: "5 left out: 1 hidden folder, 2 folders of dependencies or version control, 2 are not text",
    });
  });

  it("searches a folder, one file, and a hidden folder that is named", async () => {
    expect(await call("grep", { pattern: "milk$", path: "notes" })).toMatchObject({ searched_files: 2 });
    expect(await call("grep", { pattern: "^call", path: "notes/today.md" })).toMatchObject({
      matches: ["notes/today.md:3:call Ada: milk"],
    });
    expect(await call("grep", { pattern: "milk", path: "node_modules" })).toMatchObject({
      matches: ["node_modules/cow/index.js:1:milk"],
    });
    expect(await call("grep", { pattern: "milk", path: ".hidden" })).toMatchObject({
      matches: [".hidden/x.txt:1:milk"],
    });
  });

  it("takes regular expressions, and says what is wrong with one", async () => {
    expect(await call("grep", { pattern: "(?i)ADA|(plant|tree)s+$" })).toMatchObject({
      matches: ["notes/today.md:1:water the plants", "notes/today.md:3:call Ada: milk"],
    });
    expect(await call("grep", { pattern: "(milk" })).toMatchObject({ refused: "BAD_INPUT" });
  });

  it("cuts long lines and many matches, and says so", async () => {
    await put({ "long.txt": `x${"😀".repeat(400)}`, "many.txt": "hit\n".repeat(300) });
    const { matches } = (await call("grep", { pattern: "^x" })) as { matches: string[] };
    expect(matches).toEqual([`long.txt:1:x${"😀".repeat(149)}…`]);
    const many = (await call("grep", { pattern: "hit" })) as { matches: string[]; note: string };
    expect(many.matches).toHaveLength(200);
    expect(many.matches.at(-1)).toBe("many.txt:200:hit");
    expect(many.note).toContain("first 200");
  });

  it("leaves out what is too large, and stops when it is too much", async () => {
    const big = "milk ".repeat(210_000);
    await put({ "big.txt": `${big}${big}${big}` });
    expect(await call("grep", { pattern: "milk", path: "big.txt" })).toMatchObject({
      matches: [],
      note: "1 left out: 1 file is too large",
    });
    await put(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`part/${n}.txt`, big])));
    expect(await call("grep", { pattern: "cheese", path: "part" })).toMatchObject({
      searched_files: 16,
      note: expect.stringContaining("Only a part was searched") as string,
    });
  });

  it("says when a pattern took too long in the last file, and when lines were not searched to their end", async () => {
    const plain = { lines: 0 };
    const slow = searchTools({
      load: platform.load,
      workspaceFor: () => workspace,
      patterns: { compile: () => ({ test: () => ((plain.lines += 1), true) }) },
    });
    await put({ "slow/a.txt": "b\nb" });
    expect(await callTool(slow, "grep", { pattern: "^b+$", path: "slow" })).toEqual({
      matches: ["slow/a.txt:1:b", "slow/a.txt:2:b"],
      searched_files: 1,
    });
    if (navigator.userAgent !== "Cloudflare-Workers") return;
    const harmless = searchTools({ load: platform.load, workspaceFor: () => workspace });
    await put({ "slow/a.txt": `${"x".repeat(2001)}y` });
    expect(await callTool(harmless, "grep", { pattern: "x+y", path: "slow" })).toMatchObject({
      matches: [],
      note: "Of longer lines only the first 2000 characters were searched",
    });
    await put({ "slow/a.txt": `${"x".repeat(2000)}\n`.repeat(100) });
    expect(await callTool(harmless, "grep", { pattern: "x+y", path: "slow" })).toMatchObject({
      note: expect.stringContaining("Only a part was searched") as string,
    });
  });

  it("without an engine says which patterns there are and how to get all, or takes them", async () => {
    const plain = searchTools({ load: platform.load, workspaceFor: () => workspace });
    const answer = await callTool(plain, "grep", { pattern: "(a+)+$" });
    // Hosts load the engine by themselves; Workers have none in their bundle.
    if (navigator.userAgent === "Cloudflare-Workers")
      expect(answer).toMatchObject({
        refused: "BAD_INPUT",
        message: expect.stringContaining("wakeful/patterns/re2") as string,
      });
    else expect(answer).toMatchObject({ matches: [] });
    expect(await callTool(plain, "grep", { pattern: "^buy \\w+" })).toMatchObject({
      matches: ["notes/today.md:2:buy milk"],
    });
  });
});

describe("find", () => {
  it.each<[string, string | undefined, string[]]>([
    ["*.md", undefined, ["notes/old/2025.md", "notes/today.md"]],
    ["*.md", "notes/old", ["notes/old/2025.md"]],
    ["old/*.md", "notes", ["notes/old/2025.md"]],
    ["notes/old/*", "notes", ["notes/old/2025.md"]],
    ["old/*.md", "/workspace/./notes//", ["notes/old/2025.md"]],
    ["./notes/*", undefined, ["notes/today.md"]],
    ["{a,b}.txt", undefined, ["a.txt"]],
    ["x.txt", undefined, [".hidden/x.txt"]],
    ["*.js", undefined, []],
    ["node_modules/**", undefined, ["node_modules/cow/index.js"]],
    ["*.js", "node_modules", ["node_modules/cow/index.js"]],
    ["a.txt", "a.txt", ["a.txt"]],
  ])("finds %s in %s", async (glob, path, paths) => {
    expect(await call("find", { glob, ...(path !== undefined && { path }) })).toMatchObject({ paths });
  });

  it("says which folders it left out, and nothing where there are none", async () => {
    expect(await call("find", { glob: "*.js" })).toEqual({
      paths: [],
      note: "2 left out: 2 folders of dependencies or version control",
    });
    expect(await call("find", { glob: "*.md", path: "notes" })).not.toHaveProperty("note");
  });

  it("shows so many and says that there are more", async () => {
    await put(Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`m/${String(n).padStart(3, "0")}`, ""])));
    const { paths, note } = (await call("find", { glob: "m/*" })) as { paths: string[]; note: string };
    expect([paths.length, paths.at(-1)]).toEqual([500, "m/499"]);
    expect(note).toContain("first 500");
  });
});
