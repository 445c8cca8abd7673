import type { Clock } from "../../clock.ts";
import type { ReadWriteLock } from "../../memory/index.ts";
import type { Store } from "../../store/index.ts";
import { withTimeout } from "../../time-limit.ts";
import type { DailySummary } from "../days/index.ts";
import { type MemoryCapture, endCapture } from "./capture.ts";

export interface RememberingDeps {
  /** Undefined: nothing is captured. */
  readonly capture: MemoryCapture | undefined;
  /** Undefined: no days are written down. */
  readonly summary: DailySummary | undefined;
  /** Captures and digests share it. */
  readonly lock: Pick<ReadWriteLock, "shared">;
  readonly store: Pick<Store, "remove">;
  readonly clock: Clock;
}

/** Longest time that a stop waits for what the last turns left to keep. */
const MAX_AT_END_MS = 2000;

/** What flows out of turns into memory behind the replies: the handler of `memory:` keys. */
export function createRemembering({ capture, summary, lock, store, clock }: RememberingDeps) {
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
      await withTimeout(
        clock,
        MAX_AT_END_MS,
        finished.catch(() => {}),
        () => {},
      );
      over.abort();
    },
  };
}
