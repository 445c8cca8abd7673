import { describe, expect, it } from "vitest";
import { statements } from "../../../src/memory/index.ts";
import { CHINESE, CHINESE_NOTHING, ENGLISH, ENGLISH_NOTHING, type Label } from "./labelled-statements.ts";

const kindsOf = (text: string) => statements(text).map(({ slots }) => slots?.["kind"]);
const isTuned = (_: unknown, index: number) => index % 2 === 0;
const isHeldBack = (_: unknown, index: number) => index % 2 === 1;

describe("statements()", () => {
  it.each([
    { language: "English", positive: ENGLISH, negative: ENGLISH_NOTHING },
    { language: "Chinese", positive: CHINESE, negative: CHINESE_NOTHING },
  ])("finds what people state in $language, and hardly anything else, also in sentences it was not tuned on", (set) => {
    expect(set.positive.length).toBeGreaterThanOrEqual(60);
    expect(set.negative.length).toBeGreaterThanOrEqual(60);
    for (const part of [isTuned, isHeldBack]) {
      const positive = set.positive.filter(part);
      const found = positive.filter(([, text]) => kindsOf(text).length > 0);
      const wrong = set.negative.filter(part).filter((text) => kindsOf(text).length > 0);
      const rightKind = found.filter(([kind, text]: readonly [Label, string]) => kindsOf(text).includes(kind));
      expect(found.length / positive.length).toBeGreaterThanOrEqual(0.9);
      expect(found.length / (found.length + wrong.length)).toBeGreaterThanOrEqual(0.9);
      expect(rightKind.length / found.length).toBeGreaterThanOrEqual(0.9);
    }
  });

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
