import { describe, expect, it } from "vitest";
import { type Topic, groupsOf, isSameTopic, topicOf } from "../../../src/proactive/patterns/topics.ts";

const about = (...texts: readonly string[]) => texts.map((text) => ({ text, topic: topicOf(text) }));

const textsOf = (groups: readonly (readonly { readonly text: string }[])[]) =>
  groups.map((group) => group.map(({ text }) => text));

describe("groupsOf()", () => {
  it("gathers each group around the one that is like most others, in the order in which things were said", () => {
    const things = about(
      "Where are the garage keys?",
      "Which dentist did we choose?",
      "Where did I leave the garage keys?",
      "Where are the garage keys?",
    );
    expect(textsOf(groupsOf(things))).toEqual([
      ["Where are the garage keys?", "Where did I leave the garage keys?", "Where are the garage keys?"],
      ["Which dentist did we choose?"],
    ]);
  });

  it("compares what is said again in the same words once, however often it was said", () => {
    const often = Array.from({ length: 500 }, () => "Where is the blue folder of the notary?");
    let compared = 0;
    const isAlike = (one: Topic, other: Topic) => {
      compared += 1;
      return isSameTopic(one, other);
    };
    const [group = []] = groupsOf(about("Where is the notary's blue folder?", ...often), isAlike);
    expect(group).toHaveLength(501);
    expect(compared).toBe(1);
  });
});
