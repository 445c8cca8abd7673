/** The only place in the core that reads the wall clock or sets a timer (with `engine/`). */
export interface Clock {
  /** Milliseconds since the epoch. Contract: never throws; may step backwards when the host's clock does. */
  now(): number;
  /**
   * Waits `ms` milliseconds, however the host's clock is set meanwhile. Contract: rejects with the signal's reason as soon as the signal aborts, and
   * leaves no timer behind.
   */
  sleep(ms: number, signal?: AbortSignal, options?: SpanOptions): Promise<void>;
  /**
   * Calls back once at or after `timeMs`. Contract: a time in the past calls back soon, never in the same tick; a process that has nothing else to do may
   * end before, so what must happen is a wake of the engine. @returns A function that cancels.
   */
  at(timeMs: number, callback: () => void): () => void;
  /**
   * Calls back once, `ms` milliseconds from now, however the host's clock is set meanwhile. @returns A function that cancels.
   * Without it `sleep` is used, which costs a signal and two promises for each of the many spans that are never waited out.
   */
  after?(ms: number, callback: () => void, options?: SpanOptions): () => void;
}

/** A clock without fractions of a millisecond. A `Date` has none either: a wake for a time with one would come before it, again and again. */
export function inWholeMs(clock: Clock): Clock {
  return {
    now: () => Math.floor(clock.now()),
    sleep: (...given) => clock.sleep(...given),
    at: (...given) => clock.at(...given),
    ...(clock.after && { after: clock.after.bind(clock) }),
  };
}

/** What `setTimeout` of the runtime gives. */
export type Timer = ReturnType<typeof setTimeout>;

export interface SpanOptions {
  /** A process that has nothing else to do may end before the span is over. Default false. */
  readonly idle?: boolean;
}

/** The longest delay that every runtime's timer keeps: a longer one fires at once on Node, so longer waits are chained. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const CANCELLED = new DOMException("No longer waited for", "AbortError");

/**
 * Calls back once, `ms` milliseconds from now. A span is not a time of day: `at(now() + ms)` would be over at once, or a day late, when the host's
 * clock is set between the two readings.
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
 * @param platform.unref Lets the process end before an idle timer fires. Default: the timer's own method `unref`, where it has one.
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

/** @param left How long it still waits, in milliseconds, after it has waited so long. */
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
