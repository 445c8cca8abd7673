import { DEFAULT_FUSION, DEFAULT_RRF_K } from "./defaults.ts";

/**
 * `scores`: scales both scores to 0 to 1, then adds keyword + `alpha` × semantic.
 * `rrf`: reciprocal ranks, (1 − `alpha`) / (`k` + keyword rank) + `alpha` / (`k` + semantic rank).
 */
export type FusionMethod = "scores" | "rrf";

/** Options of `fuse`. */
export interface FusionOptions {
  /** Default `scores`. */
  readonly method?: FusionMethod | undefined;
  /**
   * Weight of the semantic side. `scores`: against a keyword side of 1, 0 and up, default 0.3. `rrf`: a share from 0
   * (keyword alone) to 1, default 0.6.
   */
  readonly alpha?: number | undefined;
  /** Constant of `rrf`: the larger, the less the first places count. Default 60. */
  readonly k?: number | undefined;
  /** Most hits. Default all. */
  readonly limit?: number | undefined;
}

/** A hit of one side. Hits may be in any order: the score decides. */
export interface FusibleHit {
  /** The same id on both sides is the same hit. */
  readonly id: string;
  /** Higher is better. */
  readonly score: number;
  /** Copied to the fused hit. */
  readonly signals?: FusedSignals | undefined;
}

/** Scores of both sides. Absent: that side did not find the hit. */
export interface FusedSignals {
  /** The keyword side's own score. */
  readonly keyword?: number;
  /** The semantic side's own score. */
  readonly semantic?: number;
}

/**
 * A fused hit, with its fused score and both sides' own scores. If both sides found it, the other fields are the
 * keyword side's.
 */
export type FusedHit<Hit extends FusibleHit> = Omit<Hit, "score" | "signals"> & {
  /** The id of the hit. */
  readonly id: string;
  /** The fused score: higher is better, comparable within one fusion only. */
  readonly score: number;
  /** The scores of both sides, and other signals of a side. */
  readonly signals: NonNullable<Hit["signals"]> & FusedSignals;
};

export const DEFAULT_ALPHA: Readonly<Record<FusionMethod, number>> = { scores: 0.3, rrf: 0.6 };

/**
 * Joins the hits of a keyword search and of a vector search into one list, best first. Pure: the result does not depend
 * on the order of the hits.
 *
 * `scores` scales each side to 0 to 1 between its least and its greatest score. The least keyword score is taken as 0
 * unless one is below: an entry without any of the words has 0, so the last of a short list still counts. If all scores
 * are equal, each is 1. A score that is not finite counts as the side's least. Ties of fused scores are broken by
 * keyword score, then semantic score, then id. If one side has an id twice, the best hit counts.
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

/** Orders ascending; an absent score or NaN is the least. */
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

/** Sorts best first and keeps each id once. */
function rank<Hit extends FusibleHit>(hits: readonly Hit[]): readonly Hit[] {
  const sorted = [...hits].sort((a, b) => compare(b.score, a.score) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const seen = new Set<string>();
  return sorted.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Scales scores to 0 to `weight`. `atMost`: upper limit of the score that maps to 0. */
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
