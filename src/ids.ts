import { monotonicFactory } from "ulid";
import type { Clock } from "./clock.ts";

let next: ReturnType<typeof monotonicFactory> | undefined;

/**
 * A new ULID (https://github.com/ulid/spec): 26 characters, sorts by time, and within one process always after the one before.
 * The generator is made on first use because Workers forbid randomness while a module loads.
 */
export function newId(clock: Pick<Clock, "now">): string {
  next ??= monotonicFactory();
  return next(clock.now());
}
