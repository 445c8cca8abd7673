import type { Clock } from "../clock.ts";
import { ConflictError, messageOf } from "../errors.ts";
import { type JsonValue, type Store, type Value, type Version, storeKey } from "../store/index.ts";
import type { Logger } from "../telemetry/index.ts";
import { withTimeout } from "../time-limit.ts";
import { type RateCount, type RateCounter, type RateCounterOptions, openWindow } from "./rate-counter.ts";

/** Longest write, in milliseconds; after that this process counts alone. */
const WRITE_TIMEOUT_MS = 1000;

/** Milliseconds for which this process counts alone after a failure of the store. */
const ALONE_MS = 5000;

/**
 * Maximum number of writes that lose against other processes; then this process counts alone. One writer always wins,
 * so the number is bounded.
 */
const MAX_ATTEMPTS = 50;

export interface SharedRateCounterOptions extends RateCounterOptions {
  readonly clock: Clock;
  /** Shared by all processes that count; its compare-and-set must reach them all (`caps.cas`). */
  readonly store: Pick<Store, "get" | "put">;
  /** Name of this counter's documents: `rate/<name>/<key>`. */
  readonly name: string;
  readonly logger: Pick<Logger, "warn" | "info">;
}

/**
 * What this process knows about a key. `version` is that of the document with `count`; `undefined` if the document
 * must be read first.
 */
interface Known {
  readonly count: RateCount | undefined;
  readonly version: Version | null | undefined;
}

interface Counting {
  known: Known;
  waiting: ((count: RateCount) => void)[];
  writing: boolean;
}

/**
 * Creates a counter for all processes that share a store, by compare-and-set. Hits of a key that arrive during a
 * write go into the next one together, so a burst costs a few writes. A key above its limit costs no write until its
 * window ends.
 *
 * A store that fails, or does not answer within a second, blocks no request: this process continues alone from the
 * count that it knows, logs that once, and tries the store again after five seconds.
 *
 * The document of a key stays after its window: use keys of a bounded number, such as tokens, not keys that strangers
 * choose.
 *
 * Source: docs/http-limits.md, "Limits".
 */
export function createSharedRateCounter(options: SharedRateCounterOptions): RateCounter {
  const { clock, windowMs, limit, store, name, logger, maxKeys = 10_000 } = options;
  const keys = new Map<string, Counting>();
  let aloneUntilMs = -Infinity;
  let failing = false;

  /**
   * Whether this process counts alone. The bound of `ALONE_MS` also holds if the clock was set back in the meantime.
   */
  function isAlone(): boolean {
    const leftMs = aloneUntilMs - clock.now();
    return leftMs > 0 && leftMs <= ALONE_MS;
  }

  function countingOf(key: string): Counting {
    const known = keys.get(key);
    if (known) return known;
    const counting: Counting = { known: { count: undefined, version: undefined }, waiting: [], writing: false };
    keys.set(key, counting);
    if (keys.size > maxKeys) for (const [oldest, { writing }] of keys) if (!writing && keys.delete(oldest)) break;
    return counting;
  }

  /** Reads the document if needed, then adds `hits`. @throws {ConflictError} If another process wrote first. */
  async function add(key: string, known: Known, hits: () => number): Promise<Known> {
    const document = storeKey("rate", name, key);
    let { count, version: expect } = known;
    if (expect === undefined) {
      const found = await store.get(document);
      count = newest(countOf(found?.value), count);
      expect = found?.version ?? null;
    }
    const open = openWindow(count, clock.now(), windowMs);
    const next = { hits: open.hits + hits(), endsMs: open.endsMs };
    return { count: next, version: await store.put(document, next, { expect }) };
  }

  /** Returns the later window; within the same window, the higher count. */
  function newest(found: RateCount | undefined, known: RateCount | undefined): RateCount | undefined {
    const nowMs = clock.now();
    const [theirs, ours] = [openWindow(found, nowMs, windowMs), openWindow(known, nowMs, windowMs)];
    if (ours.hits === 0) return found;
    if (theirs.hits === 0) return known;
    return { hits: Math.max(theirs.hits, ours.hits), endsMs: theirs.endsMs };
  }

  async function write(key: string, counting: Counting): Promise<void> {
    counting.writing = true;
    while (counting.waiting.length > 0) {
      let taken: Counting["waiting"] = [];
      // Hits that arrive while the document is read are included.
      const take = () => {
        taken = [...taken, ...counting.waiting.splice(0)];
        return taken.length;
      };
      if (isAlone() || !(await written(key, counting, take))) {
        const open = openWindow(counting.known.count, clock.now(), windowMs);
        counting.known = { count: { hits: open.hits + take(), endsMs: open.endsMs }, version: undefined };
      }
      const { hits = 0, endsMs = 0 } = counting.known.count ?? {};
      taken.forEach((answer, index) => answer({ hits: hits - taken.length + index + 1, endsMs }));
    }
    counting.writing = false;
  }

  /** @returns False if the store failed. */
  async function written(key: string, counting: Counting, take: () => number): Promise<boolean> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      try {
        counting.known = await withTimeout(clock, WRITE_TIMEOUT_MS, add(key, counting.known, take), () => {
          throw new Error(`The store did not answer within ${WRITE_TIMEOUT_MS} ms`);
        });
        if (failing) logger.info("Rate limits are counted in the store again", { name });
        failing = false;
        return true;
      } catch (error) {
        counting.known = { count: counting.known.count, version: undefined };
        if (ConflictError.is(error)) continue;
        if (!failing) {
          logger.warn("Rate limits are counted by this process alone until the store answers", {
            name,
            error: messageOf(error),
          });
        }
        failing = true;
        aloneUntilMs = clock.now() + ALONE_MS;
        return false;
      }
    }
    return false;
  }

  return {
    hit(key) {
      const counting = countingOf(key);
      const open = openWindow(counting.known.count, clock.now(), windowMs);
      // Other processes can only have added hits.
      if (open.hits > limit) {
        counting.known = { ...counting.known, count: open };
        return open;
      }
      return new Promise((resolve) => {
        counting.waiting.push(resolve);
        if (!counting.writing) void write(key, counting);
      });
    },
  };
}

/** Returns the count in a document, if this counter wrote it. */
function countOf(value: Value | undefined): RateCount | undefined {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || Array.isArray(value)) return;
  const { hits, endsMs } = value as { readonly [key: string]: JsonValue | undefined };
  return typeof hits === "number" && typeof endsMs === "number" ? { hits, endsMs } : undefined;
}
