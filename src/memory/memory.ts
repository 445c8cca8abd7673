import type { Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import { askedFor, createTokensIn } from "./coverage.ts";
import type { Platform } from "../platform.ts";
import { type Store, storeKey } from "../store/index.ts";
import { type Logger, type Metrics, silentLogger } from "../telemetry/index.ts";
import type { MemoryApi, MemoryChange, MemoryCounts, RecallQuery } from "./api.ts";
import type { FileProblem } from "./entry-folder.ts";
import { type FoundEntry, type FoundMemory, type LazySearch, memoryOf } from "./found-memory.ts";
import { ENTRY_TYPES, type MemoryEntry, type Slots } from "./entry.ts";
import { withoutAsking } from "./keyword/query-terms.ts";
import { normalise } from "./keyword/tokens.ts";
import { type LayeredStore, createLayeredStore } from "./layered-store.ts";
import type { MemoryQuery, MemoryStore } from "./memory-store.ts";
import { checkContent, checkId, checkKeywords, checkSlots, checkTime, newEntry } from "./new-entry.ts";
import { type Line, type PersonLines, createPersonLines } from "./person-lines.ts";
import { type RankedLine, distinctEntries, joinLayers, linesWith } from "./recall-layers.ts";
import { slotsMatch } from "./slot-filter.ts";
import { withCoverage } from "./told-coverage.ts";

export interface MemoryParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly yaml: Platform["yaml"];
  /** Store of entries. Default: files in `store`. */
  readonly entries?: (MemoryStore & Partial<LazySearch>) | undefined;
  readonly logger?: Logger | undefined;
  readonly metrics?: Metrics | undefined;
}

export interface FindQuery extends RecallQuery {
  /** Whether the signals of each hit say how much of the query it covers: see `gate`. Default false. */
  readonly about?: boolean;
}

