import { after, type Clock } from "../../clock.ts";

/**
 * Runs work that listens to a signal, for `ms` milliseconds at most.
 *
 * @returns The result, or why there is none: `late` when the time was up, `stopped` when `signal` aborted first. What the work throws otherwise is thrown.
 */
export async function within<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ readonly value: T } | "late" | "stopped"> {
  if (signal.aborted) return "stopped";
  const limit = new AbortController();
  let outcome: "late" | "stopped" | undefined;
  let end: (what: "late" | "stopped") => void = () => {};
  const ended = new Promise<"late" | "stopped">((resolve) => {
    end = (what) => {
      outcome = what;
      limit.abort(new Error(what === "late" ? `No answer within ${ms} ms` : "Stopped"));
      resolve(what);
    };
  });
  const onAbort = () => end("stopped");
  signal.addEventListener("abort", onAbort, { once: true });
  const cancel = after(clock, ms, () => end("late"));
  try {
    const working = work(limit.signal).then((value) => ({ value }));
    // Work that does not listen to its signal is left behind.
    working.catch(() => {});
    return await Promise.race([working, ended]);
  } catch (error) {
    if (outcome !== undefined) return outcome;
    throw error;
  } finally {
    cancel();
    signal.removeEventListener("abort", onAbort);
  }
}
