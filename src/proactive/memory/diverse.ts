import { type RecalledMemory, diversify } from "../../memory/index.ts";

/** Lines of MEMORY.md and of digests take so much of the places at most. */
const SHARE_OF_LINES = 0.4;

/** The memories that fit best and say different things: the lines of files first, as recall has them, then entries. */
export function diverse(found: readonly RecalledMemory[], limit: number): readonly RecalledMemory[] {
  const isLine = ({ layer }: RecalledMemory) => layer === "long_term" || layer === "daily";
  const lines = found.filter(isLine).slice(0, Math.max(1, Math.floor(limit * SHARE_OF_LINES)));
  const entries = found.filter((memory) => !isLine(memory));
  return [...lines, ...diversify(entries, { limit: limit - lines.length, textOf: ({ entry }) => entry.content })];
}
