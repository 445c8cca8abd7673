import type { JsonValue } from "../../store/index.ts";
import type { MemoryDraft, MemoryEntry, Slots } from "../entry.ts";
import { tokensOf } from "../keyword/tokens.ts";
import { messageIdsIn, messageSlot } from "../message-ids.ts";
import { differsInSubstance } from "./differs.ts";

/** Jaccard similarity of words above which two texts say the same. */
const DUPLICATE_JACCARD = 0.8;
/** The same where embeddings are closer than almost any two others. */
const JACCARD_WITH_MEANING = 0.4;

export interface DuplicateOptions {
  /** Jaccard similarity of words above which two texts say the same. Default 0.8. */
  readonly threshold?: number;
  /** Similarity of an entry to the draft in meaning; `undefined` where it is unknown. Default: always unknown. */
  readonly similarity?: ((entry: MemoryEntry) => number | undefined) | undefined;
  /**
   * Similarity in meaning above which two texts are closer than chance. Required with `similarity`; depends on the
   * embedding model.
   */
  readonly minSimilarity?: number | undefined;
}

/**
 * Finds the entry that says the same as the draft: the one with the most common words, then the first. Skips entries
 * where a number, date, name or negation differs, entries of another type, and turns with another outcome.
 *
 * Source: docs/capture.md, "Duplicates".
 */
export function duplicateOf(
  draft: Pick<MemoryDraft, "content" | "slots">,
  recent: Iterable<MemoryEntry>,
  { threshold = DUPLICATE_JACCARD, similarity, minSimilarity = Infinity }: DuplicateOptions = {},
): MemoryEntry | undefined {
  const words = new Set(tokensOf(draft.content));
  let best: MemoryEntry | undefined;
  let most = -1;
  for (const entry of recent) {
    if (differsIn("type", draft, entry) || differsIn("outcome", draft, entry)) continue;
    const share = jaccard(words, new Set(tokensOf(entry.content)));
    const isAlike =
      share > threshold || (share > JACCARD_WITH_MEANING && (similarity?.(entry) ?? -Infinity) > minSimilarity);
    if (!isAlike || share <= most || differsInSubstance(draft.content, entry.content)) continue;
    best = entry;
    most = share;
  }
  return best;
}

function differsIn(slot: string, draft: Pick<MemoryDraft, "slots">, entry: MemoryEntry): boolean {
  const [one, other] = [draft.slots?.[slot], entry.slots[slot]];
  return one !== undefined && other !== undefined && one !== other;
}

/** Jaccard similarity: shared words ÷ all words; 0 where either has none. */
export function jaccard(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  return shared === 0 ? 0 : shared / (one.size + other.size - shared);
}

/**
 * Merges two entries under the older one's id: with the newer one's words, the keywords of both, and all ids in the
 * slot `merged_ids`. The result is lasting if either is, and expires when the later one does.
 */
export function mergeEntries(older: MemoryEntry, newer: MemoryEntry): MemoryEntry {
  const { expiresAt: olderEnds, ...rest } = older;
  const { expiresAt: newerEnds } = newer;
  const expiresAt = olderEnds && newerEnds && (olderEnds > newerEnds ? olderEnds : newerEnds);
  const ids = [older.id, ...idsIn(older.slots), newer.id, ...idsIn(newer.slots)];
  const isLasting = older.slots["lasting"] === true || newer.slots["lasting"] === true;
  return {
    ...rest,
    content: newer.content,
    keywords: [...new Set([...older.keywords, ...newer.keywords])],
    slots: {
      ...older.slots,
      ...newer.slots,
      ...messageSlot([...messageIdsIn(older.slots), ...messageIdsIn(newer.slots)]),
      ...(isLasting && { lasting: true }),
      merged_ids: [...new Set(ids)],
    },
    updatedAt: newer.updatedAt > older.updatedAt ? newer.updatedAt : older.updatedAt,
    ...(expiresAt && { expiresAt }),
  };
}

/** Ids of the entries that were merged into an entry. */
export function idsIn(slots: Slots): readonly string[] {
  const ids: JsonValue | undefined = slots["merged_ids"];
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === "string") : [];
}
