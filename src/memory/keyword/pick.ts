import { type Pool, isBefore, isNewer, makeRoom } from "./pool.ts";
import type { Shelf } from "./shelf.ts";
import { codeOf } from "./term-key.ts";
import type { KeywordQuery } from "./types.ts";

/** Restricts which documents a query may find. */
export interface Filter {
  readonly sinceMs: number;
  /** `codeOf` the excluded types. */
  readonly without: readonly number[];
  /** Called from the best document on, until there are enough. */
  readonly accepts: KeywordQuery["accepts"];
}

export function filterOf({ sinceMs = -Infinity, withoutTypes = [], accepts }: KeywordQuery): Filter {
  return { sinceMs, without: withoutTypes.map(codeOf), accepts };
}

/** Whether a document passes the filter, as far as columns tell without reading it. */
export function passes({ part, removed }: Shelf, document: number, { sinceMs, without }: Filter): boolean {
  if (removed[document] !== 0 || part.times[document]! < sinceMs) return false;
  const type = part.types[document]!;
  for (let at = 0; at < without.length; at += 1) if (without[at] === type) return false;
  return true;
}

/** Whether a document passes `accepts`, which reads it. */
export function passesRead({ part }: Shelf, document: number, { accepts }: Filter): boolean {
  return accepts === undefined || accepts(part.document(document));
}

export interface Picking {
  readonly shelves: readonly Shelf[];
  readonly most: number;
  readonly filter: Filter;
}

/** Puts the best documents by their scores so far into `pool`, best first. */
export function pick(pool: Pool, { shelves, most, filter }: Picking): void {
  begin(pool, { most, filter, candidates: shelves.reduce((sum, { touchedCount }) => sum + touchedCount, 0) });
  // Goes backwards: newer documents win ties and stand at the end.
  for (let index = shelves.length - 1; index >= 0; index -= 1) {
    const shelf = shelves[index]!;
    const { scores, touched } = shelf;
    for (let at = shelf.touchedCount - 1; at >= 0; at -= 1) {
      const document = touched[at]!;
      offer(pool, shelves, index, document, scores[document]!, filter);
    }
  }
  finish(pool, { shelves, most, filter });
}

/** Puts the newest documents into `pool`, best first. */
export function pickNewest(pool: Pool, { shelves, most, filter }: Picking): void {
  begin(pool, { most, filter, candidates: shelves.reduce((sum, { part }) => sum + part.count, 0) });
  for (let index = shelves.length - 1; index >= 0; index -= 1) {
    for (let document = shelves[index]!.part.count - 1; document >= 0; document -= 1) {
      offer(pool, shelves, index, document, 0, filter);
    }
  }
  finish(pool, { shelves, most, filter });
}

/**
 * Updates a pool with the scores of feedback. A document that feedback did not raise, and that was not in the pool
 * before, cannot enter it, so no others are read.
 */
export function pickRaised(pool: Pool, from: Pool, { shelves, most, filter }: Picking): void {
  const raised = shelves.reduce((sum, { raisedCount }) => sum + raisedCount, 0);
  begin(pool, { most, filter, candidates: from.count + raised });
  // Offers the last first: an element that goes before all others rises furthest in the heap.
  for (let at = from.count - 1; at >= 0; at -= 1) {
    const { fed } = shelves[from.shelfOf[at]!]!;
    const document = from.documents[at]!;
    if (fed[document] === 0) offer(pool, shelves, from.shelfOf[at]!, document, from.scores[at]!, filter);
  }
  for (let index = shelves.length - 1; index >= 0; index -= 1) {
    const shelf = shelves[index]!;
    for (let at = shelf.raisedCount - 1; at >= 0; at -= 1) {
      const document = shelf.raised[at]!;
      offer(pool, shelves, index, document, shelf.scores[document]! + shelf.fed[document]!, filter);
    }
  }
  finish(pool, { shelves, most, filter });
}

