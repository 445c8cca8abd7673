import type { Platform } from "../platform.ts";
import { readYaml } from "../settings/index.ts";
import { type JsonValue, isObject } from "../store/index.ts";
import type { MemoryEntry, Slots } from "./entry.ts";
import { ARCHIVE_REASONS, type ArchiveReason } from "./memory-store.ts";
import { parseTime, timeOfUlid } from "./time-input.ts";
import { shortened } from "../short-text.ts";

/** Longest entry file that is read, in characters. */
const MAX_ENTRY_FILE_CHARS = 262_144;

/** Content of an entry's file. */
export interface EntryFile {
  readonly entry: MemoryEntry;
  readonly archivedAt?: Date;
  readonly archivedReason?: ArchiveReason;
  /** Id of the entry that this one was merged into. */
  readonly mergedInto?: string;
  /** Whether the time is `EntryPlace.fileTimeMs`, because nothing else gives one. */
  readonly isDatedByFile?: true;
  /** Keys of the frontmatter that a person added. */
  readonly extra: Readonly<Record<string, JsonValue>>;
}

/** A problem with a file: the line, from 1, and what was expected there. */
export interface EntryFileProblem {
  readonly line: number;
  readonly message: string;
}

/** Data of an entry that the place of its file gives. */
export interface EntryPlace {
  readonly userId: string;
  readonly id: string;
  /** Used when neither the frontmatter nor the id gives a time. */
  readonly fileTimeMs: number;
}

type Values = Map<string, { readonly value: unknown; readonly line: number }>;

const OPENING = /^\uFEFF?---[ \t]*\r?\n/;
/** Must be a line of its own. `^` and `$` would also match at U+2028 and similar characters inside a value. */
const CLOSING = /(?<![^\n])---[ \t]*(?:\r?\n|(?![\s\S]))/;
const PLAIN_LINE = /^(?:([A-Za-z_][\w-]*)|("(?:[^"\\]|\\.)*")):[ \t]+(.*?)\r?$/s;
const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;
const OWN_KEYS = new Set([
  "id",
  "user_id",
  "keywords",
  "slots",
  "created_at",
  "updated_at",
  "expires_at",
  "archived_at",
  "archived_reason",
  "merged_into",
]);

/**
 * Writes an entry as Markdown: frontmatter whose values are JSON, which is also YAML, an empty line, the unchanged
 * content, a line end.
 *
 * Source: docs/memory.md, "The files".
 */
export function writeEntryFile({ entry, archivedAt, archivedReason, mergedInto, extra }: EntryFile): string {
  const values: Record<string, JsonValue | undefined> = {
    id: entry.id,
    user_id: entry.userId,
    keywords: entry.keywords,
    slots: entry.slots,
    created_at: entry.createdAt.toISOString(),
    updated_at: entry.updatedAt.toISOString(),
    expires_at: entry.expiresAt?.toISOString(),
    archived_at: archivedAt?.toISOString(),
    archived_reason: archivedReason,
    merged_into: mergedInto,
  };
  let text = "---\n";
  const line = (key: string, value: JsonValue | undefined) => {
    if (value !== undefined)
      text += `${PLAIN_KEY.test(key) ? key : JSON.stringify(key)}: ${inOneLine(JSON.stringify(value))}\n`;
  };
  for (const key in values) line(key, values[key]);
  for (const [key, value] of Object.entries(extra)) line(key, value);
  return `${text}---\n\n${entry.content}\n`;
}

