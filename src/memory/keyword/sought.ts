import { type KeyWorth, findKey } from "./key-table.ts";
import type { Shelf, Totals } from "./shelf.ts";

/** Terms to look for, in one set of arrays that is reused for each search. */
export interface Sought {
  readonly count: number;
  /** Places of the terms in the other lists, best first. */
  readonly order: Uint32Array;
  readonly keys: Float64Array;
  readonly weights: Float64Array;
  /** Inverse document frequency of each term, without other weights. */
  readonly idfs: Float64Array;
  /** Number of shelves. */
  readonly shelves: number;
  /** Number of each term in each shelf, or -1: at `place * shelves + shelf`. */
  readonly numbers: Int32Array;
}

/** Keeps the best of the candidates offered, by weight and then by key, in whatever order they come. */
export interface Choice extends Sought {
  /** Empties the choice for a new search. */
  begin(most: number, shelves: number): void;
  /** Whether a candidate of this weight, or of slightly less by rounding, may still be kept. */
  mayTake(weight: number): boolean;
  /** @param numbers The term's number in each shelf. They are copied. */
  take(key: number, weight: number, idf: number, numbers: Int32Array): void;
}

/** Larger than the rounding error of a logarithm. */
const ROUNDING = 1e-9;

export function createChoice(): Choice {
  let most = 0;
  const choice = {
    count: 0,
    order: new Uint32Array(0),
    shelves: 0,
    keys: new Float64Array(0),
    weights: new Float64Array(0),
    idfs: new Float64Array(0),
    numbers: new Int32Array(0),
    begin(room: number, shelves: number) {
      most = room;
      choice.count = 0;
      choice.shelves = shelves;
      if (room > choice.keys.length) {
        choice.order = new Uint32Array(room);
        choice.keys = new Float64Array(room);
        choice.weights = new Float64Array(room);
        choice.idfs = new Float64Array(room);
      }
      if (room * shelves > choice.numbers.length) choice.numbers = new Int32Array(room * shelves);
    },
    mayTake: (weight: number) =>
      choice.count < most || weight * (1 + ROUNDING) >= choice.weights[choice.order[most - 1]!]!,
    take(key: number, weight: number, idf: number, numbers: Int32Array) {
      const { order, keys, weights, idfs, numbers: all, shelves } = choice;
      let at = choice.count;
      let place = at;
      if (at < most) choice.count = at + 1;
      else {
        at -= 1;
        // Replaces the last one.
        place = order[at]!;
        if (isBefore(weights[place]!, keys[place]!, weight, key)) return;
      }
      for (; at > 0; at -= 1) {
        const before = order[at - 1]!;
        if (isBefore(weights[before]!, keys[before]!, weight, key)) break;
        order[at] = before;
      }
      order[at] = place;
      keys[place] = key;
      weights[place] = weight;
      idfs[place] = idf;
      for (let shelf = 0; shelf < shelves; shelf += 1) all[place * shelves + shelf] = numbers[shelf]!;
    },
  };
  return choice;
}

function isBefore(weight: number, key: number, otherWeight: number, otherKey: number): boolean {
  return weight > otherWeight || (weight === otherWeight && key < otherKey);
}

/** Inverse document frequency: how much a term counts by how few documents have it. */
export function rarity(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/** Number of a shelf's documents that have a term, removed ones excluded. */
export function frequencyIn({ part, removed, removedCount }: Shelf, term: number): number {
  const from = part.from[term]!;
  const to = part.to[term]!;
  let frequency = to - from;
  if (removedCount > 0) for (let at = from; at < to; at += 1) frequency -= removed[part.documents[at]!]!;
  return frequency;
}

/**
 * Finds a term in all shelves.
 *
 * @param into Receives its number in each shelf.
 * @returns How many documents have it.
 */
export function lookUp(shelves: readonly Shelf[], key: number, into: Int32Array): number {
  let frequency = 0;
  for (let at = 0; at < shelves.length; at += 1) {
    const shelf = shelves[at]!;
    const term = findKey(shelf.part.places(), shelf.part.keys, key);
    into[at] = term;
    if (term >= 0) frequency += frequencyIn(shelf, term);
  }
  return frequency;
}

/** Chooses the best `most` terms of a query; leaves out terms that no document has. */
export function chooseSought(
  shelves: readonly Shelf[],
  totals: Totals,
  asked: KeyWorth,
  { most, into }: { readonly most: number; readonly into: Choice },
): void {
  into.begin(most, shelves.length);
  const numbers = new Int32Array(shelves.length);
  for (let at = 0; at < asked.count; at += 1) {
    const key = asked.keys[at]!;
    const frequency = lookUp(shelves, key, numbers);
    if (frequency === 0) continue;
    const idf = rarity(totals.documents, frequency);
    into.take(key, asked.worth[at]! * idf, idf, numbers);
  }
}
