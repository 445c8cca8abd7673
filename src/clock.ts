/** The only place in the core that reads the wall clock or sets a timer (with `engine/`). */
export interface Clock {
  /** Milliseconds since the epoch. Contract: never throws; may step backwards when the host's clock does. */
  now(): number;
  /** Waits `ms` milliseconds. Contract: rejects with the signal's reason as soon as the signal aborts, and leaves no timer behind. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once at or after `timeMs`. Contract: a time in the past calls back soon, never in the same tick. @returns A function that cancels. */
  at(timeMs: number, callback: () => void): () => void;
}

/** The longest delay that every runtime's timer keeps: a longer one fires at once on Node, so longer waits are chained. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The wall clock and timers of the runtime. Reads the time on each call, so a fake `Date` is respected. */
export function systemClock(): Clock {
  function at(timeMs: number, callback: () => void): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const arm = () => {
      const left = timeMs - Date.now();
      timer = left > LONGEST_TIMER_MS ? setTimeout(arm, LONGEST_TIMER_MS) : setTimeout(callback, Math.max(0, left));
    };
    arm();
    return () => clearTimeout(timer);
  }
  return {
    now: () => Date.now(),
    at,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = () => {
          cancel();
          reject(signal?.reason);
        };
        const cancel = at(Date.now() + ms, () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        });
        signal?.addEventListener("abort", onAbort, { once: true });
      });
    },
  };
}
