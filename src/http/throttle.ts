import type { Clock } from "../clock.ts";

/** Counts failed sign-ins by source: a bucket that holds `capacity` and gets one back each `refillMs`. */
export interface Throttle {
  /** Milliseconds until `source` may try again; 0 when it may now. */
  waitMs(source: string): number;
  /** One try failed. @returns As `waitMs` before it was counted: 0 = it was still within the limit. */
  fail(source: string): number;
}

/** @param options.maxSources How many sources are remembered; the ones that failed longest ago are forgotten first. Default 10_000. */
export function createThrottle(options: {
  clock: Pick<Clock, "now">;
  capacity?: number;
  refillMs?: number;
  maxSources?: number;
}): Throttle {
  const { clock, capacity = 20, refillMs = 3000, maxSources = 10_000 } = options;
  // A source's failures "run out" at this time: `capacity * refillMs` ahead means that the bucket is empty.
  const runsOutAt = new Map<string, number>();

  function waitMs(source: string): number {
    const mostMs = capacity * refillMs;
    const ahead = (runsOutAt.get(source) ?? 0) - clock.now();
    // More than a bucket holds: the clock was set back. The bucket is empty then, and no more than that.
    if (ahead > mostMs) runsOutAt.set(source, clock.now() + mostMs);
    return Math.max(0, Math.min(ahead, mostMs) - (capacity - 1) * refillMs);
  }

  function fail(source: string): number {
    const wait = waitMs(source);
    if (wait > 0) return wait;
    const from = Math.max(clock.now(), runsOutAt.get(source) ?? 0);
    runsOutAt.delete(source);
    runsOutAt.set(source, from + refillMs);
    if (runsOutAt.size > maxSources) runsOutAt.delete(runsOutAt.keys().next().value!);
    return 0;
  }
  return { waitMs, fail };
}
