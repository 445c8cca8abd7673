import type { Clock } from "../../clock.ts";
import { type JsonValue, type Store, createTurns, storeKey, textsIn } from "../../store/index.ts";
import type { TidyResult } from "../api.ts";
import { fieldsOf, stateKey } from "../days/state.ts";
import type { MemoryEntry, Slots } from "../entry.ts";
import { markedAsLasting } from "../lasting.ts";
import type { MemoryStore } from "../memory-store.ts";
import { contentHash, mergeCluster, planLifecycle } from "./plan.ts";
import { saysAll } from "./says-all.ts";

export interface LifecycleParts {
  readonly store: Store;
  readonly memory: Pick<MemoryStore, "list" | "get" | "save" | "archive" | "users">;
  readonly clock: Pick<Clock, "now" | "sleep">;
  /**
   * Summarises texts that say nearly the same in one paragraph by a model; newest first. Called only where an older
   * text says something that the newest does not. If it throws or returns nothing, or if a number, a date, a name or a
   * negation is missing or added, the union of the texts is used.
   */
  readonly summarise?:
    | ((
        texts: readonly string[],
        of: { readonly userId: string; readonly signal?: AbortSignal | undefined },
      ) => Promise<string>)
    | undefined;
}

export interface TidyOptions {
  readonly userId: string;
  /** Most entries that leave recall in this run; the rest waits for the next. Default: no limit. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called after each part of the work. `of`: number of entries that leave recall. */
  onProgress?(done: number, of: number): void;
}

/** Result of a run. */
export interface TidyReport extends TidyResult {
  /** Whether work is left for the next run. */
  readonly more: boolean;
}

/** Keeps what is recalled small. Source: docs/memory-days.md, "Tidying". */
export interface Lifecycle {
  /**
   * Archives old entries and merges duplicates. Resuming after a crash has the same result.
   * @throws {ConflictError} When another process does the same.
   */
  tidy(options: TidyOptions): Promise<TidyReport>;
  /** Tidies every person's memory, one after the other. */
  tidyAll(options?: Omit<TidyOptions, "userId" | "limit">): Promise<readonly TidyReport[]>;
}

/** Entries processed before other work may run: some 20 ms. */
const PAUSE_EVERY = 1000;
/** Entries or merges done between two writes of the plan. */
const PART_ARCHIVED = 200;
const PART_MERGED = 40;
/** Newest records of archived ids that are read, to recognise restored entries. */
const MAX_RECORDS = 2000;

/** A planned part of the work, written before it runs, so that a crash leaves no half of it. */
interface Part {
  readonly archive: readonly string[];
  readonly merges: readonly Merge[];
}

interface Merge {
  readonly into: MemoryEntry;
  /** Hash of each entry by id, `into` included. An entry that was edited in the meantime is left as it is. */
  readonly said: Readonly<Record<string, string>>;
}