interface Beginning {
  readonly most: number;
  readonly filter: Filter;
  readonly candidates: number;
}

function begin(pool: Pool, { most, filter, candidates }: Beginning): void {
  // `accepts` runs after sorting, so the pool must hold all candidates.
  pool.room = filter.accepts ? candidates : Math.min(most, candidates);
  makeRoom(pool, pool.room);
  pool.count = 0;
}

function finish(pool: Pool, { shelves, most, filter }: Picking): void {
  sortHeap(pool, shelves);
  if (filter.accepts) keepAccepted(pool, shelves, most, filter);
  for (let at = 0; at < pool.count; at += 1) {
    const { scores, fed } = shelves[pool.shelfOf[at]!]!;
    pool.keyword[at] = scores[pool.documents[at]!]!;
    pool.feedback[at] = fed[pool.documents[at]!]!;
    pool.neighbours[at] = 0;
    pool.proximity[at] = 0;
  }
}

/** Whether at least `most` documents that the query may find have a score above `least`. */
export function areAbove(least: number, { shelves, most, filter }: Picking): boolean {
  let count = 0;
  for (let index = 0; index < shelves.length; index += 1) {
    const shelf = shelves[index]!;
    const { scores, touched, touchedCount } = shelf;
    for (let at = 0; at < touchedCount; at += 1) {
      const document = touched[at]!;
      if (scores[document]! <= least || !passes(shelf, document, filter)) continue;
      count += 1;
      if (count === most) return true;
    }
  }
  return false;
}

function keepAccepted(pool: Pool, shelves: readonly Shelf[], most: number, filter: Filter): void {
  let count = 0;
  for (let at = 0; at < pool.count && count < most; at += 1) {
    if (!passesRead(shelves[pool.shelfOf[at]!]!, pool.documents[at]!, filter)) continue;
    swap(pool, count, at);
    count += 1;
  }
  pool.count = count;
}

// Until it is sorted, the pool is a heap whose root is the worst of the best.

function offer(
  pool: Pool,
  shelves: readonly Shelf[],
  index: number,
  document: number,
  score: number,
  filter: Filter,
): void {
  const isFull = pool.count === pool.room;
  if (isFull) {
    if (pool.room === 0) return;
    const least = pool.scores[0]!;
    if (score < least || (score === least && !isNewer(shelves, index, document, pool, 0))) return;
  }
  if (!passes(shelves[index]!, document, filter)) return;
  const at = isFull ? 0 : pool.count;
  pool.shelfOf[at] = index;
  pool.documents[at] = document;
  pool.scores[at] = score;
  if (isFull) sink(pool, shelves, pool.count);
  else {
    pool.count = at + 1;
    rise(pool, shelves, at);
  }
}

function rise(pool: Pool, shelves: readonly Shelf[], from: number): void {
  let at = from;
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (!isBefore(shelves, pool, above, at)) return;
    swap(pool, above, at);
    at = above;
  }
}

/** Restores the heap of the first `count` elements from the root down. */
function sink(pool: Pool, shelves: readonly Shelf[], count: number): void {
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= count) return;
    if (below + 1 < count && isBefore(shelves, pool, below, below + 1)) below += 1;
    if (!isBefore(shelves, pool, at, below)) return;
    swap(pool, at, below);
    at = below;
  }
}

function sortHeap(pool: Pool, shelves: readonly Shelf[]): void {
  for (let end = pool.count - 1; end > 0; end -= 1) {
    swap(pool, 0, end);
    sink(pool, shelves, end);
  }
}

function swap({ shelfOf, documents, scores }: Pool, one: number, other: number): void {
  const shelf = shelfOf[one]!;
  shelfOf[one] = shelfOf[other]!;
  shelfOf[other] = shelf;
  const document = documents[one]!;
  documents[one] = documents[other]!;
  documents[other] = document;
  const score = scores[one]!;
  scores[one] = scores[other]!;
  scores[other] = score;
}
