import { type RecalledMemory, diversify } from "../../memory/index.ts";

/** Lines of MEMORY.md and of digests take so much of the places at most. */
const SHARE_OF_LINES = 0.4;
/** How much fitting counts against being unlike what is chosen. */
const LAMBDA = 0.8;

/** The memories that fit best and say different things: the lines of files first, as recall has them, then entries. */
export function diverse(found: readonly RecalledMemory[], limit: number): readonly RecalledMemory[] {
  const isLine = ({ layer }: RecalledMemory) => layer === "long_term" || layer === "daily";
  const lines = found.filter(isLine).slice(0, Math.max(1, Math.floor(limit * SHARE_OF_LINES)));
  const entries = found.filter((memory) => !isLine(memory));
  const places = limit - lines.length;
  const best = entries[0]?.score ?? 0;
  const last = entries[places - 1]?.score ?? -Infinity;
  // What fits less than this cannot be chosen, however much the better ones are alike: its words need not be looked at.
  const least = last - best * ((1 - LAMBDA) / LAMBDA);
  const near = entries.filter(({ score }) => score >= least);
  return [...lines, ...diversify(near, { limit: places, lambda: LAMBDA, textOf: ({ entry }) => entry.content })];
}
