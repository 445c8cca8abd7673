import { beforeEach, describe, expect, it } from "vitest";
import { virtualWorkspace } from "../../entry.host.ts";
import { AssistantError, ConflictError } from "../../src/errors.ts";
import { memoryStore } from "../../src/store/index.ts";
import { fileTools } from "../../src/tools/index.ts";
import type { Workspace } from "../../src/tools/index.ts";
import { toolJsonSchema } from "../../src/tools/schema.ts";
import { callTool, contextOf } from "./call-tool.ts";

let workspace: Workspace;
let tools: ReturnType<typeof fileTools>;
const call = (name: string, input: unknown) => callTool(tools, name, input);
const textOf = async (path: string) => {
  const file = await workspace.read(path);
  return file && new TextDecoder("utf-8", { ignoreBOM: true }).decode(file.bytes);
};
const refusal = (code: string, message: string) => ({
  refused: code,
  message: expect.stringContaining(message) as string,
});

beforeEach(() => {
  workspace = virtualWorkspace({ store: memoryStore() });
  tools = fileTools({ workspaceFor: () => workspace });
});

describe("the file tools", () => {
  it("are four tools of the group fs, of which those that only look may be run again", () => {
    const described = Object.entries(tools).map(([name, { meta }]) => [
      name,
      meta?.category,
      meta?.idempotent ?? false,
    ]);
    expect(described).toEqual([
      ["file_read", "fs", true],
      ["file_write", "fs", false],
      ["file_edit", "fs", false],
      ["list_files", "fs", true],
    ]);
  });

  it("tell the model their inputs and take nothing else", async () => {
    const inputs = Object.entries(tools).map(([name, tool]) => {
      const schema = toolJsonSchema(name, tool) as {
        properties: object;
        required: string[];
        additionalProperties: unknown;
      };
      return [name, Object.keys(schema.properties), schema.required, schema.additionalProperties];
    });
    expect(inputs).toEqual([
      ["file_read", ["path", "offset", "limit"], ["path"], false],
      ["file_write", ["path", "content"], ["path", "content"], false],
      ["file_edit", ["path", "old_text", "new_text"], ["path", "old_text", "new_text"], false],
      ["list_files", ["path"], [], false],
    ]);
    expect(await call("file_read", { path: "a", mode: "rw" })).toMatchObject({ refused: "BAD_INPUT" });
  });

  it("work in the workspace of whoever calls", async () => {
    const others = virtualWorkspace({ store: memoryStore() });
    const shared = fileTools({ workspaceFor: ({ agentId }) => (agentId === "other" ? others : workspace) });
    await callTool(shared, "file_write", { path: "a.txt", content: "other's" }, contextOf({ agentId: "other" }));
    expect(await workspace.read("a.txt")).toBeNull();
    expect(await others.read("a.txt")).not.toBeNull();
  });

  it.each(["file_read", "file_write", "file_edit", "list_files"])(
    "%s hands a refused path to the model with its reason",
    async (name) => {
      const rest =
        name === "file_write" ? { content: "" } : name === "file_edit" ? { old_text: "a", new_text: "b" } : {};
      expect(await call(name, { path: "../secret", ...rest })).toEqual(
        refusal("WORKSPACE_REFUSED", "leads out of the workspace"),
      );
    },
  );

  it("leave a broken store to whoever handles failures, with its code", async () => {
    workspace = {
      ...workspace,
      read: async () => {
        throw new AssistantError("STORE_UNAVAILABLE", "The disk does not answer");
      },
    };
    expect(await call("file_read", { path: "a" })).toEqual(refusal("STORE_UNAVAILABLE", "does not answer"));
  });
});