/** Escapes all characters that some reader takes for a line end. */
function inOneLine(json: string): string {
  return json.replace(/[\u0085\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Reads what `writeEntryFile` wrote, also after edits by hand. The place of the file gives the user and the id.
 * Defaults for the rest: no keywords, no slots, the time of the id, else of the file. A file without frontmatter is
 * content.
 */
export function readEntryFile(text: string, place: EntryPlace, yaml: Platform["yaml"]): EntryFile | EntryFileProblem {
  if (text.length > MAX_ENTRY_FILE_CHARS)
    return { line: 1, message: `expected at most ${MAX_ENTRY_FILE_CHARS} characters, got ${text.length}` };
  const opening = OPENING.exec(text)?.[0];
  if (opening === undefined) {
    const content = text.replace(/^\uFEFF/, "").replace(/\r?\n$/, "");
    return entryOf({ values: new Map(), content, bodyLine: 1 }, place);
  }

  const rest = text.slice(opening.length);
  const closing = CLOSING.exec(rest);
  if (closing === null) return { line: 1, message: "expected a line --- after the frontmatter" };
  const values = valuesOf(rest.slice(0, closing.index), yaml);
  if (!(values instanceof Map)) return values;
  const windows = opening.endsWith("\r\n");
  const body = rest.slice(closing.index + closing[0].length);
  const content = windows ? body.replace(/^\r?\n/, "").replace(/\r?\n$/, "") : withoutFrame(body);
  const bodyLine = rest.slice(0, closing.index).split("\n").length + 2;
  return entryOf({ values, content, bodyLine }, place);
}

/** Reads the user from the frontmatter; `undefined` when it names none, or cannot be read. */
export function userIdIn(text: string, yaml: Platform["yaml"]): string | undefined {
  const opening = OPENING.exec(text)?.[0] ?? "";
  const rest = text.slice(opening.length);
  const closing = opening === "" ? null : CLOSING.exec(rest);
  const values = closing && valuesOf(rest.slice(0, closing.index), yaml);
  const value = values instanceof Map ? values.get("user_id")?.value : undefined;
  return typeof value === "number" || (typeof value === "string" && value !== "") ? String(value) : undefined;
}

/** Removes the empty line and the line end that the writer adds around the content. */
function withoutFrame(body: string): string {
  const start = body.startsWith("\n") ? 1 : 0;
  return body.slice(start, body.length > start && body.endsWith("\n") ? -1 : undefined);
}

function valuesOf(frontmatter: string, yaml: Platform["yaml"]): Values | EntryFileProblem {
  const plain = plainValues(frontmatter);
  if (plain !== undefined) return plain;
  const file = readYaml(frontmatter, yaml());
  const [problem] = file.problems;
  if (problem !== undefined) return { line: problem.line + 1, message: problem.message };
  if (!isObject(file.value)) return { line: 2, message: "expected frontmatter of the form key: value" };
  const values: Values = new Map();
  for (const [key, value] of Object.entries(file.value))
    // Copied, since the reader's maps have no prototype.
    values.set(key, { value: JSON.parse(JSON.stringify(value)), line: file.positionOf([key], "key").line + 1 });
  return values;
}

/** Reads frontmatter in the written form, one line for each value; `undefined` for any other, which the YAML library reads. */
function plainValues(frontmatter: string): Values | undefined {
  const values: Values = new Map();
  let line = 1;
  for (const text of frontmatter === "" ? [] : frontmatter.replace(/\r?\n$/, "").split("\n")) {
    line++;
    const [, plain, quoted, json] = PLAIN_LINE.exec(text) ?? [];
    if (json === undefined) return undefined;
    try {
      const key = plain ?? (JSON.parse(quoted ?? "") as string);
      if (values.has(key)) return undefined;
      values.set(key, { value: JSON.parse(json), line });
    } catch {
      return undefined;
    }
  }
  return values;
}

function entryOf(
  { values, content, bodyLine }: { values: Values; content: string; bodyLine: number },
  { userId, id, fileTimeMs }: EntryPlace,
): EntryFile | EntryFileProblem {
  let problem: EntryFileProblem | undefined;

  function take<T>(key: string, parse: (value: unknown) => T | undefined, expected: string): T | undefined {
    const found = values.get(key);
    if (found === undefined || found.value === null) return undefined;
    const parsed = parse(found.value);
    if (parsed === undefined)
      problem ??= { line: found.line, message: `${key}: expected ${expected}, got ${shortJson(found.value)}` };
    return parsed;
  }
  const time = (key: string) => take(key, parseTime, "a time such as 2026-02-01T09:30:00Z");

  const keywords = take("keywords", keywordsOf, "a list of words");
  const slots = take("slots", (value) => (isObject(value) ? (value as Slots) : undefined), "a map of names and values");
  const created = time("created_at");
  const updated = time("updated_at");
  const expiresAt = time("expires_at");
  const archivedAt = time("archived_at");
  const archivedReason = take("archived_reason", reasonOf, `one of ${ARCHIVE_REASONS.join(", ")}`);
  const mergedInto = take(
    "merged_into",
    (value) => (typeof value === "string" ? value : undefined),
    "the id of an entry",
  );
  if (problem !== undefined) return problem;
  if (content.trim() === "") return { line: bodyLine, message: "expected a text, but there is none" };

  const told = created ?? timeOfUlid(id) ?? updated;
  const createdAt = told ?? new Date(fileTimeMs);
  const extra: Record<string, JsonValue> = Object.create(null);
  for (const [key, { value }] of values) if (!OWN_KEYS.has(key)) extra[key] = value as JsonValue;
  return {
    entry: {
      id,
      userId,
      content,
      keywords: keywords ?? [],
      slots: slots ?? {},
      createdAt,
      updatedAt: updated ?? createdAt,
      ...(expiresAt && { expiresAt }),
    },
    ...(archivedAt && { archivedAt }),
    ...(archivedReason && { archivedReason }),
    ...(mergedInto !== undefined && { mergedInto }),
    ...(told === undefined && { isDatedByFile: true }),
    extra,
  };
}

/** A list, or one text with commas, as people write it. */
function keywordsOf(value: unknown): string[] | undefined {
  if (typeof value === "string") return value.split(/[,，、]/).flatMap((word) => word.trim() || []);
  if (!Array.isArray(value)) return undefined;
  return value.every((word) => typeof word === "string" || typeof word === "number") ? value.map(String) : undefined;
}

function reasonOf(value: unknown): ArchiveReason | undefined {
  return ARCHIVE_REASONS.find((reason) => reason === value);
}

function shortJson(value: unknown): string {
  return shortened(JSON.stringify(value), 60);
}
