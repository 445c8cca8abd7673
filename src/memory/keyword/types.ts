import type { MemorySignals } from "../memory-store.ts";

/** What an index knows of an entry. */
export interface IndexedDocument {
  readonly id: string;
  /** What is searched. */
  readonly text: string;
  readonly keywords: readonly string[];
  readonly createdAtMs: number;
  /** The slot `type`; queries leave types out by it, without looking at anything else. */
  readonly type: string;
  /** Entries of one conversation, whose neighbours lend each other score; empty: unknown, and then only what is plainly a transcript counts as one. */
  readonly thread: string;
  /** Given back as it is: the entry as JSON. */
  readonly body: string;
  /** When it is over, for whoever asks of a hit. The index finds it all the same. Left out: never. */
  readonly expiresAtMs?: number;
  /** What somebody is, has or likes, which stays true: a little above the rest that fits as well. Default false. */
  readonly lasting?: boolean;
}

export interface KeywordQuery {
  readonly text: string;
  readonly keywords?: readonly string[];
  /** What "yesterday" in the query means. Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly limit: number;
  readonly sinceMs?: number;
  readonly withoutTypes?: readonly string[];
  /** Another index that is searched with this one as if both were one, its documents' scores times `worth` (0 to 1). */
  readonly beside?: { readonly index: KeywordIndex; readonly worth: number } | undefined;
  /** Say of each hit how much of the query it has (`coverage`, `telling`). Default false. */
  readonly about?: boolean | undefined;
  /** Asked before anything is ranked. */
  readonly accepts?: (document: IndexedDocument) => boolean;
}

export interface KeywordHit {
  readonly id: string;
  readonly score: number;
  readonly signals: MemorySignals;
  readonly document: IndexedDocument;
}

/** A hit of which no more is read than somebody asks for: of thirty, a prompt shows five. Good until the index changes. */
export interface KeywordFind {
  readonly score: number;
  readonly signals: MemorySignals;
  readonly document: IndexedDocument;
  /** As of the document; `Infinity`: never. */
  readonly expiresAtMs: number;
  /** The same for two texts that differ in case and spaces alone, and very seldom for others. */
  readonly print?: number;
  /** The keys of the words of its text, ascending, each once. */
  readonly words?: ArrayLike<number>;
  /** It is of the index `beside`. */
  readonly isBeside?: boolean;
}

/** One immutable part of an index, as bytes to be stored under its name. */
export interface SealedSegment {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Which segments make up an index, and which of their entries are gone. JSON. */
export interface IndexManifest {
  /** Of the format and the tokeniser: an index of another version is built anew. */
  readonly version: number;
  readonly segments: readonly { readonly name: string; readonly removed: readonly number[] }[];
}

/** One person's keyword index. Everything is in memory; whoever owns it stores what `seal` gives. */
export interface KeywordIndex {
  readonly size: number;
  /** Entries that are in no sealed segment yet. */
  readonly unsealed: number;
  /** Estimated memory it holds, in bytes. */
  readonly bytes: number;
  has(id: string): boolean;
  get(id: string): IndexedDocument | undefined;
  /** One with a known id is replaced. */
  add(document: IndexedDocument): void;
  /** @returns Whether there was one. */
  remove(id: string): boolean;
  search(query: KeywordQuery): readonly KeywordHit[];
  /** As `search`. */
  find(query: KeywordQuery): readonly KeywordFind[];
  ids(): IterableIterator<string>;
  /**
   * Puts what is unsealed into a segment and merges small ones. Contract: `write` these segments first, then the manifest, then delete `dropped`; until the
   * manifest is written, the old one with the old segments is still right.
   *
   * @param options.purge Write anew every segment that has removed entries, so that nothing of these remains. Default false.
   */
  seal(options?: { readonly purge?: boolean }): {
    readonly write: readonly SealedSegment[];
    readonly manifest: IndexManifest;
    readonly dropped: readonly string[];
  };
}
