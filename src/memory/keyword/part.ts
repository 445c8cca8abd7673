import type { KeyPlaces } from "./key-table.ts";
import type { IndexedDocument } from "./types.ts";

/**
 * Some of the documents of an index, numbered from 0, with what ranking asks of them. One that changes (the tail) and one that is bytes (a segment) are the
 * same kind of object with the same kinds of arrays, so that whoever searches or joins them runs one code. Arrays may have room behind what they hold. A
 * removed document stays in its part; whoever holds the part knows that it is gone.
 */
export interface Part {
  readonly count: number;
  readonly termCount: number;
  /** Of each term its key, by the term's number. */
  readonly keys: Float64Array;
  /** The documents of a term stand at `from[term]` up to `to[term]` of `documents`, ascending. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly documents: Uint32Array;
  /** Beside each of them: twice how often the term stands in the text; 1 for a term of the keywords alone. */
  readonly counts: Uint8Array;
  /** The terms of the texts in their order: those of a document are at `starts[document]` up to `starts[document + 1]`. */
  readonly terms: Uint32Array;
  readonly starts: Uint32Array;
  /** How many of a text's terms are of a script without spaces. */
  readonly unspaced: Uint32Array;
  readonly times: Float64Array;
  /** When it is over; `Infinity`: never. */
  readonly expiries: Float64Array;
  /** Which conversation it is a line of (see conversation.ts); 0 for what stands alone. */
  readonly chains: Uint32Array;
  /** How many documents are a line of one. */
  readonly lines: number;
  /** `codeOf` who says a line. */
  readonly speakers: Uint32Array;
  /** 1 for a line that is a question. */
  readonly asks: Uint8Array;
  /** 1 for what is true in a year as well. */
  readonly lasting: Uint8Array;
  /** `codeOf` the types. */
  readonly types: Uint32Array;
  /** `codeOf` the texts, without what case and spaces make different. */
  readonly prints: Uint32Array;
  /** `keyOf` the ids. */
  readonly ids: Float64Array;
  /** Where each key stands among `keys`. Made when it is first asked for. */
  places(): KeyPlaces;
  /** The document at a place of the order by chain, time and id. */
  at(place: number): number;
  /** The last document with an id of this key, or -1. */
  find(idKey: number): number;
  document(document: number): IndexedDocument;
  /** UTF-8 of a document as it is kept (see `recordOf`). */
  record(document: number): Uint8Array;
  readonly bytes: number;
}

/** A part whose holder changes it. */
export type GrowingPart = { -readonly [Name in keyof Part]: Part[Name] };

/** Every part is made here: objects of one making are one kind to the compilers. */
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

/** The keys of the terms of a text, ascending, each once. */
export function wordsIn({ keys, terms, starts }: Part, document: number): Float64Array {
  const from = starts[document]!;
  const found = new Float64Array(starts[document + 1]! - from);
  for (let at = 0; at < found.length; at += 1) found[at] = keys[terms[from + at]!]!;
  return distinct(found);
}

const FEW = 48;

/** Sorts keys in their place. @returns Those that are left when each stands there once. */
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

/** A document as text, without its time. JSON, because it keeps every string as it is. */
export function recordOf({ id, text, keywords, type, thread, body, expiresAtMs }: IndexedDocument): string {
  const record: Record = [id, text, keywords, type, thread, body];
  return JSON.stringify(expiresAtMs === undefined ? record : [...record, expiresAtMs]);
}

export function documentOf(record: string, createdAtMs: number): IndexedDocument {
  const [id, text, keywords, type, thread, body, expiresAtMs] = JSON.parse(record) as Record;
  return { id, text, keywords, createdAtMs, type, thread, body, ...(expiresAtMs !== undefined && { expiresAtMs }) };
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
