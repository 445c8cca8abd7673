import { WHOLE } from "../support/thorough.ts";

/** How many there are of what makes a text long: all on Node, a fifth of them elsewhere. */
const many = (count: number) => (WHOLE ? count : count / 5);
const numbered = (count: number, each: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => each(at)).join(",");

/** Files of at most 1 MiB. With time that grows with the square of the length none of them ends on Node before the test's time is up. */
export const HOSTILE = [
  ["values below a long key", `? ${"k".repeat(200_000)}\n: [${"1,".repeat(15_000)}]`],
  ["aliases", `a: &a x\nb: [${"*a,".repeat(100_000)}]`],
  ["anchors", `b: [${numbered(many(60_000), (at) => `&${at} 1,*${at}`)}]`],
  ["keys", `b: {${numbered(many(120_000), (at) => `k${at}`)}}`],
  ["mistakes below a long key", `? ${"k".repeat(200_000)}\n: [${"{a,a},".repeat(6000)}]`],
] as const;
