import { addCloseness } from "./closeness.ts";
import { type Feedback, createFeedback } from "./feedback.ts";
import { foundIn } from "./found.ts";
import { type KeyWorth, createKeyWorth } from "./key-table.ts";
import { linesBeside } from "./lines-beside.ts";
import { type Filter, areAbove, filterOf, passes, passesRead, pick, pickNewest, pickRaised } from "./pick.ts";
import { type Pool, addToPool, createPool, placesOf, sortPlaces } from "./pool.ts";
import { readQuery, readText } from "./query-terms.ts";
import { addFeedback, addScores, clearScores } from "./scores.ts";
import type { Shelf, Totals } from "./shelf.ts";
import { type Choice, chooseSought, createChoice } from "./sought.ts";
import { aboutOf } from "./topic.ts";
import type { KnownWords } from "./known-words.ts";
import type { KeywordFind, KeywordQuery } from "./types.ts";

// How documents are ranked: BM25, then what words of the best ones find (feedback), then what lines beside a hit lend it, then words that stand close together.
// The figures were tuned; test/bench/recall-results.md says on what.

/** Of a long query only the rarest terms are looked for. */
const MAX_TERMS = 64;
/** How many documents with a rarer term make those with only frequent ones superfluous, at least. */
const ENOUGH = 10;
/** More than sums of weights are off by. */
const ROUNDING = 1e-6;
/** How many of the best are ranked further, at least; and of how many it is looked at what stands close together. */
const POOL = 40;
const PROXIMITY_POOL = 30;
/** A pool that grew larger is let go of after its search. */
const MAX_KEPT = 1024;

/** A part of its score that a line lends to the line after it, and to the one before it. */
const TO_NEXT = 0.3;
const TO_PREVIOUS = 0.2;
/** How many times as much a question lends to the line after it, and any line to the second one from it. */
const AS_QUESTION = 2.8;
const TO_SECOND = 0.6;
/** How many of the best lend. */
const LENDERS = 16;
/** "My dentist is Dr. Larsen" answers before "I went to the dentist on Monday". */
const LASTING = 1.1;
/** A longer silence ends a conversation. */
const GAP_MS = 10 * 60_000;

/** What an index ranks with, search after search. */
export interface Ranking {
  readonly known: KnownWords;
  readonly asked: KeyWorth;
  readonly sought: Choice;
  readonly feedback: Feedback;
  first: Pool;
  pool: Pool;
}

/** @param known What words became before (see `eachWord`). */
export function createRanking(known: KnownWords): Ranking {
  return {
    known,
    asked: createKeyWorth(),
    sought: createChoice(),
    feedback: createFeedback(),
    first: createPool(),
    pool: createPool(),
  };
}

/**
 * Best first. The same for the same documents, however they are spread over shelves.
 *
 * @param ownShelves So many of the shelves are the index's own, the rest are searched beside them.
 */
export function rank(
  ranking: Ranking,
  shelves: readonly Shelf[],
  totals: Totals,
  query: KeywordQuery,
  ownShelves: number,
): readonly KeywordFind[] {
  const { known, asked, sought, feedback, first, pool } = ranking;
  const filter = filterOf(query);
  const hasLines = shelves.some(({ part }) => part.lines > 0);
  const said = readText(query.text, query.nowMs);
  readQuery(query, said, { known, hasSpeakers: hasLines, into: asked });
  for (const shelf of shelves) clearScores(shelf);
  if (first.scores.length > MAX_KEPT) ranking.first = createPool();
  if (pool.scores.length > MAX_KEPT) ranking.pool = createPool();
  if (asked.count === 0) {
    if (!isEmpty(query)) return [];
    pickNewest(pool, { shelves, most: query.limit, filter });
    return foundIn(shelves, pool, placesOf(pool.count), { ownShelves });
  }
  chooseSought(shelves, totals, asked, { most: MAX_TERMS, into: sought });
  // A frequent word, such as a name, finds thousands: they are passed over once there are enough with a rarer one.
  const enough = Math.max(ENOUGH, 2 * query.limit);
  const isEnough = (left: number, counted: number) =>
    // No document has more than the terms that were counted are worth.
    !filter.accepts && counted > left - ROUNDING && areAbove(left, { shelves, most: enough, filter });
  addScores(shelves, totals, sought, isEnough);
  // Without lines that lend each other something the best are the best already.
  const near = Math.max(PROXIMITY_POOL, query.limit);
  const picking = { shelves, most: hasLines ? Math.max(POOL, 2 * query.limit) : near, filter };
  pick(first, picking);
  addFeedback(shelves, totals, feedback.of(shelves, totals, first, asked));
  pickRaised(pool, first, picking);
  const lent = hasLines && lendToLinesBeside(shelves, pool, filter);
  const best = lent ? sortPlaces(shelves, pool, placesOf(pool.count)) : placesOf(pool.count);
  const ranked = best.subarray(0, near);
  addCloseness(shelves, pool, ranked, sought);
  raiseLasting(shelves, pool, ranked);
  const hits = sortPlaces(shelves, pool, ranked).subarray(0, query.limit);
  const about = query.about === true ? aboutOf({ shelves, totals, known }, query, said) : undefined;
  return foundIn(shelves, pool, hits, { ownShelves, about });
}

function raiseLasting(shelves: readonly Shelf[], pool: Pool, places: Uint32Array): void {
  for (const place of places)
    if (shelves[pool.shelfOf[place]!]!.part.lasting[pool.documents[place]!] === 1) pool.scores[place]! *= LASTING;
}

function isEmpty({ text, keywords = [] }: KeywordQuery): boolean {
  return text.trim() === "" && keywords.every((keyword) => keyword.trim() === "");
}

/**
 * Lets lines of a conversation lend each other score: an answer often stands beside the line that has the words.
 *
 * @returns Whether any did.
 */
function lendToLinesBeside(shelves: readonly Shelf[], pool: Pool, filter: Filter): boolean {
  let places: Map<number, number> | undefined;
  const lenders = Math.min(LENDERS, pool.count);
  for (let at = 0; at < lenders; at += 1) {
    const shelf = pool.shelfOf[at]!;
    const document = pool.documents[at]!;
    for (const line of linesBeside(shelves, { shelf, document }, GAP_MS)) {
      places ??= placesByDocument(pool, shelves.length);
      const name = line.document * shelves.length + line.shelf;
      let place = places.get(name);
      if (place === undefined) {
        const holder = shelves[line.shelf]!;
        if (!passes(holder, line.document, filter) || !passesRead(holder, line.document, filter)) continue;
        place = addToPool(pool, shelves, line.shelf, line.document);
        places.set(name, place);
      }
      const lent =
        lentTo(line.steps, shelves[shelf]!.part.asks[document] === 1) * (pool.keyword[at]! + pool.feedback[at]!);
      pool.neighbours[place]! += lent;
      pool.scores[place]! += lent;
    }
  }
  return places !== undefined;
}

function placesByDocument({ count, documents, shelfOf }: Pool, shelves: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let at = 0; at < count; at += 1) places.set(documents[at]! * shelves + shelfOf[at]!, at);
  return places;
}

function lentTo(steps: number, isQuestion: boolean): number {
  const share = steps > 0 ? TO_NEXT : TO_PREVIOUS;
  return share * (Math.abs(steps) > 1 ? TO_SECOND : steps > 0 && isQuestion ? AS_QUESTION : 1);
}
