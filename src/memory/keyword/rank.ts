import { datesOfQuery } from "./dates.ts";
import { type Place, type Shelf, type Totals, linesBeside } from "./shelf.ts";
import { codeOf, isUnspacedKey, keyOf } from "./term-key.ts";
import { eachToken, normalise } from "./tokens.ts";
import type { KeywordHit, KeywordQuery } from "./types.ts";

// How documents are ranked: BM25, then what words of the best ones find (feedback), then what lines beside a hit lend it, then words that stand close together.
// The figures were tuned; docs/recall.md says on what.

export const TUNING = {
  saturation: 1.2,
  /** How much a long text counts less, for scripts with spaces and without. */
  lengthOfWords: 0.3,
  lengthOfUnspaced: 0.75,
  dates: 1,
  feedback: 0.2,
  feedbackDocuments: 5,
  feedbackTerms: 8,
  neighbours: 0.4,
  gapMs: 10 * 60_000,
  pool: 100,
  proximity: 0.3,
  proximityPool: 50,
  proximityReach: 5,
};

interface Found extends Place {
  score: number;
  readonly keyword: number;
  readonly feedback: number;
  neighbours: number;
  proximity: number;
}

/** Best first. The same for the same documents, however they are spread over shelves. */
export function rank(shelves: readonly Shelf[], totals: Totals, query: KeywordQuery): readonly KeywordHit[] {
  const terms = termsOfQuery(query);
  const passes = filterOf(query);
  if (terms.size === 0) {
    const isEmpty = query.text.trim() === "" && (query.keywords ?? []).every((keyword) => keyword.trim() === "");
    return isEmpty ? newest(shelves, query.limit, passes).map(hitOf) : [];
  }
  for (const shelf of shelves) {
    if (shelf.scores.length < shelf.part.count) {
      shelf.scores = new Float64Array(shelf.part.count);
      shelf.fed = new Float64Array(shelf.part.count);
    } else {
      shelf.scores.fill(0);
      shelf.fed.fill(0);
    }
  }
  const idfs = new Map<number, number>();
  addScores(shelves, totals, terms, "scores", idfs);
  const first = pick(shelves, TUNING.feedbackDocuments, passes);
  addScores(shelves, totals, feedbackTerms(shelves, totals, first, terms), "fed", new Map());

  const found = withLinesBeside(shelves, pick(shelves, Math.max(TUNING.pool, 2 * query.limit), passes), passes);
  found.sort(compareFound);
  const near = found.slice(0, Math.max(TUNING.proximityPool, query.limit));
  for (const one of near) {
    one.proximity = TUNING.proximity * closeness(one, idfs);
    one.score += one.proximity;
  }
  return near.sort(compareFound).slice(0, query.limit).map(hitOf);
}

function termsOfQuery({ text, keywords = [], nowMs }: KeywordQuery): Map<number, number> {
  const terms = new Map<number, number>();
  for (const words of [text, ...keywords]) {
    eachToken(normalise(words), (token, isUnspaced) => void terms.set(keyOf(token, isUnspaced), 1));
    for (const word of datesOfQuery(words, nowMs)) terms.set(keyOf(word), TUNING.dates);
  }
  return terms;
}

type Filter = (place: Place) => boolean;

function filterOf({ sinceMs = -Infinity, withoutTypes = [], accepts }: KeywordQuery): {
  readonly cheap: Filter;
  readonly dear?: Filter;
} {
  const without = new Set(withoutTypes.map(codeOf));
  const cheap: Filter = ({ shelf: { part, removed }, document }) =>
    !removed.has(document) && part.times[document]! >= sinceMs && !without.has(part.types[document]!);
  return accepts ? { cheap, dear: ({ shelf, document }) => accepts(shelf.part.document(document)) } : { cheap };
}

/** Documents of a term that are not removed. */
function frequencyOf(shelves: readonly Shelf[], key: number): number {
  let frequency = 0;
  for (const { part, removed } of shelves) {
    const term = part.termOf(key);
    if (term < 0) continue;
    const { documents, from, to } = part.postingsOf(term);
    frequency += to - from;
    if (removed.size > 0) for (let at = from; at < to; at += 1) if (removed.has(documents[at]!)) frequency -= 1;
  }
  return frequency;
}

