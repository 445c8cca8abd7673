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
  /** Whose memory a conversation is. */
  memoryUserOf(speaker: MemorySpeaker): string;
}

/** Writes days down while they pass. */
export interface DailySummary {
  /** Asks, after a turn, that the day be written down. */
  readonly hook: ProactiveHook;
  isKey(key: string): boolean;
  /** The handler of `memory:days:` keys. May run again at any time. */
  handle(key: string, signal?: AbortSignal): Promise<void>;
  /** No longer hears of the ends of sessions. */
  stop(): void;
}

const PREFIX = "memory:days:";

/** The key that asks for the digests of a person. */
export function dayWakeKey(userId: string): string {
  return PREFIX + userId;
}

/** Between two digests of a day while its person is busy. */
const PAUSE_MS = 10 * 60_000;
/** From so many entries on a memory is tidied within the day too, when it has grown by a tenth. */
const MANY = 200;
const GROWTH = 1.1;
/** Entries that one run takes out of recall; the next comes after a pause. */
const MAX_TIDIED = 500;
const NEXT_RUN_MS = 60_000;
/** People of whom is known when their day was asked for, at least; for another the engine is asked once more. */
const MAX_PEOPLE = 10_000;

/** What is known of the work of a day. */
interface DayState {
  /** The day whose work is done. */
  readonly day?: string;
  /** How many entries the last tidying left. */
  readonly entries?: number;
  /** Whether it left work. */
  readonly more?: boolean;
}

/**
 * Rewrites today's digest when a session ends, and at most every ten minutes while there are turns. The first turn of a person's day asks for what is done
 * once a day: yesterday's digest as it ended, what is kept for good, and tidying. All of it is work of an engine key, off the reply's way; where nothing
 * happens nothing runs.
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
    // Who removes a conversation wants nothing written of it.
    ({ payload }) => (payload.reason === "removed" ? undefined : ask(payload, true)),
    { name: "daily-summary" },
  );

  async function handle(key: string, signal?: AbortSignal): Promise<void> {
    const userId = key.slice(PREFIX.length);
    const today = days.today(userId);
    const state = await readState(userId);
    const count = await countOf(userId);
    // Nothing is remembered of them, or no longer.
    if (count === 0 && state.day === undefined) return;

    const isNewDay = state.day !== today;
    const write = async (work: () => Promise<unknown>) => {
      signal?.throwIfAborted();
      try {
        await work();
      } catch (error) {
        // A file that a person saved so that it cannot be added to: it waits, the rest of the day's work does not.
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
