import * as v from "valibot";
import { ConflictError } from "../../errors.ts";
import { ToolError, defineTool } from "../tool.ts";
import type { AnyTool, ToolContext } from "../tool.ts";
import { createLeftOut } from "../left-out.ts";
import type { Workspace, WorkspaceFile } from "../workspace.ts";
import { asWritten, checkMeant } from "./in-workspace.ts";
import { told } from "./told.ts";
import { headOf } from "../../short-text.ts";

export interface FileToolsOptions {
  /** The workspace of the calling agent. */
  workspaceFor(context: ToolContext): Workspace;
}

/** Most lines and characters that one `file_read` shows: enough for most files, and small enough for a prompt. */
const READ_LINES = 2000;
const READ_CHARACTERS = 16_000;
/** Most entries that one `list_files` shows. */
const LIST_ENTRIES = 500;
/** Entries beyond the shown ones are counted up to this number. */
const COUNTED_ENTRIES = 5000;
/** Attempts of an edit when another call changes the file in the meantime. */
const EDIT_TRIES = 5;

const path = v.pipe(v.string(), v.description("Relative to the workspace, with / between folders, as notes/today.md"));
const atLeastOne = (what: string) => v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.description(what)));

/**
 * `file_read`, `file_write`, `file_edit` and `list_files`, on the caller's workspace.
 *
 * Source: docs/tools.md, "Files".
 */
export function fileTools({ workspaceFor }: FileToolsOptions): Readonly<Record<string, AnyTool>> {
  const meta = { category: "fs" } as const;

  const file_read = defineTool({
    description: `Reads a text file of the workspace. Shows at most ${READ_LINES} lines and ${READ_CHARACTERS} characters at once; go on with offset.`,
    inputSchema: v.strictObject({
      path,
      offset: atLeastOne("First line to show, counted from 1. Default 1"),
      limit: atLeastOne(`How many lines to show. Default ${READ_LINES}`),
    }),
    async execute({ path, offset = 1, limit = READ_LINES }, context) {
      return told(async () => {
        const { text } = await readText(workspaceFor(context), checkMeant(path));
        return { path, ...cutLines(text.replace(/^\ufeff/u, ""), offset, limit) };
      });
    },
    meta: { ...meta, idempotent: true },
  });

  const file_write = defineTool({
    description:
      "Writes a text file of the workspace, whole: it is created, with its folders, or replaced. To change a part of a file use file_edit.",
    inputSchema: v.strictObject({
      path,
      content: v.pipe(v.string(), v.description("The whole new text of the file")),
    }),
    async execute({ path, content }, context) {
      return told(async () => {
        await workspaceFor(context).write(checkMeant(path), content);
        return { path, written_bytes: new TextEncoder().encode(content).byteLength };
      });
    },
    meta,
  });

  const file_edit = defineTool({
    description:
      "Replaces one passage of a text file of the workspace. old_text must stand in the file exactly once: copy it exactly, with enough lines around it to be the only one.",
    inputSchema: v.strictObject({
      path,
      old_text: v.pipe(
        v.string(),
        v.minLength(1),
        v.description("The passage to replace, exactly as it is in the file"),
      ),
      new_text: v.pipe(v.string(), v.description("What stands there afterwards; empty to delete the passage")),
    }),
    async execute({ path, old_text, new_text }, context) {
      return told(async () => {
        if (old_text === new_text)
          throw new ToolError("BAD_INPUT", "Cannot edit as old_text and new_text are the same: nothing would change");
        const workspace = workspaceFor(context);
        checkMeant(path);
        for (let tries = 1; ; tries++) {
          const { text, version } = await readText(workspace, path);
          const { edited, line } = replaceOnce(text, path, old_text, new_text);
          try {
            await workspace.write(path, edited, { expect: version });
            return { path, line };
          } catch (error) {
            if (!ConflictError.is(error) || tries >= EDIT_TRIES) throw error;
          }
        }
      });
    },
    meta,
  });

  const list_files = defineTool({
    description: `Lists what lies directly in a folder of the workspace; folders end in /. Shows at most ${LIST_ENTRIES} entries, and says what it leaves out.`,
    inputSchema: v.strictObject({
      path: v.optional(
        v.pipe(v.string(), v.description("A folder of the workspace. Default: the workspace's own folder")),
      ),
    }),
    async execute({ path = "." }, context) {
      return told(async () => {
        const leftOut = createLeftOut();
        const found = await workspaceFor(context).list(checkMeant(path), {
          limit: COUNTED_ENTRIES + 1,
          onLeftOut: (reason) => leftOut.add(reason),
        });
        if (found === null)
          throw new ToolError("NOT_FOUND", `There is no folder ${JSON.stringify(path)} in the workspace`);
        const entries = found
          .slice(0, LIST_ENTRIES)
          .map((entry) => asWritten(entry.kind === "folder" ? `${entry.path}/` : entry.path));
        if (found.length > LIST_ENTRIES) leftOut.add("limit", found.length - LIST_ENTRIES);
        const more = found.length > COUNTED_ENTRIES ? "There are more than are counted here. " : "";
        const note = leftOut.note();
        return { path, entries, ...(note !== undefined && { note: `${more}${note}` }) };
      });
    },
    meta: { ...meta, idempotent: true },
  });

  return { file_read, file_write, file_edit, list_files };
}

