import type { KeyPlaces } from "./key-table.ts";
import type { IndexedDocument } from "./types.ts";

/**
 * Some documents of an index, numbered from 0, with the columns that ranking reads. A growing part (the tail) and one
 * that is bytes (a segment) are objects of the same shape with the same types of arrays, so that searching and joining
 * run one compiled code. Arrays may have spare room at the end. A removed document stays in its part; the shelf that
 * holds the part records that it is gone.
 */
export interface Part {
  readonly count: number;
  readonly termCount: number;
  /** Key of each term, by the term's number. */
  readonly keys: Float64Array;
  /** Posting lists: the documents of a term are `documents[from[term]]` up to `documents[to[term]]`, ascending. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly documents: Uint32Array;
  /** For each posting: twice the term's frequency in the text; 1 for a term of the keywords alone. */
  readonly counts: Uint8Array;
  /** Terms of the texts in order: those of a document are at `starts[document]` up to `starts[document + 1]`. */
  readonly terms: Uint32Array;
  readonly starts: Uint32Array;
  /** Number of a text's terms in scripts without spaces. */
  readonly unspaced: Uint32Array;
  readonly times: Float64Array;
  /** When each document expires; `Infinity`: never. */
  readonly expiries: Float64Array;
  /** Conversation of each line (see conversation.ts); 0 for a document that is no line. */
  readonly chains: Uint32Array;
  /** Number of documents that are lines of a conversation. */
  readonly lines: number;
  /** `codeOf` each line's speaker. */
  readonly speakers: Uint32Array;
  /** 1 for a line that is a question. */
  readonly asks: Uint8Array;
  /** 1 for a lasting statement outside a conversation. */
  readonly lasting: Uint8Array;
  /** `codeOf` the types. */
  readonly types: Uint32Array;
  /** `printOf` the texts: ignores case and spaces. */
  readonly prints: Uint32Array;
  /** `keyOf` the ids. */
  readonly ids: Float64Array;
  /** The hash table of `keys`. Built on the first call. */
  places(): KeyPlaces;
  /** The document at a place in the order by chain, time and id. */
  at(place: number): number;
  /** The last document whose id has this key, or -1. */
  find(idKey: number): number;
  document(document: number): IndexedDocument;
  /** Stored form of a document, in UTF-8 (see `recordOf`). */
  record(document: number): Uint8Array;
  readonly bytes: number;
}

/** A part that its holder can change. */
export type GrowingPart = { -readonly [Name in keyof Part]: Part[Name] };

/** The only constructor of parts: objects from one place share a hidden class. */
export function partOf(own: GrowingPart): GrowingPart {
  return {
    count: own.count,
    termCount: own.termCount,
    keys: own.keys,
    from: own.from,
    to: own.to,
    documents: own.documents,
    counts: own.counts,
    terms: own.terms,
    starts: own.starts,
    unspaced: own.unspaced,
    times: own.times,
    expiries: own.expiries,
    chains: own.chains,
    lines: own.lines,
    speakers: own.speakers,
    asks: own.asks,
    lasting: own.lasting,
    types: own.types,
    prints: own.prints,
    ids: own.ids,
    places: own.places,
    at: own.at,
    find: own.find,
    document: own.document,
    record: own.record,
    bytes: own.bytes,
  };
}

/** The distinct keys of a text's terms, ascending. */
export function wordsIn({ keys, terms, starts }: Part, document: number): Float64Array {
  const from = starts[document]!;
  const found = new Float64Array(starts[document + 1]! - from);
  for (let at = 0; at < found.length; at += 1) found[at] = keys[terms[from + at]!]!;
  return distinct(found);
}

const FEW = 48;

/** Sorts keys in place and removes duplicates. @returns A view of the distinct ones. */
export function distinct(keys: Float64Array): Float64Array {
  if (keys.length > FEW) keys.sort();
  else {
    for (let end = 1; end < keys.length; end += 1) {
      const key = keys[end]!;
      let at = end;
      for (; at > 0 && keys[at - 1]! > key; at -= 1) keys[at] = keys[at - 1]!;
      keys[at] = key;
    }
  }
  let count = 0;
  for (let at = 0; at < keys.length; at += 1) if (at === 0 || keys[at] !== keys[at - 1]) keys[count++] = keys[at]!;
  return keys.subarray(0, count);
}

type Record = readonly [
  id: string,
  text: string,
  keywords: readonly string[],
  type: string,
  thread: string,
  body: string,
  expiresAtMs?: number,
];

/** Serialises a document without its time. JSON, because it keeps every string as it is. */
export function recordOf({ id, text, keywords, type, thread, body, expiresAtMs }: IndexedDocument): string {
  const record: Record = [id, text, keywords, type, thread, body];
  return JSON.stringify(expiresAtMs === undefined ? record : [...record, expiresAtMs]);
}

export function documentOf(record: string, createdAtMs: number): IndexedDocument {
  const [id, text, keywords, type, thread, body, expiresAtMs] = JSON.parse(record) as Record;
  return { id, text, keywords, createdAtMs, type, thread, body, ...(expiresAtMs !== undefined && { expiresAtMs }) };
}

/** Orders by chain, time and id, so that lines of one conversation are adjacent. */
export function compareInOrder(part: Part, document: number, other: Part, otherDocument: number): number {
  return (
    part.chains[document]! - other.chains[otherDocument]! ||
    part.times[document]! - other.times[otherDocument]! ||
    part.ids[document]! - other.ids[otherDocument]!
  );
}

/** Finds the first place whose document is not before the given one (lower bound). */
export function placeIn(part: Part, other: Part, document: number): number {
  let low = 0;
  let high = part.count;
  // Fast path: entries come in the order of their times, so most parts lie wholly before or after another's documents.
  if (high > 0 && compareInOrder(part, part.at(high - 1), other, document) < 0) return high;
  if (high > 0 && compareInOrder(part, part.at(0), other, document) > 0) return 0;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareInOrder(part, part.at(middle), other, document) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
