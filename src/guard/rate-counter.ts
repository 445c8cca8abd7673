import type { Clock } from "../clock.ts";

/** How often a key was counted in the window that is open, this time included, and when that window ends. */
export interface RateCount {
  readonly hits: number;
  /** Milliseconds since the epoch. */
  readonly endsMs: number;
}

/** Counts by key in fixed windows: a window opens with a key's first hit and closes `windowMs` later. */
export interface RateCounter {
  /**
   * Counts one hit. Contract: never throws. Of hits that are counted at once each gets another number, so exactly `limit` of them are within it;
   * what is over the limit may all get the same one.
   */
  hit(key: string): RateCount | Promise<RateCount>;
}

export interface RateCounterOptions {
  readonly clock: Pick<Clock, "now">;
  readonly windowMs: number;
  /** What is over it need not be counted any further. 1 or more. */
  readonly limit: number;
  /** How many keys are remembered; the windows that opened first are forgotten first. Default 10_000. */
  readonly maxKeys?: number;
}

/**
 * Counts in this process. Nothing runs between hits: a window that is over is seen at the next one.
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
      // A new window goes to the end, so that the map stays in the order in which windows opened.
      if (open.hits === 0) windows.delete(key);
      windows.set(key, count);
      if (windows.size > maxKeys) windows.delete(windows.keys().next().value ?? "");
      return count;
    },
  };
}

/**
 * The window as it was left, or a new one when it is over. One that ends later than any that opens now was left by a clock that was set back since: its
 * hits still count, for one window from now on. Keep what is returned, or that window never ends.
 */
export function openWindow(known: RateCount | undefined, nowMs: number, windowMs: number): RateCount {
  if (known === undefined || known.endsMs <= nowMs) return { hits: 0, endsMs: nowMs + windowMs };
  return known.endsMs <= nowMs + windowMs ? known : { hits: known.hits, endsMs: nowMs + windowMs };
}
