/**
 * Lets at most `perMinute` calls through in any 60 seconds.
 *
 * @returns A function that says whether a call at `nowMs` may pass, and counts it if so.
 */
export function createRateLimit(perMinute: number): (nowMs: number) => boolean {
  /** When the last `perMinute` calls passed: a ring, of which `oldest` is the next to be overwritten. */
  const passedMs: number[] = [];
  let oldest = 0;
  let lastMs = -Infinity;
  return (nowMs) => {
    // The clock was set back: what passed counts as of now, so that the handler is locked out for a minute at most and the limit holds.
    if (nowMs < lastMs) passedMs.forEach((at, index) => (passedMs[index] = Math.min(at, nowMs)));
    lastMs = nowMs;
    const first = passedMs[oldest];
    if (passedMs.length === perMinute && first !== undefined && nowMs - first < 60_000) return false;
    passedMs[oldest] = nowMs;
    oldest = (oldest + 1) % perMinute;
    return true;
  };
}
