import type { Part } from "./part.ts";

/** A part as an index holds it: which of its documents are gone, and room for the scores of a search. */
export interface Shelf {
  readonly part: Part;
  /** Under which its bytes are, or will be, stored; empty for the tail. */
  readonly name: string;
  /** 1 for a document that is gone. */
  readonly removed: Uint8Array;
  removedCount: number;
  /** Times what its documents' scores count, in the search that goes on. */
  worth: number;
  /** Terms of scripts with spaces, by document. */
  readonly words: Uint32Array;
  /** What the query found, and what feedback found. */
  readonly scores: Float64Array;
  readonly fed: Float64Array;
  /** The documents that have a score: the first `touchedCount`. */
  readonly touched: Uint32Array;
  touchedCount: number;
  /** Those that feedback raised: the first `raisedCount`. */
  readonly raised: Uint32Array;
  raisedCount: number;
  /** By term, while a search looks at which of its terms stand close together; made when one does. */
  marks: Uint8Array;
}

/** @param room For how many documents; a tail grows. */
export function shelve(part: Part, name = "", room: number = part.count): Shelf {
  const { starts, unspaced } = part;
  const words = new Uint32Array(room);
  for (let at = 0; at < part.count; at += 1) words[at] = starts[at + 1]! - starts[at]! - unspaced[at]!;
  return {
    words,
    part,
    name,
    removed: new Uint8Array(room),
    removedCount: 0,
    worth: 1,
    scores: new Float64Array(room),
    fed: new Float64Array(room),
    touched: new Uint32Array(room),
    touchedCount: 0,
    raised: new Uint32Array(room),
    raisedCount: 0,
    marks: NONE,
  };
}

const NONE = new Uint8Array(0);

/** The marks of a shelf's terms, all of them 0 between searches. */
export function marksOf(shelf: Shelf): Uint8Array {
  if (shelf.marks.length < shelf.part.termCount) shelf.marks = new Uint8Array(shelf.part.keys.length);
  return shelf.marks;
}

/** How long the texts of an index are together; whole numbers, so that they come out the same in whichever order documents come and go. */
export interface Totals {
  documents: number;
  /** Terms of scripts with spaces, and how many documents have any. */
  words: number;
  withWords: number;
  unspaced: number;
  withUnspaced: number;
}

/** Counts a document in (1) or out (-1). */
export function countInto(totals: Totals, { part, words }: Shelf, document: number, by: 1 | -1): void {
  totals.documents += by;
  totals.words += by * words[document]!;
  totals.unspaced += by * part.unspaced[document]!;
  if (words[document]! > 0) totals.withWords += by;
  if (part.unspaced[document]! > 0) totals.withUnspaced += by;
}
