import type { Clock } from "../clock.ts";

/**
 * Removes a part of what is too old.
 * @returns `next`: where to continue; absent: finished. `isBusy`: some is in use, and could be removed in a moment.
 */
export type Sweep = (part: {
  readonly after?: string;
  readonly signal: AbortSignal;
}) => Promise<{ readonly next?: string; readonly isBusy?: boolean }>;

export interface Sweeps {
  /**
   * Starts a round in the background if none runs and the last one began a day ago or never. Otherwise it is free.
   * Never throws.
   */
  look(): void;
  /** Stops the current round. */
  stop(): void;
}

const DAY_MS = 86_400_000;
/** Milliseconds until the next round after one that failed or found data in use to the end. */
const AFTER_FAILURE_MS = 3_600_000;
/** Milliseconds between two parts of a round. */
const PAUSE_MS = 1000;
/**
 * Milliseconds until data in use is tried again. A round often begins with a job that is due at the same time each day.
 * Not a multiple of a minute, at which the job would be due again.
 */
const AGAIN_MS = 100_000;
const MAX_TIMES = 6;

/**
 * Removes what is too old, once a day and a part at a time. A failure does not stop the rest.
 *
 * Source: docs/privacy.md, "How long things are kept".
 */
export function createSweeps(options: {
  readonly sweeps: readonly Sweep[];
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
}): Sweeps {
  const { sweeps, clock, onFailure } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let nextAtMs = -Infinity;
  let isRunning = false;

  /** @returns Whether some data was in use. */
  async function run(sweep: Sweep): Promise<boolean> {
    let after: string | undefined;
    let wasBusy = false;
    do {
      if (after !== undefined) await clock.sleep(PAUSE_MS, signal, { idle: true });
      const { next, isBusy = false } = await sweep({ signal, ...(after !== undefined && { after }) });
      after = next;
      wasBusy ||= isBusy;
    } while (after !== undefined && !signal.aborted);
    return wasBusy;
  }

  async function round(startedMs: number): Promise<void> {
    let left = sweeps;
    for (let time = 1; left.length > 0 && !signal.aborted; time += 1) {
      const busy: Sweep[] = [];
      for (const sweep of left) {
        try {
          if (!(await run(sweep))) continue;
          if (time < MAX_TIMES) busy.push(sweep);
          else nextAtMs = startedMs + AFTER_FAILURE_MS;
        } catch (error) {
          if (signal.aborted) return;
          nextAtMs = startedMs + AFTER_FAILURE_MS;
          onFailure(error);
        }
      }
      left = busy;
      // The sleep ends early when the process stops.
      if (left.length > 0) await clock.sleep(AGAIN_MS, signal, { idle: true }).catch(() => {});
    }
  }

  return {
    // No timer of a day: it would keep a program alive that has nothing else to do.
    look() {
      const nowMs = clock.now();
      // A clock that was set back must not delay the next round.
      if (isRunning || signal.aborted || (nowMs < nextAtMs && nextAtMs <= nowMs + DAY_MS)) return;
      isRunning = true;
      nextAtMs = nowMs + DAY_MS;
      void round(nowMs).finally(() => {
        isRunning = false;
      });
    },
    stop() {
      stopping.abort();
    },
  };
}
