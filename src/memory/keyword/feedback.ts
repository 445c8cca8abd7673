import { type KeyWorth, createKeyWorth } from "./key-table.ts";
import type { Pool } from "./pool.ts";
import type { Shelf, Totals } from "./shelf.ts";
import { type Sought, createChoice, frequencyIn, lookUp, rarity } from "./sought.ts";

/** Weight of feedback terms, relative to terms of the query. */
const FEEDBACK = 0.2;
const FEEDBACK_DOCUMENTS = 3;
const FEEDBACK_TERMS = 8;
/** Most terms of a text that are read. */
const FEEDBACK_READS = 60;

const MAX_CANDIDATES = FEEDBACK_DOCUMENTS * FEEDBACK_READS;

/** Finds terms of the first hits that the query lacks (pseudo-relevance feedback). */
export interface Feedback {
  /**
   * Returns such terms, best first: weighted by how many of the first hits and how few other documents have them.
   *
   * @param pool The hits, best first; the first few are read.
   * @param asked The terms of the query.
   */
  of(shelves: readonly Shelf[], totals: Totals, pool: Pool, asked: KeyWorth): Sought;
}

export function createFeedback(): Feedback {
  const shares = createKeyWorth();
  /** For each candidate: shelf and term where it was met first, and the last of the first documents that has it. */
  const shelfOf = new Uint32Array(MAX_CANDIDATES);
  const termOf = new Uint32Array(MAX_CANDIDATES);
  const metIn = new Uint8Array(MAX_CANDIDATES);
  /** Upper bound of each candidate's weight: as if no other shelf had the term. */
  const bounds = new Float64Array(MAX_CANDIDATES);
  const leaders = new Uint32Array(FEEDBACK_TERMS);
  let numbers = new Int32Array(0);
  const best = createChoice();

  function collect(shelves: readonly Shelf[], { shelfOf: shelfAt, documents, scores, count }: Pool, asked: KeyWorth) {
    shares.clear();
    for (let at = 0; at < count && at < FEEDBACK_DOCUMENTS; at += 1) {
      const { keys, terms, starts } = shelves[shelfAt[at]!]!.part;
      const from = starts[documents[at]!]!;
      const to = Math.min(starts[documents[at]! + 1]!, from + FEEDBACK_READS);
      const share = scores[at]! / scores[0]!;
      for (let place = from; place < to; place += 1) {
        const term = terms[place]!;
        const key = keys[term]!;
        const known = shares.placeOf(key);
        if (known < 0) {
          if (asked.placeOf(key) >= 0) continue;
          const candidate = shares.count;
          shares.raise(key, share);
          shelfOf[candidate] = shelfAt[at]!;
          termOf[candidate] = term;
          metIn[candidate] = at;
        } else if (metIn[known] !== at) {
          shares.worth[known]! += share;
          metIn[known] = at;
        }
      }
    }
  }

  /**
   * Computes each candidate's upper bound and the leaders by it. Once these are looked up, most others need not be.
   * @returns Number of leaders.
   */
  function bound(shelves: readonly Shelf[], totals: Totals): number {
    let leading = 0;
    for (let at = 0; at < shares.count; at += 1) {
      const most = shares.worth[at]! * rarity(totals.documents, frequencyIn(shelves[shelfOf[at]!]!, termOf[at]!));
      bounds[at] = most;
      if (leading === FEEDBACK_TERMS && bounds[leaders[leading - 1]!]! >= most) continue;
      let place = leading < FEEDBACK_TERMS ? leading++ : leading - 1;
      for (; place > 0 && bounds[leaders[place - 1]!]! < most; place -= 1) leaders[place] = leaders[place - 1]!;
      leaders[place] = at;
    }
    return leading;
  }

  return {
    of(shelves, totals, pool, asked) {
      collect(shelves, pool, asked);
      const leading = bound(shelves, totals);
      if (numbers.length < shelves.length) numbers = new Int32Array(shelves.length);
      best.begin(FEEDBACK_TERMS, shelves.length);
      const consider = (candidate: number) => {
        const key = shares.keys[candidate]!;
        const idf = rarity(totals.documents, lookUp(shelves, key, numbers));
        best.take(key, shares.worth[candidate]! * idf, idf, numbers);
      };
      for (let at = 0; at < leading; at += 1) consider(leaders[at]!);
      for (let at = 0; at < leading; at += 1) bounds[leaders[at]!] = -1;
      for (let candidate = 0; candidate < shares.count; candidate += 1) {
        if (bounds[candidate]! >= 0 && best.mayTake(bounds[candidate]!)) consider(candidate);
      }
      const most = best.count > 0 ? best.weights[best.order[0]!]! : 1;
      for (let at = 0; at < best.count; at += 1)
        best.weights[at] = (FEEDBACK * best.idfs[at]! * best.weights[at]!) / most;
      return best;
    },
  };
}
