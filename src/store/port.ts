/** A document's or a log's state, as an opaque text to compare. */
export type Version = string;

/** What a document holds: JSON, a text (kept as it is, readable and editable by people) or bytes. */
export type Value = JsonValue | Uint8Array;
/** What JSON can hold. A member that is `undefined` is left out when it is written. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** One entry of a log: always a JSON object. */
export type LogRecord = { readonly [key: string]: JsonValue | undefined };

/** What a backend can do. A room that needs more refuses at start. Source: docs/storage.md, "What each store guarantees". */
export interface StoreCaps {
  /** `atomic`: a reader or a crash sees the old or the new document, never a part. */
  readonly replace: "atomic" | "in-place";
  /** `per-entry`: every record is a document of its own; slower, and order comes from the sequence number in its key. */
  readonly append: "native" | "per-entry";
  /** How far compare-and-set reaches: every client anywhere, every process of one host, this process, or not at all. */
  readonly cas: "global" | "host" | "process" | "none";
  /** What a resolved write survives: power loss (`fsync`), what the server promises (`server`), a killed process (`os`), nothing (`none`). */
  readonly durable: "fsync" | "server" | "os" | "none";
  /** No other process can have it open at the same time: what is left of one that had it is of a process that is gone. Default false. */
  readonly exclusive?: boolean;
}

/** How records are appended. */
export interface AppendOptions {
  /** The log's last sequence number as the caller knows it; 0 for an empty log. Otherwise `ConflictError`, and nothing is written. */
  readonly expectSeq?: number;
  /** Unique in this log: a second append with the same id writes nothing and returns the first's `seq` with `duplicate: true`. Wins over `expectSeq`. */
  readonly id?: string;
  /** `false`: handed to the operating system but not yet made durable (it survives a killed process, not a power loss). Default true. */
  readonly flush?: boolean;
}

/** What became of an append. */
export interface AppendResult {
  /** The sequence number of the last record of this append (of the first append with that id, for a duplicate). The first record of a log is 1. */
  readonly seq: number;
  /** True: a record with this `id` was there, and nothing was written. */
  readonly duplicate: boolean;
}

/** `after`: only records with a greater seq. `limit`: at most so many, from the front. `last`: only the newest so many, still in ascending order. */
export interface ReadOptions {
  /** Only records with a greater sequence number. Default 0: from the first. */
  readonly after?: number;
  /** Most records, from the front. Default: no limit. */
  readonly limit?: number;
  /** Only the newest so many records, still in ascending order. */
  readonly last?: number;
}

/**
 * Documents and append-only logs under one namespace of keys: everything that Wakeful must not lose is in one of these.
 *
 * A key is one or more segments joined by `/`; make it with `storeKey()`, which escapes what a segment must not hold. A key that has
 * no name of its own in the backend (file names, reserved words, letter case) is encoded there, one to one. Keys compare by their exact characters.
 * Every failure of the backend is an error (`STORE_UNAVAILABLE`, `STORE_FULL`), never an empty answer.
 */
export interface Store {
  /** What this backend promises. Contract: never changes. */
  readonly caps: StoreCaps;
  /** Contract: `null` only when there is no such document. The value is equal to what was put (a number-like text stays a text). Calling it on a log's key is a `TypeError`. */
  get(key: string): Promise<{ value: Value; version: Version } | null>;
  /**
   * Replaces or creates a document, whole. Contract: `expect` a version replaces only that version, `null` only creates; a mismatch throws
   * `ConflictError` and changes nothing. Without `expect` the last writer wins. Resolved = durable as `caps.durable` says. Any size.
   */
  put(key: string, value: Value, options?: { expect?: Version | null }): Promise<Version>;
  /**
   * Removes a document or a log; nothing there is no error. Contract: with `expect` (a document's version, or a log's last seq as a number)
   * it removes only that state, otherwise `ConflictError`. A removed log starts again at seq 1.
   */
  remove(key: string, options?: { expect?: Version | number }): Promise<void>;
  /**
   * Keys of documents and logs that start with `prefix`, in ascending order of their UTF-16 code units. A log's version is its last seq. With `keysOnly` a store
   * that would have to read the documents for it may give any version. Contract: costs what lies under the prefix, not the whole store.
   */
  list(
    prefix: string,
    options?: { after?: string; limit?: number; keysOnly?: boolean },
  ): AsyncIterable<{ key: string; version: Version }>;
  /** Adds one record, or several as one write in order with one durable point (a torn write may leave a prefix of them). Contract: records get consecutive seqs; concurrent appends never interleave inside one call. */
  append(log: string, record: LogRecord | readonly LogRecord[], options?: AppendOptions): Promise<AppendResult>;
  /** Contract: ascending seq. Sees every append that resolved before the call. A log that does not exist is empty. A damaged line is skipped and reported, never deleted. */
  read(log: string, options?: ReadOptions): AsyncIterable<{ seq: number; record: LogRecord }>;
  /** The log's last seq, 0 when it is empty or absent. Cheaper than reading. */
  lastSeq(log: string): Promise<number>;
  /** When a document was last changed, by whatever hand; `undefined` where that is not kept or there is none. */
  modifiedAt?(key: string): Promise<Date | undefined>;
  /** Tells of keys under the prefix that changed, also by other hands where the backend can see that. Contract: may merge several changes of one key; ends when the signal aborts or what held these keys is gone, throws when other hands are no longer seen. */
  watch?(prefix: string, signal: AbortSignal): AsyncIterable<{ key: string }>;
  /**
   * Lets go of what removals and replacements left behind: ended segments, freed pages, damage that was set aside, and files of backups of which `holds` says so.
   * Contract: resolved = nothing that was removed before the call can be read from the backend's own files. Absent: nothing stays behind.
   */
  scrub?(holds: (text: string) => boolean): Promise<void>;
  /** Makes everything durable and lets go of locks and connections. Contract: safe to call twice. */
  close?(): Promise<void>;
}
