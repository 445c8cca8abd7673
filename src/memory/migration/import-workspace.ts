import type { Token, Tokens } from "marked";
import { idOf } from "../../ids.ts";
import { isDay } from "../../calendar.ts";
import type { Days } from "../days/days.ts";
import type { LongTermFact } from "../days/merge-facts.ts";
import { outlineOf } from "../days/outline.ts";
import { ENTRY_TYPES, type MemoryEntry } from "../entry.ts";
import type { MemoryStore } from "../memory-store.ts";
import { MAX_CONTENT_BYTES } from "../new-entry.ts";

/** A file of another assistant's workspace. */
export interface WorkspaceFile {
  /** Path within the workspace: `MEMORY.md`, `memory/2026-02-01.md`. */
  readonly path: string;
  readonly text: string;
}

export interface WorkspaceImportOptions {
  /** User to import for. */
  readonly userId: string;
  readonly memory: Pick<MemoryStore, "get" | "save">;
  readonly days: Pick<Days, "addFacts" | "calendarOf" | "today">;
  /** Called after each file. */
  onProgress?(done: number, of: number): void;
}

export interface WorkspaceImportResult {
  /** Lines that were added to MEMORY.md. */
  readonly facts: number;
  /** New entries. */
  readonly entries: number;
  /** Lines and entries that existed already. */
  readonly known: number;
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
}

/** A bullet, a paragraph, a table or a piece of code, with its heading. */
interface Piece {
  readonly text: string;
  readonly heading: string | undefined;
  /** Whether line ends are significant. */
  readonly isBlock: boolean;
}

const DAY_FILE = /^(\d{4}-\d{2}-\d{2})(?:[-_ .].*)?\.md$/;
/** Longer pieces, and those of several lines, become entries: a line of MEMORY.md is read in every prompt. */
const MAX_FACT_CHARACTERS = 500;
const NO_HEADING = "Imported";
const NOON_MS = 12 * 3_600_000;
const SAVED_AT_ONCE = 100;

/**
 * Imports another assistant's memory: lines of MEMORY.md go under their headings, text of day files becomes entries of
 * that day. A repeated import adds nothing, not even lines that a person deleted from MEMORY.md since.
 *
 * Source: docs/memory-days.md, "From other assistants".
 */
export async function importWorkspace(
  files: readonly WorkspaceFile[],
  { userId, memory, days, onProgress }: WorkspaceImportOptions,
): Promise<WorkspaceImportResult> {
  const { Lexer } = await import("marked");
  const leftOut: { readonly path: string; readonly reason: string }[] = [];
  let [facts, entries, known, done] = [0, 0, 0, 0];

  for (const { path, text } of files) {
    const name = path.replaceAll("\\", "/").split("/").at(-1) ?? "";
    const [, day] = DAY_FILE.exec(name) ?? [];
    const isLongTerm = name.toLowerCase() === "memory.md";
    if (isLongTerm || (day !== undefined && isDay(day))) {
      const { lines, frontmatter } = outlineOf(text.replace(/^\uFEFF/, ""));
      const body = lines.slice(frontmatter ? frontmatter.to + 1 : 0).join("");
      const pieces = piecesOf(Lexer.lex(body), (reason) => leftOut.push({ path, reason }));
      const isFact = ({ text: line, isBlock }: Piece) => isLongTerm && !isBlock && line.length <= MAX_FACT_CHARACTERS;
      await addLines(pieces.filter(isFact));
      await addEntries(
        path,
        day,
        pieces.filter((piece) => !isFact(piece)),
      );
    } else {
      leftOut.push({ path, reason: "expected MEMORY.md, or a day such as memory/2026-02-01.md" });
    }
    done += 1;
    onProgress?.(done, files.length);
  }
  return { facts, entries, known, leftOut };

  async function addLines(pieces: readonly Piece[]): Promise<void> {
    if (pieces.length === 0) return;
    const lines = pieces.map(({ text, heading = NO_HEADING }): LongTermFact => ({ text, heading }));
    const { added } = await days.addFacts(userId, lines, { literal: true });
    facts += added.length;
    known += lines.length - added.length;
  }

  async function addEntries(path: string, day: string | undefined, pieces: readonly Piece[]): Promise<void> {
    const noonMs = days.calendarOf(userId).startOf(day ?? days.today(userId)) + NOON_MS;
    const made = new Map<string, MemoryEntry>();
    for (const [index, { text: content, heading }] of pieces.entries()) {
      if (new TextEncoder().encode(content).length > MAX_CONTENT_BYTES) {
        leftOut.push({ path, reason: `longer than ${MAX_CONTENT_BYTES} bytes: ${content.slice(0, 60)}…` });
        continue;
      }
      // The id depends on the text and the day, so that a piece is recognised wherever it stands in its file.
      const id = await idOf(day === undefined ? 0 : noonMs, `import ${userId} ${day ?? ""} ${content}`);
      if (made.has(id) || (await memory.get(userId, id))) {
        known += 1;
        continue;
      }
      const at = new Date(noonMs + index);
      const slots = { type: ENTRY_TYPES.note, source: "import", file: path, ...(heading !== undefined && { heading }) };
      const keywords = heading === undefined ? [] : [heading];
      made.set(id, { id, userId, content, keywords, slots, createdAt: at, updatedAt: at });
    }
    const all = [...made.values()];
    for (let at = 0; at < all.length; at += SAVED_AT_ONCE) await memory.save(all.slice(at, at + SAVED_AT_ONCE));
    entries += all.length;
  }
}

function piecesOf(tokens: readonly Token[], leaveOut: (reason: string) => void): readonly Piece[] {
  const pieces: Piece[] = [];
  let heading: string | undefined;
  const add = (text: string, isBlock = false) => {
    const plain = isBlock ? text.trim() : text.replace(/\s+/g, " ").trim();
    if (plain !== "") pieces.push({ text: plain, heading, isBlock });
  };
  for (const token of tokens as readonly Tokens.Generic[]) {
    if (token.type === "heading") {
      // The title of a file is not a heading of its lines.
      const isTitle = token["depth"] === 1 && /memor|记忆|記憶|^\W*\d{4}-\d{2}-\d{2}/i.test(String(token["text"]));
      heading = isTitle ? undefined : String(token["text"]).trim() || undefined;
    } else if (token.type === "list") for (const item of (token as Tokens.List).items) addItem(item, "");
    else if (token.type === "paragraph" || token.type === "text") add(String(token["text"]));
    else if (token.type === "html") {
      if (token.raw.trim() !== "") leaveOut(`HTML: ${token.raw.trim().slice(0, 60)}`);
    } else if (token.type !== "space" && token.type !== "hr" && token.type !== "def") add(token.raw, true);
  }
  return pieces;

  /** A nested list belongs to the text of its item. */
  function addItem(item: Tokens.ListItem, above: string): void {
    const lists = item.tokens.filter((token) => token.type === "list") as Tokens.List[];
    const own = item.tokens.filter((token) => token.type !== "list");
    const text = own
      .map((token) => token.raw)
      .join("")
      .replace(/\s+/g, " ")
      .trim()
      .replace(/:$/, "");
    const whole = [above, text].filter((part) => part !== "").join(": ");
    if (lists.length === 0) add(whole);
    for (const list of lists) for (const inner of list.items) addItem(inner, whole);
  }
}
