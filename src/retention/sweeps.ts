import type { Clock } from "../clock.ts";

/** Removes a part of what is too old. @returns `next`: from where to go on; absent: that was all. `isBusy`: some of it is in use, and could go in a moment. */
export type Sweep = (part: {
  readonly after?: string;
  readonly signal: AbortSignal;
}) => Promise<{ readonly next?: string; readonly isBusy?: boolean }>;

export interface Sweeps {
  /** Begins a round in the background when none runs and the last one began a day ago or never did. Costs nothing otherwise, and never throws. */
  look(): void;
  /** Ends a round that runs. */
  stop(): void;
}

const DAY_MS = 86_400_000;
/** From a round that failed, or left what was in use all the while, to the next. */
const AFTER_FAILURE_MS = 3_600_000;
/** Between two parts of a round. */
const PAUSE_MS = 1000;
/** What begins a round is often a job that is due then, each day at the same time: no multiple of a minute, at which it would be due again. */
const AGAIN_MS = 100_000;
const MAX_TIMES = 6;

/**
 * Removes what is older than it may be, once a day and a part at a time. What cannot be removed keeps nothing else from going.
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

  /** @returns Whether some of it was in use. */
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
      // It is cut short when all ends.
      if (left.length > 0) await clock.sleep(AGAIN_MS, signal, { idle: true }).catch(() => {});
    }
  }

  return {
    // No timer of a day: it would keep a program from ending that has nothing else to do.
    look() {
      const nowMs = clock.now();
      // A clock that was set back must not put the next one off for as long.
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
