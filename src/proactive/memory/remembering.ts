import type { EventBus } from "../../events/index.ts";
import { type Days, type MemoryLifecycle, type MemoryStore, type ReadWriteLock, atMost } from "../../memory/index.ts";
import { createDailySummary } from "../days/index.ts";
import type { HookRegistry } from "../hook-registry.ts";
import { createMemoryCapture, endCapture } from "./capture.ts";
import { subscribeMemoryFlush } from "./flush.ts";
import type { MemoryFlowParts } from "./parts.ts";
import { RECALL_OPTIONS, memoryRecall } from "./recall.ts";
import { REFRESH_OPTIONS, iterationRefresh } from "./refresh.ts";

/** What of it is on. */
export interface RememberingOptions {
  readonly recall: boolean;
  readonly capture: boolean;
  readonly days: boolean;
  readonly flush: boolean;
}

export interface RememberingDeps {
  /** What recall, refresh, capture and flush work with. */
  readonly flow: MemoryFlowParts;
  readonly hooks: Pick<HookRegistry, "add">;
  readonly events: Pick<EventBus, "subscribe">;
  readonly days: Pick<Days, "digest" | "extract" | "today">;
  readonly lifecycle: Pick<MemoryLifecycle, "tidy">;
  readonly entries: Pick<MemoryStore, "count" | "list">;
  /** Captures and digests share it. */
  readonly lock: Pick<ReadWriteLock, "shared">;
}

/** Longest time that a stop waits for what the last turns left to keep. */
const MAX_AT_END_MS = 2000;

/** What flows into and out of memory around turns, and the handler of `memory:` keys. */
export function createRemembering(
  { flow, hooks, events, days, lifecycle, entries, lock }: RememberingDeps,
  options: RememberingOptions,
) {
  const { store, engine, clock, logger, memoryUserOf } = flow;
  const capture = options.capture ? createMemoryCapture(flow) : undefined;
  if (options.recall) {
    hooks.add(memoryRecall(flow), RECALL_OPTIONS);
    hooks.add(iterationRefresh(flow), REFRESH_OPTIONS);
  }
  if (capture) hooks.add(capture.hook);
  const summary = options.days
    ? createDailySummary({ days, lifecycle, memory: entries, store, engine, events, clock, logger, memoryUserOf })
    : undefined;
  if (summary) hooks.add(summary.hook);
  if (options.flush) subscribeMemoryFlush(events, flow);

  return {
    // A wake of what is off now is taken and comes to nothing.
    isKey: (key: string): boolean => key.startsWith("memory:"),
    handle: (key: string, signal: AbortSignal): Promise<void> =>
      lock.shared(async () => {
        if (capture?.isKey(key)) await capture.handle(key, signal);
        if (summary?.isKey(key)) await summary.handle(key, signal);
      }),
    recover: (): Promise<void> => (capture ? capture.recover() : endCapture(store)),
    /** What fails or takes longer is done after the next start: its wake stands. */
    async stop(): Promise<void> {
      summary?.stop();
      if (!capture) return;
      const over = new AbortController();
      const finished = lock.shared(() => capture.finish(over.signal));
      await atMost(
        MAX_AT_END_MS,
        finished.catch(() => {}),
        clock,
      );
      over.abort();
    },
  };
}
