import type { Clock } from "../clock.ts";

/** Number of hits of a key in the open window, including this one, and the end of the window. */
export interface RateCount {
  readonly hits: number;
  /** Milliseconds since the epoch. */
  readonly endsMs: number;
}

/** Counts hits per key in fixed windows: a window starts with a key's first hit and ends `windowMs` later. */
export interface RateCounter {
  /**
   * Counts one hit. Contract: never throws. Concurrent hits get different numbers, so exactly `limit` of them are
   * within the limit; all hits above it may get the same number.
   */
  hit(key: string): RateCount | Promise<RateCount>;
}

export interface RateCounterOptions {
  readonly clock: Pick<Clock, "now">;
  readonly windowMs: number;
  /** Hits above it need not be counted further. 1 or more. */
  readonly limit: number;
  /** Maximum number of keys; the windows that started first are dropped first. Default 10_000. */
  readonly maxKeys?: number;
}

/**
 * Creates a counter in this process. No timer runs: an expired window is detected at the next hit.
 *
 * Source: docs/http-limits.md, "Limits".
 */
export function createRateCounter(options: RateCounterOptions): { hit(key: string): RateCount } {
  const { clock, windowMs, limit, maxKeys = 10_000 } = options;
  const windows = new Map<string, RateCount>();

  return {
    hit(key) {
      const open = openWindow(windows.get(key), clock.now(), windowMs);
      const count = { hits: Math.min(open.hits, limit) + 1, endsMs: open.endsMs };
      // A new window goes to the end, so that the map keeps the order in which windows started.
      if (open.hits === 0) windows.delete(key);
      windows.set(key, count);
      if (windows.size > maxKeys) windows.delete(windows.keys().next().value ?? "");
      return count;
    },
  };
}

/**
 * Returns the known window, or a new one if it has ended. A window that ends later than a new one would was left by a
 * clock that has been set back since: its hits still count, for one window from now. Store the returned value,
 * otherwise that window never ends.
 */
export function openWindow(known: RateCount | undefined, nowMs: number, windowMs: number): RateCount {
  if (known === undefined || known.endsMs <= nowMs) return { hits: 0, endsMs: nowMs + windowMs };
  return known.endsMs <= nowMs + windowMs ? known : { hits: known.hits, endsMs: nowMs + windowMs };
}
