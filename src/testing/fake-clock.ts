import type { Clock } from "../clock.ts";

/** A clock for tests: time stands still until `advance`. */
export interface FakeClock extends Clock {
  /**
   * Advances the time by `ms` milliseconds. Due callbacks are called in the order of their times, each at its own time.
   * Between two of them, code that waits for promises continues, so a timer that it sets is still called if it is due
   * in the same stretch. Returns when nothing more is due. `advance(0)` calls what is due now. Work outside of promises
   * (files, sockets) may still be under way.
   */
  advance(ms: number): Promise<void>;
  /** Number of waiting callbacks, sleeps included. 0 shows that no timer was left. */
  readonly pending: number;
  /**
   * Moves the clock forward (or back, when `ms` is negative) without any calls, as when a host is corrected or was
   * asleep. Timers count elapsed time, not the time of day: each still needs as much `advance` as before.
   */
  step(ms: number): void;
}

interface Waiting {
  timeMs: number;
  readonly callback: () => void;
}

/** Enough for any chain of `await` between two timers; each costs some 50 ns. */
const MICROTASKS = 100;

/**
 * Creates a clock that stands still until a test moves it. @param startMs Start time in milliseconds since the epoch.
 * Default 2026-01-05T08:00:00Z, a Monday.
 */
export function fakeClock(startMs: number = Date.UTC(2026, 0, 5, 8)): FakeClock {
  let nowMs = startMs;
  const waiting = new Set<Waiting>();

  /** The earliest due callback; of two at one time, the one that was set first. */
  function earliestDue(untilMs: number): Waiting | undefined {
    let earliest: Waiting | undefined;
    for (const entry of waiting) {
      if (entry.timeMs <= untilMs && (earliest === undefined || entry.timeMs < earliest.timeMs)) earliest = entry;
    }
    return earliest;
  }

  async function flush(): Promise<void> {
    for (let turn = 0; turn < MICROTASKS; turn++) await Promise.resolve();
  }

  function at(timeMs: number, callback: () => void): () => void {
    const entry = { timeMs, callback };
    waiting.add(entry);
    return () => void waiting.delete(entry);
  }

  async function advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new RangeError(`Cannot advance the clock as ms must be 0 or more: current value is ${ms}`);
    const untilMs = nowMs + ms;
    for (;;) {
      await flush();
      let due = earliestDue(untilMs);
      if (due === undefined) {
        // Code that waits for streams or for WebCrypto continues in a task of its own, and may set a timer there.
        await task();
        due = earliestDue(untilMs);
      }
      if (due === undefined) break;
      waiting.delete(due);
      nowMs = Math.max(nowMs, due.timeMs);
      due.callback();
    }
    nowMs = Math.max(nowMs, untilMs);
  }

  return {
    now: () => nowMs,
    at,
    after: (ms, callback) => at(nowMs + ms, callback),
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = () => {
          cancel();
          reject(signal?.reason);
        };
        const cancel = at(nowMs + ms, () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        });
        signal?.addEventListener("abort", onAbort, { once: true });
      });
    },
    advance,
    get pending() {
      return waiting.size;
    },
    step(ms) {
      nowMs += ms;
      for (const entry of waiting) entry.timeMs += ms;
    },
  };
}

/** One turn of the event loop. A message port is about a hundred times faster than Node's shortest timer. */
function task(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
