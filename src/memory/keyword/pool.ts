import { grown } from "./key-table.ts";
import type { Shelf } from "./shelf.ts";

/**
 * Documents with their scores and the parts of these, in one set of arrays that is reused for each search: as objects,
 * the numbers would be most of a search's garbage.
 */
export interface Pool {
  count: number;
  /** Most documents that it takes. */
  room: number;
  shelfOf: Uint32Array;
  documents: Uint32Array;
  scores: Float64Array;
  keyword: Float64Array;
  feedback: Float64Array;
  neighbours: Float64Array;
  proximity: Float64Array;
}

const FEWEST = 48;

export function createPool(room: number = FEWEST): Pool {
  const list = () => new Float64Array(room);
  return {
    count: 0,
    room: 0,
    shelfOf: new Uint32Array(room),
    documents: new Uint32Array(room),
    scores: list(),
    keyword: list(),
    feedback: list(),
    neighbours: list(),
    proximity: list(),
  };
}

/** Adds a document with its scores so far. @returns Its place. */
export function addToPool(pool: Pool, shelves: readonly Shelf[], shelf: number, document: number): number {
  const at = pool.count;
  makeRoom(pool, at + 1);
  const { scores, fed } = shelves[shelf]!;
  pool.shelfOf[at] = shelf;
  pool.documents[at] = document;
  pool.scores[at] = scores[document]! + fed[document]!;
  pool.keyword[at] = scores[document]!;
  pool.feedback[at] = fed[document]!;
  pool.neighbours[at] = 0;
  pool.proximity[at] = 0;
  pool.count = at + 1;
  return at;
}

export function makeRoom(pool: Pool, needed: number): void {
  if (needed <= pool.scores.length) return;
  const room = Math.max(needed, 2 * pool.scores.length);
  pool.shelfOf = grown(pool.shelfOf, room);
  pool.documents = grown(pool.documents, room);
  pool.scores = grown(pool.scores, room);
  pool.keyword = grown(pool.keyword, room);
  pool.feedback = grown(pool.feedback, room);
  pool.neighbours = grown(pool.neighbours, room);
  pool.proximity = grown(pool.proximity, room);
}

/** Orders by score, then by time (newer first), then by the key of the id. */
export function isBefore(shelves: readonly Shelf[], pool: Pool, one: number, other: number): boolean {
  const difference = pool.scores[one]! - pool.scores[other]!;
  if (difference !== 0) return difference > 0;
  return isNewer(shelves, pool.shelfOf[one]!, pool.documents[one]!, pool, other);
}

/** Whether a document comes before one of the pool that has the same score. */
export function isNewer(
  shelves: readonly Shelf[],
  shelf: number,
  document: number,
  pool: Pool,
  other: number,
): boolean {
  const { times, ids } = shelves[shelf]!.part;
  const { times: otherTimes, ids: otherIds } = shelves[pool.shelfOf[other]!]!.part;
  const otherDocument = pool.documents[other]!;
  const after = times[document]! - otherTimes[otherDocument]!;
  return after > 0 || (after === 0 && ids[document]! < otherIds[otherDocument]!);
}

/** The first `count` places of a pool in order, as input of `sortPlaces`. */
export function placesOf(count: number): Uint32Array {
  const places = new Uint32Array(count);
  for (let at = 0; at < count; at += 1) places[at] = at;
  return places;
}

/** Up to this many places use insertion sort, which is much faster when few are out of order. */
const FEW = 256;

/** Sorts places of a pool in place, best first. */
export function sortPlaces(shelves: readonly Shelf[], pool: Pool, places: Uint32Array): Uint32Array {
  if (places.length > FEW) return places.sort((one, other) => (isBefore(shelves, pool, one, other) ? -1 : 1));
  for (let end = 1; end < places.length; end += 1) {
    const place = places[end]!;
    let at = end;
    for (; at > 0 && isBefore(shelves, pool, place, places[at - 1]!); at -= 1) places[at] = places[at - 1]!;
    places[at] = place;
  }
  return places;
}
