import { inject } from "vitest";

/**
 * False in `npm test`, which tries a sample of what there are thousands of cases of; true in `npm run faults -- --only thorough`, which tries them whole, with
 * a seed of its own, and where defects are planted.
 */
export const THOROUGH: boolean = inject("thorough");

/** True on Node, and where tests are thorough. The other runtimes run the same code: they try every kind of case, and fewer of each kind. */
export const WHOLE: boolean = THOROUGH || inject("onNode");

/** All of a list where tests are thorough; on Node every n-th of it, elsewhere every 3n-th. */
export function sampled<T>(list: readonly T[], each: number): readonly T[] {
  if (THOROUGH) return list;
  return everyNth(list, WHOLE ? each : 3 * each);
}

/** All of a list on Node and where tests are thorough, every n-th of it elsewhere. */
export function wholeOnNode<const T>(list: readonly T[], each: number): readonly T[] {
  return WHOLE ? list : everyNth(list, each);
}

/** How far from one numbered case to the next: each where tests are thorough, on Node every n-th, elsewhere every 3n-th. */
export function stride(each: number): number {
  if (THOROUGH) return 1;
  return WHOLE ? each : 3 * each;
}

/** How many made-up cases a property is tried with: all where tests are thorough, a tenth on Node, a thirtieth elsewhere, but no less than 20. */
export function runs(count: number): number {
  return THOROUGH ? count : Math.min(count, Math.max(20, Math.ceil(count / (WHOLE ? 10 : 30))));
}

function everyNth<T>(list: readonly T[], each: number): readonly T[] {
  return list.filter((_, index) => index % each === 0);
}
