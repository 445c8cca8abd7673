import { describe, expect, it } from "vitest";
import { peopleIn } from "../../src/skills/skill-people.ts";
import { WHOLE, wholeOnNode } from "../support/thorough.ts";
import { platform } from "../support/this-platform.ts";

const yaml = () => platform.yaml();
const numbered = (count: number, each: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => each(at)).join(",");
const skill = (frontmatter: string) => `---\nname: notes\ndescription: Takes notes\n${frontmatter}\n---\nTake notes.\n`;

/** Texts that are no skill any more; with time that grows with the square of the length none of them ends on Node in the time of a test. */
const HOSTILE = [
  ["keys", `x: {${numbered(WHOLE ? 60_000 : 12_000, (at) => `k${at}`)}}`],
  ["anchors", `x: [${numbered(60_000, (at) => `&${at} 1,*${at}`)}]`],
] as const;

describe("peopleIn()", () => {
  it.each(wholeOnNode(HOSTILE, HOSTILE.length))("comes to an end with many %s", (_, text) => {
    expect(peopleIn(skill(`people: [a]\n${text}`), yaml)).toEqual(["a"]);
  });
});
