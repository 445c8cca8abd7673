import { describe, expect, it } from "vitest";
import { asksOfSelf, subjectOf } from "../../../src/memory/subject.ts";
import { spoken } from "../../../src/memory/spoken.ts";

describe("subjectOf()", () => {
  it.each([
    ["own", "who is my dentist?"],
    ["own", "What can I eat there"],
    ["own", "Our landlord wrote again"],
    ["own", "when does mum turn 70?"],
    ["own", "making tacos for me and Talia tonight"],
    ["own", "write to the landlord"],
    ["own", "the boiler leaks again"],
    ["own", "which shop had the bulbs you found last time"],
    ["own", "我妈生日快到了，送什么好？"],
    ["own", "今晚给老婆做饭"],
    ["own", "咱们周末去哪"],
    ["own", "周末大鹏过来吃饭，做什么菜好"],
    ["own", "给房东写封信"],
    ["own", "explain it simply"],
    ["life", "when does the lease end"],
    ["life", "what day does Marcus leave"],
    ["life", "吉他课是周几"],
    ["life", "钥匙放哪了"],
    ["question", "so what is a mutex?"],
    ["question", "Oslo?"],
    ["question", "can you explain it like I'm five"],
    ["question", "上海的市花是什么花"],
    ["world", "how big is Oslo?"],
    ["world", "when was the town founded"],
    ["world", "tell me a joke"],
    ["world", "can you write a poem for me"],
    ["world", "杭州有多少常住人口"],
    ["world", "给我讲个笑话"],
    ["own", "write a poem for my wife"],
  ] as const)("is %s of %j", (subject, message) => expect(subjectOf(message)).toBe(subject));
});

describe("asksOfSelf()", () => {
  it.each([
    "what do you know about me?",
    "What do you remember about me",
    "tell me everything you know about me",
    "who am i?",
    "do you remember me?",
    "do you know who I am",
    "have you learned anything about me",
    "describe me",
    "What's my name?",
    "do you remember my name",
    "what am I called?",
    "我叫什么名字？",
    "你知道我的名字吗",
    "我的名字是什么",
    "你知道我什么？",
    "你都记得关于我的哪些事",
    "关于我你了解多少",
    "我是谁？",
    "你还记得我吗",
    "你认识我吗？",
  ])("holds of %j", (message) => expect(asksOfSelf(message)).toBe(true));

  it.each([
    "what do you know about my car?",
    "what do you know about me and the dentist",
    "do you know the way to Oslo?",
    "tell me about Oslo",
    "remember me to water the plants",
    "when is my name day?",
    "what is my name day",
    "what is my sister's name?",
    "my name is Ada",
    "我叫小明",
    "你知道我妹妹叫什么吗",
    "你还记得我妈的生日吗？",
    "你知道杭州吗",
    `what do you know about me? ${"word ".repeat(60)}`,
  ])("does not hold of %j", (message) => expect(asksOfSelf(message)).toBe(false));
});

describe("spoken()", () => {
  it.each([
    ["who wrote “Dune”?", "who wrote “Dune”?"],
    ['sum up: "The house in the valley was sold in the year of the flood."', "sum up"],
    ["> The boiler is leaking\nwhat does he mean?", "what does he mean?"],
    ["```\nconst boiler = 1;\n```\nfix it", "fix it"],
    ["“云杉科技今天发布了新的仓储产品，客户可以在线下单，第二天就能收到货物。”这段话通顺吗", "这段话通顺吗"],
  ])("of %j is %j", (message, own) => expect(spoken(message).trim().replace(/:$/, "")).toBe(own));
  it("is the whole when nothing else is there", () => {
    const pasted = "```\nconst boiler = 1;\n```";
    expect(spoken(pasted)).toBe(pasted);
  });
});
