/**
 * Creates a limit of `perMinute` calls in any 60 seconds.
 *
 * @returns A function that tells whether a call at `nowMs` may pass, and counts it if so.
 */
export function createRateLimit(perMinute: number): (nowMs: number) => boolean {
  /** Times of the last `perMinute` passed calls: a ring buffer in which `oldest` is overwritten next. */
  const passedMs: number[] = [];
  let oldest = 0;
  let lastMs = -Infinity;
  return (nowMs) => {
    // The clock was set back. Passed calls count as made now, so the handler is blocked for at most a minute and the
    // limit holds.
    if (nowMs < lastMs) passedMs.forEach((at, index) => (passedMs[index] = Math.min(at, nowMs)));
    lastMs = nowMs;
    const first = passedMs[oldest];
    if (passedMs.length === perMinute && first !== undefined && nowMs - first < 60_000) return false;
    passedMs[oldest] = nowMs;
    oldest = (oldest + 1) % perMinute;
    return true;
  };
}
