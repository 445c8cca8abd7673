import { distinct } from "./part.ts";
import { keyOf } from "./term-key.ts";
import { eachToken, normalise } from "./tokens.ts";

export interface DiversifyOptions<Hit> {
  /** Most that come back. */
  readonly limit: number;
  /** The words of a hit, as keys, ascending, each once. See `wordsOf`. */
  wordsOf(hit: Hit): ArrayLike<number>;
  /** 1: by score alone; 0: as different from each other as can be. Default 0.8. */
  readonly lambda?: number;
  /** How many of the first are chosen from. Default 30. */
  readonly pool?: number;
  /** Those it refuses are as if they were not there. Asked only of the ones that would be chosen. Default: all are. */
  accepts?(hit: Hit): boolean;
}

/**
 * The best hits that do not all say the same (maximal marginal relevance over the overlap of their tokens).
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
  const left = hits.slice(first, Math.max(pool, limit));
  const relevance = left.map(({ score }) => score / top);
  /** With the one of the chosen that each is most like, of as many as it was compared with. */
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
      // Its words, which take time, are looked at only while it could win.
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
    // The first one was asked for already.
    if (best === 0 || accepts?.(left[best] as Hit) !== false) chosen.push(best);
  }
  return chosen.map((at) => left[at] as Hit);
}

/** The words of a text, as `diversify` compares them. */
export function wordsOf(text: string): ArrayLike<number> {
  const keys: number[] = [];
  eachToken(normalise(text), (token, isUnspaced) => keys.push(keyOf(token, isUnspaced)));
  return distinct(Float64Array.from(keys));
}

/** Jaccard: what both have, of what either has. */
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
