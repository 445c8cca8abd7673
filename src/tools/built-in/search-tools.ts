import * as v from "valibot";
import { AssistantError } from "../../errors.ts";
import { compileGlob } from "../patterns/glob.ts";
import { type LinePattern, linePattern } from "../patterns/line-pattern.ts";
import type { PatternEngine } from "../patterns/pattern.ts";
import { ToolError, defineTool } from "../tool.ts";
import type { AnyTool, ToolContext } from "../tool.ts";
import type { Workspace, WorkspaceEntry } from "../workspace.ts";
import { inWorkspace } from "./in-workspace.ts";

export interface SearchToolsOptions {
  /** The workspace of the agent that calls. */
  workspaceFor(context: ToolContext): Workspace;
  /** Default: RE2 where it can be loaded; elsewhere (Workers) only patterns that are harmless for the runtime's own engine. */
  readonly patterns?: PatternEngine;
}

const MOST_MATCHES = 200;
const MOST_RESULT_CHARACTERS = 12_000;
const MOST_FOUND = 500;
const MOST_ENTRIES = 20_000;
const MOST_FILES = 5000;
const MOST_FILE_BYTES = 2 * 1024 * 1024;
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_LINE_CHARACTERS = 300;
const DEEPEST = 64;
const DEPENDENCIES = new Set(["node_modules", ".git", ".hg", ".svn"]);

const path = v.optional(v.pipe(v.string(), v.description("A file or folder of the workspace. Default: all of it")));

/**
 * `grep` and `find` over the workspace of whoever calls.
 *
 * Source: docs/tools.md, "Search".
 */
export function searchTools({ workspaceFor, patterns }: SearchToolsOptions): Readonly<Record<string, AnyTool>> {
  const meta = { category: "search", idempotent: true } as const;

  const grep = defineTool({
    description: `Searches the text files of the workspace line by line for a regular expression (RE2: no backreferences, no lookaround; (?i) in front ignores case). Gives path:line:text, at most ${MOST_MATCHES}. Hidden folders and node_modules are left out unless path leads there.`,
    inputSchema: v.strictObject({
      pattern: v.pipe(v.string(), v.minLength(1), v.description("A regular expression, or plain text")),
      path,
    }),
    async execute({ pattern, path = "." }, context) {
      const wanted = await linePattern(pattern, patterns);
      return inWorkspace(async () => grepIn(workspaceFor(context), wanted, path, context.signal));
    },
    meta,
  });

  const find = defineTool({
    description: `Finds files of the workspace by a glob: *.md (in any folder), notes/**/*.txt, {a,b}/?.csv. Gives paths in order, at most ${MOST_FOUND}. node_modules and .git are left out unless glob or path names them.`,
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
      return inWorkspace(async () => findIn(workspaceFor(context), isWanted, glob, path, context.signal));
    },
    meta,
  });

  return { grep, find };
}

async function grepIn(workspace: Workspace, wanted: LinePattern, path: string, signal: AbortSignal) {
  const matches: string[] = [];
  const notes = new Set<string>();
  let files = 0;
  let bytes = 0;
  let characters = 0;
  const isOpen = folderFilter(path, (name) => name.startsWith(".") || DEPENDENCIES.has(name));

  for await (const entry of walk(workspace, path, isOpen, signal, notes)) {
    if (files >= MOST_FILES || bytes >= MOST_BYTES || wanted.isSpent()) {
      notes.add("Only a part was searched, there is too much: give a narrower path");
      break;
    }
    const text = await textOf(workspace, entry, notes);
    if (text === null) continue;
    files += 1;
    bytes += text.length;
    for (const { number, line } of linesOf(text)) {
      if (wanted.isSpent()) break;
      if (!wanted.test(line)) continue;
      const match = `${entry.path}:${number}:${cutLine(line)}`;
      characters += match.length;
      if (matches.length >= MOST_MATCHES || characters > MOST_RESULT_CHARACTERS) {
        notes.add(`Only the first ${matches.length} matches are shown: narrow the pattern or the path`);
        return result(matches, files, notes);
      }
      matches.push(match);
    }
  }
  return result(matches, files, notes);
}

