import * as v from "valibot";
import { AssistantError } from "../../errors.ts";
import type { Platform } from "../../platform.ts";
import { compileGlob } from "../patterns/glob.ts";
import { type LinePattern, linePattern } from "../patterns/line-pattern.ts";
import type { PatternEngine } from "../../patterns/index.ts";
import { type LeftOut, createLeftOut } from "../left-out.ts";
import { ToolError, defineTool } from "../tool.ts";
import type { AnyTool, ToolContext } from "../tool.ts";
import type { Workspace, WorkspaceEntry } from "../workspace.ts";
import { asWritten, checkMeant } from "./in-workspace.ts";
import { told } from "./told.ts";
import { shortened } from "../../short-text.ts";

export interface SearchToolsOptions {
  /** The workspace of the calling agent. */
  workspaceFor(context: ToolContext): Workspace;
  /**
   * Default: RE2 if it can be loaded; elsewhere (Workers) only patterns that cannot slow down the runtime's own
   * engine.
   */
  readonly patterns?: PatternEngine;
  readonly load: Platform["load"];
}

const MAX_MATCHES = 200;
const MAX_RESULT_CHARACTERS = 12_000;
const MAX_FOUND = 500;
const MAX_ENTRIES = 20_000;
const MAX_FILES = 5000;
const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_LINE_CHARACTERS = 300;
const MAX_DEPTH = 64;
const TOO_MUCH = "Only a part was searched, there is too much: give a narrower path";
const DEPENDENCIES = new Set(["node_modules", ".git", ".hg", ".svn"]);

const path = v.optional(v.pipe(v.string(), v.description("A file or folder of the workspace. Default: all of it")));

/**
 * `grep` and `find` over the caller's workspace.
 *
 * Source: docs/tools.md, "Search".
 */
export function searchTools({ workspaceFor, patterns, load }: SearchToolsOptions): Readonly<Record<string, AnyTool>> {
  const meta = { category: "search", idempotent: true } as const;

  const grep = defineTool({
    description: `Searches the text files of the workspace line by line for a regular expression (RE2: no backreferences, no lookaround; (?i) in front ignores case). Gives path:line:text, at most ${MAX_MATCHES}. Hidden folders and node_modules are left out unless path leads there; the note says what was left out.`,
    inputSchema: v.strictObject({
      pattern: v.pipe(v.string(), v.minLength(1), v.description("A regular expression, or plain text")),
      path,
    }),
    async execute({ pattern, path = "." }, context) {
      const wanted = await linePattern(pattern, load, patterns);
      return told(async () => grepIn(workspaceFor(context), wanted, checkMeant(path), context.signal));
    },
    meta,
  });

  const find = defineTool({
    description: `Finds files of the workspace by a glob: *.md (in any folder), notes/**/*.txt, {a,b}/?.csv. Gives paths in order, at most ${MAX_FOUND}. node_modules and .git are left out unless glob or path names them.`,
    inputSchema: v.strictObject({
      glob: v.pipe(
        v.string(),
        v.minLength(1),
        v.description("* and ? within a name, ** for any folders; without / it is about names in all folders"),
      ),
      path,
    }),
    async execute({ glob, path = "." }, context) {
      const isWanted = compileGlob(glob);
      return told(async () => findIn(workspaceFor(context), isWanted, glob, checkMeant(path), context.signal));
    },
    meta,
  });

  return { grep, find };
}

async function grepIn(workspace: Workspace, wanted: LinePattern, path: string, signal: AbortSignal) {
  const matches: string[] = [];
  const search = createSearch(workspace, signal, path, (name) =>
    DEPENDENCIES.has(name) ? "dependencies" : name.startsWith(".") ? "hiddenFolder" : undefined,
  );
  let files = 0;
  let bytes = 0;
  let characters = 0;
  const result = () => ({ matches, searched_files: files, ...search.note() });

  for await (const entry of search.filesBelow(await startOf(workspace, path))) {
    if (files >= MAX_FILES || bytes >= MAX_BYTES || wanted.isSpent()) {
      search.say(TOO_MUCH);
      break;
    }
    const text = await textOf(workspace, entry, search.leftOut);
    if (text === null) continue;
    files += 1;
    bytes += text.length;
    for (const { number, line } of linesOf(text)) {
      if (wanted.isSpent()) {
        search.say(TOO_MUCH);
        return result();
      }
      if (wanted.lookedCharacters !== undefined && line.length > wanted.lookedCharacters)
        search.say(`Of longer lines only the first ${wanted.lookedCharacters} characters were searched`);
      if (!wanted.test(line)) continue;
      const match = `${shownPath(entry.path)}:${number}:${cutLine(line)}`;
      characters += match.length;
      if (matches.length >= MAX_MATCHES || characters > MAX_RESULT_CHARACTERS) {
        search.say(`Only the first ${matches.length} matches are shown: narrow the pattern or the path`);
        return result();
      }
      matches.push(match);
    }
  }
  return result();
}

