import type { MemoryEntry, Slots } from "./entry.ts";

/** What is looked for in one person's memory. */
export interface MemoryQuery {
  /** Whose memory; nothing of another person is ever found. */
  readonly userId: string;
  /** In the words of a person. Without text and keywords: the newest that pass the filters. */
  readonly text?: string | undefined;
  /** Further words to look for, besides those of `text`. */
  readonly keywords?: readonly string[] | undefined;
  /** Only entries whose slots hold these values; a list in the query means one of them. */
  readonly slots?: Slots | undefined;
  /** Only entries made then or later. */
  readonly since?: Date | undefined;
  /** Most hits. */
  readonly limit: number;
  /** Values of the slot `type` that are left out. Default none. */
  readonly withoutTypes?: readonly string[] | undefined;
  /** Find what was archived for its age alone too, at a small discount (`archived` of the hit says so). A store that cannot finds none. Default false. */
  readonly withArchived?: boolean | undefined;
  /** Say in the signals of each hit how much of what is asked it has. A store that cannot leaves them out. Default false. */
  readonly about?: boolean | undefined;
  /** Gives the search up when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** How much each way of searching found in a hit, for people who ask why it was recalled. Absent: it had no part in it. */
export interface MemorySignals {
  /** The keyword score, as BM25 gives it: 0 and up, comparable within one query only. */
  readonly keyword?: number;
  /** Cosine similarity of the embeddings, -1 to 1. */
  readonly semantic?: number;
  /** How far that is above the mean of unrelated entries, in standard deviations. Where `about` was asked. */
  readonly deviations?: number;
  /** What neighbours in the same conversation lent. */
  readonly neighbours?: number;
  /** What words close together added. */
  readonly proximity?: number;
  /** What words of the first hits found added. */
  readonly feedback?: number;
  /** How much of what is asked it has, by how rare the words are: 0 to 1. Where `about` was asked. */
  readonly coverage?: number;
  /** How many words it shares that tell what is asked, everyday and frequent ones counted in part. Where `about` was asked. */
  readonly telling?: number;
}

/** An entry that a search found. */
export interface MemoryHit {
  /** Never an expired one. */
  readonly entry: MemoryEntry;
  /** Higher is better; comparable within one query only. */
  readonly score: number;
  /** How much each way of searching found in it; empty where the store does not tell. */
  readonly signals: MemorySignals;
  /** It lies in the archive. */
  readonly archived?: boolean | undefined;
}

/** Which entries to list. Default: all that are not archived. */
export interface MemoryListOptions {
  /** Those in the archive instead. Default false. */
  readonly archived?: boolean;
  /** Only entries whose slots hold these values; a list means one of them. */
  readonly slots?: Slots;
  /** Only entries made then or later. */
  readonly since?: Date;
}

/** Why an entry is in the archive. What is there for its age alone is still recalled where a search asks for it. */
export type ArchiveReason = (typeof ARCHIVE_REASONS)[number];

export const ARCHIVE_REASONS = ["age", "expired", "merged", "superseded", "asked"] as const;

/** How entries are archived. */
export interface MemoryArchiveOptions {
  /** The entry that took them in. */
  readonly into?: string | undefined;
  /** Default `merged` with `into`, `expired` for what is past its time, else `asked`. */
  readonly reason?: ArchiveReason | undefined;
}

/** How entries are saved. */
export interface MemorySaveOptions {
  /** Entries as they were read before they were changed into those that are saved: what somebody else changed in them since then stays, where the store can tell. */
  readonly over?: readonly MemoryEntry[] | undefined;
}

/**
 * Where entries are kept and found. Everything is per person: no member ever gives another person's entry.
 *
 * Source: docs/memory.md, "Your own store". The contract suite is `memoryStoreContract` of `wakeful/testing`.
 */
export interface MemoryStore {
  /** Keeps entries, whole; one with a known id is replaced. Contract: resolved = found by the next `search` and as durable as the backend is. */
  save(entries: readonly MemoryEntry[], options?: MemorySaveOptions): Promise<void>;
  /** Contract: also archived ones, unless `archived: false`. */
  get(userId: string, id: string, options?: { readonly archived?: false }): Promise<MemoryEntry | undefined>;
  /** Contract: best first, at most `limit`; never an expired one, nor an archived one unless `withArchived`. */
  search(query: MemoryQuery): Promise<readonly MemoryHit[]>;
  /** Contract: newest first by `createdAt`, then by id. Expired ones too. */
  list(userId: string, options?: MemoryListOptions): AsyncIterable<MemoryEntry>;
  /** Contract: for good, also from the archive and every index. @returns How many there were. */
  remove(userId: string, ids: readonly string[]): Promise<number>;
  /** Takes entries out of recall and keeps them, with the reason. Contract: unknown and archived ids are left alone. @returns How many moved. */
  archive(userId: string, ids: readonly string[], options?: MemoryArchiveOptions): Promise<number>;
  /** How an archived entry came into the archive, as `archive` was told, also of one that was brought back in another way than by `restore`. A store that cannot tell leaves it out: then an export does not say it. */
  archivedAs?(userId: string, id: string): Promise<MemoryArchiveOptions | undefined>;
  /** Brings entries back from the archive. @returns How many moved. */
  restore(userId: string, ids: readonly string[]): Promise<number>;
  /** Whose memories there are, in ascending order. */
  users(): AsyncIterable<string>;
  /** Removes everything of a person: entries, archive, indexes. */
  forget(userId: string): Promise<void>;
  /** How many there are, cheaper than listing them. */
  count?(userId: string): Promise<{ readonly entries: number; readonly archived: number }>;
}
