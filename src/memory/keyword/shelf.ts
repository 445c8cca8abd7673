import type { Part } from "./part.ts";

/** A part as an index holds it: with its removed documents and buffers for the scores of a search. */
export interface Shelf {
  readonly part: Part;
  /** Name under which its bytes are, or will be, stored; empty for the tail. */
  readonly name: string;
  /** 1 for a document that is gone. */
  readonly removed: Uint8Array;
  removedCount: number;
  /** Factor on its documents' scores in the current search. */
  worth: number;
  /** Number of terms of scripts with spaces, by document. */
  readonly words: Uint32Array;
  /** Scores of the query and of feedback, by document. */
  readonly scores: Float64Array;
  readonly fed: Float64Array;
  /** Documents with a score: the first `touchedCount`. */
  readonly touched: Uint32Array;
  touchedCount: number;
  /** Documents that feedback raised: the first `raisedCount`. */
  readonly raised: Uint32Array;
  raisedCount: number;
  /** Marks by term, while a search looks for terms that stand close together; created by the first such search. */
  marks: Uint8Array;
}

/** @param room Number of documents to reserve; a tail grows. */
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

/** Returns the marks of a shelf's terms, all 0 between searches. */
export function marksOf(shelf: Shelf): Uint8Array {
  if (shelf.marks.length < shelf.part.termCount) shelf.marks = new Uint8Array(shelf.part.keys.length);
  return shelf.marks;
}

/** Total text lengths of an index. Whole numbers, so that sums do not depend on the order in which documents come and go. */
export interface Totals {
  documents: number;
  /** Terms of scripts with spaces, and number of documents that have any. */
  words: number;
  withWords: number;
  unspaced: number;
  withUnspaced: number;
}

/** Adds a document to the totals (1) or subtracts it (-1). */
export function countInto(totals: Totals, { part, words }: Shelf, document: number, by: 1 | -1): void {
  totals.documents += by;
  totals.words += by * words[document]!;
  totals.unspaced += by * part.unspaced[document]!;
  if (words[document]! > 0) totals.withWords += by;
  if (part.unspaced[document]! > 0) totals.withUnspaced += by;
}
