import { type FoundMemory, diversify, wordsOf } from "../../memory/index.ts";

/** Lines of MEMORY.md and of digests take so much of the places at most. */
const SHARE_OF_LINES = 0.4;

export interface Diverse {
  readonly limit: number;
  /** Asked only of those that would be chosen. */
  isNew(memory: FoundMemory): boolean;
}

/** The memories that fit best and say different things: the lines of files first, as recall has them, then entries. */
export function diverse(found: readonly FoundMemory[], { limit, isNew }: Diverse): readonly FoundMemory[] {
  const most = Math.max(1, Math.floor(limit * SHARE_OF_LINES));
  const lines: FoundMemory[] = [];
  const entries: FoundMemory[] = [];
  for (const memory of found) {
    const isLine = memory.layer === "long_term" || memory.layer === "daily";
    if (!isLine) entries.push(memory);
    else if (lines.length < most && isNew(memory)) lines.push(memory);
  }
  return [
    ...lines,
    ...diversify(entries, {
      limit: limit - lines.length,
      wordsOf: (hit) => hit.words ?? wordsOf(hit.entry.content),
      accepts: isNew,
    }),
  ];
}
