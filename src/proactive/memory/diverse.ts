import { type RecalledMemory, jaccard, tokensOf } from "../../memory/index.ts";

/** How much fitting counts against being unlike what is chosen. */
const FITTING = 0.8;
/** Lines of MEMORY.md and of digests take so much of the places at most. */
const SHARE_OF_LINES = 0.4;

/**
 * The memories that fit best and say different things (maximal marginal relevance): the lines of files first, as recall has them, then entries.
 *
 * Source: Carbonell and Goldstein, "The use of MMR" (SIGIR 1998).
 */
export function diverse(found: readonly RecalledMemory[], limit: number): readonly RecalledMemory[] {
  if (found.length <= 1) return found.slice(0, limit);
  const isLine = ({ layer }: RecalledMemory) => layer === "long_term" || layer === "daily";
  const chosen = found.filter(isLine).slice(0, Math.max(1, Math.floor(limit * SHARE_OF_LINES)));
  const entries = found.filter((memory) => !isLine(memory));
  const scores = entries.map(({ score }) => score);
  const [least, best] = [Math.min(...scores), Math.max(...scores)];
  const left = entries.map((memory) => ({
    memory,
    fits: best === least ? 1 : (memory.score - least) / (best - least),
    tokens: new Set(tokensOf(memory.entry.content)),
    nearest: 0,
  }));
  for (const { entry } of chosen) compare(left, new Set(tokensOf(entry.content)));
  while (chosen.length < limit && left.length > 0) {
    const value = (at: number) => FITTING * left[at]!.fits - (1 - FITTING) * left[at]!.nearest;
    let next = 0;
    for (let at = 1; at < left.length; at += 1) if (value(at) > value(next)) next = at;
    const [taken] = left.splice(next, 1);
    chosen.push(taken!.memory);
    compare(left, taken!.tokens);
  }
  return chosen;
}

function compare(
  left: readonly { readonly tokens: ReadonlySet<string>; nearest: number }[],
  tokens: ReadonlySet<string>,
): void {
  for (const one of left) one.nearest = Math.max(one.nearest, jaccard(one.tokens, tokens));
}
