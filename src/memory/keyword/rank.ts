import { termsOfQuery } from "./query-terms.ts";
import { type Place, type Shelf, type Totals, linesBeside } from "./shelf.ts";
import { codeOf, isUnspacedKey } from "./term-key.ts";
import type { MemorySignals } from "../memory-store.ts";
import type { KeywordHit, KeywordQuery } from "./types.ts";

// How documents are ranked: BM25, then what words of the best ones find (feedback), then what lines beside a hit lend it, then words that stand close together.
// The figures were tuned; docs/recall.md says on what.

/** k1 of BM25: how soon one more of a term counts little. */
const SATURATION = 1;
/** b of BM25: how much less a long text counts, for scripts with spaces and without. */
const LENGTH_OF_WORDS = 0.3;
const LENGTH_OF_UNSPACED = 0.6;
/** Of a long query only the rarest terms are looked for. */
const MOST_TERMS = 64;
/** How many documents with a rarer term make those with only frequent ones superfluous, at least. */
const ENOUGH = 10;
/** From one document touched in so many, clearing all takes less time than clearing those. */
const FILL_SHARE = 8;
/** So many are sorted by putting one after the other in its place. */
const FEW = 256;
/** More than sums of weights are off by. */
const ROUNDING = 1e-6;
/** How many of the best are ranked further, at least. */
const POOL = 40;

/** What terms of the first documents are worth, of what terms of the query are. */
const FEEDBACK = 0.2;
const FEEDBACK_DOCUMENTS = 3;
const FEEDBACK_TERMS = 8;

/** A part of its score that a line lends to the line after it, and to the one before it. */
const TO_NEXT = 0.3;
const TO_PREVIOUS = 0.2;
/** How many times as much a question lends to the line after it, and any line to the second one from it. */
const AS_QUESTION = 2.8;
const TO_SECOND = 0.6;
/** How many of the best lend. */
const LENDERS = 16;
/** A longer silence ends a conversation. */
const GAP_MS = 10 * 60_000;

/** What terms close together add, how many of the best are looked at, and how far apart is close. */
const PROXIMITY = 0.3;
const PROXIMITY_POOL = 30;
const PROXIMITY_REACH = 5;

/** Of a long text only the first terms are read: for feedback, and for what stands close together. */
const FEEDBACK_READS = 60;
const PROXIMITY_READS = 120;

/** A document with its score and what the score is made of. */
interface Found extends Place {
  score: number;
  readonly keyword: number;
  readonly feedback: number;
  neighbours: number;
  proximity: number;
}

/** A term that documents have. */
interface Sought {
  readonly key: number;
  /** Its number in each shelf, or -1. */
  readonly numbers: readonly number[];
  /** How much it counts by how few documents have it. */
  readonly idf: number;
  /** The same, and by where it comes from. */
  readonly weight: number;
}

interface Filter {
  /** Asked of everything with a score. */
  cheap(shelf: Shelf, document: number): boolean;
  /** Asked from the best on, until there are enough. */
  readonly dear: ((place: Place) => boolean) | undefined;
}

/**
 * Best first. The same for the same documents, however they are spread over shelves.
 *
 * @param known What words became before (see `eachToken`).
 */
export function rank(
  shelves: readonly Shelf[],
  totals: Totals,
  query: KeywordQuery,
  known: Map<string, string>,
): readonly KeywordHit[] {
  if (totals.documents === 0) return [];
  const terms = termsOfQuery(query, known);
  const filter = filterOf(query);
  if (terms.size === 0) {
    const isEmpty = query.text.trim() === "" && (query.keywords ?? []).every((keyword) => keyword.trim() === "");
    return isEmpty ? newest(shelves, query.limit, filter).map(hitOf) : [];
  }
  for (const shelf of shelves) clear(shelf);
  const sought = weigh(shelves, totals, terms).slice(0, MOST_TERMS);
  // A frequent word, such as a name, finds thousands: they are passed over once there are enough with a rarer one.
  const enough = Math.max(ENOUGH, 2 * query.limit);
  const isEnough = (left: number, counted: number) =>
    // No document has more than the terms that were counted are worth.
    !filter.dear && counted > left - ROUNDING && placeIsAbove(left, shelves, enough, filter);
  addScores(shelves, totals, sought, "scores", isEnough);
  const first = pick(shelves, FEEDBACK_DOCUMENTS, filter);
  addScores(shelves, totals, feedbackOf(shelves, totals, first, terms), "fed", () => true);
  const pool = pick(shelves, Math.max(POOL, 2 * query.limit), filter);
  // What only shares words with the first hits is close to them, but nothing that was asked for.
  const asked = withLinesBeside(shelves, pool, filter).filter((one) => one.keyword > 0 || one.neighbours > 0);
  const found = sortFound(asked);
  const near = found.slice(0, Math.max(PROXIMITY_POOL, query.limit));
  addCloseness(shelves, near, sought);
  return sortFound(near).slice(0, query.limit).map(hitOf);
}

