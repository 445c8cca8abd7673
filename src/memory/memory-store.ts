import type { MemoryEntry, Slots } from "./entry.ts";

/** Query within one person's memory. */
export interface MemoryQuery {
  /** Whose memory; another person's entries are never found. */
  readonly userId: string;
  /** Text to look for, in a person's words. Without text and keywords: the newest entries that pass the filters. */
  readonly text?: string | undefined;
  /** More words to look for. */
  readonly keywords?: readonly string[] | undefined;
  /** Only entries whose slots hold these values; a list in the query means one of them. */
  readonly slots?: Slots | undefined;
  /** Only entries made then or later. */
  readonly since?: Date | undefined;
  /** Most hits. */
  readonly limit: number;
  /** Values of the slot `type` that are left out. Default none. */
  readonly withoutTypes?: readonly string[] | undefined;
  /**
   * Whether to find entries that were archived only for their age too, at a small discount (`archived` of the hit says
   * so). A store that cannot do this finds none. Default false.
   */
  readonly withArchived?: boolean | undefined;
  /**
   * Whether the signals of each hit say how much of the query it covers. A store that cannot do this leaves them out.
   * Default false.
   */
  readonly about?: boolean | undefined;
  /** Cancels the search. */
  readonly signal?: AbortSignal | undefined;
}

/** What each way of searching contributed to a hit, to explain a recall. An absent member contributed nothing. */
export interface MemorySignals {
  /** The BM25 keyword score: 0 and up, comparable within one query only. */
  readonly keyword?: number;
  /** Cosine similarity of the embeddings, -1 to 1. */
  readonly semantic?: number;
  /** How far `semantic` is above the mean of unrelated entries, in standard deviations. Only with `about`. */
  readonly deviations?: number;
  /** Score added by neighbours in the same conversation. */
  readonly neighbours?: number;
  /** Score added by words that stand close together. */
  readonly proximity?: number;
  /** Score added by words of the first hits. */
  readonly feedback?: number;
  /** Share of the query that the entry covers, its words weighted by rarity: 0 to 1. Only with `about`. */
  readonly coverage?: number;
  /** Number of telling words that the entry shares with the query; everyday and frequent words count in part. Only with `about`. */
  readonly telling?: number;
}

/** An entry that a search found. */
export interface MemoryHit {
  /** The entry; never an expired one. */
  readonly entry: MemoryEntry;
  /** Higher is better; comparable within one query only. */
  readonly score: number;
  /** What each way of searching contributed; empty where the store does not report it. */
  readonly signals: MemorySignals;
  /** Whether the entry is in the archive. */
  readonly archived?: boolean | undefined;
}

/** Filter of a listing. Default: all entries that are not archived. */
export interface MemoryListOptions {
  /** Lists the archived entries instead. Default false. */
  readonly archived?: boolean;
  /** Only entries whose slots hold these values; a list means one of them. */
  readonly slots?: Slots;
  /** Only entries made then or later. */
  readonly since?: Date;
}

/** Why an entry is in the archive. A search can still recall entries that are there for their age alone. */
export type ArchiveReason = (typeof ARCHIVE_REASONS)[number];

export const ARCHIVE_REASONS = ["age", "expired", "merged", "superseded", "asked"] as const;

/** Options of archiving. */
export interface MemoryArchiveOptions {
  /** Id of the entry that the archived entries were merged into. */
  readonly into?: string | undefined;
  /** Default: `merged` with `into`, `expired` for an expired entry, else `asked`. */
  readonly reason?: ArchiveReason | undefined;
}

/** Options of saving. */
export interface MemorySaveOptions {
  /**
   * The entries as the caller read them before it changed them. Where the store can tell, a field that another writer
   * changed since then keeps that writer's value.
   */
  readonly over?: readonly MemoryEntry[] | undefined;
}

/**
 * Storage and search of entries, per person: no member ever gives another person's entry.
 *
 * Source: docs/memory.md, "Your own store". The contract suite is `memoryStoreContract` of `wakeful/testing`.
 */
export interface MemoryStore {
  /**
   * Saves whole entries; an entry with a known id is replaced. Contract: when it resolves, the next `search` finds
   * them, and they are as durable as the backend is.
   */
  save(entries: readonly MemoryEntry[], options?: MemorySaveOptions): Promise<void>;
  /** Reads one entry. Contract: archived ones too, unless `archived: false`. */
  get(userId: string, id: string, options?: { readonly archived?: false }): Promise<MemoryEntry | undefined>;
  /** Finds entries. Contract: best first, at most `limit`; never an expired one, nor an archived one unless `withArchived`. */
  search(query: MemoryQuery): Promise<readonly MemoryHit[]>;
  /** Lists entries. Contract: newest first by `createdAt`, then by id. Expired ones too. */
  list(userId: string, options?: MemoryListOptions): AsyncIterable<MemoryEntry>;
  /** Removes entries. Contract: for good, also from the archive and every index. @returns How many existed. */
  remove(userId: string, ids: readonly string[]): Promise<number>;
  /**
   * Takes entries out of recall and keeps them, with the reason. Contract: skips unknown and archived ids.
   * @returns How many moved.
   */
  archive(userId: string, ids: readonly string[], options?: MemoryArchiveOptions): Promise<number>;
  /**
   * How an entry was archived, as `archive` was called; also for an entry that came back in another way than by
   * `restore`. A store that cannot tell leaves this member out, and an export then omits it.
   */
  archivedAs?(userId: string, id: string): Promise<MemoryArchiveOptions | undefined>;
  /** Brings entries back from the archive. @returns How many moved. */
  restore(userId: string, ids: readonly string[]): Promise<number>;
  /** The users that have a memory, in ascending order. */
  users(): AsyncIterable<string>;
  /** Removes everything of a person: entries, archive, indexes. */
  forget(userId: string): Promise<void>;
  /** Counts entries, cheaper than a listing. */
  count?(userId: string): Promise<{ readonly entries: number; readonly archived: number }>;
}