export function createLifecycle({ store, memory, clock, summarise }: LifecycleParts): Lifecycle {
  const inTurn = createTurns();

  async function tidy({ userId, limit = Infinity, signal, onProgress }: TidyOptions): Promise<TidyReport> {
    const journal = await openJournal(store, userId);
    const totals = { archived: 0, merged: 0 };

    async function run({ archive, merges: joins }: Part): Promise<void> {
      totals.archived += await memory.archive(userId, archive, { reason: "age" });
      const gone = [...archive];
      for (const merge of joins) {
        const joined = await join(userId, merge);
        totals.merged += joined.moved;
        gone.push(...joined.gone);
      }
      await journal.done(gone);
    }

    if (journal.part) await run(journal.part);
    const entries = await markLasting(userId, signal);
    const plan = await planLifecycle({
      entries,
      nowMs: clock.now(),
      restored: journal.archived,
      pause: () => clock.sleep(0, signal),
    });

    const merges = plan.merge.map((cluster) => ({ cluster, cost: cluster.length - 1 }));
    const of = plan.archive.length + merges.reduce((sum, { cost }) => sum + cost, 0);
    let left = limit;
    let done = 0;
    for (let at = 0; at < plan.archive.length && left > 0;) {
      signal?.throwIfAborted();
      const ids = plan.archive.slice(at, at + Math.min(PART_ARCHIVED, left)).map(({ id }) => id);
      await journal.begin({ archive: ids, merges: [] });
      await run({ archive: ids, merges: [] });
      at += ids.length;
      left -= ids.length;
      done += ids.length;
      onProgress?.(done, of);
    }
    for (let at = 0; at < merges.length && left > 0;) {
      signal?.throwIfAborted();
      const part: Merge[] = [];
      for (; at < merges.length && left > 0 && part.length < PART_MERGED; at += 1) {
        const { cluster = [], cost = 0 } = merges[at] ?? {};
        part.push(await mergeOf(userId, cluster, signal));
        left -= cost;
        done += cost;
      }
      await journal.begin({ archive: [], merges: part });
      await run({ archive: [], merges: part });
      onProgress?.(done, of);
    }
    return { userId, ...totals, kept: entries.length - done, more: done < of };
  }

  /** Lists everything in recall, and marks lasting entries that were saved before capture marked them. */
  async function markLasting(userId: string, signal: AbortSignal | undefined): Promise<readonly MemoryEntry[]> {
    const entries: MemoryEntry[] = [];
    for await (const entry of memory.list(userId)) entries.push(entry);
    for (const [index, entry] of entries.entries()) {
      if (index % PAUSE_EVERY === PAUSE_EVERY - 1) await clock.sleep(0, signal);
      const marked = markedAsLasting(entry);
      if (marked === undefined || !(await memory.get(userId, entry.id, { archived: false }))) continue;
      await memory.save([marked], { over: [entry] });
      entries[index] = marked;
    }
    return entries;
  }

  async function mergeOf(userId: string, cluster: readonly MemoryEntry[], signal?: AbortSignal): Promise<Merge> {
    const union = mergeCluster(cluster);
    const texts = cluster.map(({ content }) => content);
    let summary: string | undefined;
    if (summarise && union.content !== texts[0]) {
      summary = await summarise(texts, { userId, signal }).catch(() => undefined);
      signal?.throwIfAborted();
    }
    const written = summary?.trim() ?? "";
    const into = saysAll(written, texts) ? { ...union, content: written } : union;
    return { into, said: Object.fromEntries(cluster.map((entry) => [entry.id, contentHash(entry)])) };
  }

  /** @returns How many were merged now, and which are out of recall. */
  async function join(userId: string, { into, said }: Merge): Promise<{ moved: number; gone: readonly string[] }> {
    const now = await memory.get(userId, into.id, { archived: false });
    if (!now || ![said[into.id], contentHash(into)].includes(contentHash(now))) return { moved: 0, gone: [] };
    const ids: string[] = [];
    const gone: string[] = [];
    for (const [id, hash] of Object.entries(said)) {
      if (id === into.id) continue;
      const entry = await memory.get(userId, id, { archived: false });
      if (!entry) gone.push(id);
      else if (contentHash(entry) === hash) ids.push(id);
    }
    await memory.save([into], { over: [now] });
    return { moved: await memory.archive(userId, ids, { into: into.id }), gone: [...gone, ...ids] };
  }

  return {
    tidy: (options) => inTurn(options.userId, () => tidy(options)),
    async tidyAll({ signal, onProgress } = {}) {
      const users: string[] = [];
      for await (const userId of memory.users()) users.push(userId);
      const reports: TidyReport[] = [];
      for (const userId of users) {
        reports.push(await inTurn(userId, () => tidy({ userId, signal })));
        onProgress?.(reports.length, users.length);
      }
      return reports;
    },
  };
}

/**
 * Opens the log of archived ids, and the part that a crash left undone. A part holds text of entries, so it is removed
 * when it is done.
 */
async function openJournal(store: Store, userId: string) {
  const partKey = stateKey(userId, "tidying");
  const log = storeKey("memory", userId, ".state", "tidied.jsonl");
  const archived = new Set<string>();
  for await (const { record } of store.read(log, { last: MAX_RECORDS }))
    for (const id of textsIn(record["ids"])) archived.add(id);
  const found = await store.get(partKey);
  let version = found?.version ?? null;
  const part = found && partOfJson(fieldsOf(found.value), userId);

  return {
    archived,
    part: part && {
      archive: part.archive.filter((id) => !archived.has(id)),
      merges: part.merges.filter(({ said }) => !Object.keys(said).some((id) => archived.has(id))),
    },
    async begin(next: Part): Promise<void> {
      version = await store.put(partKey, partToJson(next), { expect: version });
    },
    async done(ids: readonly string[]): Promise<void> {
      if (ids.length > 0) await store.append(log, { ids });
      if (version !== null) await store.remove(partKey, { expect: version });
      version = null;
    },
  };
}

function partToJson({ archive, merges }: Part): JsonValue {
  return {
    v: 1,
    archive,
    merges: merges.map(({ into: { userId: _user, createdAt, updatedAt, expiresAt, ...rest }, said }) => ({
      ...rest,
      times: [createdAt.getTime(), updatedAt.getTime(), ...(expiresAt ? [expiresAt.getTime()] : [])],
      said,
    })),
  };
}

/** Trusts the format: only `partToJson` writes it. */
function partOfJson(fields: { readonly [name: string]: JsonValue | undefined }, userId: string): Part {
  const merges = Array.isArray(fields["merges"]) ? (fields["merges"] as readonly JsonValue[]) : [];
  return {
    archive: textsIn(fields["archive"]),
    merges: merges.map((merge) => {
      const { id, content, keywords, slots, times, said } = fieldsOf(merge);
      const [createdMs = 0, updatedMs = 0, expiresMs] = times as readonly number[];
      const into: MemoryEntry = {
        id: typeof id === "string" ? id : "",
        userId,
        content: typeof content === "string" ? content : "",
        keywords: textsIn(keywords),
        slots: fieldsOf(slots) as Slots,
        createdAt: new Date(createdMs),
        updatedAt: new Date(updatedMs),
        ...(expiresMs !== undefined && { expiresAt: new Date(expiresMs) }),
      };
      return { into, said: fieldsOf(said) as Readonly<Record<string, string>> };
    }),
  };
}
