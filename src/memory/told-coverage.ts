import { createKeywordIndex } from "./keyword/keyword-index.ts";
import type { FoundEntry } from "./found-memory.ts";
import type { MemoryQuery } from "./memory-store.ts";

/**
 * Adds coverage signals to hits of a store that does not give them. Rarity is then measured among these hits, not among
 * all entries.
 */
export function withCoverage(
  hits: readonly FoundEntry[],
  { text = "", keywords = [] }: MemoryQuery,
  nowMs: number,
): readonly FoundEntry[] {
  const untold = hits.filter(({ signals }) => signals.coverage === undefined);
  if (untold.length === 0) return hits;
  const index = createKeywordIndex();
  for (const [at, { entry }] of untold.entries()) {
    const { content, keywords: words, createdAt } = entry;
    index.add({
      id: String(at),
      text: content,
      keywords: words,
      createdAtMs: createdAt.getTime(),
      type: "",
      thread: "",
      body: "",
    });
  }
  const found = new Map(
    index
      .search({ text, keywords, nowMs, limit: untold.length, about: true })
      .map(({ id, signals: { coverage = 0, telling = 0 } }) => [untold[Number(id)], { coverage, telling }]),
  );
  return hits.map((hit) => {
    if (!untold.includes(hit)) return hit;
    const { entry, score, signals, print, words } = hit;
    const told = found.get(hit) ?? { coverage: 0, telling: 0 };
    return { entry, score, signals: { ...signals, ...told }, print, words };
  });
}
