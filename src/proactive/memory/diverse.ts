import { type FoundMemory, diversify, wordsOf } from "../../memory/index.ts";

/** Maximum share of places for lines of MEMORY.md and of digests. */
const SHARE_OF_LINES = 0.4;

export interface Diverse {
  readonly limit: number;
  /** Whether a memory differs from the chosen ones. Called only for memories that would be chosen. */
  isNew(memory: FoundMemory): boolean;
}

/** Chooses the best matches that say different things: lines of files first, in the order of recall, then entries. */
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