const idfOf = (frequency: number, documents: number) => Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));

/** Adds the BM25 score of each term to its documents, term by term, so that every document's sum is made in the same order. */
function addScores(
  shelves: readonly Shelf[],
  totals: Totals,
  terms: ReadonlyMap<number, number>,
  into: "scores" | "fed",
  idfs: Map<number, number>,
): void {
  const k = TUNING.saturation;
  for (const [key, weight] of terms) {
    const frequency = frequencyOf(shelves, key);
    if (frequency === 0) continue;
    const idf = idfOf(frequency, totals.documents);
    idfs.set(key, idf);
    const isUnspaced = isUnspacedKey(key);
    const b = isUnspaced ? TUNING.lengthOfUnspaced : TUNING.lengthOfWords;
    const average = isUnspaced ? totals.unspaced / (totals.withUnspaced || 1) : totals.words / (totals.withWords || 1);
    const factor = average > 0 ? (k * b) / average : 0;
    const base = k * (1 - b);
    const gain = weight * idf * (k + 1);
    for (const shelf of shelves) {
      const { part } = shelf;
      const scores = shelf[into];
      const term = part.termOf(key);
      if (term < 0) continue;
      const { documents, counts, from, to } = part.postingsOf(term);
      const { starts, unspaced } = part;
      for (let at = from; at < to; at += 1) {
        const document = documents[at]!;
        const characters = unspaced[document]!;
        const length = isUnspaced ? characters : starts[document + 1]! - starts[document]! - characters;
        const count = counts[at]! / 2;
        scores[document]! += (gain * count) / (count + base + factor * length);
      }
    }
  }
}

/** The best documents by what they have so far. */
function pick(
  shelves: readonly Shelf[],
  most: number,
  { cheap, dear }: { readonly cheap: Filter; readonly dear?: Filter },
): Found[] {
  const best: Found[] = [];
  const keep = dear ? Infinity : most;
  let least = 0;
  for (const shelf of shelves) {
    const { scores, fed, part } = shelf;
    for (let document = 0; document < part.count; document += 1) {
      const score = scores[document]! + fed[document]!;
      if (score <= 0 || score < least) continue;
      const place = { shelf, document };
      if (!cheap(place)) continue;
      const found = foundAt(place);
      if (keep === Infinity) best.push(found);
      else {
        insert(best, found);
        if (best.length > keep) best.pop();
        if (best.length === keep) least = best.at(-1)!.score;
      }
    }
  }
  if (!dear) return best;
  best.sort(compareFound);
  const accepted: Found[] = [];
  for (const found of best) {
    if (accepted.length >= most) break;
    if (dear(found)) accepted.push(found);
  }
  return accepted;
}

function insert(best: Found[], found: Found): void {
  let low = 0;
  let high = best.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareFound(best[middle]!, found) < 0) low = middle + 1;
    else high = middle;
  }
  best.splice(low, 0, found);
}

function foundAt({ shelf, document }: Place): Found {
  const keyword = shelf.scores[document]!;
  const feedback = shelf.fed[document]!;
  return { shelf, document, score: keyword + feedback, keyword, feedback, neighbours: 0, proximity: 0 };
}

/** Higher scores first, then newer ones. */
function compareFound(a: Found, b: Found): number {
  return (
    b.score - a.score ||
    b.shelf.part.times[b.document]! - a.shelf.part.times[a.document]! ||
    a.shelf.part.ids[a.document]! - b.shelf.part.ids[b.document]!
  );
}