/** The members of `MemoryApi` that save and find. */
export interface Memory extends Omit<MemoryApi, "digest" | "extract" | "tidy" | "forget"> {
  readonly entries: MemoryStore;
  /** As `recall`, but reads the entry of a hit only on access: for callers that rank many hits and show few. */
  find(query: FindQuery): Promise<readonly FoundMemory[]>;
  /**
   * Facts about a person, whatever the message is about: lines of MEMORY.md, then lasting statements about themselves
   * and theirs, newest first.
   */
  known(of: { readonly userId: string; readonly limit: number }): Promise<readonly FoundMemory[]>;
  /** Damaged files: MEMORY.md, digests, and entries unless they are in a custom store. */
  problems(userId: string): Promise<readonly FileProblem[]>;
  /**
   * Makes the next recall read a person's MEMORY.md and digests again. For callers that wrote or removed these files;
   * changes by others are found within two seconds.
   */
  drop(userId: string): void;
  /** Resolves when no background work is left. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export const DEFAULT_RECALL_LIMIT = 5;
const MAX_RECALLED = 100;
/**
 * Most characters of a text that are searched for. The beginning of a message says what it is about, and a pasted file
 * is no question.
 */
const MAX_QUERY_CHARS = 4000;
/** Hits fetched beyond the limit, so that dropped duplicates leave no place empty. */
const SPARE_HITS = 3;
const UNRANKED: RankedLine = { score: 0, signals: {} };
const LINE_TYPES: readonly string[] = [ENTRY_TYPES.longTerm, ENTRY_TYPES.daily];

/**
 * Memory of people: saved as entries, recalled from MEMORY.md, the last days' digests and entries.
 *
 * Source: docs/memory.md.
 */
export function createMemory({
  store,
  clock,
  yaml,
  entries: given,
  logger = silentLogger,
  metrics,
}: MemoryParts): Memory {
  const layered: LayeredStore | undefined =
    given === undefined ? createLayeredStore({ store, clock, logger, metrics }, yaml) : undefined;
  const entries: MemoryStore & Partial<LazySearch> = given ?? (layered as LayeredStore);
  async function search(query: MemoryQuery): Promise<readonly FoundEntry[]> {
    if (entries.find !== undefined) return entries.find(query);
    const found = await entries.search(query);
    return query.about === true ? withCoverage(found, query, clock.now()) : found;
  }
  const tokensIn = createTokensIn();
  const lines = createPersonLines({ store, clock, logger });
  const latency = metrics?.histogram("memory.recall.latency_seconds");

  async function find(query: FindQuery): Promise<readonly FoundMemory[]> {
    const startedMs = clock.now();
    try {
      return await findIn(query);
    } finally {
      latency?.observe((clock.now() - startedMs) / 1000);
    }
  }

  async function known({ userId, limit }: { userId: string; limit: number }): Promise<readonly FoundMemory[]> {
    const ofLines = await lines.of(checkId("userId", userId));
    const facts = ofLines.places.filter(({ layer }) => layer === "long_term").slice(0, limit);
    const stated = await entries.search({ userId, slots: { lasting: true }, limit });
    const said = new Set(facts.map(({ entry }) => entry.content));
    const all: Omit<FoundMemory, "score">[] = [
      ...facts.map(({ entry, layer }) => ({ entry, layer, signals: {} })),
      ...stated.flatMap(({ entry }) =>
        said.has(entry.content) ? [] : [{ entry, layer: "entry" as const, signals: {} }],
      ),
    ];
    return all.slice(0, limit).map((one, at) => ({ ...one, score: 1 / (at + 1) }));
  }

  async function findIn(query: FindQuery): Promise<readonly FoundMemory[]> {
    const userId = checkId("userId", query.userId);
    const limit = checkLimit(query.limit);
    const text = checkText(query.text).slice(0, MAX_QUERY_CHARS);
    const keywords = query.keywords === undefined ? [] : checkKeywords(query.keywords);
    const slots = query.slots === undefined ? undefined : checkSlots(query.slots);
    const since = checkTime("since", query.since);
    const wanted: MemoryQuery = {
      userId,
      text,
      keywords,
      slots,
      since,
      limit: limit + SPARE_HITS,
      withoutTypes: [ENTRY_TYPES.workflowTrace],
      withArchived: true,
      ...(query.about === true && { about: true }),
    };
    if (text.trim() === "" && keywords.length === 0) {
      const newest = await entries.search({ ...wanted, limit });
      return newest.map((hit): FoundMemory => ({ ...hit, layer: "entry" }));
    }

    const [ofLines, hits] = await Promise.all([asksForLines(slots) ? lines.of(userId) : undefined, search(wanted)]);
    if (ofLines === undefined || ofLines.places.length === 0) return distinctEntries(hits, limit);
    const asked = askedFor(
      tokensIn(withoutAsking(normalise(text)), ...keywords),
      (token) => ofLines.byToken.get(token)?.length ?? 0,
      ofLines.lines.size,
    );
    const found = linesWith(asked, ofLines).filter(
      ({ line: { entry, day } }) =>
        (since === undefined || (day !== undefined && entry.createdAt >= since)) &&
        (slots === undefined || slotsMatch(entry.slots, slots)),
    );
    return joinLayers({
      asked,
      limit,
      lines: found,
      entries: hits,
      tokensIn,
      ranked: rankedLines(ofLines, wanted),
    });
  }

  /**
   * Returns a function that ranks a line by the lines' own index. The index is searched on the first call: most recalls
   * have no line that matters.
   */
  function rankedLines(
    { index }: PersonLines,
    { text = "", keywords = [], about }: MemoryQuery,
  ): (line: Line) => RankedLine {
    let ranked: ReadonlyMap<string, RankedLine> | undefined;
    return ({ entry }) => {
      ranked ??= new Map(
        index.search({ text, keywords, nowMs: clock.now(), limit: MAX_RECALLED, about }).map((hit) => [hit.id, hit]),
      );
      return ranked.get(entry.id) ?? UNRANKED;
    };
  }

  async function update(userId: string, id: string, change: MemoryChange): Promise<MemoryEntry> {
    const { content, keywords, slots, expiresAt } = change;
    const checked = {
      ...(content !== undefined && { content: checkContent(content) }),
      ...(keywords !== undefined && { keywords: checkKeywords(keywords) }),
      ...(slots !== undefined && { slots: checkSlots(slots) }),
    };
    const expiry = expiresAt === null ? undefined : checkTime("expiresAt", expiresAt);
    const known = await entries.get(userId, id, { archived: false });
    if (known === undefined)
      throw new AssistantError(
        "NOT_FOUND",
        `There is no memory ${JSON.stringify(id)} of ${JSON.stringify(userId)} in recall: see \`wakeful memory list\`; one in the archive can be restored`,
      );
    const { expiresAt: before, ...rest } = known;
    const expires = expiresAt === undefined ? before : expiry;
    const changed = { ...rest, ...checked, updatedAt: new Date(clock.now()), ...(expires && { expiresAt: expires }) };
    await entries.save([changed], { over: [known] });
    return (await entries.get(userId, id, { archived: false })) ?? changed;
  }

  async function counts(userId: string): Promise<MemoryCounts> {
    const [{ entries: live, archived }, days, { lines: facts }] = await Promise.all([
      entries.count?.(userId) ?? countOf(entries, userId),
      numberOf(daysOf(userId)),
      lines.of(userId),
    ]);
    const isFact = (layer: string) => layer === "long_term";
    return {
      userId,
      entries: live,
      archived,
      days,
      facts: [...facts.values()].filter(({ layer }) => isFact(layer)).length,
    };
  }

  async function* daysOf(userId: string): AsyncGenerator<string> {
    for await (const { key } of store.list(`${storeKey("memory", userId, "daily")}/`))
      if (key.endsWith(".md")) yield key;
  }

  return {
    entries,
    find,
    known,
    recall: async (query) => (await find(query)).map(memoryOf),
    async save(entry, options) {
      const made = newEntry(entry, clock);
      await entries.save([made], options);
      return made;
    },
    get: (userId, id) => entries.get(userId, id),
    async *list(userId, options) {
      const { since: from, ...of } = options ?? {};
      const since = checkTime("since", from);
      yield* entries.list(userId, { ...of, ...(since && { since }) });
    },
    update,
    remove: (userId, ids) => entries.remove(userId, ids),
    archive: (userId, ids) => entries.archive(userId, ids),
    restore: (userId, ids) => entries.restore(userId, ids),
    users: () => entries.users(),
    counts,
    async read(userId, file) {
      const key =
        file === "MEMORY.md"
          ? storeKey("memory", userId, file)
          : storeKey("memory", userId, "daily", `${checkDay(file?.day)}.md`);
      const value = (await store.get(key))?.value;
      return typeof value === "string" ? value : undefined;
    },
    problems: async (userId) => [...(await lines.problems(userId)), ...((await layered?.problems(userId)) ?? [])],
    drop: (userId) => lines.forget(userId),
    async settled() {
      await lines.settled();
      await layered?.settled();
    },
    async close() {
      await lines.settled();
      await layered?.close();
    },
  };
}

/**
 * Whether the filter can match lines. A line's slots say only where it stands, so a filter must name a type of line to
 * include them.
 */
function asksForLines(slots: Slots | undefined): boolean {
  if (slots === undefined || Object.keys(slots).length === 0) return true;
  const types = [slots["type"]].flat();
  return types.some((type) => typeof type === "string" && LINE_TYPES.includes(type));
}

function checkLimit(limit: number | undefined): number {
  if (limit === undefined) return DEFAULT_RECALL_LIMIT;
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_RECALLED) return limit;
  throw new AssistantError(
    "OPTION_INVALID",
    `Invalid limit: expected a whole number from 1 to ${MAX_RECALLED}, got ${JSON.stringify(limit)}`,
  );
}

function checkText(text: unknown): string {
  if (text === undefined || typeof text === "string") return text ?? "";
  throw new AssistantError("OPTION_INVALID", `Invalid text: expected a text, got ${typeof text}`);
}

function checkDay(day: unknown): string {
  if (typeof day === "string" && /^\d{4}-\d{2}-\d{2}$/.test(day)) return day;
  throw new AssistantError(
    "OPTION_INVALID",
    `Invalid day: expected one such as 2026-02-01, got ${JSON.stringify(day)}`,
  );
}

async function countOf(entries: MemoryStore, userId: string): Promise<{ entries: number; archived: number }> {
  return {
    entries: await numberOf(entries.list(userId)),
    archived: await numberOf(entries.list(userId, { archived: true })),
  };
}

async function numberOf(all: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of all) count++;
  return count;
}
