import type { MemoryEntry, NewMemory, Slots, TimeInput } from "./entry.ts";
import type { MemorySaveOptions, MemorySignals } from "./memory-store.ts";

/** What to recall. */
export interface RecallQuery {
  /** Whose memory: `@name`, `@owner`, `channel:id` or `group:<channel>:<id>`. An id of a linked person means that person. */
  readonly userId: string;
  readonly text?: string | undefined;
  readonly keywords?: readonly string[] | undefined;
  readonly slots?: Slots | undefined;
  readonly since?: TimeInput | undefined;
  /** Default 5, at most 100. */
  readonly limit?: number | undefined;
}

/** Where a memory was found. */
export type MemoryLayer = "long_term" | "daily" | "entry" | "archive";

export interface RecalledMemory {
  readonly entry: MemoryEntry;
  /** Higher is better; comparable within one recall only. */
  readonly score: number;
  readonly signals: MemorySignals;
  readonly layer: MemoryLayer;
}

/** What changes in an entry; what is left out stays. */
export interface MemoryChange {
  readonly content?: string | undefined;
  readonly keywords?: readonly string[] | undefined;
  readonly slots?: Slots | undefined;
  readonly expiresAt?: TimeInput | null | undefined;
}

/** How much one person's memory holds. */
export interface MemoryCounts {
  readonly userId: string;
  readonly entries: number;
  readonly archived: number;
  readonly days: number;
  /** Lines of MEMORY.md. */
  readonly facts: number;
}

export interface DigestResult {
  /** `2026-02-01`, in the person's time zone. */
  readonly day: string;
  readonly entryCount: number;
  /** The file as it stands now; `undefined` when the day has no entries. */
  readonly text?: string;
}

export interface ExtractResult {
  /** Lines that were added to MEMORY.md. */
  readonly added: readonly string[];
  readonly facts: number;
}

export interface TidyResult {
  readonly userId: string;
  readonly archived: number;
  /** Entries that were joined into others. */
  readonly merged: number;
  readonly kept: number;
}

export interface ForgetResult {
  readonly userId: string;
  readonly entries: number;
  readonly sessions: number;
}

/** What an assistant remembers. Source: docs/memory.md. */
export interface MemoryApi {
  /** Best first: lines of MEMORY.md and of the last days' digests, then entries. */
  recall(query: RecallQuery): Promise<readonly RecalledMemory[]>;
  /** Keeps a given `id` and `createdAt`. @throws {AssistantError} `OPTION_INVALID` naming the field. */
  save(entry: NewMemory, options?: MemorySaveOptions): Promise<MemoryEntry>;
  get(userId: string, id: string): Promise<MemoryEntry | undefined>;
  /** Newest first. */
  list(
    userId: string,
    options?: { readonly archived?: boolean; readonly slots?: Slots; readonly since?: TimeInput },
  ): AsyncIterable<MemoryEntry>;
  /** @throws {AssistantError} `NOT_FOUND`. */
  update(userId: string, id: string, change: MemoryChange): Promise<MemoryEntry>;
  remove(userId: string, ids: readonly string[]): Promise<number>;
  archive(userId: string, ids: readonly string[]): Promise<number>;
  restore(userId: string, ids: readonly string[]): Promise<number>;
  /** Whose memories there are. */
  users(): AsyncIterable<string>;
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