/** Terms that the first hits share and the query has not, weighted. */
function feedbackTerms(
  shelves: readonly Shelf[],
  totals: Totals,
  first: readonly Found[],
  terms: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  const top = first[0]?.score ?? 1;
  for (const { shelf, document, score } of first) {
    const { part } = shelf;
    const seen = new Set<number>();
    for (let at = part.starts[document]!; at < part.starts[document + 1]!; at += 1) {
      const key = part.keys[part.terms[at]!]!;
      if (terms.has(key) || seen.has(key)) continue;
      seen.add(key);
      sums.set(key, (sums.get(key) ?? 0) + score / top);
    }
  }
  const weighed = Array.from(sums, ([key, sum]) => ({
    key,
    weight: sum * idfOf(frequencyOf(shelves, key), totals.documents),
  }));
  weighed.sort((a, b) => b.weight - a.weight || a.key - b.key);
  const most = weighed[0]?.weight ?? 1;
  return new Map(
    weighed.slice(0, TUNING.feedbackTerms).map(({ key, weight }) => [key, (TUNING.feedback * weight) / most]),
  );
}

/** Lets lines of a conversation lend each other score: the answer often lies beside the line that has the words. */
function withLinesBeside(
  shelves: readonly Shelf[],
  pool: readonly Found[],
  { cheap, dear }: { readonly cheap: Filter; readonly dear?: Filter },
): Found[] {
  const found = new Map<Shelf, Map<number, Found>>(shelves.map((shelf) => [shelf, new Map<number, Found>()]));
  for (const one of pool) found.get(one.shelf)!.set(one.document, one);
  const beside = (place: Place) => {
    const before = linesBeside(shelves, place, -1, 2, TUNING.gapMs);
    const after = linesBeside(shelves, place, 1, 2, TUNING.gapMs);
    const speakers = [place, ...before, ...after].map(({ shelf, document }) => shelf.part.speakers[document]!);
    const different = new Set(speakers).size;
    if (different < 2 || different === speakers.length) return [];
    return [...before.slice(0, 1), ...after.slice(0, 1)];
  };
  const all = [...pool];
  for (const one of pool) {
    if (one.shelf.part.chains[one.document] === 0) continue;
    for (const line of beside(one)) {
      const known = found.get(line.shelf)!;
      if (known.has(line.document) || !cheap(line) || dear?.(line) === false) continue;
      const other = foundAt(line);
      known.set(line.document, other);
      all.push(other);
    }
  }
  for (const one of all) {
    if (one.shelf.part.chains[one.document] === 0) continue;
    for (const { shelf, document } of beside(one)) {
      one.neighbours += TUNING.neighbours * (shelf.scores[document]! + shelf.fed[document]!);
    }
    one.score += one.neighbours;
  }
  return all;
}

/** How close different terms of the query stand together in a text, by their weight. */
function closeness({ shelf: { part }, document }: Found, idfs: ReadonlyMap<number, number>): number {
  let sum = 0;
  let lastAt = -Infinity;
  let lastKey = 0;
  let lastIdf = 0;
  const start = part.starts[document]!;
  const end = part.starts[document + 1]!;
  for (let at = start; at < end; at += 1) {
    const key = part.keys[part.terms[at]!]!;
    const idf = idfs.get(key);
    if (idf === undefined) continue;
    if (key !== lastKey && at - lastAt <= TUNING.proximityReach) sum += Math.min(idf, lastIdf) / (at - lastAt);
    lastAt = at;
    lastKey = key;
    lastIdf = idf;
  }
  return sum;
}

function newest(
  shelves: readonly Shelf[],
  most: number,
  { cheap, dear }: { readonly cheap: Filter; readonly dear?: Filter },
): Found[] {
  const all: Found[] = [];
  for (const shelf of shelves) {
    for (let document = 0; document < shelf.part.count; document += 1) {
      const place = { shelf, document };
      if (cheap(place)) all.push({ ...place, score: 0, keyword: 0, feedback: 0, neighbours: 0, proximity: 0 });
    }
  }
  all.sort(compareFound);
  const found: Found[] = [];
  for (const one of all) {
    if (found.length >= most) break;
    if (!dear || dear(one)) found.push(one);
  }
  return found;
}

function hitOf({ shelf, document, score, keyword, neighbours, proximity, feedback }: Found): KeywordHit {
  const indexed = shelf.part.document(document);
  return {
    id: indexed.id,
    score,
    signals: {
      ...(keyword > 0 && { keyword }),
      ...(neighbours > 0 && { neighbours }),
      ...(proximity > 0 && { proximity }),
      ...(feedback > 0 && { feedback }),
    },
    document: indexed,
  };
}
