import { ENTRY_TYPES, type MemoryEntry } from "./entry.ts";
import type { EntryFile } from "./entry-file.ts";
import { lastingStatements } from "./lasting.ts";
import { RETENTION_DAYS } from "./lifecycle/plan.ts";
import type { IndexedDocument } from "./keyword/types.ts";

/** What an index stores of an entry besides the fields that it searches. */
interface Rest {
  /** Slots. */
  readonly s: MemoryEntry["slots"];
  /** When it was changed, in milliseconds; absent when it equals the time of creation. */
  readonly u?: number;
  /** The content, where decoding UTF-8 would not give it back unchanged. */
  readonly c?: string;
}

/** A longer text states more than one thing. */
const MAX_READ_CHARS = 300;
const RETENTION_MS = RETENTION_DAYS * 86_400_000;
/** UTF-8 cannot encode half a surrogate pair, and a decoder drops a byte order mark. */
const NOT_IN_BYTES = /^\uFEFF|\p{Surrogate}/u;

/** Type of archived entries that no search recalls. */
export const OUT_OF_RECALL = "archived";

/**
 * Makes the index document of an entry's file. The first line of the body is the file's version, so that it can be read
 * without parsing the rest.
 */
export function documentOf(file: EntryFile, version: string, isArchive: boolean): IndexedDocument {
  const { id, content, keywords, slots, createdAt, updatedAt, expiresAt } = file.entry;
  const rest: Rest = {
    s: slots,
    ...(updatedAt.getTime() !== createdAt.getTime() && { u: updatedAt.getTime() }),
    ...(NOT_IN_BYTES.test(content) && { c: content }),
  };
  return {
    id,
    text: content,
    keywords,
    createdAtMs: createdAt.getTime(),
    type: isArchive && !isArchivedForAge(file) ? OUT_OF_RECALL : textOf(slots["type"]),
    thread: textOf(slots["session_id"]),
    body: `${version}\n${JSON.stringify(rest)}`,
    ...(expiresAt && { expiresAtMs: expiresAt.getTime() }),
    ...(isLasting(file.entry) && { lasting: true }),
  };
}

/**
 * Whether an entry states something lasting. A statement in the goal of a captured turn does not count: it was saved as
 * an entry of its own.
 */
function isLasting(entry: MemoryEntry): boolean {
  const { type, lasting } = entry.slots;
  if (lasting === true || type === ENTRY_TYPES.autoCapture) return lasting === true;
  return entry.content.length <= MAX_READ_CHARS && lastingStatements(entry).length > 0;
}

export function entryOfDocument(document: IndexedDocument, userId: string): MemoryEntry {
  const { id, text, keywords, createdAtMs, body, expiresAtMs } = document;
  const rest = JSON.parse(body.slice(body.indexOf("\n{") + 1)) as Rest;
  return {
    id,
    userId,
    content: rest.c ?? text,
    keywords,
    slots: rest.s,
    createdAt: new Date(createdAtMs),
    updatedAt: new Date(rest.u ?? createdAtMs),
    ...(expiresAtMs !== undefined && { expiresAt: new Date(expiresAtMs) }),
  };
}

/** Version of the file that the document was made from. */
export function versionOf({ body }: IndexedDocument): string {
  return body.slice(0, body.indexOf("\n"));
}

/** Whether an entry was archived only for its age. Files of earlier versions give no reason, so times decide. */
export function isArchivedForAge({ entry, archivedAt, archivedReason, mergedInto }: EntryFile): boolean {
  if (archivedReason !== undefined) return archivedReason === "age";
  if (archivedAt === undefined || mergedInto !== undefined) return false;
  const { createdAt, updatedAt, expiresAt } = entry;
  const atMs = archivedAt.getTime();
  const isExpired = expiresAt !== undefined && expiresAt.getTime() <= atMs;
  return !isExpired && atMs - Math.max(createdAt.getTime(), updatedAt.getTime()) >= RETENTION_MS;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
