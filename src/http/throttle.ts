import type { Clock } from "../clock.ts";

/** Counts failed sign-ins by source in a token bucket of `capacity` that regains one token every `refillMs`. */
export interface Throttle {
  /** Milliseconds until `source` may try again; 0 if it may try now. */
  waitMs(source: string): number;
  /** Counts a failed attempt. @returns The value of `waitMs` before this one; 0 means it was within the limit. */
  fail(source: string): number;
}

/**
 * @param options.maxSources Maximum number of sources; the one that failed longest ago is dropped first. Default
 * 10_000.
 */
export function createThrottle(options: {
  clock: Pick<Clock, "now">;
  capacity?: number;
  refillMs?: number;
  maxSources?: number;
}): Throttle {
  const { clock, capacity = 20, refillMs = 3000, maxSources = 10_000 } = options;
  // Time at which a source's failures have expired. `capacity * refillMs` ahead means an empty bucket.
  const runsOutAt = new Map<string, number>();

  function waitMs(source: string): number {
    const mostMs = capacity * refillMs;
    const ahead = (runsOutAt.get(source) ?? 0) - clock.now();
    // A greater value means that the clock was set back; cap it at an empty bucket.
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
