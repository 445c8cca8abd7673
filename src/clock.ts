/** The only place in the core that reads the wall clock or sets a timer (with `engine/`). */
export interface Clock {
  /** Milliseconds since the epoch. Contract: never throws; may step backwards when the host's clock does. */
  now(): number;
  /**
   * Waits `ms` milliseconds, unaffected by changes of the host's clock. Contract: rejects with the signal's reason as
   * soon as the signal aborts, and leaves no timer behind.
   */
  sleep(ms: number, signal?: AbortSignal, options?: SpanOptions): Promise<void>;
  /**
   * Calls back once at or after `timeMs`. Contract: for a past time calls back soon, never in the same tick. An idle
   * process may end before the callback, so work that must happen needs a wake of the engine. @returns A function that
   * cancels.
   */
  at(timeMs: number, callback: () => void): () => void;
  /**
   * Calls back once, `ms` milliseconds from now, unaffected by changes of the host's clock. @returns A function that
   * cancels. Without it `sleep` is used, which costs a signal and two promises for each of the many spans that are
   * cancelled early.
   */
  after?(ms: number, callback: () => void, options?: SpanOptions): () => void;
}

/**
 * A clock in whole milliseconds. A `Date` has no fractions either: a wake for a time with a fraction would come too
 * early, again and again.
 */
export function inWholeMs(clock: Clock): Clock {
  return {
    now: () => Math.floor(clock.now()),
    sleep: (...given) => clock.sleep(...given),
    at: (...given) => clock.at(...given),
    ...(clock.after && { after: clock.after.bind(clock) }),
  };
}

/** The return type of the runtime's `setTimeout`. */
export type Timer = ReturnType<typeof setTimeout>;

export interface SpanOptions {
  /** Whether an idle process may end before the span is over. Default false. */
  readonly idle?: boolean;
}

/** Longest delay that every runtime's timer supports. On Node a longer one fires at once, so longer waits are chained. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const CANCELLED = new DOMException("No longer waited for", "AbortError");

/**
 * Calls back once, `ms` milliseconds from now. A span is not a time of day: if the host's clock is set between two
 * readings, `at(now() + ms)` would fire at once, or a day late.
 *
 * @returns A function that cancels.
 */
export function after(
  clock: Pick<Clock, "sleep" | "after">,
  ms: number,
  action: () => void,
  options?: SpanOptions,
): () => void {
  if (clock.after !== undefined) return clock.after(ms, action, options);
  const stop = new AbortController();
  clock.sleep(ms, stop.signal).then(
    () => {
      if (!stop.signal.aborted) action();
    },
    () => {},
  );
  return () => stop.abort(CANCELLED);
}

/**
 * The wall clock and timers of the runtime. Reads the time on each call, so a fake `Date` is respected.
 *
 * @param platform.unref Lets the process end before an idle timer fires. Default: the timer's own method `unref`, if it
 *   has one.
 */
export function systemClock({ unref = unrefTimer }: { unref?(timer: Timer): void } = {}): Clock {
  const startSpan: NonNullable<Clock["after"]> = (ms, callback, options = {}) => {
    if (ms > MAX_TIMER_MS) return startTimer((waitedMs) => ms - waitedMs, callback, options, unref);
    const timer = setTimeout(callback, Math.max(0, ms));
    if (options.idle) unref(timer);
    return () => clearTimeout(timer);
  };
  return {
    now: () => Date.now(),
    at: (timeMs, callback) => startTimer(() => timeMs - Date.now(), callback, { idle: true }, unref),
    after: startSpan,
    sleep(ms, signal, options) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const onAbort = () => {
          cancel();
          reject(signal?.reason);
        };
        const over = () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        };
        const cancel = startSpan(ms, over, options);
        signal?.addEventListener("abort", onAbort, { once: true });
      });
    },
  };
}

function unrefTimer(timer: Timer): void {
  (timer as { unref?(): void }).unref?.();
}

/** @param left Returns the remaining milliseconds, given those already waited. */
function startTimer(
  left: (waitedMs: number) => number,
  callback: () => void,
  { idle }: SpanOptions,
  unref: (timer: Timer) => void,
): () => void {
  let waitedMs = 0;
  let timer: Timer | undefined;
  const arm = () => {
    const leftMs = left(waitedMs);
    const isLast = leftMs <= MAX_TIMER_MS;
    if (!isLast) waitedMs += MAX_TIMER_MS;
    timer = setTimeout(isLast ? callback : arm, isLast ? Math.max(0, leftMs) : MAX_TIMER_MS);
    if (idle) unref(timer);
  };
  arm();
  return () => clearTimeout(timer);
}
