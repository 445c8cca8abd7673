import { after, type Clock } from "./clock.ts";

/** The clock members that measure a span of time. */
type Spans = Pick<Clock, "sleep" | "after">;

/**
 * Waits for a promise, at most `ms` milliseconds. The work continues after that, and its outcome is ignored. Leaves no
 * timer behind.
 *
 * @param onTimeout Called when the time is over: its result replaces the work's, and its error is thrown.
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

/** Waits for a promise until the signal aborts, then throws its reason. The work continues, and its outcome is ignored. */
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

/** A time limit that several steps share. */
export interface Deadline {
  /** Aborts when the time is over, or the outer signal aborts. */
  readonly signal: AbortSignal;
  /**
   * Waits for a step, and throws the reason of `signal` as soon as that aborts. Work that does not listen to the signal
   * is abandoned.
   */
  within<T>(work: Promise<T>): Promise<T>;
  /** Cancels the timer and releases the outer signal. Contract: must be called, or both stay. */
  end(): void;
}

/**
 * Starts a time limit for work that listens to a signal.
 *
 * @param ms `Infinity`: only the outer signal ends it.
 * @param onTimeout Returns the signal's reason when the time is over.
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