describe("file_read", () => {
  it("gives a file's text as it stands", async () => {
    await workspace.write("a.txt", "one\n  two\r\nthree\n");
    expect(await call("file_read", { path: "a.txt" })).toEqual({
      path: "a.txt",
      text: "one\n  two\r\nthree\n",
      lines: 3,
    });
  });

  it.each([
    { title: "an empty file", content: "", expected: { text: "", lines: 0 } },
    { title: "a text without a last line break", content: "a\nb", expected: { text: "a\nb", lines: 2 } },
    { title: "a text of empty lines", content: "\n\n", expected: { text: "\n\n", lines: 2 } },
    { title: "a text after a byte order mark", content: "\ufeffa", expected: { text: "a", lines: 1 } },
  ])("reads $title", async ({ content, expected }) => {
    await workspace.write("a.txt", content);
    expect(await call("file_read", { path: "a.txt" })).toEqual({ path: "a.txt", ...expected });
  });

  it("shows the lines that were asked for and says how to go on", async () => {
    await workspace.write("a.txt", "1\n2\n3\n4\n5\n");
    expect(await call("file_read", { path: "a.txt", offset: 2, limit: 2 })).toEqual({
      path: "a.txt",
      text: "2\n3",
      lines: 5,
      note: "Lines 2 to 3 of 5: go on with offset 4",
    });
    expect(await call("file_read", { path: "a.txt", offset: 4 })).toEqual({ path: "a.txt", text: "4\n5\n", lines: 5 });
    expect(await call("file_read", { path: "a.txt", offset: 6 })).toEqual(refusal("BAD_INPUT", "the file has 5 lines"));
  });

  it("shows a long file in parts that together are the file", async () => {
    const content = Array.from({ length: 5000 }, (_, index) => `line ${index} ${"x".repeat(index % 50)}`).join("\n");
    await workspace.write("long.txt", content);
    const parts: string[] = [];
    for (let offset = 1, rounds = 0; rounds < 100; rounds++) {
      const read = (await call("file_read", { path: "long.txt", offset })) as { text: string; note?: string };
      expect(read.text.length).toBeLessThanOrEqual(16_000);
      parts.push(read.text);
      const next = /go on with offset (\d+)/u.exec(read.note ?? "")?.[1];
      if (next === undefined) break;
      offset = Number(next);
    }
    expect(parts.length).toBeGreaterThan(5);
    expect(parts.join("\n")).toBe(content);
  });

  it("cuts a line that is too long, never inside a character", async () => {
    await workspace.write("long.txt", `${"x".repeat(15_999)}😀${"y".repeat(100)}\nnext`);
    const read = (await call("file_read", { path: "long.txt" })) as { text: string; note: string };
    expect(read.text).toBe("x".repeat(15_999));
    expect(read.note).toBe("Line 1 has 16101 characters, only 15999 are shown; go on with offset 2 of 2 lines");
  });

  it.each([
    { title: "bytes that are no UTF-8", bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47) },
    { title: "a text with NUL characters", bytes: Uint8Array.of(97, 0, 98) },
  ])("declines $title politely", async ({ bytes }) => {
    await workspace.write("image.png", bytes);
    expect(await call("file_read", { path: "image.png" })).toEqual(
      refusal("BINARY_FILE", `its ${bytes.byteLength} bytes are no text`),
    );
  });

  it("says that a file is missing, and that a folder is none", async () => {
    await workspace.write("notes/a.md", "a");
    expect(await call("file_read", { path: "b.md" })).toEqual(refusal("NOT_FOUND", "look with list_files"));
    expect(await call("file_read", { path: "notes" })).toEqual(refusal("WORKSPACE_REFUSED", "it is a folder"));
  });

  it.each([{ offset: 0 }, { offset: 1.5 }, { limit: 0 }, { limit: "all" }, { path: 7 }])(
    "refuses %j",
    async (input) => {
      expect(await call("file_read", { path: "a.txt", ...input })).toMatchObject({ refused: "BAD_INPUT" });
    },
  );
});

describe("file_write", () => {
  it("creates a file with its folders, and replaces it", async () => {
    expect(await call("file_write", { path: "./notes//a.md", content: "ä" })).toEqual({
      path: "./notes//a.md",
      written_bytes: 2,
    });
    await call("file_write", { path: "notes/a.md", content: "" });
    expect(await textOf("notes/a.md")).toBe("");
  });

  it("refuses a text over the workspace's limit", async () => {
    workspace = virtualWorkspace({ store: memoryStore(), maxFileBytes: 3 });
    expect(await call("file_write", { path: "a", content: "éé" })).toEqual(refusal("WORKSPACE_REFUSED", "at most 3"));
  });
});

