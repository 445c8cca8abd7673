import { AssistantError, ConflictError } from "../errors.ts";
import type { Workspace } from "../tools/index.ts";
import type { TestApi } from "./test-api.ts";

/** A workspace created for one test. `dispose` removes what it left. */
export interface OpenedWorkspace {
  /** Empty. */
  readonly workspace: Workspace;
  /** Called after each test. */
  dispose(): Promise<void>;
}

/** Options of `workspaceContract`. */
export interface WorkspaceContractOptions {
  /** The workspace's name in the titles of the tests. */
  readonly name: string;
  /** Creates an empty workspace whose files may have at most `maxFileBytes`. Called once for each test. */
  open(options: { readonly maxFileBytes: number }): Promise<OpenedWorkspace>;
  /**
   * Which file names it accepts, as in `guardPath`: `portable` where the system itself accepts no others, as on
   * Windows. Default `posix`.
   */
  readonly names?: "posix" | "portable";
}

const MAX_FILE_BYTES = 100_000;

/** Texts and bytes that a workspace must return unchanged. */
const CONTENTS: readonly (readonly [title: string, content: string | Uint8Array])[] = [
  ["an empty file", ""],
  ["a text", "one\ntwo\r\n\tthree\n"],
  ["a text of many scripts", "ä 你好 👩‍💻 \u202e"],
  ["a text with a byte order mark", "\ufeffa"],
  ["a text that looks like JSON", '{"a":1}'],
  ["a text that looks like a number", "007"],
  ["a text with NUL characters", "a\0b"],
  ["every byte", Uint8Array.from({ length: 256 }, (_, index) => index)],
  ["a part of a larger array", Uint8Array.from([1, 2, 255, 4, 5]).subarray(1, 4)],
  ["a file of the largest size", "x".repeat(MAX_FILE_BYTES)],
];

/** Paths that every workspace refuses, whatever they mean on its system. */
const REFUSED_PATHS = [
  "",
  "..",
  "../outside.txt",
  "a/../../outside.txt",
  "/etc/passwd",
  "//server/share/a.txt",
  "/dev/null",
  "file:///etc/passwd",
  "%2e%2e",
  "%2e%2e%2foutside.txt",
  "%252e%252e/outside.txt",
  "a%2Fb.txt",
  "a%5cb.txt",
  "a%00.txt",
  "a\0.txt",
  "a\ud800.txt",
  "x".repeat(256),
];

/** Paths that only a workspace with portable names refuses too. */
const NOT_PORTABLE_PATHS = ["C:\\Windows\\win.ini", "a\\b", "~/outside.txt", "NUL", "a.txt.", "a.txt:stream"];

/** Names that POSIX allows and that other software could misread. */
const POSIX_NAMES = [
  "12:30 meeting.md",
  "~x.txt",
  "~",
  "$HOME",
  "C:",
  "notes.",
  "notes ",
  " notes",
  " ",
  "...",
  "a\\b",
  "..\\outside.txt",
  "'single' \"double\" `back`",
  "*",
  "?",
  "[x].md",
  "{a,b}",
  "a;b|c&d<e>f#g!",
  "100%.md",
  "50% off.txt",
  "a%2eb",
  "a%20b%0a",
  "%25",
  "CON",
  "aux.txt",
  "-rf",
  ".hidden",
  "two\nlines",
  "\u0001\u001b[31m\t\u007f",
  "gpj.\u202etxt",
  "a\u200bb",
  "\ufffd",
  "a\uff0fb",
  "año in one character",
  "an\u0303o in two characters",
  "__proto__",
  "x".repeat(255),
  "é".repeat(127),
];

/**
 * Registers the contract of the `Workspace` port as tests.
 *
 * Source: the Contract lines of `Workspace`; docs/workspaces.md, "Write a workspace of your own".
 *
 * @example
 * ```ts
 * import { describe, expect, it } from "vitest";
 * workspaceContract(
 *   { describe, it, expect },
 *   {
 *     name: "virtualWorkspace()",
 *     open: async ({ maxFileBytes }) => ({ workspace: virtualWorkspace({ store: memoryStore(), maxFileBytes }), dispose: async () => {} }),
 *   },
 * );
 * ```
 */
