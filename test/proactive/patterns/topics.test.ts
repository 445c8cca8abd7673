import { describe, expect, it } from "vitest";
import { type Topic, groupsOf, isSameTopic, topicOf } from "../../../src/proactive/patterns/topics.ts";

const about = (...texts: readonly string[]) => texts.map((text) => ({ text, topic: topicOf(text) }));

const textsOf = (groups: readonly (readonly { readonly text: string }[])[]) =>
  groups.map((group) => group.map(({ text }) => text));

describe("isSameTopic()", () => {
  it.each([
    { one: "公司税号是多少？", other: "公司的税号是多少？", same: true },
    { one: "公司税号是多少？", other: "我们公司的税号多少来着", same: true },
    { one: "学校电话是多少？", other: "学校的电话是多少", same: true },
    { one: "公司邮箱密码是多少？", other: "公司的邮箱密码是什么", same: true },
    { one: "客户合同放在哪里？", other: "客户的合同放在哪里", same: true },
    { one: "公司税号是多少？", other: "我的税号是多少？", same: false },
    { one: "公司税号是多少？", other: "公司的地址是什么？", same: false },
    { one: "公司税号是多少？", other: "公司的账号是多少？", same: false },
    { one: "客户合同放在哪里？", other: "客户的地址在哪里", same: false },
    { one: "上海大学怎么走？", other: "大学海报怎么做？", same: false },
  ])("of $one and $other: $same", ({ one, other, same }) => {
    const [a, b] = [topicOf(one), topicOf(other)];
    expect([isSameTopic(a, b), isSameTopic(b, a)]).toEqual([same, same]);
  });
});

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