function clear(shelf: Shelf): void {
  const { scores, fed, touched, touchedCount } = shelf;
  if (touchedCount * FILL_SHARE > scores.length) {
    scores.fill(0);
    fed.fill(0);
  } else {
    for (let at = 0; at < touchedCount; at += 1) {
      scores[touched[at]!] = 0;
      fed[touched[at]!] = 0;
    }
  }
  shelf.touchedCount = 0;
}

function filterOf({ sinceMs = -Infinity, withoutTypes = [], accepts }: KeywordQuery): Filter {
  const without = withoutTypes.map(codeOf);
  return {
    cheap: ({ part, removed }, document) =>
      !removed[document] && part.times[document]! >= sinceMs && !without.includes(part.types[document]!),
    dear: accepts && (({ shelf, document }) => accepts(shelf.part.document(document))),
  };
}

/** Documents of a term that are not removed. */
function frequencyOf(shelves: readonly Shelf[], numbers: readonly number[]): number {
  let frequency = 0;
  for (let at = 0; at < shelves.length; at += 1) {
    if (numbers[at]! < 0) continue;
    const { part, removed, removedCount } = shelves[at]!;
    const { documents, from, to } = part.postingsOf(numbers[at]!);
    frequency += to - from;
    if (removedCount > 0) for (let place = from; place < to; place += 1) frequency -= removed[documents[place]!]!;
  }
  return frequency;
}

/** What terms are worth, the best first; those that no document has are left out. */
function weigh(shelves: readonly Shelf[], totals: Totals, terms: ReadonlyMap<number, number>): Sought[] {
  const sought: Sought[] = [];
  for (const [key, share] of terms) {
    const numbers = shelves.map(({ part }) => part.termOf(key));
    const frequency = frequencyOf(shelves, numbers);
    if (frequency === 0) continue;
    const idf = Math.log(1 + (totals.documents - frequency + 0.5) / (frequency + 0.5));
    sought.push({ key, numbers, idf, weight: share * idf });
  }
  return sought.sort((a, b) => b.weight - a.weight || a.key - b.key);
}

/**
 * Adds the BM25 score of each term to its documents, term by term, so that every document's sum is made in the same order.
 *
 * @param isEnough Whether, when what is left of the terms, and what was counted of them, is worth so much, documents without any term so far no longer matter.
 */
function addScores(
  shelves: readonly Shelf[],
  totals: Totals,
  sought: readonly Sought[],
  into: "scores" | "fed",
  isEnough: (left: number, counted: number) => boolean,
): void {
  const k = SATURATION;
  const whole = sought.reduce((sum, { weight }) => sum + weight, 0) * (k + 1);
  let left = whole;
  let onlyKnown = false;
  for (const { key, numbers, weight } of sought) {
    if (weight <= 0) continue;
    onlyKnown ||= isEnough(left, whole - left);
    left -= weight * (k + 1);
    const isUnspaced = isUnspacedKey(key);
    const b = isUnspaced ? LENGTH_OF_UNSPACED : LENGTH_OF_WORDS;
    const average = isUnspaced ? totals.unspaced / (totals.withUnspaced || 1) : totals.words / (totals.withWords || 1);
    const perTerm = average > 0 ? (k * b) / average : 0;
    const least = k * (1 - b);
    const gain = weight * (k + 1);
    for (let index = 0; index < shelves.length; index += 1) {
      const term = numbers[index]!;
      if (term < 0) continue;
      const shelf = shelves[index]!;
      const { part, scores, fed, touched } = shelf;
      let { touchedCount } = shelf;
      const sums = into === "fed" ? fed : scores;
      const lengths = isUnspaced ? part.unspaced : shelf.words;
      const { documents, counts, from, to } = part.postingsOf(term);
      for (let at = from; at < to; at += 1) {
        const document = documents[at]!;
        if (scores[document] === 0) {
          if (onlyKnown) continue;
          touched[touchedCount++] = document;
        }
        const count = counts[at]! / 2;
        sums[document]! += (gain * count) / (count + least + perTerm * lengths[document]!);
      }
      shelf.touchedCount = touchedCount;
    }
  }
}

