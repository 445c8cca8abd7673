import { after, type Clock } from "./clock.ts";

/** What can measure a span of time. */
type Spans = Pick<Clock, "sleep" | "after">;

/**
 * Waits for a promise, at most `ms` milliseconds. The work goes on after that, and what becomes of it is ignored. Leaves no timer behind.
 *
 * @param onTimeout Called when the time is over: its result takes the place of the work's, and what it throws is thrown.
 * @param signal Ends the wait with its reason.
 */
export async function withTimeout<T, L>(
  clock: Spans,
  ms: number,
  work: Promise<T>,
  onTimeout: () => L,
  signal?: AbortSignal,
): Promise<T | L> {
  let cancel = () => {};
  const late = new Promise<void>((resolve) => {
    cancel = after(clock, ms, resolve);
  }).then(onTimeout);
  const first = Promise.race([work, late]);
  try {
    return await (signal ? abortable(first, signal) : first);
  } finally {
    cancel();
  }
}

/** Waits for a promise until the signal aborts, and throws its reason then. The work goes on, and what becomes of it is ignored. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const release = () => signal.removeEventListener("abort", onAbort);
    const onAbort = () => {
      release();
      reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    work.then(
      (value) => {
        release();
        resolve(value);
      },
      (error: unknown) => {
        release();
        reject(error);
      },
    );
  });
}

/** The time that several steps have together. */
export interface Deadline {
  /** Aborts when the time is over, or the outer signal aborts. */
  readonly signal: AbortSignal;
  /** Waits for a step, and throws the reason of `signal` as soon as that aborts: work that does not listen to it is left behind. */
  within<T>(work: Promise<T>): Promise<T>;
  /** Cancels the timer and lets go of the outer signal. Contract: must be called, or both stay. */
  end(): void;
}

/**
 * Starts the time of work that listens to a signal.
 *
 * @param ms `Infinity`: only the outer signal ends it.
 * @param onTimeout Gives the signal's reason when the time is over.
 */
export function startDeadline(
  clock: Spans,
  ms: number,
  onTimeout: () => unknown,
  outer?: AbortSignal | null,
): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const cancel = ms === Infinity ? () => {} : after(clock, ms, () => controller.abort(onTimeout()));
  const end = () => {
    cancel();
    outer?.removeEventListener("abort", onAbort);
  };
  const onAbort = () => {
    end();
    controller.abort(outer?.reason);
  };
  outer?.addEventListener("abort", onAbort, { once: true });
  if (outer?.aborted) onAbort();
  return { signal, within: (work) => abortable(work, signal), end };
}
