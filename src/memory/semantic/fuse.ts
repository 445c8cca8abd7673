import { DEFAULT_FUSION, DEFAULT_RRF_K } from "./defaults.ts";

/**
 * `scores`: both scores on one scale from 0 to 1, then keyword + `alpha` × semantic.
 * `rrf`: reciprocal ranks, (1 − `alpha`) / (`k` + keyword rank) + `alpha` / (`k` + semantic rank).
 */
export type FusionMethod = "scores" | "rrf";

/** Options of `fuse`. */
export interface FusionOptions {
  /** Default `scores`. */
  readonly method?: FusionMethod | undefined;
  /** How much the semantic side counts. `scores`: beside a keyword side of 1, 0 and up, default 0.3. `rrf`: a share from 0 (keyword alone) to 1, default 0.6. */
  readonly alpha?: number | undefined;
  /** For `rrf`: the larger, the less the first places count. Default 60. */
  readonly k?: number | undefined;
  /** Most hits. Default all. */
  readonly limit?: number | undefined;
}

/** What a way of searching found. Best first, or in any order: the score decides. */
export interface FusibleHit {
  /** The same id on both sides is the same hit. */
  readonly id: string;
  /** Higher is better. */
  readonly score: number;
  /** Carried over to the fused hit. */
  readonly signals?: FusedSignals | undefined;
}

/** What each side said of a hit. Absent: that side did not find it. */
export interface FusedSignals {
  /** The score of the keyword side, as it gave it. */
  readonly keyword?: number;
  /** The score of the semantic side, as it gave it. */
  readonly semantic?: number;
}

/** A hit of either side, with the fused score and both sides' own. Of a hit that both found, the other fields are the keyword side's. */
export type FusedHit<Hit extends FusibleHit> = Omit<Hit, "score" | "signals"> & {
  /** The id that both sides gave. */
  readonly id: string;
  /** The fused score: higher is better, comparable within one fusion only. */
  readonly score: number;
  /** The scores of both sides, and what else a side said. */
  readonly signals: NonNullable<Hit["signals"]> & FusedSignals;
};

export const DEFAULT_ALPHA: Readonly<Record<FusionMethod, number>> = { scores: 0.3, rrf: 0.6 };

/**
 * Joins what a keyword search and a vector search found into one list, best first. Pure: the same hits give the same list, in whatever order they come.
 *
 * `scores` puts each side on 0 to 1 between its least and its greatest score. The least of a keyword score is 0 unless one is below it: that is what an entry
 * without any of the words has, so the last of a short list still counts. Scores that are all equal are 1 each. A score that is no finite number counts as the
 * side's least. Equal fused scores are settled by keyword score, then semantic score, then id. Of hits with one id on one side, the best counts.
 *
 * Which method is better was measured: docs/recall.md, "Two ways to join".
 *
 * @throws {RangeError} If `alpha`, `k` or `limit` is out of its range.
 */
export function fuse<Hit extends FusibleHit>(
  keywordHits: readonly Hit[],
  vectorHits: readonly Hit[],
  options: FusionOptions = {},
): FusedHit<Hit>[] {
  const { method = DEFAULT_FUSION, k = DEFAULT_RRF_K, limit = Infinity } = options;
  const { alpha = DEFAULT_ALPHA[method] } = options;
  checkRange(method, alpha, k, limit);

  const keyword = rank(keywordHits);
  const semantic = rank(vectorHits);
  const keywordPart = method === "scores" ? scaled(keyword, 0) : reciprocal(keyword.length, 1 - alpha, k);
  const semanticPart = method === "scores" ? scaled(semantic, Infinity, alpha) : reciprocal(semantic.length, alpha, k);

  const fused = new Map<string, Fusing<Hit>>();
  for (const [place, hit] of keyword.entries())
    fused.set(hit.id, { hit, score: keywordPart(place), keyword: hit.score, semantic: undefined });
  for (const [place, hit] of semantic.entries()) {
    const known = fused.get(hit.id);
    if (known === undefined) {
      fused.set(hit.id, { hit, score: semanticPart(place), keyword: undefined, semantic: hit.score });
    } else {
      known.score += semanticPart(place);
      known.semantic = hit.score;
    }
  }
  return [...fused.values()].sort(better).slice(0, limit).map(toHit);
}

interface Fusing<Hit> {
  readonly hit: Hit;
  score: number;
  readonly keyword: number | undefined;
  semantic: number | undefined;
}

function better<Hit extends FusibleHit>(a: Fusing<Hit>, b: Fusing<Hit>): number {
  return (
    b.score - a.score ||
    compare(b.keyword, a.keyword) ||
    compare(b.semantic, a.semantic) ||
    (a.hit.id < b.hit.id ? -1 : 1)
  );
}

/** Ascending; what is absent or no number is the least. */
function compare(a: number | undefined, b: number | undefined): number {
  const [left, right] = [orderable(a), orderable(b)];
  return left === right ? 0 : left < right ? -1 : 1;
}

const orderable = (score: number | undefined): number =>
  score === undefined || Number.isNaN(score) ? -Infinity : score;

function toHit<Hit extends FusibleHit>({ hit, score, keyword, semantic }: Fusing<Hit>): FusedHit<Hit> {
  const signals = {
    ...hit.signals,
    ...(keyword === undefined ? {} : { keyword: hit.signals?.keyword ?? keyword }),
    ...(semantic === undefined ? {} : { semantic }),
  };
  return { ...hit, score, signals };
}

/** Best first, each id once. */
function rank<Hit extends FusibleHit>(hits: readonly Hit[]): readonly Hit[] {
  const sorted = [...hits].sort((a, b) => compare(b.score, a.score) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const seen = new Set<string>();
  return sorted.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** The scores from 0 to `weight`. `atMost`: the least that is reckoned with is never above it. */
function scaled(hits: readonly FusibleHit[], atMost: number, weight = 1): (place: number) => number {
  const finite = hits.map(({ score }) => score).filter(Number.isFinite);
  const most = Math.max(...finite);
  const least = Math.min(atMost, ...finite);
  return (place) => {
    const score = hits[place]?.score ?? Number.NaN;
    if (score === Infinity) return weight;
    if (!Number.isFinite(score)) return finite.length === 0 ? weight : 0;
    return most === least ? weight : (weight * (score - least)) / (most - least);
  };
}

function reciprocal(count: number, weight: number, k: number): (place: number) => number {
  return (place) => (place < count ? weight / (k + place + 1) : 0);
}

function checkRange(method: FusionMethod, alpha: number, k: number, limit: number): void {
  const most = method === "rrf" ? 1 : Infinity;
  if (!(alpha >= 0 && alpha <= most && Number.isFinite(alpha)))
    throw new RangeError(
      `Cannot fuse as alpha must be 0 or more${method === "rrf" ? ", and at most 1" : ""}: current value is ${alpha}`,
    );
  if (!(k >= 0 && Number.isFinite(k)))
    throw new RangeError(`Cannot fuse as k must be 0 or more: current value is ${k}`);
  if (!(limit >= 0)) throw new RangeError(`Cannot fuse as limit must be 0 or more: current value is ${limit}`);
}