/** The best documents by what they have so far, best first. */
function pick(shelves: readonly Shelf[], most: number, filter: Filter): Found[] {
  const { least, above } = filter.dear ? EVERY : leastOfBest(shelves, most, filter);
  const room = most - above;
  const found: Found[] = [];
  // Of those that are as good as the last one, which can be very many, the first.
  const equal: Found[] = [];
  // Newer ones come first among equals, and they lie behind.
  for (let index = shelves.length - 1; index >= 0; index -= 1) {
    const shelf = shelves[index]!;
    const { scores, fed, touched, touchedCount } = shelf;
    for (let at = touchedCount - 1; at >= 0; at -= 1) {
      const document = touched[at]!;
      const score = scores[document]! + fed[document]!;
      if (score < least) continue;
      const isEqual = score === least;
      if (isEqual && equal.length === room && !isNewer(shelf, document, equal[room - 1]!)) continue;
      if (!filter.cheap(shelf, document)) continue;
      const one = foundAt(shelf, document);
      if (!isEqual) found.push(one);
      else if (equal.length < room) sortFound(equal, equal.push(one) - 1);
      else {
        equal[room - 1] = one;
        sortFound(equal, room - 1);
      }
    }
  }
  found.push(...equal);
  return firstAccepted(found, most, filter);
}

const EVERY = { least: -Infinity, above: 0 };

/** The score that the last of the best documents has, `-Infinity` when there are fewer; and how many have more. */
function leastOfBest(shelves: readonly Shelf[], most: number, { cheap }: Filter): typeof EVERY {
  // A heap whose root is the least.
  const heap = new Float64Array(most);
  let count = 0;
  for (const shelf of shelves) {
    const { scores, fed, touched, touchedCount } = shelf;
    for (let at = 0; at < touchedCount; at += 1) {
      const document = touched[at]!;
      const score = scores[document]! + fed[document]!;
      if ((count === most && score <= heap[0]!) || !cheap(shelf, document)) continue;
      if (count < most) rise(heap, count++, score);
      else sink(heap, score);
    }
  }
  if (count < most) return EVERY;
  const least = heap[0]!;
  return { least, above: heap.reduce((sum, score) => (score > least ? sum + 1 : sum), 0) };
}

/** Puts a score at a new end of a heap. */
function rise(heap: Float64Array, end: number, score: number): void {
  let at = end;
  for (let above = (at - 1) >> 1; at > 0 && heap[above]! > score; above = (at - 1) >> 1) {
    heap[at] = heap[above]!;
    at = above;
  }
  heap[at] = score;
}

/** Puts a score in place of a heap's root. */
function sink(heap: Float64Array, score: number): void {
  let at = 0;
  for (let below = 1; below < heap.length; below = 2 * at + 1) {
    if (below + 1 < heap.length && heap[below + 1]! < heap[below]!) below += 1;
    if (heap[below]! >= score) break;
    heap[at] = heap[below]!;
    at = below;
  }
  heap[at] = score;
}

/** Whether at least `most` documents have a score above `least`. */
function placeIsAbove(least: number, shelves: readonly Shelf[], most: number, filter: Filter): boolean {
  let count = 0;
  for (const shelf of shelves) {
    const { scores, touched, touchedCount } = shelf;
    for (let at = 0; at < touchedCount; at += 1) {
      const document = touched[at]!;
      if (scores[document]! <= least || !filter.cheap(shelf, document)) continue;
      count += 1;
      if (count === most) return true;
    }
  }
  return false;
}

function firstAccepted(found: Found[], most: number, { dear }: Filter): Found[] {
  sortFound(found);
  if (!dear) return found.slice(0, most);
  const accepted: Found[] = [];
  for (const one of found) {
    if (accepted.length >= most) break;
    if (dear(one)) accepted.push(one);
  }
  return accepted;
}

function foundAt(shelf: Shelf, document: number): Found {
  const keyword = shelf.scores[document]!;
  const feedback = shelf.fed[document]!;
  return { shelf, document, score: keyword + feedback, keyword, feedback, neighbours: 0, proximity: 0 };
}

/**
 * Sorts in place, the best first; a few take a fraction of the time that `sort` does.
 *
 * @param from Those before it are in their order.
 */
function sortFound(found: Found[], from = 1): Found[] {
  if (found.length > FEW) return found.sort((a, b) => (isBefore(a, b) ? -1 : 1));
  for (let end = Math.max(1, from); end < found.length; end += 1) {
    const one = found[end]!;
    let at = end;
    for (; at > 0 && isBefore(one, found[at - 1]!); at -= 1) found[at] = found[at - 1]!;
    found[at] = one;
  }
  return found;
}

/** Higher scores first, then newer ones. */
function isBefore(a: Found, b: Found): boolean {
  return a.score > b.score || (a.score === b.score && isNewer(a.shelf, a.document, b));
}

function isNewer({ part }: Shelf, document: number, other: Found): boolean {
  const after = part.times[document]! - other.shelf.part.times[other.document]!;
  return after > 0 || (after === 0 && part.ids[document]! < other.shelf.part.ids[other.document]!);
}

