import type { IndexedDocument, KeywordIndex } from "../../../src/memory/index.ts";

export const NOON = Date.UTC(2026, 4, 13, 12); // a Wednesday

/** An entry with defaults, one minute after the other by the number in its id. */
export function entry(id: string, text: string, also: Partial<IndexedDocument> = {}): IndexedDocument {
  const minutes = Number(/\d+$/.exec(id)?.[0] ?? 0);
  return {
    id,
    text,
    keywords: [],
    createdAtMs: NOON + minutes * 60_000,
    type: "note",
    thread: "",
    body: JSON.stringify({ id, text }),
    ...also,
  };
}

export function idsOf(index: KeywordIndex, text: string, limit = 5): readonly string[] {
  return index.search({ text, nowMs: NOON, limit }).map(({ id }) => id);
}
