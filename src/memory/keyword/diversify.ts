import { tokensOf } from "./tokens.ts";

export interface DiversifyOptions<Hit> {
  /** Most that come back. */
  readonly limit: number;
  textOf(hit: Hit): string;
  /** 1: by score alone; 0: as different from each other as can be. Default 0.8. */
  readonly lambda?: number;
  /** How many of the first are chosen from. Default 30. */
  readonly pool?: number;
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
  { limit, textOf, lambda = 0.8, pool = 30 }: DiversifyOptions<NoInfer<Hit>>,
): readonly Hit[] {
  const top = hits[0]?.score || 1;
  const left = hits.slice(0, Math.max(pool, limit)).map((hit) => {
    return { hit, tokens: new Set(tokensOf(textOf(hit))), relevance: hit.score / top, overlap: 0 };
  });
  const chosen: Hit[] = [];
  while (chosen.length < limit && left.length > 0) {
    let best = 0;
    let most = -Infinity;
    left.forEach(({ relevance, overlap }, at) => {
      const worth = lambda * relevance - (1 - lambda) * overlap;
      if (worth > most) [best, most] = [at, worth];
    });
    const [next] = left.splice(best, 1);
    chosen.push(next!.hit);
    for (const other of left) other.overlap = Math.max(other.overlap, overlapOf(next!.tokens, other.tokens));
  }
  return chosen;
}

/** Jaccard: what both have, of what either has. */
function overlapOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const token of one) if (other.has(token)) shared += 1;
  return shared === 0 ? 0 : shared / (one.size + other.size - shared);
}