async function findIn(
  workspace: Workspace,
  isWanted: (path: string) => boolean,
  glob: string,
  path: string,
  signal: AbortSignal,
) {
  const found: string[] = [];
  const search = createSearch(workspace, signal, `${path}/${glob}`, (name) =>
    DEPENDENCIES.has(name) ? "dependencies" : undefined,
  );
  const start = await startOf(workspace, path);
  const below = start.path === "." ? "" : `${start.path}/`;
  for await (const { path: one } of search.filesBelow(start)) {
    // The glob can be relative to the folder or to the root.
    if (!isWanted(one) && !(one.startsWith(below) && isWanted(one.slice(below.length)))) continue;
    if (found.length >= MAX_FOUND) {
      search.say(`Only the first ${MAX_FOUND} are shown: narrow the glob or the path`);
      break;
    }
    found.push(asWritten(one));
  }
  return { paths: found, ...search.note() };
}

async function startOf(workspace: Workspace, path: string): Promise<WorkspaceEntry> {
  const start = await workspace.stat(path);
  if (start !== null) return start;
  throw new ToolError(
    "NOT_FOUND",
    `There is no file or folder ${JSON.stringify(path)} in the workspace: look with list_files`,
  );
}

/**
 * Creates a walk that counts what it leaves out. `skipped` returns why a folder is skipped; a folder that the request
 * names is not skipped.
 */
function createSearch(
  workspace: Workspace,
  signal: AbortSignal,
  asked: string,
  skipped: (name: string) => "dependencies" | "hiddenFolder" | undefined,
) {
  const named = new Set(asked.split("/"));
  const leftOut = createLeftOut();
  const said = new Set<string>();

  /** The files below an entry, folder by folder, in name order. */
  async function* filesBelow(start: WorkspaceEntry): AsyncGenerator<WorkspaceEntry> {
    let entries = 0;
    const waiting: { readonly entry: WorkspaceEntry; readonly depth: number }[] = [{ entry: start, depth: 0 }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      signal.throwIfAborted();
      const { entry, depth } = next;
      if (entry.kind === "file") {
        yield entry;
        continue;
      }
      const name = entry.path.slice(entry.path.lastIndexOf("/") + 1);
      const reason = depth === 0 || named.has(name) ? undefined : skipped(name);
      if (reason !== undefined || depth >= MAX_DEPTH || entries >= MAX_ENTRIES) {
        leftOut.add(reason ?? (depth >= MAX_DEPTH ? "deepFolder" : "unlookedFolder"));
        continue;
      }
      const room = MAX_ENTRIES - entries;
      const listed = await listIn(entry.path, room + 1);
      if (listed.length > room) said.add(`Only the first ${MAX_ENTRIES} entries were looked at: give a narrower path`);
      entries += Math.min(listed.length, room);
      for (const one of listed.slice(0, room).toReversed()) waiting.push({ entry: one, depth: depth + 1 });
    }
  }

  /**
   * Lists a folder. A folder that was removed in the meantime is empty; one that is no longer a folder or cannot be
   * read is left out.
   */
  async function listIn(path: string, limit: number): Promise<readonly WorkspaceEntry[]> {
    try {
      return (await workspace.list(path, { limit, onLeftOut: (reason) => leftOut.add(reason) })) ?? [];
    } catch (error) {
      if (!AssistantError.is(error, "WORKSPACE_REFUSED")) throw error;
      leftOut.add("unreadable");
      return [];
    }
  }

  return {
    filesBelow,
    leftOut,
    say: (sentence: string) => void said.add(sentence),
    note(): { readonly note?: string } {
      const line = leftOut.note();
      const sentences = line === undefined ? [...said] : [...said, line];
      return sentences.length === 0 ? {} : { note: sentences.join(". ") };
    },
  };
}

/** Reads a text file; `null` if it is not text, too large, unreadable, or gone. */
async function textOf(workspace: Workspace, entry: WorkspaceEntry, leftOut: LeftOut): Promise<string | null> {
  const without = (reason: "tooLarge" | "notText" | "unreadable") => {
    leftOut.add(reason);
    return null;
  };
  if ((entry.sizeBytes ?? 0) > MAX_FILE_BYTES) return without("tooLarge");
  try {
    const bytes = (await workspace.read(entry.path))?.bytes;
    if (bytes === undefined) return null;
    if (bytes.byteLength > MAX_FILE_BYTES) return without("tooLarge");
    if (bytes.subarray(0, 8192).includes(0)) return without("notText");
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return without("notText");
    if (AssistantError.is(error, "WORKSPACE_REFUSED")) return without("unreadable");
    throw error;
  }
}

/** Quotes a path whose end could be taken for a line number, or that contains control characters or line separators. */
function shownPath(path: string): string {
  return /\p{Cc}|[\u2028\u2029]|:\d+:|^"/u.test(path) ? JSON.stringify(path) : asWritten(path);
}

function* linesOf(text: string): Generator<{ readonly number: number; readonly line: string }> {
  let from = 0;
  for (let number = 1; from < text.length; number += 1) {
    const end = text.indexOf("\n", from);
    const to = end === -1 ? text.length : end;
    yield { number, line: text.slice(from, text.charCodeAt(to - 1) === 13 && to > from ? to - 1 : to) };
    from = to + 1;
  }
}

function cutLine(line: string): string {
  return shortened(line, MAX_LINE_CHARACTERS);
}
