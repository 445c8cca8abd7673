import type { MemoryEntry, NewMemory, Slots, TimeInput } from "./entry.ts";
import type { MemorySaveOptions, MemorySignals } from "./memory-store.ts";

/** What to recall. */
export interface RecallQuery {
  /** Whose memory: `@name`, `@owner`, `channel:id` or `group:<channel>:<id>`. An id of a linked person means that person. */
  readonly userId: string;
  /** In the words of a person. Without text and keywords: the newest that pass the filters. */
  readonly text?: string | undefined;
  /** Further words to look for, besides those of `text`. */
  readonly keywords?: readonly string[] | undefined;
  /** Only entries whose slots hold these values; a list means one of them. */
  readonly slots?: Slots | undefined;
  /** Only what was made then or later. */
  readonly since?: TimeInput | undefined;
  /** Default 5, at most 100. */
  readonly limit?: number | undefined;
}

/** Where a memory was found. */
export type MemoryLayer = "long_term" | "daily" | "entry" | "archive";

/** A memory that was found, with why it was found. */
export interface RecalledMemory {
  /** What was found. A line of MEMORY.md or of a digest is given as an entry too. */
  readonly entry: MemoryEntry;
  /** Higher is better; comparable within one recall only. */
  readonly score: number;
  /** How much each way of searching found in it. */
  readonly signals: MemorySignals;
  /** Where it was found. */
  readonly layer: MemoryLayer;
}

/** What changes in an entry; what is left out stays. */
export interface MemoryChange {
  /** The text instead of the one before. */
  readonly content?: string | undefined;
  /** All keywords, not only those that are added. */
  readonly keywords?: readonly string[] | undefined;
  /** All slots, not only those that change. */
  readonly slots?: Slots | undefined;
  /** `null`: it does not expire any more. */
  readonly expiresAt?: TimeInput | null | undefined;
}

/** How much one person's memory holds. */
export interface MemoryCounts {
  /** Whose memory. */
  readonly userId: string;
  /** Entries in recall. */
  readonly entries: number;
  /** Entries in the archive. */
  readonly archived: number;
  /** Days with a digest. */
  readonly days: number;
  /** Lines of MEMORY.md. */
  readonly facts: number;
}

/** What became of a day's digest. */
export interface DigestResult {
  /** `2026-02-01`, in the person's time zone. */
  readonly day: string;
  /** Entries of that day. */
  readonly entryCount: number;
  /** The file as it stands now; `undefined` when the day has no entries. */
  readonly text?: string;
}

/** What became of MEMORY.md. */
export interface ExtractResult {
  /** Lines that were added to MEMORY.md. */
  readonly added: readonly string[];
  /** Facts in MEMORY.md, with those that were added. */
  readonly facts: number;
}

/** What became of one person's memory. */
export interface TidyResult {
  /** Whose memory. */
  readonly userId: string;
  /** Entries that went to the archive as they were old. */
  readonly archived: number;
  /** Entries that were joined into others. */
  readonly merged: number;
  /** Entries that stay in recall. */
  readonly kept: number;
}

/** How much there was of a person. */
export interface ForgetResult {
  /** Whose memory it was. */
  readonly userId: string;
  /** Entries that were removed, archived ones too. */
  readonly entries: number;
  /** Conversations that were removed. */
  readonly sessions: number;
}

/** What an assistant remembers. Source: docs/memory.md. */
export interface MemoryApi {
  /** Best first: lines of MEMORY.md and of the last days' digests, then entries. */
  recall(query: RecallQuery): Promise<readonly RecalledMemory[]>;
  /** Keeps a given `id` and `createdAt`. @throws {AssistantError} `OPTION_INVALID` naming the field. */
  save(entry: NewMemory, options?: MemorySaveOptions): Promise<MemoryEntry>;
  /** One entry, also an archived one; `undefined` when that person has none with this id. */
  get(userId: string, id: string): Promise<MemoryEntry | undefined>;
  /** Newest first. */
  list(
    userId: string,
    options?: { readonly archived?: boolean; readonly slots?: Slots; readonly since?: TimeInput },
  ): AsyncIterable<MemoryEntry>;
  /** Changes one entry, and gives it as it is then. @throws {AssistantError} `NOT_FOUND`. */
  update(userId: string, id: string, change: MemoryChange): Promise<MemoryEntry>;
  /** Removes entries for good, archived ones too; unknown ids are no error. @returns How many there were. */
  remove(userId: string, ids: readonly string[]): Promise<number>;
  /** Takes entries out of recall and keeps them; unknown and archived ids are left alone. @returns How many moved. */
  archive(userId: string, ids: readonly string[]): Promise<number>;
  /** Brings entries back from the archive. @returns How many moved. */
  restore(userId: string, ids: readonly string[]): Promise<number>;
  /** Whose memories there are. */
  users(): AsyncIterable<string>;
  /** How much one person's memory holds; all 0 for a person without any. */
  counts(userId: string): Promise<MemoryCounts>;
  /** Text of MEMORY.md, or of a day's digest; `undefined` when there is none. */
  read(userId: string, file: { readonly day: string } | "MEMORY.md"): Promise<string | undefined>;
  /** Writes the day's digest anew. Default today. */
  digest(of: { readonly userId: string; readonly day?: string | undefined }): Promise<DigestResult>;
  /** Adds what recurs, or was stated as lasting, to MEMORY.md. */
  extract(of: { readonly userId: string }): Promise<ExtractResult>;
  /** Archives what is old, joins duplicates. Default everybody's. */
  tidy(of?: {
    readonly userId?: string | undefined;
    onProgress?(done: number, of: number): void;
  }): Promise<readonly TidyResult[]>;
  /** Removes everything of a person: entries, days, MEMORY.md, indexes, context files, conversations. */
  forget(of: { readonly userId: string }): Promise<ForgetResult>;
}
