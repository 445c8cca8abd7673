import type { Pool } from "./pool.ts";
import { type Shelf, marksOf } from "./shelf.ts";
import type { Sought } from "./sought.ts";

/** Factor on the score of close terms, and the largest distance that counts as close, in terms. */
const PROXIMITY = 0.3;
const PROXIMITY_REACH = 5;
/** Most terms of a text that are read. */
const PROXIMITY_READS = 120;

/** Raises the score of hits at these places by the query's different terms that stand close together in their text. */
export function addCloseness(shelves: readonly Shelf[], pool: Pool, places: Uint32Array, sought: Sought): void {
  // A mark is a term's place plus 1. At most 64 terms are sought, so it fits a byte.
  mark(shelves, sought, (place) => place + 1);
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at]!;
    const shelf = shelves[pool.shelfOf[place]!]!;
    const sum = shelf.worth * closenessOf(shelf, pool.documents[place]!, sought.weights);
    pool.proximity[place] = PROXIMITY * sum;
    pool.scores[place]! += PROXIMITY * sum;
  }
  mark(shelves, sought, () => 0);
}

function mark(shelves: readonly Shelf[], sought: Sought, markOf: (place: number) => number): void {
  for (let index = 0; index < shelves.length; index += 1) {
    const marks = marksOf(shelves[index]!);
    for (let place = 0; place < sought.count; place += 1) {
      const term = sought.numbers[place * sought.shelves + index]!;
      if (term >= 0) marks[term] = markOf(place);
    }
  }
}

function closenessOf({ part, marks }: Shelf, document: number, weights: Float64Array): number {
  const { terms, starts } = part;
  const end = Math.min(starts[document + 1]!, starts[document]! + PROXIMITY_READS);
  let sum = 0;
  let lastAt = -PROXIMITY_READS;
  let lastMark = 0;
  let lastWeight = 0;
  for (let at = starts[document]!; at < end; at += 1) {
    const found = marks[terms[at]!]!;
    if (found === 0) continue;
    const weight = weights[found - 1]!;
    if (found !== lastMark && at - lastAt <= PROXIMITY_REACH) sum += Math.min(weight, lastWeight) / (at - lastAt);
    lastAt = at;
    lastMark = found;
    lastWeight = weight;
  }
  return sum;
}
