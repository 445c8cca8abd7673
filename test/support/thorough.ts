/**
 * True on one of the runtimes: what looks for rare coincidences, or for what grows, does so thoroughly there, and in short on the others, which run the same
 * code. Keeps the whole suite within its time.
 */
export const THOROUGH: boolean = globalThis.navigator?.userAgent?.startsWith("Node") ?? false;

/** All of a list where it is looked at thoroughly, every so many of it elsewhere. */
export function sampled<T>(list: readonly T[], each: number): readonly T[] {
  return THOROUGH ? list : list.filter((_, index) => index % each === 0);
}

/** How many made-up cases a property is tried with: all of them where it is looked at thoroughly, a tenth of them elsewhere, but no less than 20. Each run takes a seed of its own. */
export function runs(count: number): number {
  return THOROUGH ? count : Math.min(count, Math.max(20, Math.ceil(count / 10)));
}
