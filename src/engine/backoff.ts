/** Longest wait before a key whose handler failed runs again: 5 minutes. */
const CAP_MS = 300_000;

/**
 * Returns how long a key waits after its handler threw: 1 s, 5 s, 25 s, 125 s, then 5 minutes each time.
 *
 * Source: docs/decisions/0002-engine-only-wakes-keys.md.
 *
 * @param failures Consecutive failures, counting the last. 1 or more.
 * @returns Milliseconds, counted from the end of the failed run.
 * @throws {RangeError} If `failures` is not a whole number of 1 or more.
 */
export function wakeBackoffMs(failures: number): number {
  if (!Number.isInteger(failures) || failures < 1) {
    throw new RangeError(
      `Cannot compute a back-off as failures must be a whole number of 1 or more: current value is ${failures}`,
    );
  }
  return Math.min(CAP_MS, 1000 * 5 ** (failures - 1));
}
