import type { Pool } from "./pool.ts";
import { type Shelf, marksOf } from "./shelf.ts";
import type { Sought } from "./sought.ts";

/** What terms close together add, and how far apart is close. */
const PROXIMITY = 0.3;
const PROXIMITY_REACH = 5;
/** Of a long text only the first terms are read. */
const PROXIMITY_READS = 120;

/** Adds to each of these places what different terms of the query, close together in its text, are worth. */
export function addCloseness(shelves: readonly Shelf[], pool: Pool, places: Uint32Array, sought: Sought): void {
  // At most 64 terms are sought, so that the place of one, and one more, is a mark.
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
