import { lineOf } from "./conversation.ts";
import { datesOfEntry } from "./dates.ts";
import { type Part, placeIn } from "./part.ts";
import { codeOf, keyOf } from "./term-key.ts";
import { eachToken, normalise } from "./tokens.ts";
import type { IndexedDocument } from "./types.ts";

/** The newest documents of an index, in a form that grows. */
export interface Tail extends Part {
  add(document: IndexedDocument): void;
}

const MOST_COUNTED = 127;

export function createTail(): Tail {
  const documents: IndexedDocument[] = [];
  const numbers = new Map<number, number>();
  const postings: { documents: number[]; counts: number[] }[] = [];
  const byId = new Map<number, number>();
  const order: number[] = [];
  const keys: number[] = [];
  const terms: number[] = [];
  const starts = [0];
  const unspaced: number[] = [];
  const times: number[] = [];
  const chains: number[] = [];
  const speakers: number[] = [];
  const types: number[] = [];
  const ids: number[] = [];
  const encoder = new TextEncoder();
  let bytes = 0;

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

  const tail: Tail = {
    get count() {
      return documents.length;
    },
    get bytes() {
      return bytes;
    },
    keys,
    terms,
    starts,
    unspaced,
    times,
    chains,
    speakers,
    types,
    ids,
    termOf: (key) => numbers.get(key) ?? -1,
    postingsOf: (term) => ({ ...postings[term]!, from: 0, to: postings[term]!.documents.length }),
    at: (place) => order[place]!,
    find: (idKey) => byId.get(idKey) ?? -1,
    document: (number) => documents[number]!,
    field(number, field) {
      const { id, text, keywords, type, thread, body } = documents[number]!;
      return encoder.encode([id, text, JSON.stringify(keywords), type, thread, body][field]);
    },
    add(document) {
      const number = documents.length;
      const { speaker, chain } = lineOf(document);
      let ofUnspaced = 0;
      eachToken(normalise(document.text), (token, isUnspaced) => {
        if (isUnspaced) ofUnspaced += 1;
        terms.push(count(keyOf(token, isUnspaced), 2, number));
      });
      for (const word of datesOfEntry(document.text, document.createdAtMs)) count(keyOf(word), 2, number);
      for (const keyword of document.keywords) {
        eachToken(normalise(keyword), (token, isUnspaced) => void count(keyOf(token, isUnspaced), 1, number));
      }
      starts.push(terms.length);
      unspaced.push(ofUnspaced);
      times.push(document.createdAtMs);
      chains.push(chain);
      speakers.push(speaker);
      types.push(codeOf(document.type));
      ids.push(keyOf(document.id));
      const place = placeIn(tail, tail, number);
      documents.push(document);
      byId.set(ids[number]!, number);
      order.splice(place, 0, number);
      bytes += 200 + 2 * (document.text.length + document.body.length) + 40 * (terms.length - starts[number]!);
    },
  };
  return tail;
}
