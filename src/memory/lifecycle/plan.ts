import { idsIn, mergeEntries } from "../capture/duplicate.ts";
import { hashOf } from "../days/lines.ts";
import { ENTRY_TYPES, type MemoryEntry } from "../entry.ts";
import { tokensOf } from "../keyword/tokens.ts";
import { lastingStatements } from "../lasting.ts";
import { clustersOf } from "./clusters.ts";

/** Jaccard similarity of words above which two entries are merged. Stricter than capture, which knows the turn that it merges. */
const CLUSTER_JACCARD = 0.85;
/** Days after which an entry leaves recall, unless a person asked to keep it or it states something lasting. */
export const RETENTION_DAYS = 90;

const DAY_MS = 86_400_000;
const MAX_UNION_CHARACTERS = 8000;
const MAX_KEYWORDS = 64;
const MAX_MERGED_IDS = 100;

export interface LifecycleInput {
  /** All entries in recall, newest first. */
  readonly entries: readonly MemoryEntry[];
  readonly nowMs: number;
  /** Ids of entries that were restored from the archive: they stay in recall and are not merged. */
  readonly restored: ReadonlySet<string>;
  /** Called from time to time during long work. */
  readonly pause?: (() => Promise<void>) | undefined;
}

export interface LifecyclePlan {
  /** Old or expired entries. */
  readonly archive: readonly MemoryEntry[];
  /** Groups of entries that say the same, newest first. */
  readonly merge: readonly (readonly MemoryEntry[])[];
}

/** Decides which entries leave recall and which are merged. Source: docs/memory-days.md, "Tidying". */
export async function planLifecycle({ entries, nowMs, restored, pause }: LifecycleInput): Promise<LifecyclePlan> {
  const free = entries.filter(({ id }) => !restored.has(id));
  const archive = free.filter((entry) => isOver(entry, nowMs));
  const gone = new Set(archive.map(({ id }) => id));
  const rest = free.filter(({ id, slots }) => !gone.has(id) && slots["type"] !== ENTRY_TYPES.workflowTrace);
  const clusters = await clustersOf(
    rest.map(({ content }) => content),
    {
      threshold: CLUSTER_JACCARD,
      mayJoin: (one, other) => rest[one]?.slots["type"] === rest[other]?.slots["type"],
      ...(pause && { pause }),
    },
  );
  return { archive, merge: clusters.map((cluster) => cluster.flatMap((index) => rest[index] ?? [])) };
}

/** Whether an entry leaves recall. Captured turns grow old; notes, decisions and lasting statements do not. */
function isOver(entry: MemoryEntry, nowMs: number): boolean {
  const { createdAt, updatedAt, expiresAt, slots } = entry;
  if (expiresAt && expiresAt.getTime() <= nowMs) return true;
  if (slots["type"] === ENTRY_TYPES.note || slots["lasting"] === true || slots["kind"] === "decision") return false;
  const isOld = nowMs - Math.max(createdAt.getTime(), updatedAt.getTime()) > RETENTION_DAYS * DAY_MS;
  return isOld && lastingStatements(entry).length === 0;
}

/**
 * Merges entries that say the same under the oldest one's id: the newest wording, then what only the others say.
 *
 * @param cluster Newest first.
 */
export function mergeCluster(cluster: readonly MemoryEntry[]): MemoryEntry {
  const merged = cluster.toReversed().reduce((older, newer) => mergeEntries(older, newer));
  const { merged_ids: _all, ...slots } = merged.slots;
  return {
    ...merged,
    content: unionOf(cluster.map(({ content }) => content)),
    keywords: merged.keywords.slice(0, MAX_KEYWORDS),
    slots: { ...slots, merged_ids: idsIn(merged.slots).slice(0, MAX_MERGED_IDS) },
  };
}

function unionOf(texts: readonly string[]): string {
  const kept: string[] = [];
  const said = new Set<string>();
  for (const line of texts.flatMap((text, index) => (index === 0 ? [text] : text.split(/\r?\n/)))) {
    const words = tokensOf(line);
    if (kept.length > 0 && words.every((word) => said.has(word))) continue;
    if (kept.length > 0 && kept.join("\n").length + line.length > MAX_UNION_CHARACTERS) break;
    kept.push(line);
    for (const word of words) said.add(word);
  }
  return kept.join("\n");
}

/**
 * Hash of an entry, to detect changes since a plan was made. Includes keywords and slots: a changed slot must stay as
 * it is now.
 */
export function contentHash({ content, keywords, slots }: MemoryEntry): string {
  return hashOf(JSON.stringify([content, keywords, slots]));
}
