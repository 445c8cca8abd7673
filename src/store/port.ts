/** The state of a document or log, as an opaque string to compare. */
export type Version = string;

/** Content of a document: JSON, a text (kept as it is, readable and editable by people) or bytes. */
export type Value = JsonValue | Uint8Array;
/** A JSON value. A member that is `undefined` is left out when it is written. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/** One record of a log: always a JSON object. */
export type LogRecord = { readonly [key: string]: JsonValue | undefined };

/**
 * Abilities of a backend. A room that needs more refuses at start. Source: docs/storage.md, "What each store
 * guarantees".
 */
export interface StoreCaps {
  /** `atomic`: a reader or a crash sees the old or the new document, never a part of one. */
  readonly replace: "atomic" | "in-place";
  /** `per-entry`: every record is an item of its own; slower, and the sequence number in its key gives the order. */
  readonly append: "native" | "per-entry";
  /** Scope of compare-and-set: every client anywhere, every process of one host, this process, or none. */
  readonly cas: "global" | "host" | "process" | "none";
  /**
   * What a resolved write survives: power loss (`fsync`), what the server promises (`server`), a killed process
   * (`os`), nothing (`none`).
   */
  readonly durable: "fsync" | "server" | "os" | "none";
  /**
   * Only one process can have the store open at a time, so all that an earlier process left belongs to a process that
   * has ended. Default false.
   */
  readonly exclusive?: boolean;
}

/** Options of an append. */
export interface AppendOptions {
  /**
   * Last sequence number of the log that the caller knows; 0 for an empty log. If it differs, `ConflictError`, and
   * nothing is written.
   */
  readonly expectSeq?: number;
  /**
   * Idempotency key, unique in this log: a second append with the same id writes nothing and returns the first one's
   * `seq` with `duplicate: true`. Takes precedence over `expectSeq`.
   */
  readonly id?: string;
  /**
   * `false`: the append is handed to the operating system but not flushed (it survives a killed process, not a power
   * loss). Default true.
   */
  readonly flush?: boolean;
}

/** Result of an append. */
export interface AppendResult {
  /**
   * Sequence number of the last record of this append, or of the first append with that id for a duplicate. The first
   * record of a log is 1.
   */
  readonly seq: number;
  /** Whether a record with this `id` existed already, so that nothing was written. */
  readonly duplicate: boolean;
}

/** Which records are read. */
export interface ReadOptions {
  /** Only records with a greater sequence number. Default 0: from the first. */
  readonly after?: number;
  /** Maximum number of records, from the front. Default: no limit. */
  readonly limit?: number;
  /** Only this many of the newest records, still in ascending order. Default: all. */
  readonly last?: number;
}

/**
 * Documents and append-only logs in one namespace of keys. Everything that Wakeful must not lose is in one of these.
 *
 * A key is one or more segments joined by `/`. Create it with `storeKey()`, which escapes what a segment must not
 * contain. A backend encodes keys that it cannot use as names (file names, reserved words, letter case), one to one.
 * Keys compare by their exact characters. Every failure of the backend is an error (`STORE_UNAVAILABLE`,
 * `STORE_FULL`), never an empty answer.
 */
export interface Store {
  /** The promises of this backend. Contract: never changes. */
  readonly caps: StoreCaps;
  /**
   * Reads a document. Contract: `null` only if there is no such document. The value equals what was put (a
   * number-like text stays a text). Calling it on a log's key is a `TypeError`.
   */
  get(key: string): Promise<{ value: Value; version: Version } | null>;
  /**
   * Replaces or creates a whole document. Contract: with a version as `expect` it replaces only that version, with
   * `null` it only creates; a mismatch throws `ConflictError` and changes nothing. Without `expect` the last writer
   * wins. A resolved write is as durable as `caps.durable` says. Any size.
   */
  put(key: string, value: Value, options?: { expect?: Version | null }): Promise<Version>;
  /**
   * Removes a document or a log; a missing key is no error. Contract: with `expect` (a document's version, or a log's
   * last seq as a number) it removes only that state, otherwise `ConflictError`. A removed log starts again at seq 1.
   */
  remove(key: string, options?: { expect?: Version | number }): Promise<void>;
  /**
   * Lists the keys of documents and logs that start with `prefix`, in ascending order of their UTF-16 code units. A
   * log's version is its last seq. With `keysOnly`, a store that would have to read the documents for their versions
   * may return any version. Contract: the cost depends on the keys under the prefix, not on the whole store.
   */
  list(
    prefix: string,
    options?: { after?: string; limit?: number; keysOnly?: boolean },
  ): AsyncIterable<{ key: string; version: Version }>;
  /**
   * Appends one record, or several in order as one write with one durable point (a torn write may leave a prefix of
   * them). Contract: records get consecutive seqs; concurrent appends never interleave inside one call.
   */
  append(log: string, record: LogRecord | readonly LogRecord[], options?: AppendOptions): Promise<AppendResult>;
  /**
   * Reads a log. Contract: ascending seq. It sees every append that resolved before the call. A missing log is empty.
   * A damaged line is skipped and reported, never deleted.
   */
  read(log: string, options?: ReadOptions): AsyncIterable<{ seq: number; record: LogRecord }>;
  /** Returns the log's last seq, 0 if the log is empty or missing. Cheaper than reading. */
  lastSeq(log: string): Promise<number>;
  /**
   * Returns when a document last changed, whoever changed it; `undefined` if the backend does not keep the time or
   * there is no document.
   */
  modifiedAt?(key: string): Promise<Date | undefined>;
  /**
   * Yields keys under the prefix that changed, also through other programs if the backend can see that. Contract:
   * several changes of one key may be merged. It ends when the signal aborts or the place of these keys is gone, and
   * throws when it can no longer see changes of other programs.
   */
  watch?(prefix: string, signal: AbortSignal): AsyncIterable<{ key: string }>;
  /**
   * Deletes what removals and replacements left behind: ended segments, freed pages, quarantined damage, and backup
   * files for which `holds` returns true.
   * Contract: once it resolves, nothing that was removed before the call can be read from the backend's own files.
   * Absent: nothing stays behind.
   */
  scrub?(holds: (text: string) => boolean): Promise<void>;
  /** Flushes everything and releases locks and connections. Contract: can be called twice. */
  close?(): Promise<void>;
}
