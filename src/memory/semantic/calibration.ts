import type { VectorSet } from "./vector-set.ts";

/** Distribution of the similarities of unrelated entries: each embedding model has its own scale. */
export interface Calibration {
  /** Number of vectors at that time. */
  readonly vectors: number;
  /** Number of compared pairs. */
  readonly pairs: number;
  readonly mean: number;
  readonly deviation: number;
  /** A similarity that one pair in 10,000 exceeds; absent while too few pairs are known. */
  readonly duplicate?: number;
}

/** Fewest vectors that tell anything. */
const MIN_VECTORS = 8;
const MAX_PAIRS = 20_000;
const MIN_PAIRS_FOR_DUPLICATES = 1000;
const DUPLICATE_SHARE = 1 / 10_000;
/** Deviations above which a normal distribution has that share: a few thousand pairs cannot show it. */
const DUPLICATE_DEVIATIONS = 3.719;
/**
 * Highest duplicate threshold: above it two texts are the same on any scale. A store full of duplicates would push the
 * threshold there.
 */
const MAX_DUPLICATE = 0.98;
/** Deviations above the mean of unrelated pairs from which a similarity means anything. */
const SIMILAR_DEVIATIONS = 2;
const MAX_MIN_SIMILARITY = 0.95;
const STRONG_DEVIATIONS = 4;
const MIN_DEVIATION = 0.001;
/** Least similarity while the model's scale is unknown. */
const FIRST_MIN_SIMILARITY = 0.5;

/** Compares random pairs of the stored vectors; the same vectors give the same pairs. `undefined` with fewer than 8. */
export function calibrate(set: VectorSet): Calibration | undefined {
  const ids = [...set.ids()];
  if (ids.length < MIN_VECTORS) return undefined;
  const similarities = ids.length ** 2 / 2 <= MAX_PAIRS ? allPairs(set, ids) : randomPairs(set, ids);
  const mean = similarities.reduce((sum, one) => sum + one, 0) / similarities.length;
  const variance = similarities.reduce((sum, one) => sum + (one - mean) ** 2, 0) / similarities.length;
  const deviation = Math.sqrt(variance);
  const calibration = { vectors: ids.length, pairs: similarities.length, mean, deviation };
  if (similarities.length < MIN_PAIRS_FOR_DUPLICATES) return calibration;
  const observed = similarities.sort((a, b) => b - a)[Math.floor(similarities.length * DUPLICATE_SHARE)] ?? 1;
  const expected = mean + DUPLICATE_DEVIATIONS * deviation;
  return { ...calibration, duplicate: Math.min(MAX_DUPLICATE, Math.max(observed, expected)) };
}

/** Least similarity that means anything. */
export function minSimilarityOf(calibration: Calibration | undefined): number {
  if (calibration === undefined) return FIRST_MIN_SIMILARITY;
  return Math.min(MAX_MIN_SIMILARITY, calibration.mean + SIMILAR_DEVIATIONS * calibration.deviation);
}

/** How far a similarity is above the mean of unrelated pairs, in standard deviations; `undefined` while too few pairs are known. */
export function deviationsOf(calibration: Calibration | undefined, similarity: number): number | undefined {
  if (calibration === undefined || calibration.deviation < MIN_DEVIATION) return undefined;
  return (similarity - calibration.mean) / calibration.deviation;
}

/**
 * Similarity above which a match cannot be chance: it counts even before the model has shown that it helps. `undefined`
 * while too few pairs are known, or when all vectors are alike.
 */
export function strongSimilarityOf(calibration: Calibration | undefined): number | undefined {
  if (calibration === undefined || calibration.deviation < MIN_DEVIATION) return undefined;
  return calibration.mean + STRONG_DEVIATIONS * calibration.deviation;
}

/** Whether a result is outdated: the number of vectors has doubled or halved. */
export function isOutdated(known: number | undefined, vectors: number): boolean {
  return known === undefined || vectors >= known * 2 || vectors * 2 < known;
}

function allPairs(set: VectorSet, ids: readonly string[]): number[] {
  const found: number[] = [];
  for (const [place, id] of ids.entries())
    for (const other of ids.slice(place + 1)) found.push(set.between(id, other) ?? 0);
  return found;
}

function randomPairs(set: VectorSet, ids: readonly string[]): number[] {
  const random = randomNumbers(ids.length);
  const pick = () => Math.floor(random() * ids.length);
  const found: number[] = [];
  while (found.length < MAX_PAIRS) {
    const [first, second] = [ids[pick()] ?? "", ids[pick()] ?? ""];
    if (first !== second) found.push(set.between(first, second) ?? 0);
  }
  return found;
}

/** Pseudo-random numbers from 0 to 1, reproducible by seed: a linear congruential generator (Numerical Recipes, 7.1). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
