import { lineOf } from "./conversation.ts";
import { DAY_MS, datesOfDay, datesOfEntry } from "./dates.ts";
import { findKey, grown, keyPlaces, placesOfKeys, putKey } from "./key-table.ts";
import { type Part, partOf, placeIn, recordOf } from "./part.ts";
import { SPEAKER_MARK, codeOf, keyOf, printOf } from "./term-key.ts";
import type { KnownWords } from "./known-words.ts";
import { eachToken, eachWord, normalise } from "./tokens.ts";
import type { IndexedDocument } from "./types.ts";

/** The newest documents of an index, in a part that grows. */
export interface Tail {
  readonly part: Part;
  add(document: IndexedDocument): void;
}

const MAX_COUNTED = 127;
/** Initial room for terms and for postings. */
const FIRST_TERMS = 128;
const FIRST_POSTINGS = 256;
/** Initial room for postings of one term. */
const FIRST_OF_TERM = 2;

/**
 * @param room Most documents that it takes.
 * @param known Cache of words (see `eachWord`).
 */
export function createTail(room: number, known: KnownWords): Tail {
  const documents: IndexedDocument[] = [];
  const byId = new Map<number, number>();
  const order: number[] = [];
  const encoder = new TextEncoder();
  let lastDay = NaN;
  let keysOfDay: readonly number[] = [];
  let places = keyPlaces(FIRST_TERMS);
  let words = 0;
  let postings = 0;
  /** Capacity of each term's posting list. */
  let rooms = new Uint32Array(FIRST_TERMS);

  const part = partOf({
    count: 0,
    termCount: 0,
    keys: new Float64Array(FIRST_TERMS),
    from: new Uint32Array(FIRST_TERMS),
    to: new Uint32Array(FIRST_TERMS),
    documents: new Uint32Array(FIRST_POSTINGS),
    counts: new Uint8Array(FIRST_POSTINGS),
    terms: new Uint32Array(FIRST_POSTINGS),
    starts: new Uint32Array(room + 1),
    unspaced: new Uint32Array(room),
    times: new Float64Array(room),
    expiries: new Float64Array(room),
    chains: new Uint32Array(room),
    lines: 0,
    speakers: new Uint32Array(room),
    asks: new Uint8Array(room),
    lasting: new Uint8Array(room),
    types: new Uint32Array(room),
    prints: new Uint32Array(room),
    ids: new Float64Array(room),
    places: () => places,
    at: (place) => order[place]!,
    find: (idKey) => byId.get(idKey) ?? -1,
    document: (number) => documents[number]!,
    record: (number) => encoder.encode(recordOf(documents[number]!)),
    bytes: 0,
  });

  function newTerm(key: number): number {
    const term = part.termCount;
    if (term === part.keys.length) {
      part.keys = grown(part.keys, 2 * term);
      part.from = grown(part.from, 2 * term);
      part.to = grown(part.to, 2 * term);
      rooms = grown(rooms, 2 * term);
      places = placesOfKeys(part.keys, term, 2 * term);
    }
    part.keys[term] = key;
    putKey(places, key, term);
    part.termCount = term + 1;
    return term;
  }

  /** Makes room for one more posting of a term; moves its list to the end if it is full. */
  function makeRoom(term: number): void {
    const from = part.from[term]!;
    const length = part.to[term]! - from;
    if (length < rooms[term]!) return;
    const more = Math.max(FIRST_OF_TERM, 2 * length);
    if (postings + more > part.documents.length) {
      const size = Math.max(2 * part.documents.length, postings + more);
      part.documents = grown(part.documents, size);
      part.counts = grown(part.counts, size);
    }
    part.documents.copyWithin(postings, from, from + length);
    part.counts.copyWithin(postings, from, from + length);
    part.from[term] = postings;
    part.to[term] = postings + length;
    rooms[term] = more;
    postings += more;
  }

  /** Adds `by` halves to a term's frequency in a document. @returns The term's number. */
  function count(key: number, by: 1 | 2, document: number): number {
    let term = findKey(places, part.keys, key);
    if (term < 0) term = newTerm(key);
    const last = part.to[term]! - 1;
    if (last < part.from[term]! || part.documents[last] !== document) {
      makeRoom(term);
      const at = part.to[term]!;
      part.documents[at] = document;
      part.counts[at] = by;
      part.to[term] = at + 1;
    } else if (by === 2 && part.counts[last]! < 2 * MAX_COUNTED) part.counts[last]! += by;
    return term;
  }

  /** Appends a term of a text and counts it. */
  function countWord(key: number, document: number): void {
    if (words === part.terms.length) part.terms = grown(part.terms, 2 * words);
    part.terms[words] = count(key, 2, document);
    words += 1;
  }

  return {
    part,
    add(document) {
      const number = documents.length;
      const { speaker, chain, asks } = lineOf(document);
      let ofUnspaced = 0;
      const text = normalise(document.text);
      const day = Math.floor(document.createdAtMs / DAY_MS);
      if (day !== lastDay) {
        lastDay = day;
        keysOfDay = Array.from(datesOfDay(day), (word) => keyOf(word));
      }
      const before = words;
      eachWord(
        text,
        known,
        ({ key }) => countWord(key, number),
        (token) => {
          ofUnspaced += 1;
          countWord(keyOf(token, true), number);
        },
      );
      eachToken(speaker, (token) => void count(keyOf(SPEAKER_MARK + token), 2, number), known);
      for (const key of keysOfDay) count(key, 2, number);
      for (const word of datesOfEntry(text, document.createdAtMs)) count(keyOf(word), 2, number);
      for (const keyword of document.keywords) {
        eachToken(normalise(keyword), (token, isUnspaced) => void count(keyOf(token, isUnspaced), 1, number), known);
      }
      part.starts[number + 1] = words;
      part.unspaced[number] = ofUnspaced;
      part.times[number] = document.createdAtMs;
      part.expiries[number] = document.expiresAtMs ?? Infinity;
      part.chains[number] = chain;
      if (chain !== 0) part.lines += 1;
      part.speakers[number] = codeOf(speaker);
      part.asks[number] = asks;
      // Lines of a conversation get no bonus as lasting: their neighbours lend them score.
      part.lasting[number] = document.lasting === true && chain === 0 ? 1 : 0;
      part.types[number] = codeOf(document.type);
      part.prints[number] = printOf(document.text);
      part.ids[number] = keyOf(document.id);
      const place = placeIn(part, part, number);
      part.count = documents.push(document);
      byId.set(part.ids[number], number);
      order.splice(place, 0, number);
      part.bytes += 200 + 2 * (document.text.length + document.body.length) + 40 * (words - before);
    },
  };
}
