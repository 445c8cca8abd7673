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

// Ranks documents: BM25, then words of the best hits (feedback), then score that a hit lends to neighbouring lines,
// then words that stand close together. The constants were tuned; test/bench/recall-results.md says on what.

/** Most terms of a query that are looked for: the rarest ones. */
const MAX_TERMS = 64;
/** Number of documents with a rarer term, at least, from which documents with only frequent terms are skipped. */
const ENOUGH = 10;
/** Larger than the rounding error of sums of weights. */
const ROUNDING = 1e-6;
/** Number of the best that are ranked further, at least, and of those whose close terms are read. */
const POOL = 40;
const PROXIMITY_POOL = 30;
/** A pool that grew larger is dropped after its search. */
const MAX_KEPT = 1024;

/** Share of its score that a line lends to the next line, and to the previous one. */
const TO_NEXT = 0.3;
const TO_PREVIOUS = 0.2;
/** Factor on what a question lends to the next line, and on what any line lends to the second one from it. */
const AS_QUESTION = 2.8;
const TO_SECOND = 0.6;
/** Number of the best hits that lend score. */
const LENDERS = 16;
/** Factor for lasting statements: "My dentist is Dr. Larsen" answers before "I went to the dentist on Monday". */
const LASTING = 1.1;
/** A longer silence ends a conversation. */
const GAP_MS = 10 * 60_000;

/** State that an index reuses for each search. */
export interface Ranking {
  readonly known: KnownWords;
  readonly asked: KeyWorth;
  readonly sought: Choice;
  readonly feedback: Feedback;
  first: Pool;
  pool: Pool;
}

/** @param known Cache of words (see `eachWord`). */
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
 * Ranks documents, best first. The result does not depend on how documents are spread over shelves.
 *
 * @param ownShelves Number of leading shelves that belong to the index; the rest belong to the index `beside`.
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
  // A frequent word, such as a name, finds thousands of documents: they are skipped once there are enough with a rarer
  // term.
  const enough = Math.max(ENOUGH, 2 * query.limit);
  const isEnough = (left: number, counted: number) =>
    // No score exceeds `counted`, so until then no document can be above `left`.
    !filter.accepts && counted > left - ROUNDING && areAbove(left, { shelves, most: enough, filter });
  addScores(shelves, totals, sought, isEnough);
  // Without lines that lend score, the pool is already in order.
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
 * Lets lines of a conversation lend score to their neighbours: an answer is often next to the line that has the words.
 *
 * @returns Whether any line did.
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
