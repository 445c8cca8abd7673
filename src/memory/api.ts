import type { MemoryEntry, NewMemory, Slots, TimeInput } from "./entry.ts";
import type { MemorySaveOptions, MemorySignals } from "./memory-store.ts";

/** Query of a recall. */
export interface RecallQuery {
  /** Whose memory: `@name`, `@owner`, `channel:id` or `group:<channel>:<id>`. An id of a linked person means that person. */
  readonly userId: string;
  /** Text to look for, in a person's words. Without text and keywords: the newest entries that pass the filters. */
  readonly text?: string | undefined;
  /** More words to look for. */
  readonly keywords?: readonly string[] | undefined;
  /** Only entries whose slots hold these values; a list means one of them. */
  readonly slots?: Slots | undefined;
  /** Only entries made then or later. */
  readonly since?: TimeInput | undefined;
  /** Most results. Default 5, at most 100. */
  readonly limit?: number | undefined;
}

/** Where a memory was found. */
export type MemoryLayer = "long_term" | "daily" | "entry" | "archive";

/** A memory that a recall found, with the reasons. */
export interface RecalledMemory {
  /** The memory. A line of MEMORY.md or of a digest is given as an entry too. */
  readonly entry: MemoryEntry;
  /** Higher is better; comparable within one recall only. */
  readonly score: number;
  /** What each way of searching contributed. */
  readonly signals: MemorySignals;
  /** Where it was found. */
  readonly layer: MemoryLayer;
}

/** Change of an entry. Members that are left out stay as they are. */
export interface MemoryChange {
  /** New text. */
  readonly content?: string | undefined;
  /** All keywords of the entry, not only the added ones. */
  readonly keywords?: readonly string[] | undefined;
  /** All slots of the entry, not only the changed ones. */
  readonly slots?: Slots | undefined;
  /** New expiry; `null` removes it. */
  readonly expiresAt?: TimeInput | null | undefined;
}

/** Size of one person's memory. */
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

/** Result of writing a day's digest. */
export interface DigestResult {
  /** The day as `2026-02-01`, in the person's time zone. */
  readonly day: string;
  /** Number of entries of that day. */
  readonly entryCount: number;
  /** The digest as it stands now; `undefined` when the day has no entries. */
  readonly text?: string;
}

/** Result of extracting lasting facts to MEMORY.md. */
export interface ExtractResult {
  /** Lines that this call added to MEMORY.md. */
  readonly added: readonly string[];
  /** Facts in MEMORY.md, including the added ones. */
  readonly facts: number;
}

/** Result of tidying one person's memory. */
export interface TidyResult {
  /** Whose memory. */
  readonly userId: string;
  /** Entries that were archived for their age. */
  readonly archived: number;
  /** Entries that were merged into others. */
  readonly merged: number;
  /** Entries that stay in recall. */
  readonly kept: number;
}

/** Counts of what was erased of a person. */
export interface ForgetResult {
  /** Whose memory it was. */
  readonly userId: string;
  /** Removed entries, archived ones included. */
  readonly entries: number;
  /** Removed conversations. */
  readonly sessions: number;
}

/** What an assistant remembers. Source: docs/memory.md. */
export interface MemoryApi {
  /** Finds memories, best first: lines of MEMORY.md and of the last days' digests, then entries. */
  recall(query: RecallQuery): Promise<readonly RecalledMemory[]>;
  /** Saves an entry and keeps a given `id` and `createdAt`. @throws {AssistantError} `OPTION_INVALID` naming the field. */
  save(entry: NewMemory, options?: MemorySaveOptions): Promise<MemoryEntry>;
  /** Reads one entry, archived or not; `undefined` when the person has none with this id. */
  get(userId: string, id: string): Promise<MemoryEntry | undefined>;
  /** Lists entries, newest first. */
  list(
    userId: string,
    options?: { readonly archived?: boolean; readonly slots?: Slots; readonly since?: TimeInput },
  ): AsyncIterable<MemoryEntry>;
  /** Changes one entry and returns the result. @throws {AssistantError} `NOT_FOUND`. */
  update(userId: string, id: string, change: MemoryChange): Promise<MemoryEntry>;
  /** Removes entries for good, archived ones included; unknown ids are no error. @returns How many existed. */
  remove(userId: string, ids: readonly string[]): Promise<number>;
  /** Takes entries out of recall and keeps them; skips unknown and archived ids. @returns How many moved. */
  archive(userId: string, ids: readonly string[]): Promise<number>;
  /** Brings entries back from the archive. @returns How many moved. */
  restore(userId: string, ids: readonly string[]): Promise<number>;
  /** The users that have a memory. */
  users(): AsyncIterable<string>;
  /** Counts one person's memory; all 0 for a person without any. */
  counts(userId: string): Promise<MemoryCounts>;
  /** Reads MEMORY.md or a day's digest; `undefined` when the file does not exist. */
  read(userId: string, file: { readonly day: string } | "MEMORY.md"): Promise<string | undefined>;
  /** Rewrites the digest of a day. Default today. */
  digest(of: { readonly userId: string; readonly day?: string | undefined }): Promise<DigestResult>;
  /** Adds facts that recur, or that were stated as lasting, to MEMORY.md. */
  extract(of: { readonly userId: string }): Promise<ExtractResult>;
  /** Archives old entries and merges duplicates. Default: for every person. */
  tidy(of?: {
    readonly userId?: string | undefined;
    onProgress?(done: number, of: number): void;
  }): Promise<readonly TidyResult[]>;
  /** Removes everything of a person: entries, days, MEMORY.md, indexes, context files, conversations. */
  forget(of: { readonly userId: string }): Promise<ForgetResult>;
}