/** Terms of the first hits that the query has not, weighted by how many of them and how few others have them. */
function feedbackOf(
  shelves: readonly Shelf[],
  totals: Totals,
  first: readonly Found[],
  terms: ReadonlyMap<number, number>,
): readonly Sought[] {
  const sums = new Map<number, number>();
  const top = first[0]?.score ?? 1;
  for (const { shelf, document, score } of first) {
    const { keys, terms: texts, starts } = shelf.part;
    const seen = new Set<number>();
    const end = Math.min(starts[document + 1]!, starts[document]! + FEEDBACK_READS);
    for (let at = starts[document]!; at < end; at += 1) seen.add(texts[at]!);
    for (const term of seen) {
      const key = keys[term]!;
      if (!terms.has(key)) sums.set(key, (sums.get(key) ?? 0) + score / top);
    }
  }
  const best = weigh(shelves, totals, sums).slice(0, FEEDBACK_TERMS);
  const most = best[0]?.weight ?? 1;
  return best.map((one) => ({ ...one, weight: (FEEDBACK * one.idf * one.weight) / most }));
}

/** Lets lines of a conversation lend each other score: an answer often stands beside the line that has the words. */
function withLinesBeside(shelves: readonly Shelf[], pool: readonly Found[], { cheap, dear }: Filter): Found[] {
  const all = [...pool];
  let known: Map<Shelf, Map<number, Found>> | undefined;
  for (const { shelf, document, keyword, feedback } of pool.slice(0, LENDERS)) {
    if (keyword === 0) continue;
    for (const line of linesBeside(shelves, { shelf, document }, GAP_MS)) {
      if (!known) {
        known = new Map(shelves.map((one) => [one, new Map<number, Found>()]));
        for (const one of pool) known.get(one.shelf)!.set(one.document, one);
      }
      let other = known.get(line.shelf)!.get(line.document);
      if (!other) {
        if (!cheap(line.shelf, line.document) || dear?.(line) === false) continue;
        other = foundAt(line.shelf, line.document);
        known.get(line.shelf)!.set(line.document, other);
        all.push(other);
      }
      const lent = lentTo(line.steps, shelf.part.asks[document] === 1) * (keyword + feedback);
      other.neighbours += lent;
      other.score += lent;
    }
  }
  return all;
}

function lentTo(steps: number, isQuestion: boolean): number {
  const share = steps > 0 ? TO_NEXT : TO_PREVIOUS;
  return share * (Math.abs(steps) > 1 ? TO_SECOND : steps > 0 && isQuestion ? AS_QUESTION : 1);
}

/** Adds to each what different terms of the query, close together in its text, are worth. */
function addCloseness(shelves: readonly Shelf[], found: readonly Found[], sought: readonly Sought[]): void {
  const weights = new Map(
    shelves.map((shelf, at) => [shelf, new Map(sought.map(({ numbers, weight }) => [numbers[at]!, weight]))]),
  );
  for (const one of found) {
    const { terms, starts } = one.shelf.part;
    const weightOfTerm = weights.get(one.shelf)!;
    const end = Math.min(starts[one.document + 1]!, starts[one.document]! + PROXIMITY_READS);
    let sum = 0;
    let lastAt = -PROXIMITY_READS;
    let lastTerm = -1;
    let lastWeight = 0;
    for (let at = starts[one.document]!; at < end; at += 1) {
      const term = terms[at]!;
      const weight = weightOfTerm.get(term);
      if (weight === undefined) continue;
      if (term !== lastTerm && at - lastAt <= PROXIMITY_REACH) sum += Math.min(weight, lastWeight) / (at - lastAt);
      lastAt = at;
      lastTerm = term;
      lastWeight = weight;
    }
    one.proximity = PROXIMITY * sum;
    one.score += one.proximity;
  }
}

function newest(shelves: readonly Shelf[], most: number, filter: Filter): Found[] {
  const all: Found[] = [];
  for (const shelf of shelves) {
    for (let document = 0; document < shelf.part.count; document += 1) {
      if (!filter.cheap(shelf, document)) continue;
      all.push({ shelf, document, score: 0, keyword: 0, feedback: 0, neighbours: 0, proximity: 0 });
    }
  }
  return firstAccepted(all, most, filter);
}

function hitOf({ shelf, document, score, keyword, neighbours, proximity, feedback }: Found): KeywordHit {
  const indexed = shelf.part.document(document);
  const signals: { -readonly [Name in keyof MemorySignals]: MemorySignals[Name] } = {};
  if (keyword > 0) signals.keyword = keyword;
  if (neighbours > 0) signals.neighbours = neighbours;
  if (proximity > 0) signals.proximity = proximity;
  if (feedback > 0) signals.feedback = feedback;
  return { id: indexed.id, score, signals, document: indexed };
}
