import { lineOf } from "./conversation.ts";
import { DAY_MS, datesOfDay, datesOfEntry } from "./dates.ts";
import { type Part, placeIn, recordOf } from "./part.ts";
import { SPEAKER_MARK, codeOf, keyOf } from "./term-key.ts";
import { eachToken, normalise } from "./tokens.ts";
import type { IndexedDocument } from "./types.ts";

/** The newest documents of an index, in a form that takes more. */
export interface Tail extends Part {
  add(document: IndexedDocument): void;
}

const MOST_COUNTED = 127;

/**
 * @param room The most documents it takes.
 * @param known What words became in tails before (see `eachToken`).
 */
export function createTail(room: number, known: Map<string, string>): Tail {
  const documents: IndexedDocument[] = [];
  const numbers = new Map<number, number>();
  const postings: { documents: number[]; counts: number[] }[] = [];
  const byId = new Map<number, number>();
  const order: number[] = [];
  const keys: number[] = [];
  const terms: number[] = [];
  const starts = new Uint32Array(room + 1);
  const unspaced = new Uint32Array(room);
  const chains = new Uint32Array(room);
  const speakers = new Uint32Array(room);
  const asks = new Uint8Array(room);
  const types = new Uint32Array(room);
  const times = new Float64Array(room);
  const ids = new Float64Array(room);
  const encoder = new TextEncoder();
  let lastDay = NaN;
  let keysOfDay: readonly number[] = [];

  /** Counts one more of a term, `by` halves. @returns Its number. */
  function count(key: number, by: 1 | 2, document: number): number {
    let term = numbers.get(key);
    if (term === undefined) {
      term = keys.length;
      numbers.set(key, term);
      keys.push(key);
      postings.push({ documents: [], counts: [] });
    }
    const posting = postings[term]!;
    const last = posting.documents.length - 1;
    if (posting.documents[last] !== document) {
      posting.documents.push(document);
      posting.counts.push(by);
    } else if (by === 2 && posting.counts[last]! < 2 * MOST_COUNTED) posting.counts[last]! += by;
    return term;
  }

  // No getters: an object with these many properties and some of them would be a slow one.
  const tail: { -readonly [Name in keyof Tail]: Tail[Name] } = {
    count: 0,
    bytes: 0,
    keys,
    terms,
    starts,
    unspaced,
    times,
    chains,
    speakers,
    asks,
    types,
    ids,
    termOf: (key) => numbers.get(key) ?? -1,
    postingsOf(term) {
      const { documents: ofTerm, counts } = postings[term]!;
      return { documents: ofTerm, counts, from: 0, to: ofTerm.length };
    },
    at: (place) => order[place]!,
    find: (idKey) => byId.get(idKey) ?? -1,
    document: (number) => documents[number]!,
    record: (number) => encoder.encode(recordOf(documents[number]!)),
    add(document) {
      const number = documents.length;
      const { speaker, chain, asks: isQuestion } = lineOf(document);
      let ofUnspaced = 0;
      const text = normalise(document.text);
      const day = Math.floor(document.createdAtMs / DAY_MS);
      if (day !== lastDay) {
        lastDay = day;
        keysOfDay = Array.from(datesOfDay(day), (word) => keyOf(word));
      }
      eachToken(
        text,
        (token, isUnspaced) => {
          if (isUnspaced) ofUnspaced += 1;
          terms.push(count(keyOf(token, isUnspaced), 2, number));
        },
        known,
      );
      eachToken(speaker, (token) => void count(keyOf(SPEAKER_MARK + token), 2, number));
      for (const key of keysOfDay) count(key, 2, number);
      for (const word of datesOfEntry(text, document.createdAtMs)) count(keyOf(word), 2, number);
      for (const keyword of document.keywords) {
        eachToken(normalise(keyword), (token, isUnspaced) => void count(keyOf(token, isUnspaced), 1, number));
      }
      starts[number + 1] = terms.length;
      unspaced[number] = ofUnspaced;
      times[number] = document.createdAtMs;
      chains[number] = chain;
      speakers[number] = codeOf(speaker);
      asks[number] = isQuestion;
      types[number] = codeOf(document.type);
      ids[number] = keyOf(document.id);
      const place = placeIn(tail, tail, number);
      tail.count = documents.push(document);
      byId.set(ids[number], number);
      order.splice(place, 0, number);
      tail.bytes += 200 + 2 * (document.text.length + document.body.length) + 40 * (terms.length - starts[number]!);
    },
  };
  return tail;
}
