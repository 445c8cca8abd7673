import { AssistantError } from "../errors.ts";
import { refuseNewer } from "../store/index.ts";
import type { MemoryApi } from "./api.ts";
import { type MemoryEntry, type Slots, isSameEntry } from "./entry.ts";
import { ARCHIVE_REASONS, type ArchiveReason, type MemoryStore } from "./memory-store.ts";
import { newEntry } from "./new-entry.ts";
import type { MemoryFiles } from "./person-files.ts";

/** Format of the lines. An import refuses a newer one. */
const MEMORY_EXPORT_FORMAT = 1;

/** One line of an export: an entry, or a whole file. Names are those of an entry's frontmatter. */
export type MemoryExportLine =
  | {
      readonly v: number;
      readonly type: "entry";
      readonly user_id: string;
      readonly id: string;
      readonly content: string;
      readonly keywords: readonly string[];
      readonly slots: Slots;
      readonly created_at: string;
      readonly updated_at: string;
      readonly expires_at?: string;
      readonly archived?: true;
      readonly archived_reason?: ArchiveReason;
      readonly merged_into?: string;
    }
  | {
      readonly v: number;
      readonly type: "file";
      readonly user_id: string;
      readonly file: string;
      readonly text: string;
    };

export interface MemoryTransferParts {
  readonly memory: Pick<MemoryApi, "list" | "users" | "get" | "save">;
  readonly archive: Pick<MemoryStore, "archive" | "archivedAs" | "get">;
  readonly files: MemoryFiles;
}

/** Result of an import. */
export interface MemoryImportResult {
  /** Entries that were new, or newer than the stored ones. */
  readonly entries: number;
  readonly files: number;
  /** Entries and files that were stored in the same form. */
  readonly unchanged: number;
  /** Left unchanged because it differs: names of files with another text, and ids of entries that were changed since. */
  readonly kept: readonly string[];
  /** Lines of a full export that are not memory, which the import skips. Absent when there are none. */
  readonly others?: number;
  /** Users that the memories went to. */
  readonly users: readonly string[];
}

/**
 * Exports memories as JSON lines, each with its line end: MEMORY.md and the days, then entries, then the archive.
 * Without `userId`, for all users.
 *
 * Source: docs/privacy.md, "Export and import".
 */
export async function* exportMemory(
  { memory, archive, files }: MemoryTransferParts,
  of: { readonly userId?: string | undefined } = {},
): AsyncGenerator<string> {
  for await (const userId of of.userId === undefined ? memory.users() : [of.userId]) {
    for (const name of ["MEMORY.md", ...(await files.days(userId))]) {
      const found = await files.read(userId, name);
      if (found) yield line({ v: 1, type: "file", user_id: userId, file: name, text: found.text });
    }
    for await (const entry of memory.list(userId)) yield line(entryLine(entry));
    for await (const entry of memory.list(userId, { archived: true })) {
      const { reason, into } = (await archive.archivedAs?.(userId, entry.id)) ?? {};
      const how = { ...(reason && { archived_reason: reason }), ...(into !== undefined && { merged_into: into }) };
      yield line({ ...entryLine(entry), archived: true, ...how });
    }
  }
}

/**
 * Imports lines of `exportMemory`; skips what else a full export holds. A repeated import changes nothing: entries keep
 * their ids. An entry that was changed since, and a file that has another text now, stay as they are.
 *
 * @param options.userId User to import for. Default: the user in each line.
 * @throws {AssistantError} `OPTION_INVALID` naming the line; `FORMAT_TOO_NEW`. Lines before it stay imported.
 */
