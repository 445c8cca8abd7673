import type { Clock } from "../../clock.ts";
import type { ReadWriteLock } from "../../memory/index.ts";
import type { Store } from "../../store/index.ts";
import { withTimeout } from "../../time-limit.ts";
import type { DailySummary } from "../days/index.ts";
import { type MemoryCapture, endCapture } from "./capture.ts";

export interface RememberingDeps {
  /** Undefined: capture is disabled. */
  readonly capture: MemoryCapture | undefined;
  /** Undefined: daily digests are disabled. */
  readonly summary: DailySummary | undefined;
  /** Read lock, shared by captures and digests. */
  readonly lock: Pick<ReadWriteLock, "shared">;
  readonly store: Pick<Store, "remove">;
  readonly clock: Clock;
}

/** Maximum time that a stop waits for pending captures. */
const MAX_AT_END_MS = 2000;

/** Creates the handler of `memory:` keys, which stores what turns leave for memory without delaying replies. */
export function createRemembering({ capture, summary, lock, store, clock }: RememberingDeps) {
  return {
    // Also takes wakes of features that are disabled now; they do nothing.
    isKey: (key: string): boolean => key.startsWith("memory:"),
    handle: (key: string, signal: AbortSignal): Promise<void> =>
      lock.shared(async () => {
        if (capture?.isKey(key)) await capture.handle(key, signal);
        if (summary?.isKey(key)) await summary.handle(key, signal);
      }),
    recover: (): Promise<void> => (capture ? capture.recover() : endCapture(store)),
    /** What fails or takes longer runs after the next start, since its wake remains. */
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
