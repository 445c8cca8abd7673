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
  const left = hits
    .slice(first, Math.max(pool, limit))
    .map((hit): Candidate<Hit> => ({ hit, relevance: hit.score / top, overlap: 0, compared: 0 }));
  const words = (one: Candidate<Hit>) => (one.words ??= wordsOf(one.hit));
  const chosen: Candidate<Hit>[] = [];
  while (chosen.length < limit && left.length > 0) {
    let best = 0;
    let most = -Infinity;
    for (let at = 0; at < left.length; at += 1) {
      const one = left[at] as Candidate<Hit>;
      let worth = lambda * one.relevance - (1 - lambda) * one.overlap;
      // Its words, which take time, are looked at only while it could win.
      for (; worth > most && one.compared < chosen.length; one.compared += 1) {
        one.overlap = Math.max(one.overlap, overlapOf(words(chosen[one.compared]!), words(one)));
        worth = lambda * one.relevance - (1 - lambda) * one.overlap;
      }
      if (worth <= most) continue;
      best = at;
      most = worth;
    }
    for (const winner of left.splice(best, 1)) if (accepts?.(winner.hit) !== false) chosen.push(winner);
  }
  return chosen.map(({ hit }) => hit);
}

/** The words of a text, as `diversify` compares them. */
export function wordsOf(text: string): ArrayLike<number> {
  const keys: number[] = [];
  eachToken(normalise(text), (token, isUnspaced) => keys.push(keyOf(token, isUnspaced)));
  return distinct(Float64Array.from(keys));
}

interface Candidate<Hit> {
  readonly hit: Hit;
  readonly relevance: number;
  words?: ArrayLike<number>;
  /** With the one of the chosen that it is most like, of as many as it was compared with. */
  overlap: number;
  compared: number;
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
