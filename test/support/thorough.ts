import { inject } from "vitest";

/**
 * False in `npm test`, which tries a sample of what there are thousands of cases of; true in `npm run faults -- --only thorough`, which tries them whole, with
 * a seed of its own, and where defects are planted.
 */
export const THOROUGH: boolean = inject("thorough");

/** All of a list where tests are thorough, every n-th of it elsewhere. */
export function sampled<T>(list: readonly T[], each: number): readonly T[] {
  return THOROUGH ? list : list.filter((_, index) => index % each === 0);
}

/** How many made-up cases a property is tried with: all where tests are thorough, a tenth elsewhere, but no less than 20. */
export function runs(count: number): number {
  return THOROUGH ? count : Math.min(count, Math.max(20, Math.ceil(count / 10)));
}
