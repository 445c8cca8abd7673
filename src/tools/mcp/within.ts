import type { Clock } from "../../clock.ts";
import { startDeadline } from "../../time-limit.ts";

/**
 * Runs work that listens to a signal, for at most `ms` milliseconds.
 *
 * @returns The result, or why there is none: `late` if the time was up, `stopped` if `signal` aborted first. Other
 * errors of the work are thrown.
 */
export async function within<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ readonly value: T } | "late" | "stopped"> {
  if (signal.aborted) return "stopped";
  let outcome: "late" | "stopped" = "stopped";
  const deadline = startDeadline(
    clock,
    ms,
    () => {
      outcome = "late";
      return new Error(`No answer within ${ms} ms`);
    },
    signal,
  );
  try {
    return { value: await deadline.within(work(deadline.signal)) };
  } catch (error) {
    if (deadline.signal.aborted) return outcome;
    throw error;
  } finally {
    deadline.end();
  }
}
