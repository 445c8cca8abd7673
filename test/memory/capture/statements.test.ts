import { describe, expect, it } from "vitest";
import { statements } from "../../../src/memory/index.ts";
import { CHINESE, CHINESE_HELD_BACK, ENGLISH, ENGLISH_HELD_BACK, type Labelled } from "./labelled-statements.ts";

const kindsOf = (text: string) => statements(text).map(({ slots }) => slots?.["kind"]);

function measure({ positive, negative }: Labelled) {
  const found = positive.filter(([, text]) => kindsOf(text).length > 0);
  const wrong = negative.filter((text) => kindsOf(text).length > 0);
  return {
    recall: found.length / positive.length,
    precision: found.length / (found.length + wrong.length),
    kinds: found.filter(([kind, text]) => kindsOf(text).includes(kind)).length / found.length,
  };
}

describe("statements()", () => {
  it.each([
    { set: "English sentences", least: 0.97, labelled: ENGLISH },
    { set: "Chinese sentences", least: 0.97, labelled: CHINESE },
    { set: "English sentences that were held back", least: 0.92, labelled: ENGLISH_HELD_BACK },
    { set: "Chinese sentences that were held back", least: 0.85, labelled: CHINESE_HELD_BACK },
  ])("finds what people state in $set, of the right kind, and hardly anything else", ({ least, labelled }) => {
    const { recall, precision, kinds } = measure(labelled);
    expect(recall).toBeGreaterThanOrEqual(least);
    expect(precision).toBeGreaterThanOrEqual(Math.min(0.92, least));
    expect(kinds).toBeGreaterThanOrEqual(0.9);
  });

  it.each([
    "@wakebot always answer in French",
    "@小助手 以后都用中文回答",
    "_I'm vegetarian_",
    "**I prefer tea**",
    "I   prefer   tea",
    "I prefer `pnpm` over `npm`.",
    "我喜欢用`vim`写代码",
    "I’m allergic to nuts",
    "ｉ ｐｒｅｆｅｒ ｔｅａ",
  ])("finds what is stated in %s, however it is written and to whom", (text) => {
    expect(statements(text).map(({ content }) => content)).toEqual([text]);
  });

  it.each([
    ["我喜欢写作\n我对花生过敏", ["我喜欢写作", "我对花生过敏"]],
    ["我在银行做数据分析\n我对花生过敏", ["我在银行做数据分析", "我对花生过敏"]],
    ["我喜歡寫作\n我對花生過敏", ["我喜歡寫作", "我對花生過敏"]],
    ["我有一段话，请翻译：\n我住在北京", []],
    ["我需要翻译这段：我住在北京", []],
    ["幫我潤色：我住在北京", []],
  ])(
    "of %j keeps what people do themselves and the line behind it, sign by sign, but no material",
    (text, contents) => {
      expect(statements(text).map(({ content }) => content)).toEqual(contents);
    },
  );

  it("keeps the sentence as it was said, with its kind", () => {
    expect(statements("Hi there! I'm allergic to peanuts. What's for lunch?")).toEqual([
      {
        content: "I'm allergic to peanuts.",
        keywords: ["fact"],
        slots: { type: "statement", source: "conversation", kind: "fact", lasting: true },
      },
    ]);
  });

  it.each([
    ["From now on, answer me in French.", true],
    ["Call me Robin.", true],
    ["Always use metric units.", true],
    ["以后请用中文回答我。", true],
    ["我对花生过敏。", true],
    ["记住，钥匙在隔壁。", true],
    ["I prefer tea.", false],
    ["We decided to move the launch to March.", false],
    ["我喜欢靠窗的座位。", false],
  ])("says of %s whether it was stated as lasting", (text, lasting) => {
    expect(statements(text)[0]?.slots?.["lasting"] ?? false).toBe(lasting);
  });

  it.each([
    ["a translation", "Translate the following: I am allergic to peanuts. I prefer tea."],
    ["a request with its material", "请翻译下面的句子：我对花生过敏。我喜欢喝茶。"],
    ["code", "Look at this:\n```\n// I prefer tabs.\n```"],
    ["code in a line", "Type `I prefer tea` or `我喜欢喝红茶` there."],
    ["a quoted mail", "> I prefer the window seat.\n> I live in Rome."],
    ["a password", "My wifi password is hunter2hunter2."],
    ["a Chinese password", "我的邮箱密码是abc12345。"],
    ["nothing", ""],
    ["a sign", "👍"],
  ])("finds nothing in %s", (_, text) => {
    expect(statements(text)).toEqual([]);
  });

  it("finds several in one message, up to a limit, and says who speaks in a group", () => {
    const text = "I live in Oslo. I have two cats. I prefer tea.";
    expect(statements(text)).toHaveLength(3);
    expect(statements(text, { limit: 2, speaker: "Ada" }).map(({ content }) => content)).toEqual([
      "Ada: I live in Oslo.",
      "Ada: I have two cats.",
    ]);
  });

  it("finds nothing in a question, unless it asks how things are done for good", () => {
    expect(statements("My sister lives in Oslo, doesn't she?")).toEqual([]);
    expect(statements("I live in Oslo, so when does the train leave?")).toEqual([]);
    expect(kindsOf("Can you always answer me in French?")).toEqual(["preference"]);
    expect(kindsOf("Can you al**ways** answer me in French?")).toEqual(kindsOf("Can you always answer me in French?"));
    expect(kindsOf("Which one? I live in Oslo.")).toEqual(["fact"]);
  });

  it("reads only the beginning of a long document, in little time", () => {
    const hostile = [
      "I ".repeat(5000),
      "my ".repeat(5000),
      "我".repeat(8000),
      "i will ".repeat(3000),
      "以后".repeat(4000),
    ];
    const startedAt = performance.now();
    for (const text of hostile) statements(text);
    expect(performance.now() - startedAt).toBeLessThan(1500);
    expect(statements(`${"The report goes on. ".repeat(200)} I live in Oslo.`)).toEqual([]);
  });
});