function result(matches: readonly string[], files: number, notes: ReadonlySet<string>) {
  return { matches, searched_files: files, ...(notes.size > 0 && { note: [...notes].join(". ") }) };
}

async function findIn(
  workspace: Workspace,
  isWanted: (path: string) => boolean,
  glob: string,
  path: string,
  signal: AbortSignal,
) {
  const found: string[] = [];
  const notes = new Set<string>();
  const isOpen = folderFilter(`${path}/${glob}`, (name) => DEPENDENCIES.has(name));
  const folder = path.replace(/^(?:\.\/)+|\/+$/gu, "");
  const below = folder === "" || folder === "." ? "" : `${folder}/`;
  for await (const { path: one } of walk(workspace, path, isOpen, signal, notes)) {
    // A glob may be meant from the folder or from the root.
    if (!isWanted(one) && !(one.startsWith(below) && isWanted(one.slice(below.length)))) continue;
    if (found.length >= MOST_FOUND) {
      notes.add(`Only the first ${MOST_FOUND} are shown: narrow the glob or the path`);
      break;
    }
    found.push(one);
  }
  return { paths: found, ...(notes.size > 0 && { note: [...notes].join(". ") }) };
}

/** Which folders are walked into: not those that are left out, unless what was asked for names them. */
function folderFilter(asked: string, isLeftOut: (name: string) => boolean): (name: string) => boolean {
  const named = new Set(asked.split("/"));
  return (name) => named.has(name) || !isLeftOut(name);
}

/** The files below a path, folder by folder, in the order of their names. */
async function* walk(
  workspace: Workspace,
  path: string,
  isOpen: (name: string) => boolean,
  signal: AbortSignal,
  notes: Set<string>,
): AsyncGenerator<WorkspaceEntry> {
  const start = await workspace.stat(path);
  if (start === null)
    throw new ToolError(
      "NOT_FOUND",
      `There is no file or folder ${JSON.stringify(path)} in the workspace: look with list_files`,
    );
  let entries = 0;
  const waiting: { readonly entry: WorkspaceEntry; readonly depth: number }[] = [{ entry: start, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    signal.throwIfAborted();
    const { entry, depth } = next;
    if (entry.kind === "file") {
      yield entry;
      continue;
    }
    if (depth > 0 && !isOpen(entry.path.slice(entry.path.lastIndexOf("/") + 1))) continue;
    if (depth >= DEEPEST || entries >= MOST_ENTRIES) {
      notes.add("Not all folders were looked into, there are too many: give a narrower path");
      continue;
    }
    const listed = await listIn(workspace, entry.path, MOST_ENTRIES - entries);
    entries += listed.length;
    for (const one of listed.toReversed()) waiting.push({ entry: one, depth: depth + 1 });
  }
}

/** A folder that went away meanwhile, or turned into something else, is empty. */
async function listIn(workspace: Workspace, path: string, limit: number): Promise<readonly WorkspaceEntry[]> {
  try {
    return (await workspace.list(path, { limit })) ?? [];
  } catch (error) {
    if (AssistantError.is(error, "WORKSPACE_REFUSED")) return [];
    throw error;
  }
}

/** `null` for what is no text, too large, or gone. */
async function textOf(workspace: Workspace, entry: WorkspaceEntry, notes: Set<string>): Promise<string | null> {
  const tooLarge = () => {
    notes.add(`Files of more than ${MOST_FILE_BYTES} bytes were left out`);
    return null;
  };
  if ((entry.sizeBytes ?? 0) > MOST_FILE_BYTES) return tooLarge();
  try {
    const bytes = (await workspace.read(entry.path))?.bytes;
    if (bytes === undefined || bytes.subarray(0, 8192).includes(0)) return null;
    if (bytes.byteLength > MOST_FILE_BYTES) return tooLarge();
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    // What the walk met and the workspace does not give (a link that leaves, not UTF-8) is passed over, as what is no text.
    if (error instanceof TypeError || AssistantError.is(error, "WORKSPACE_REFUSED")) return null;
    throw error;
  }
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
  if (line.length <= MOST_LINE_CHARACTERS) return line;
  return `${line.slice(0, MOST_LINE_CHARACTERS).replace(/[\ud800-\udbff]$/u, "")}…`;
}
