import { OUT_OF_RECALL, entryOfDocument } from "./entry-document.ts";
import type { EntryFolder } from "./entry-folder.ts";
import { type FoundMemory, foundEntry } from "./found-memory.ts";
import type { IndexedDocument, KeywordFind } from "./keyword/types.ts";
import type { MemoryQuery } from "./memory-store.ts";
import { slotsMatch } from "./slot-filter.ts";

/** Factor on the score of an archived entry. */
const ARCHIVED = 0.95;

export interface SearchOptions {
  readonly query: MemoryQuery;
  /** Searched too, for entries archived only for their age. */
  readonly archive?: Pick<EntryFolder, "index"> | undefined;
  readonly nowMs: number;
  /** Ids to leave out. */
  readonly without: ReadonlySet<string>;
  /** Receives the ids of all expired entries when a search meets one. Contract: `without` holds them in the next round. */
  onExpired(ids: readonly string[]): void;
}

/** Finds the best entries of a folder; without words the newest ones. Reads no files. */
export function searchFolder(
  folder: Pick<EntryFolder, "index" | "newestFirst">,
  options: SearchOptions,
): readonly FoundMemory[] {
  const { query, archive, nowMs, without, onExpired } = options;
  const { userId, limit } = query;
  if (limit <= 0) return [];
  for (let round = 0; ; round++) {
    const accepts = filterOf(query, without);
    const hits = hasWords(query)
      ? folder.index.find({
          text: query.text ?? "",
          nowMs,
          limit,
          ...(query.keywords && { keywords: query.keywords }),
          ...(query.since && { sinceMs: query.since.getTime() }),
          withoutTypes: [...(query.withoutTypes ?? []), OUT_OF_RECALL],
          beside: archive && { index: archive.index, worth: ARCHIVED },
          about: query.about,
          ...(accepts && { accepts }),
        })
      : newest(folder, query, accepts);
    const isOver = ({ expiresAtMs }: KeywordFind) => expiresAtMs <= nowMs;
    const hasOver = hits.some((hit) => isOver(hit) && hit.isBeside !== true);
    if (!hasOver || round > 0) {
      // An entry that a crash left in both folders counts as in recall.
      const isServed = (hit: KeywordFind) =>
        !isOver(hit) && !(hit.isBeside === true && folder.index.has(hit.document.id));
      return hits.filter(isServed).map((hit) => foundEntry(hit, userId));
    }
    // One expired hit reports all expired entries, so the next round is the last.
    onExpired(expiredIn(folder, nowMs));
  }
}

function hasWords({ text, keywords }: MemoryQuery): boolean {
  return (text !== undefined && text.trim() !== "") || (keywords?.length ?? 0) > 0;
}

function filterOf(
  { slots }: MemoryQuery,
  without: ReadonlySet<string>,
): ((document: IndexedDocument) => boolean) | undefined {
  const asked = slots !== undefined && Object.keys(slots).length > 0 ? slots : undefined;
  if (asked === undefined && without.size === 0) return undefined;
  const type = typeof asked?.["type"] === "string" ? asked["type"] : undefined;
  return (document) =>
    !without.has(document.id) &&
    (type === undefined || document.type === type) &&
    (asked === undefined || slotsMatch(entryOfDocument(document, "").slots, asked));
}

function newest(
  folder: Pick<EntryFolder, "index" | "newestFirst">,
  { since, withoutTypes = [], limit }: MemoryQuery,
  accepts: ((document: IndexedDocument) => boolean) | undefined,
) {
  const hits: KeywordFind[] = [];
  for (const [createdAtMs, id] of folder.newestFirst()) {
    if (since !== undefined && createdAtMs < since.getTime()) break;
    const document = folder.index.get(id);
    if (document === undefined) continue;
    if (withoutTypes.includes(document.type) || accepts?.(document) === false) continue;
    hits.push({ document, score: 0, signals: {}, expiresAtMs: document.expiresAtMs ?? Infinity });
    if (hits.length === limit) break;
  }
  return hits;
}

function expiredIn({ index }: Pick<EntryFolder, "index">, nowMs: number): string[] {
  const ids: string[] = [];
  for (const id of index.ids()) {
    const document = index.get(id);
    if (document?.expiresAtMs !== undefined && document.expiresAtMs <= nowMs) ids.push(id);
  }
  return ids;
}
