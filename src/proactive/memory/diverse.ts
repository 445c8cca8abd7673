import { type RecalledMemory, type TokensIn, diversify } from "../../memory/index.ts";

/** Lines of MEMORY.md and of digests take so much of the places at most. */
const SHARE_OF_LINES = 0.4;

export interface Diverse {
  readonly limit: number;
  readonly tokensIn: TokensIn;
  /** Asked only of those that would be chosen. */
  isNew(memory: RecalledMemory): boolean;
}

/** The memories that fit best and say different things: the lines of files first, as recall has them, then entries. */
export function diverse(
  found: readonly RecalledMemory[],
  { limit, tokensIn, isNew }: Diverse,
): readonly RecalledMemory[] {
  const most = Math.max(1, Math.floor(limit * SHARE_OF_LINES));
  const lines: RecalledMemory[] = [];
  const entries: RecalledMemory[] = [];
  for (const memory of found) {
    const isLine = memory.layer === "long_term" || memory.layer === "daily";
    if (!isLine) entries.push(memory);
    else if (lines.length < most && isNew(memory)) lines.push(memory);
  }
  return [
    ...lines,
    ...diversify(entries, {
      limit: limit - lines.length,
      textOf: ({ entry }) => entry.content,
      accepts: isNew,
      tokensOf: (text) => tokensIn(text),
    }),
  ];
}
