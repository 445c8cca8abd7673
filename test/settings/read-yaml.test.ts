import { describe, expect, it } from "vitest";
import { readYaml } from "../../src/settings/index.ts";
import { wholeOnNode } from "../support/thorough.ts";
import { platform } from "../support/this-platform.ts";

const numbered = (count: number, each: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => each(at)).join(",");

/** Files of at most 1 MiB. With time that grows with the square of the length none of them ends before the test's time is up. */
const HOSTILE = [
  ["values below a long key", `? ${"k".repeat(200_000)}\n: [${"1,".repeat(15_000)}]`],
  ["aliases", `a: &a x\nb: [${"*a,".repeat(100_000)}]`],
  ["anchors", `b: [${numbered(60_000, (at) => `&${at} 1,*${at}`)}]`],
  ["keys", `b: {${numbered(120_000, (at) => `k${at}`)}}`],
  ["mistakes below a long key", `? ${"k".repeat(200_000)}\n: [${"{a,a},".repeat(6000)}]`],
] as const;

describe("readYaml()", () => {
  it.each(wholeOnNode(HOSTILE, HOSTILE.length))("comes to an end with as many %s as fit", (_, text) => {
    const { problems } = readYaml(text, platform.yaml());
    expect(problems.length).toBeLessThanOrEqual(100);
  });
});
