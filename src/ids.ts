import { monotonicFactory } from "ulid";
import type { Clock } from "./clock.ts";

let next: ReturnType<typeof monotonicFactory> | undefined;

/**
 * A new ULID (https://github.com/ulid/spec): 26 characters, sorts by time, and within one process always after the one before.
 * The generator is made on first use because Workers forbid randomness while a module loads.
 */
export function newId(clock: Pick<Clock, "now">): string {
  next ??= monotonicFactory(pooledRandom());
  return next(clock.now());
}

/** Random bytes are fetched by the pool: one call of the runtime for each of an id's 16 characters is most of what an id costs. */
function pooledRandom(): () => number {
  const pool = new Uint8Array(256);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    return (pool[used++] ?? 0) / 256;
  };
}