export async function importMemory(
  lines: AsyncIterable<string> | Iterable<string>,
  { memory, archive, files }: MemoryTransferParts,
  options: { readonly userId?: string | undefined; onProgress?(lines: number): void } = {},
): Promise<MemoryImportResult> {
  const users = new Set<string>();
  const kept: string[] = [];
  let [number, entries, written, unchanged, others] = [0, 0, 0, 0, 0];
  for await (const text of lines) {
    number += 1;
    if (text.trim() === "") continue;
    const one = parseLine(text, number);
    if (one === "kept") {
      others += 1;
      continue;
    }
    const userId = options.userId ?? one.user_id;
    users.add(userId);
    await naming(number, one, () => takeIn(userId, one));
    options.onProgress?.(number);
  }
  return { entries, files: written, unchanged, kept, ...(others > 0 && { others }), users: [...users] };

  /** Whether an archived entry is in recall because its file was moved by hand. */
  async function isBroughtBack(userId: string, id: string): Promise<boolean> {
    if ((await archive.get(userId, id, { archived: false })) === undefined) return false;
    return (await archive.archivedAs?.(userId, id)) !== undefined;
  }

  async function takeIn(userId: string, one: MemoryExportLine): Promise<void> {
    if (one.type === "file") {
      const there = await files.read(userId, one.file);
      if (there === undefined) {
        await files.write(userId, one.file, one.text, { expect: null });
        written += 1;
      } else if (there.text === one.text) unchanged += 1;
      else kept.push(one.file);
    } else {
      const { id, content, keywords, slots, created_at: createdAt, updated_at: updatedAt, expires_at: expiresAt } = one;
      const given = { userId, id, content, keywords, slots, createdAt, updatedAt, expiresAt };
      const there = await memory.get(userId, id);
      const isThere = there !== undefined && isSameEntry(there, newEntry(given, NO_CLOCK));
      if (!isThere && there !== undefined && there.updatedAt.getTime() > Date.parse(updatedAt ?? createdAt)) {
        kept.push(id);
        return;
      }
      if (isThere && one.archived && (await isBroughtBack(userId, id))) {
        kept.push(id);
        return;
      }
      if (!isThere) await memory.save(given);
      // Also for a stored entry: an interrupted import may have saved it without archiving it.
      const how = { reason: one.archived_reason, into: one.merged_into };
      const moved = one.archived ? await archive.archive(userId, [id], how) : 0;
      if (isThere && moved === 0) unchanged += 1;
      else entries += 1;
    }
  }
}

/** Adds the place of a line to its error. */
async function naming(number: number, one: MemoryExportLine, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (!AssistantError.is(cause, "OPTION_INVALID")) throw cause;
    throw invalidAt(number, `${one.type} ${JSON.stringify(one.type === "file" ? one.file : one.id)}: ${cause.message}`);
  }
}

function invalidAt(number: number, what: string): AssistantError {
  return new AssistantError(
    "OPTION_INVALID",
    `Invalid import: line ${number}: ${what}; nothing from this line on was imported`,
  );
}

function entryLine(entry: MemoryEntry): MemoryExportLine & { readonly type: "entry" } {
  const { id, userId, content, keywords, slots, createdAt, updatedAt, expiresAt } = entry;
  return {
    v: MEMORY_EXPORT_FORMAT,
    type: "entry",
    user_id: userId,
    id,
    content,
    keywords,
    slots,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    ...(expiresAt && { expires_at: expiresAt.toISOString() }),
  };
}

/** Never read: a line has its own id and time. */
const NO_CLOCK = { now: () => 0 };

const line = (one: MemoryExportLine): string => `${JSON.stringify(one)}\n`;

function parseLine(text: string, number: number): MemoryExportLine | "kept" {
  const invalid = (what: string) => invalidAt(number, what);
  let one: Partial<Record<string, unknown>>;
  try {
    one = JSON.parse(text) as Partial<Record<string, unknown>>;
  } catch {
    throw invalid("expected a JSON object");
  }
  if (typeof one !== "object" || one === null) throw invalid("expected a JSON object");
  refuseNewer(one["v"], MEMORY_EXPORT_FORMAT, `line ${number}`);
  if (one["type"] === "kept") return "kept";
  const texts = one["type"] === "file" ? ["user_id", "file", "text"] : ["user_id", "id", "content", "created_at"];
  const missing = texts.find((name) => typeof one[name] !== "string" || one[name] === "");
  if (one["type"] !== "file" && one["type"] !== "entry") throw invalid('expected a type of "entry" or "file"');
  if (missing !== undefined && !(one["type"] === "file" && missing === "text" && one["text"] === ""))
    throw invalid(`expected a text as ${missing}`);
  const reason = one["archived_reason"];
  if (reason !== undefined && !ARCHIVE_REASONS.some((known) => known === reason))
    throw invalid(`expected one of ${ARCHIVE_REASONS.join(", ")} as archived_reason`);
  if (!["undefined", "string"].includes(typeof one["merged_into"])) throw invalid("expected a text as merged_into");
  return one as unknown as MemoryExportLine;
}
