import QuickLRU from "quick-lru";
import { dayAfter } from "../../calendar.ts";
import type { Clock } from "../../clock.ts";
import { AssistantError, messageOf } from "../../errors.ts";
import type { Engine } from "../../engine/index.ts";
import type { EventBus } from "../../events/index.ts";
import { type Days, type MemoryLifecycle, type MemoryStore } from "../../memory/index.ts";
import { type Store, storeKey } from "../../store/index.ts";
import type { Logger } from "../../telemetry/index.ts";
import type { ProactiveHook } from "../hook.ts";
import type { MemorySpeaker } from "../../session/index.ts";

export interface DailySummaryParts {
  readonly days: Pick<Days, "digest" | "extract" | "today">;
  readonly lifecycle: Pick<MemoryLifecycle, "tidy">;
  readonly memory: Pick<MemoryStore, "count" | "list">;
  readonly store: Pick<Store, "get" | "put">;
  readonly engine: Pick<Engine, "wake">;
  readonly events: Pick<EventBus, "subscribe">;
  readonly clock: Pick<Clock, "now">;
  readonly logger: Logger;
  /** The memory user of a conversation. */
  memoryUserOf(speaker: MemorySpeaker): string;
}

/** Writes daily digests. */
export interface DailySummary {
  /** After a turn, requests the day's digest. */
  readonly hook: ProactiveHook;
  isKey(key: string): boolean;
  /** The handler of `memory:days:` keys. Idempotent. */
  handle(key: string, signal?: AbortSignal): Promise<void>;
  /** Stops listening for ended sessions. */
  stop(): void;
}

const PREFIX = "memory:days:";

/** The engine key for the digests of a person. */
export function dayWakeKey(userId: string): string {
  return PREFIX + userId;
}

/** Minimum interval between two digests of a day while the person is active. */
const PAUSE_MS = 10 * 60_000;
/** Memories with at least this many entries are also tidied during the day, when they have grown by a tenth. */
const MANY = 200;
const GROWTH = 1.1;
/** Maximum number of entries that one run archives; the next run follows after a pause. */
const MAX_TIDIED = 500;
const NEXT_RUN_MS = 60_000;
/** Least capacity of the cache of requests. For a person who is not in it the engine is asked once more. */
const MAX_PEOPLE = 10_000;

/** State of the daily work of a person. */
interface DayState {
  /** The last day whose daily work is done. */
  readonly day?: string;
  /** Number of entries after the last tidying. */
  readonly entries?: number;
  /** Whether the last tidying left entries to archive. */
  readonly more?: boolean;
}

/**
 * Rewrites today's digest when a session ends, and at most every ten minutes while there are turns. The first turn of a
 * person's day requests the daily work: yesterday's final digest, extraction of lasting facts, and tidying. All of it
 * runs under an engine key and never delays a reply. Without activity nothing runs.
 *
 * Source: docs/memory-days.md, "When".
 */
export function createDailySummary(parts: DailySummaryParts): DailySummary {
  const { days, lifecycle, memory, store, engine, events, clock, logger } = parts;
  const asked = new QuickLRU<string, { readonly day: string; readonly atMs: number }>({ maxSize: MAX_PEOPLE });

  async function ask(speaker: MemorySpeaker, isEnd: boolean): Promise<void> {
    const userId = parts.memoryUserOf(speaker);
    const nowMs = clock.now();
    const day = days.today(userId);
    const last = asked.get(userId);
    const isFirst = last === undefined || last.day !== day;
    if (!isFirst && !isEnd && last.atMs > nowMs) return;
    const atMs = isFirst || isEnd ? nowMs : Math.max(nowMs, last.atMs + PAUSE_MS);
    await engine.wake(dayWakeKey(userId), new Date(atMs));
    asked.set(userId, { day, atMs });
  }

  const stop = events.subscribe(
    "session.ended",
    // A person who removes a conversation wants no digest of it.
    ({ payload }) => (payload.reason === "removed" ? undefined : ask(payload, true)),
    { name: "daily-summary" },
  );

  async function handle(key: string, signal?: AbortSignal): Promise<void> {
    const userId = key.slice(PREFIX.length);
    const today = days.today(userId);
    const state = await readState(userId);
    const count = await countOf(userId);
    // The person has no memory, or no longer has one.
    if (count === 0 && state.day === undefined) return;

    const isNewDay = state.day !== today;
    const write = async (work: () => Promise<unknown>) => {
      signal?.throwIfAborted();
      try {
        await work();
      } catch (error) {
        // The person saved the file in a form that cannot be extended. Skip it and go on with the other work.
        if (!AssistantError.is(error, "CONFLICT")) throw error;
        logger.warn("A file of a memory is left as it is", { user: userId, error: messageOf(error) });
      }
    };
    if (isNewDay) {
      for (const day of new Set([state.day ?? today, dayAfter(today, -1)]))
        if (day < today) await write(() => days.digest({ userId, day }));
      await write(() => days.extract({ userId }));
    }
    await write(() => days.digest({ userId }));
    if (!isNewDay && state.more !== true && count <= Math.max(MANY, (state.entries ?? 0) * GROWTH)) return;

    signal?.throwIfAborted();
    const { archived, merged, more } = await lifecycle.tidy({ userId, limit: MAX_TIDIED, signal });
    if (archived + merged > 0) logger.info("A memory was tidied", { user: userId, archived, merged, more });
    const after: DayState = { day: today, entries: await countOf(userId), more };
    await store.put(stateKey(userId), { v: 1, ...after });
    if (more) await engine.wake(key, new Date(clock.now() + NEXT_RUN_MS));
  }

  async function countOf(userId: string): Promise<number> {
    if (memory.count) return (await memory.count(userId)).entries;
    let count = 0;
    for await (const _ of memory.list(userId)) count += 1;
    return count;
  }

  async function readState(userId: string): Promise<DayState> {
    const value = (await store.get(stateKey(userId)))?.value;
    return typeof value === "object" && value !== null && "v" in value ? value : {};
  }

  return {
    hook: {
      name: "daily-summary",
      async onTaskCompleted(task, { dryRun }) {
        if (dryRun) return;
        await ask(task, false).catch((error: unknown) => {
          logger.warn("A day could not be asked to be written down: the next turn asks again", {
            error: messageOf(error),
          });
        });
      },
    },
    isKey: (key) => key.startsWith(PREFIX),
    handle,
    stop,
  };
}

function stateKey(userId: string): string {
  return storeKey("memory", userId, ".state", "daily.json");
}
