import type { MemorySignals } from "../memory-store.ts";

/** An entry as the index stores it. */
export interface IndexedDocument {
  readonly id: string;
  /** The text to search. */
  readonly text: string;
  readonly keywords: readonly string[];
  readonly createdAtMs: number;
  /** The slot `type`; queries exclude types by it without reading anything else. */
  readonly type: string;
  /**
   * Conversation of the entry: neighbours in it lend each other score. Empty: unknown; then only texts with a speaker
   * count as lines, of one conversation.
   */
  readonly thread: string;
  /** Returned unchanged: the entry as JSON. */
  readonly body: string;
  /** When it expires, for the caller to check; the index finds it all the same. Left out: never. */
  readonly expiresAtMs?: number;
  /**
   * Whether it states something that stays true, as what a person is, has or likes: ranks a little above others that
   * fit as well. Default false.
   */
  readonly lasting?: boolean;
}

export interface KeywordQuery {
  readonly text: string;
  readonly keywords?: readonly string[];
  /** The time that "yesterday" in the query refers to. Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly limit: number;
  readonly sinceMs?: number;
  readonly withoutTypes?: readonly string[];
  /** Another index to search as if both were one; its documents' scores are multiplied by `worth` (0 to 1). */
  readonly beside?: { readonly index: KeywordIndex; readonly worth: number } | undefined;
  /** Whether the signals say how much of the query each hit has (`coverage`, `telling`). Default false. */
  readonly about?: boolean | undefined;
  /** Filters documents before `limit` is applied. */
  readonly accepts?: (document: IndexedDocument) => boolean;
}

export interface KeywordHit {
  readonly id: string;
  readonly score: number;
  readonly signals: MemorySignals;
  readonly document: IndexedDocument;
}

/** A hit that reads its members on access: of thirty hits a prompt shows five. Valid until the index changes. */
export interface KeywordFind {
  readonly score: number;
  readonly signals: MemorySignals;
  readonly document: IndexedDocument;
  /** Expiry of the document; `Infinity`: never. */
  readonly expiresAtMs: number;
  /** Hash of the text without case and spaces; collisions are very rare. */
  readonly print?: number;
  /** The distinct keys of the text's words, ascending. */
  readonly words?: ArrayLike<number>;
  /** Whether the hit is from the index `beside`. */
  readonly isBeside?: boolean;
}

/** One immutable part of an index, as bytes to store under its name. */
export interface SealedSegment {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The segments of an index and their removed entries. JSON. */
export interface IndexManifest {
  /** Version of the format and of the tokeniser: an index of another version is rebuilt. */
  readonly version: number;
  readonly segments: readonly { readonly name: string; readonly removed: readonly number[] }[];
}

/** One person's keyword index, in memory. The owner stores what `seal` returns. */
export interface KeywordIndex {
  readonly size: number;
  /** Number of entries that are in no sealed segment yet. */
  readonly unsealed: number;
  /** Estimated memory use in bytes. */
  readonly bytes: number;
  has(id: string): boolean;
  get(id: string): IndexedDocument | undefined;
  /** Adds an entry; replaces one with the same id. */
  add(document: IndexedDocument): void;
  /** Removes an entry. @returns Whether there was one. */
  remove(id: string): boolean;
  search(query: KeywordQuery): readonly KeywordHit[];
  /** As `search`, but hits are read on access. */
  find(query: KeywordQuery): readonly KeywordFind[];
  ids(): IterableIterator<string>;
  /**
   * Puts unsealed entries into a segment and merges small ones. Contract: `write` these segments first, then the
   * manifest, then delete `dropped`; until the manifest is written, the old one with the old segments is still right.
   *
   * @param options.purge Rewrites every segment that has removed entries, so that none of their data remains. Default
   * false.
   */
  seal(options?: { readonly purge?: boolean }): {
    readonly write: readonly SealedSegment[];
    readonly manifest: IndexManifest;
    readonly dropped: readonly string[];
  };
}
