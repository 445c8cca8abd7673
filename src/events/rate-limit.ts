/**
 * Lets at most `perMinute` calls through in any 60 seconds.
 *
 * @returns A function that says whether a call at `nowMs` may pass, and counts it if so.
 */
export function createRateLimit(perMinute: number): (nowMs: number) => boolean {
  /** When the last `perMinute` calls passed: a ring, of which `oldest` is the next to be overwritten. */
  const passedMs: number[] = [];
  let oldest = 0;
  return (nowMs) => {
    const first = passedMs[oldest];
    if (passedMs.length === perMinute && first !== undefined) {
      // A clock that was set back must not lock the handler out.
      if (nowMs - first < 60_000 && nowMs >= first) return false;
    }
    passedMs[oldest] = nowMs;
    oldest = (oldest + 1) % perMinute;
    return true;
  };
}
