import { distinct } from "./part.ts";
import { keyOf } from "./term-key.ts";
import { eachToken, normalise } from "./tokens.ts";

export interface DiversifyOptions<Hit> {
  /** Most hits to return. */
  readonly limit: number;
  /** The distinct word keys of a hit, ascending. See `wordsOf`. */
  wordsOf(hit: Hit): ArrayLike<number>;
  /** 1: by score alone; 0: as different from each other as possible. Default 0.8. */
  readonly lambda?: number;
  /** Number of hits to choose from, counted from the first that is accepted. Default 30. */
  readonly pool?: number;
  /** Whether a hit may be chosen; called only for hits that would be. Default: all may. */
  accepts?(hit: Hit): boolean;
}

/**
 * Chooses the best hits that differ from each other: maximal marginal relevance over the overlap of their tokens.
 *
 * Source: docs/recall.md, "Different things".
 *
 * @param hits Best first. Scores may be of any scale.
 */
export function diversify<Hit extends { readonly score: number }>(
  hits: readonly Hit[],
  { limit, wordsOf, lambda = 0.8, pool = 30, accepts }: DiversifyOptions<NoInfer<Hit>>,
): readonly Hit[] {
  const first = accepts ? hits.findIndex((hit) => accepts(hit)) : 0;
  if (first < 0) return [];
  const top = hits[first]?.score || 1;
  const left = hits.slice(first, first + Math.max(pool, limit));
  const relevance = left.map(({ score }) => score / top);
  /** Highest overlap of each hit with a chosen one, over the first `compared` chosen ones. */
  const overlap = new Float64Array(left.length);
  const compared = new Uint32Array(left.length);
  const isTaken = new Uint8Array(left.length);
  const known: ArrayLike<number>[] = [];
  const words = (at: number) => (known[at] ??= wordsOf(left[at] as Hit));
  const chosen: number[] = [];
  for (let rest = left.length; chosen.length < limit && rest > 0; rest -= 1) {
    let best = -1;
    let most = -Infinity;
    for (let at = 0; at < left.length; at += 1) {
      if (isTaken[at] === 1) continue;
      let worth = lambda * relevance[at]! - (1 - lambda) * overlap[at]!;
      // Reading words takes time, so overlaps are computed only while the hit could still win.
      for (; worth > most && compared[at]! < chosen.length; compared[at]! += 1) {
        overlap[at] = Math.max(overlap[at]!, overlapOf(words(chosen[compared[at]!]!), words(at)));
        worth = lambda * relevance[at]! - (1 - lambda) * overlap[at]!;
      }
      if (worth <= most) continue;
      best = at;
      most = worth;
    }
    if (best < 0) break;
    isTaken[best] = 1;
    // `accepts` was already called for the first hit.
    if (best === 0 || accepts?.(left[best] as Hit) !== false) chosen.push(best);
  }
  return chosen.map((at) => left[at] as Hit);
}

/** The words of a text as `diversify` compares them: distinct keys, ascending. */
export function wordsOf(text: string): ArrayLike<number> {
  const keys: number[] = [];
  eachToken(normalise(text), (token, isUnspaced) => keys.push(keyOf(token, isUnspaced)));
  return distinct(Float64Array.from(keys));
}

/** Jaccard similarity: shared words over all words of both. */
function overlapOf(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let shared = 0;
  for (let at = 0, beside = 0; at < one.length && beside < other.length;) {
    const difference = one[at]! - other[beside]!;
    if (difference === 0) shared += 1;
    if (difference <= 0) at += 1;
    if (difference >= 0) beside += 1;
  }
  return shared === 0 ? 0 : shared / (one.length + other.length - shared);
}
