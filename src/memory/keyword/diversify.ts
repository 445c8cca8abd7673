import { tokensOf as tokensOfText } from "./tokens.ts";

export interface DiversifyOptions<Hit> {
  /** Most that come back. */
  readonly limit: number;
  textOf(hit: Hit): string;
  /** 1: by score alone; 0: as different from each other as can be. Default 0.8. */
  readonly lambda?: number;
  /** How many of the first are chosen from. Default 30. */
  readonly pool?: number;
  /** Those it refuses are as if they were not there. Asked only of the ones that would be chosen. Default: all are. */
  accepts?(hit: Hit): boolean;
  /** The tokens of a text. Default: `tokensOf`, which remembers nothing. */
  tokensOf?(text: string): ReadonlySet<string>;
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
  { limit, textOf, lambda = 0.8, pool = 30, accepts, tokensOf = setOf }: DiversifyOptions<NoInfer<Hit>>,
): readonly Hit[] {
  const first = accepts ? hits.findIndex((hit) => accepts(hit)) : 0;
  if (first < 0) return [];
  const top = hits[first]?.score || 1;
  const left = hits
    .slice(first, Math.max(pool, limit))
    .map((hit): Candidate<Hit> => ({ hit, relevance: hit.score / top, overlap: 0, compared: 0 }));
  const wordsOf = (one: Candidate<Hit>) => (one.tokens ??= tokensOf(textOf(one.hit)));
  const chosen: Candidate<Hit>[] = [];
  while (chosen.length < limit && left.length > 0) {
    let best = 0;
    let most = -Infinity;
    left.forEach((one, at) => {
      let worth = lambda * one.relevance - (1 - lambda) * one.overlap;
      // Its words, which take time, are looked at only while it could win.
      for (; worth > most && one.compared < chosen.length; one.compared += 1) {
        one.overlap = Math.max(one.overlap, overlapOf(wordsOf(chosen[one.compared]!), wordsOf(one)));
        worth = lambda * one.relevance - (1 - lambda) * one.overlap;
      }
      if (worth > most) [best, most] = [at, worth];
    });
    for (const winner of left.splice(best, 1)) if (accepts?.(winner.hit) !== false) chosen.push(winner);
  }
  return chosen.map(({ hit }) => hit);
}

const setOf = (text: string): ReadonlySet<string> => new Set(tokensOfText(text));

interface Candidate<Hit> {
  readonly hit: Hit;
  readonly relevance: number;
  tokens?: ReadonlySet<string>;
  /** With the one of the chosen that it is most like, of as many as it was compared with. */
  overlap: number;
  compared: number;
}

/** Jaccard: what both have, of what either has. */
function overlapOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const token of one) if (other.has(token)) shared += 1;
  return shared === 0 ? 0 : shared / (one.size + other.size - shared);
}