export function workspaceContract(api: TestApi, options: WorkspaceContractOptions): void {
  const { expect } = api;
  const it = (title: string, body: (workspace: Workspace) => Promise<void>) =>
    api.it(title, async () => {
      const opened = await options.open({ maxFileBytes: MAX_FILE_BYTES });
      try {
        await body(opened.workspace);
      } finally {
        await opened.dispose();
      }
    });

  api.describe(`${options.name} keeps the Workspace contract`, () => {
    it("is empty at first", async (workspace) => {
      expect(workspace.maxFileBytes).toBe(MAX_FILE_BYTES);
      expect(await workspace.list(".")).toEqual([]);
      expect(await workspace.stat(".")).toEqual({ path: ".", kind: "folder" });
      expect(await workspace.read("a.txt")).toBe(null);
      expect(await workspace.read("a/b.txt")).toBe(null);
      expect(await workspace.stat("a.txt")).toBe(null);
      expect(await workspace.list("a")).toBe(null);
      expect(await workspace.remove("a/b.txt")).toBe(false);
    });

    for (const [title, content] of CONTENTS) {
      it(`gives back ${title} exactly`, async (workspace) => {
        await workspace.write("deep/in/a folder/file.bin", content);
        const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
        const file = await workspace.read("deep/in/a folder/file.bin");
        expect(file && [...file.bytes]).toEqual([...bytes]);
        expect(await workspace.stat("deep/in/a folder/file.bin")).toEqual({
          path: "deep/in/a folder/file.bin",
          kind: "file",
          sizeBytes: bytes.byteLength,
        });
      });
    }

    it("reads what it wrote by every spelling that means the same", async (workspace) => {
      await workspace.write("./notes//today.md", "a");
      for (const path of ["notes/today.md", "notes/../notes/today.md", "notes/./today.md"]) {
        expect(await textIn(workspace, path)).toBe("a");
      }
    });

    it("keeps names apart that look alike", async (workspace) => {
      const names = ["a b", "a%b", "a%25b", "a+b", "a&b=c?d#e", "笔记", "__proto__", "-rf", ".env", "a'b\"c", "a.b..c"];
      for (const name of names) await workspace.write(name, name);
      for (const name of names) expect(await textIn(workspace, name)).toBe(name);
      expect((await workspace.list("."))?.map(({ path }) => path)).toEqual(names.sort());
    });

    it("replaces a file, also by a shorter one", async (workspace) => {
      await workspace.write("a.txt", "a long text");
      await workspace.write("a.txt", "short");
      expect(await textIn(workspace, "a.txt")).toBe("short");
    });

    const isPosix = options.names !== "portable";
    for (const name of isPosix ? POSIX_NAMES : []) {
      it(`takes the name ${JSON.stringify(name).slice(0, 40)} for a file and for a folder`, async (workspace) => {
        const paths = [name, `folder/${name}`, `${name} folder/${name}`];
        if (byteLength(name) > 200) paths.pop();
        for (const path of paths) await workspace.write(path, path);
        for (const path of paths) {
          expect(await textIn(workspace, path)).toBe(path);
          expect(await workspace.stat(path)).toEqual({ path, kind: "file", sizeBytes: byteLength(path) });
        }
        expect((await workspace.list("folder"))?.map(({ path }) => path)).toEqual([`folder/${name}`]);
        const { listed, leftOut } = await listedIn(workspace, ".");
        expect(listed).toEqual(["folder", ...paths.map((path) => path.replace(/\/.*$/su, ""))].filter(isFirst).sort());
        expect(leftOut).toEqual([]);
        const { version } = (await workspace.read(name)) as { version: string };
        await workspace.write(name, "edited", { expect: version });
        expect(await textIn(workspace, name)).toBe("edited");
        for (const path of paths) expect(await workspace.remove(path)).toBe(true);
        expect((await listedIn(workspace, ".")).leftOut).toEqual([]);
      });
    }

    it("takes paths that are deep", async (workspace) => {
      const path = `${"folder/".repeat(100)}file`;
      await workspace.write(path, "deep");
      expect(await textIn(workspace, path)).toBe("deep");
      expect((await workspace.list("folder/".repeat(100)))?.map((entry) => entry.path)).toEqual([path]);
    });

    for (const path of isPosix ? REFUSED_PATHS : [...REFUSED_PATHS, ...NOT_PORTABLE_PATHS]) {
      it(`refuses the path ${JSON.stringify(path).slice(0, 40)} in every member`, async (workspace) => {
        expect(await refusalOf(() => workspace.read(path))).toBe("WORKSPACE_REFUSED");
        expect(await refusalOf(() => workspace.write(path, "a"))).toBe("WORKSPACE_REFUSED");
        expect(await refusalOf(() => workspace.list(path))).toBe("WORKSPACE_REFUSED");
        expect(await refusalOf(() => workspace.stat(path))).toBe("WORKSPACE_REFUSED");
        expect(await refusalOf(() => workspace.remove(path))).toBe("WORKSPACE_REFUSED");
        expect(await workspace.list(".")).toEqual([]);
      });
    }

    it("refuses a file over the limit and keeps the one that was there", async (workspace) => {
      await workspace.write("a.txt", "old");
      expect(await refusalOf(() => workspace.write("a.txt", "x".repeat(MAX_FILE_BYTES + 1)))).toBe("WORKSPACE_REFUSED");
      expect(await refusalOf(() => workspace.write("b.txt", "é".repeat(MAX_FILE_BYTES / 2 + 1)))).toBe(
        "WORKSPACE_REFUSED",
      );
      expect(await textIn(workspace, "a.txt")).toBe("old");
      expect(await workspace.read("b.txt")).toBe(null);
    });

    it("takes a folder for no file and a file for no folder", async (workspace) => {
      await workspace.write("folder/file", "a");
      expect(await refusalOf(() => workspace.read("folder"))).toBe("WORKSPACE_REFUSED");
      expect(await refusalOf(() => workspace.read("."))).toBe("WORKSPACE_REFUSED");
      expect(await refusalOf(() => workspace.write("folder", "b"))).toBe("WORKSPACE_REFUSED");
      expect(await refusalOf(() => workspace.write(".", "b"))).toBe("WORKSPACE_REFUSED");
      expect(await refusalOf(() => workspace.write("folder/file/below", "b"))).toBe("WORKSPACE_REFUSED");
      expect(await refusalOf(() => workspace.write("folder/file/far/below", "b"))).toBe("WORKSPACE_REFUSED");
      expect(await refusalOf(() => workspace.list("folder/file"))).toBe("WORKSPACE_REFUSED");
      expect(await refusalOf(() => workspace.remove("folder"))).toBe("WORKSPACE_REFUSED");
      expect(await refusalOf(() => workspace.remove("."))).toBe("WORKSPACE_REFUSED");
      expect(await workspace.read("folder/file/below")).toBe(null);
      expect(await workspace.list("folder/file/below")).toBe(null);
      expect(await workspace.remove("folder/file/below")).toBe(false);
      expect(await textIn(workspace, "folder/file")).toBe("a");
    });

    it("lists one folder at a time, in order", async (workspace) => {
      for (const path of ["b/z", "b/y/x", "a", "a-b", "b.txt", "b0", "c/d/e/f", "b/y/w"])
        await workspace.write(path, "");
      const listed = async (path: string) =>
        (await workspace.list(path))?.map((entry) => `${entry.path}${entry.kind === "folder" ? "/" : ""}`);
      expect(await listed(".")).toEqual(["a", "a-b", "b/", "b.txt", "b0", "c/"]);
      expect(await listed("b")).toEqual(["b/y/", "b/z"]);
      expect(await listed("b/y/")).toEqual(["b/y/w", "b/y/x"]);
      expect(await listed("c/d")).toEqual(["c/d/e/"]);
      expect(await listed("c/d/f")).toBe(undefined);
      expect(await workspace.stat("c/d")).toEqual({ path: "c/d", kind: "folder" });
    });

    it("lists no more than was asked for", async (workspace) => {
      for (const path of ["a/1", "a/2", "b", "c"]) await workspace.write(path, "");
      expect((await workspace.list(".", { limit: 2 }))?.length).toBe(2);
      expect((await workspace.list(".", { limit: 3 }))?.length).toBe(3);
      expect((await workspace.list(".", { limit: 9 }))?.length).toBe(3);
    });

    it("removes a file, once", async (workspace) => {
      await workspace.write("a/b", "1");
      await workspace.write("a/c", "2");
      expect(await workspace.remove("a/b")).toBe(true);
      expect(await workspace.remove("a/b")).toBe(false);
      expect(await workspace.read("a/b")).toBe(null);
      expect(await textIn(workspace, "a/c")).toBe("2");
    });

    it("replaces only the version that is expected", async (workspace) => {
      const first = await workspace.write("a", "1");
      expect((await workspace.read("a"))?.version).toBe(first.version);
      const second = await workspace.write("a", "2", { expect: first.version });
      expect(first.version === second.version).toBe(false);
      expect(await conflictOf(() => workspace.write("a", "3", { expect: first.version }))).toBe(second.version);
      expect(await textIn(workspace, "a")).toBe("2");
      expect(await conflictOf(() => workspace.write("none", "3", { expect: first.version }))).toBe(null);
      expect(await workspace.read("none")).toBe(null);
    });

    it("only creates when nothing is expected", async (workspace) => {
      const { version } = await workspace.write("a/b", "1", { expect: null });
      expect(await conflictOf(() => workspace.write("a/b", "2", { expect: null }))).toBe(version);
      expect(await textIn(workspace, "a/b")).toBe("1");
    });

    it("lets one of several writers of the same version through", async (workspace) => {
      const { version } = await workspace.write("a", "0");
      const outcomes = await Promise.all(
        ["1", "2", "3", "4"].map((text) =>
          workspace.write("a", text, { expect: version }).then(
            () => text,
            (error: unknown) => (ConflictError.is(error) ? "conflict" : String(error)),
          ),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === "conflict").length).toBe(3);
      expect(await textIn(workspace, "a")).toBe(outcomes.find((outcome) => outcome !== "conflict"));
    });

    it("makes a folder once for many writers at once", async (workspace) => {
      const paths = Array.from({ length: 12 }, (_, index) => `new/folder/${index % 3}/file-${index}`);
      await Promise.all(paths.map((path) => workspace.write(path, path)));
      for (const path of paths) expect(await textIn(workspace, path)).toBe(path);
    });

    it("shows a reader the old file or the new one, never a mixture", async (workspace) => {
      await workspace.write("a", "0".repeat(50_000));
      const writes = (async () => {
        for (let round = 1; round <= 20; round++) await workspace.write("a", String(round % 10).repeat(50_000));
      })();
      const reads = (async () => {
        for (let round = 1; round <= 40; round++) {
          const text = (await textIn(workspace, "a")) ?? "";
          expect(text === (text[0] ?? "").repeat(50_000)).toBe(true);
        }
      })();
      await Promise.all([writes, reads]);
    });
  });
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}

function isFirst(name: string, at: number, names: readonly string[]): boolean {
  return names.indexOf(name) === at;
}

async function listedIn(workspace: Workspace, path: string) {
  const leftOut: string[] = [];
  const entries = await workspace.list(path, { onLeftOut: (reason) => leftOut.push(reason) });
  return { listed: entries?.map((entry) => entry.path), leftOut };
}

async function textIn(workspace: Workspace, path: string): Promise<string | null> {
  const file = await workspace.read(path);
  return file && new TextDecoder("utf-8", { ignoreBOM: true }).decode(file.bytes);
}

async function refusalOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (AssistantError.is(error)) return error.code;
    throw error;
  }
  return "done";
}

async function conflictOf(work: () => Promise<unknown>): Promise<string | number | null> {
  try {
    await work();
  } catch (error) {
    if (ConflictError.is(error)) return error.actual;
    throw error;
  }
  return "done";
}
