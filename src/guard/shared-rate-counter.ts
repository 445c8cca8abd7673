import type { Clock } from "../clock.ts";
import { ConflictError, messageOf } from "../errors.ts";
import { type JsonValue, type Store, type Value, type Version, storeKey } from "../store/index.ts";
import type { Logger } from "../telemetry/index.ts";
import { withTimeout } from "../time-limit.ts";
import { type RateCount, type RateCounter, type RateCounterOptions, openWindow } from "./rate-counter.ts";

/** How long one write may take before this process counts alone, in milliseconds. */
const WRITE_TIMEOUT_MS = 1000;

/** After a failure of the store this process counts alone for so long, in milliseconds. */
const ALONE_MS = 5000;

/** Writes that lose against other processes before this process counts alone. One of the writers always wins, so this is a bound, not a hope. */
const MAX_ATTEMPTS = 50;

export interface SharedRateCounterOptions extends RateCounterOptions {
  readonly clock: Clock;
  /** Its compare-and-set has to reach every process that counts (`caps.cas`). */
  readonly store: Pick<Store, "get" | "put">;
  /** Names this counter's documents: `rate/<name>/<key>`. */
  readonly name: string;
  readonly logger: Pick<Logger, "warn" | "info">;
}

/** What this process knows of one key. `version`: of the document that `count` stands in; `undefined` when that has to be read first. */
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
 * Counts for all processes that share a store, by compare-and-set. Hits of one key that arrive while a write is under way go into the next one
 * together, so a burst costs a few writes; a key that is over its limit costs none until its window ends.
 *
 * A store that fails, or does not answer within a second, shuts nobody out: this process goes on from the count that it knows, alone, says so once,
 * and asks the store again after five seconds.
 *
 * A key's document stays when its window is over: count by keys of which there is a known number, as tokens, not by what strangers choose.
 *
 * Source: docs/http-limits.md, "Limits".
 */
export function createSharedRateCounter(options: SharedRateCounterOptions): RateCounter {
  const { clock, windowMs, limit, store, name, logger, maxKeys = 10_000 } = options;
  const keys = new Map<string, Counting>();
  let aloneUntilMs = -Infinity;
  let failing = false;

  /** Not for longer than it was meant, when the clock was set back meanwhile. */
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

  /** Reads if it has to, then adds `hits`. @throws {ConflictError} When another process was quicker. */
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

  /** The later window; in one window, the higher count. */
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
      // Whoever arrives while the document is read is still taken along.
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

  /** @returns False when the store failed. */
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
      // Other processes can only have added to it.
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

/** What a document says, if it is one of ours. */
function countOf(value: Value | undefined): RateCount | undefined {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array || Array.isArray(value)) return;
  const { hits, endsMs } = value as { readonly [key: string]: JsonValue | undefined };
  return typeof hits === "number" && typeof endsMs === "number" ? { hits, endsMs } : undefined;
}
