import type { IndexedDocument } from "./types.ts";

/** The documents of one term: places `from` to `to` of both lists. */
export interface Postings {
  readonly documents: ArrayLike<number>;
  /** Twice how often the term stands in the text; 1 for a term of the keywords alone. */
  readonly counts: ArrayLike<number>;
  readonly from: number;
  readonly to: number;
}

/**
 * Some of the documents of an index, numbered from 0, with what ranking asks of them. One that changes (the tail) and one that is bytes (a segment) look the
 * same to whoever searches or joins them. A removed document stays in its part; whoever holds the part knows that it is gone.
 */
export interface Part {
  readonly count: number;
  /** Of each term its key, by the term's number. */
  readonly keys: ArrayLike<number>;
  /** The number of a term, or -1. */
  termOf(key: number): number;
  postingsOf(term: number): Postings;
  /** The terms of the texts in their order: those of a document are at `starts[document]` up to `starts[document + 1]`. */
  readonly terms: ArrayLike<number>;
  readonly starts: ArrayLike<number>;
  /** How many of a text's terms are of a script without spaces. */
  readonly unspaced: ArrayLike<number>;
  readonly times: ArrayLike<number>;
  /** Which conversation it is a line of (see conversation.ts); 0 for what stands alone. */
  readonly chains: ArrayLike<number>;
  /** `codeOf` who says a line. */
  readonly speakers: ArrayLike<number>;
  /** 1 for a line that is a question. */
  readonly asks: ArrayLike<number>;
  /** `codeOf` the types. */
  readonly types: ArrayLike<number>;
  /** `keyOf` the ids. */
  readonly ids: ArrayLike<number>;
  /** The document at a place of the order by chain, time and id. */
  at(place: number): number;
  /** The last document with an id of this key, or -1. */
  find(idKey: number): number;
  document(document: number): IndexedDocument;
  /** UTF-8 of a document as it is kept (see `recordOf`). */
  record(document: number): Uint8Array;
  readonly bytes: number;
}

type Record = readonly [
  id: string,
  text: string,
  keywords: readonly string[],
  type: string,
  thread: string,
  body: string,
];

/** A document as text, without its time. JSON, because it keeps every string as it is. */
export function recordOf({ id, text, keywords, type, thread, body }: IndexedDocument): string {
  return JSON.stringify([id, text, keywords, type, thread, body] satisfies Record);
}

export function documentOf(record: string, createdAtMs: number): IndexedDocument {
  const [id, text, keywords, type, thread, body] = JSON.parse(record) as Record;
  return { id, text, keywords, createdAtMs, type, thread, body };
}

/** Ascending by chain, time and id, so that lines of one conversation lie beside each other. */
export function compareInOrder(part: Part, document: number, other: Part, otherDocument: number): number {
  return (
    part.chains[document]! - other.chains[otherDocument]! ||
    part.times[document]! - other.times[otherDocument]! ||
    part.ids[document]! - other.ids[otherDocument]!
  );
}

/** The first place whose document is not before the given one. */
export function placeIn(part: Part, other: Part, document: number): number {
  let low = 0;
  let high = part.count;
  // Most parts lie wholly before or after another's documents, since entries come in the order of their times.
  if (high > 0 && compareInOrder(part, part.at(high - 1), other, document) < 0) return high;
  if (high > 0 && compareInOrder(part, part.at(0), other, document) > 0) return 0;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareInOrder(part, part.at(middle), other, document) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