async function readText(workspace: Workspace, path: string): Promise<{ text: string; version: string }> {
  const file: WorkspaceFile | null = await workspace.read(path);
  if (file === null)
    throw new ToolError("NOT_FOUND", `There is no file ${JSON.stringify(path)} in the workspace: look with list_files`);
  const { bytes, version } = file;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes("\0")) return { text, version };
  } catch {
    // Not UTF-8: reported below, like text with NUL characters.
  }
  throw new ToolError(
    "BINARY_FILE",
    `Cannot show ${JSON.stringify(path)} as its ${bytes.byteLength} bytes are no text in UTF-8`,
  );
}

/** Returns the requested lines unchanged, and a note if there are more. */
function cutLines(text: string, offset: number, limit: number): { text: string; lines: number; note?: string } {
  const all = text.split("\n");
  if (all.at(-1) === "") all.pop();
  const lines = all.length;
  if (lines === 0) return { text: "", lines };
  if (offset > lines)
    throw new ToolError(
      "BAD_INPUT",
      `Cannot start at line ${offset} as the file has ${lines} ${lines === 1 ? "line" : "lines"}`,
    );

  const wanted = all.slice(offset - 1, offset - 1 + Math.min(limit, READ_LINES));
  const first = wanted[0] ?? "";
  if (first.length > READ_CHARACTERS) {
    const head = headOf(first, READ_CHARACTERS);
    const more = offset < lines ? `; go on with offset ${offset + 1} of ${lines} lines` : "";
    return {
      text: head,
      lines,
      note: `Line ${offset} has ${first.length} characters, only ${head.length} are shown${more}`,
    };
  }
  let shown = 0;
  let length = 0;
  for (const line of wanted) {
    length += line.length + 1;
    if (length > READ_CHARACTERS + 1) break;
    shown++;
  }
  const last = offset - 1 + shown;
  const part = wanted.slice(0, shown).join("\n");
  if (last >= lines) return { text: text.endsWith("\n") ? `${part}\n` : part, lines };
  return { text: part, lines, note: `Lines ${offset} to ${last} of ${lines}: go on with offset ${last + 1}` };
}

function replaceOnce(text: string, path: string, oldText: string, newText: string): { edited: string; line: number } {
  // Models write \n, whatever line ends the file has.
  const inFile = (part: string) => (onlyCrlf(text) ? part.replaceAll(/\r?\n/gu, "\r\n") : part);
  const [wanted, replacement] = [inFile(oldText), inFile(newText)];
  const at = text.indexOf(wanted);
  if (at === -1)
    throw new ToolError(
      "NO_MATCH",
      `Cannot edit ${JSON.stringify(path)} as old_text is not in it: read the file and copy the passage exactly`,
    );
  const matches = countOf(text, wanted);
  if (matches > 1)
    throw new ToolError(
      "MANY_MATCHES",
      `Cannot edit ${JSON.stringify(path)} as old_text is in it ${matches} times: add lines around it until it is the only one`,
    );
  return {
    edited: text.slice(0, at) + replacement + text.slice(at + wanted.length),
    line: text.slice(0, at).split("\n").length,
  };
}

function onlyCrlf(text: string): boolean {
  return text.includes("\r\n") && !/(?<!\r)\n/u.test(text);
}

/** Counts overlapping places too, since a choice between them would be a guess. */
function countOf(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) count++;
  return count;
}