describe("file_edit", () => {
  it.each([
    { title: "a word", before: "a b c", old_text: "b", new_text: "B", after: "a B c", line: 1 },
    { title: "several lines", before: "1\n2\n3\n4", old_text: "2\n3", new_text: "x", after: "1\nx\n4", line: 2 },
    { title: "with nothing", before: "1\n2\n", old_text: "1\n", new_text: "", after: "2\n", line: 1 },
    {
      title: "with dollar signs as they are",
      before: "a",
      old_text: "a",
      new_text: "$& $1 $$",
      after: "$& $1 $$",
      line: 1,
    },
    {
      title: "lines that end in CRLF",
      before: "1\r\n2\r\n3",
      old_text: "1\n2",
      new_text: "a\nb",
      after: "a\r\nb\r\n3",
      line: 1,
    },
    {
      title: "in a text of mixed line ends, exactly",
      before: "1\r\n2\n3",
      old_text: "2\n3",
      new_text: "a\nb",
      after: "1\r\na\nb",
      line: 2,
    },
    { title: "behind a byte order mark", before: "\ufeffa", old_text: "a", new_text: "b", after: "\ufeffb", line: 1 },
  ])("replaces $title", async ({ before, old_text, new_text, after, line }) => {
    await workspace.write("a.txt", before);
    expect(await call("file_edit", { path: "a.txt", old_text, new_text })).toEqual({ path: "a.txt", line });
    expect(await textOf("a.txt")).toBe(after);
  });

  it.each([
    { title: "no match", old_text: "x", code: "NO_MATCH", message: "not in it" },
    { title: "several matches", old_text: "ab", code: "MANY_MATCHES", message: "in it 3 times" },
    { title: "overlapping matches", old_text: "aba", code: "MANY_MATCHES", message: "in it 2 times" },
    { title: "nothing to find", old_text: "", code: "BAD_INPUT", message: "" },
    { title: "nothing to change", old_text: "b", new_text: "b", code: "BAD_INPUT", message: "nothing would change" },
  ])("refuses $title and changes nothing", async ({ old_text, new_text = "new", code, message }) => {
    await workspace.write("a.txt", "ababab");
    expect(await call("file_edit", { path: "a.txt", old_text, new_text })).toEqual(refusal(code, message));
    expect(await textOf("a.txt")).toBe("ababab");
  });

  it("loses none of several edits of one file at once", async () => {
    await workspace.write("a.txt", "one two three");
    const edits = [
      ["one", "1"],
      ["two", "2"],
      ["three", "3"],
    ];
    await Promise.all(edits.map(([old_text, new_text]) => call("file_edit", { path: "a.txt", old_text, new_text })));
    expect(await textOf("a.txt")).toBe("1 2 3");
  });

  it("gives up with CONFLICT when the file changes each time", async () => {
    await workspace.write("a.txt", "a");
    const steady = workspace;
    let tries = 0;
    workspace = {
      ...steady,
      write: async () => {
        tries++;
        throw new ConflictError("Cannot write as it changed in the meantime: read it again", "9");
      },
    };
    expect(await call("file_edit", { path: "a.txt", old_text: "a", new_text: "b" })).toEqual(
      refusal("CONFLICT", "read it again"),
    );
    expect(tries).toBe(5);
  });

  it("needs a file that is there", async () => {
    expect(await call("file_edit", { path: "b.txt", old_text: "a", new_text: "b" })).toMatchObject({
      refused: "NOT_FOUND",
    });
  });
});

describe("list_files", () => {
  it("lists one folder, folders with a slash at their end", async () => {
    await Promise.all(["b.txt", "a/c.txt", "a/d/e.txt"].map((path) => workspace.write(path, "")));
    expect(await call("list_files", {})).toEqual({ path: ".", entries: ["a/", "b.txt"] });
    expect(await call("list_files", { path: "a" })).toEqual({ path: "a", entries: ["a/c.txt", "a/d/"] });
    expect(await call("list_files", { path: "c" })).toMatchObject({ refused: "NOT_FOUND" });
    expect(await call("list_files", { path: "b.txt" })).toEqual(refusal("WORKSPACE_REFUSED", "it is a file"));
  });

  it("is empty in a workspace without files", async () => {
    expect(await call("list_files", {})).toEqual({ path: ".", entries: [] });
  });

  it("says when there is more than it shows", async () => {
    for (let index = 0; index < 501; index++) await workspace.write(`file-${index}`, "");
    const listed = (await call("list_files", {})) as { entries: string[]; note: string };
    expect(listed.entries).toHaveLength(500);
    expect(listed.note).toBe("1 left out: 1 is over the limit");
  });
});
