import { type KeyWorth, createKeyWorth } from "./key-table.ts";
import type { Pool } from "./pool.ts";
import type { Shelf, Totals } from "./shelf.ts";
import { type Sought, createChoice, frequencyIn, lookUp, rarity } from "./sought.ts";

/** What terms of the first documents are worth, of what terms of the query are. */
const FEEDBACK = 0.2;
const FEEDBACK_DOCUMENTS = 3;
const FEEDBACK_TERMS = 8;
/** Of a long text only the first terms are read. */
const FEEDBACK_READS = 60;

const MAX_CANDIDATES = FEEDBACK_DOCUMENTS * FEEDBACK_READS;

/** Finds terms of the first hits that the query has not. */
export interface Feedback {
  /**
   * Those weighted by how many of the first have them and how few others, the best first.
   *
   * @param pool The hits, best first; the first few are read.
   * @param asked What the query looks for.
   */
  of(shelves: readonly Shelf[], totals: Totals, pool: Pool, asked: KeyWorth): Sought;
}

export function createFeedback(): Feedback {
  const shares = createKeyWorth();
  /** Of each candidate where it was met first, and in which of the first documents last. */
  const shelfOf = new Uint32Array(MAX_CANDIDATES);
  const termOf = new Uint32Array(MAX_CANDIDATES);
  const metIn = new Uint8Array(MAX_CANDIDATES);
  /** What each is worth at most: as if no other shelf had it. */
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

  /** Notes what each is worth at most, and which may be worth most of all: once these are looked up, most others need not be. */
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
