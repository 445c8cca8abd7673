/** Measurements of one thing, all in the same unit. */
export interface Sample {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
  readonly count: number;
}

/** @throws {RangeError} If there is nothing to summarize. */
export function summarize(values: readonly number[]): Sample {
  if (values.length === 0) throw new RangeError("Cannot summarize an empty list of measurements");
  const sorted = values.toSorted((a, b) => a - b);
  return {
    median: percentile(sorted, 0.5),
    lowest: sorted[0] as number,
    highest: sorted.at(-1) as number,
    count: sorted.length,
  };
}

export function median(values: readonly number[]): number {
  return summarize(values).median;
}

/** @param sorted In ascending order; between two values their mean by weight. */
export function percentile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? NaN;
  const above = sorted[Math.ceil(place)] ?? NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/**
 * How many times `ours` is `theirs`, round by round: both sides of a round ran within moments of each other, so that what else the
 * machine did falls on both.
 */
export function ratios(ours: readonly number[], theirs: readonly number[]): Sample {
  const count = Math.min(ours.length, theirs.length);
  return summarize(Array.from({ length: count }, (_, round) => (ours[round] as number) / (theirs[round] as number)));
}
