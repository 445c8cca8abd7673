import { describe, expect, it } from "vitest";
import { MAX_DIGEST } from "../../src/attention/digest.ts";
import { WORDS, digest, fitsIntoOne, of } from "./digests.ts";

const OFFER = { kind: "pattern", choices: [{ id: "yes", label: "Yes" }], data: {} };
const SIGNS = "主分支的构建又失败了，需要有人看一下。";

describe("digestOf()", () => {
  it.each([
    { title: "2 short ones", texts: ["a", "b"] },
    { title: "a long one that fits beside a short one", texts: ["a".repeat(3000), "b"] },
    { title: "40 lines", texts: of(40, (at) => `about ${at}`) },
  ])("leaves $title as they are", ({ texts }) => {
    const { text, whole } = digest(texts);
    expect(whole).toBeUndefined();
    expect(text).toBe(
      [`${texts.length} things that could wait:`, ...texts.map((one, at) => `${at + 1}. ${one}`)].join("\n\n"),
    );
  });

  it.each([
    { title: "2 of 5,000 characters", texts: of(2, (at) => `n${at} ${WORDS.repeat(120)}`), shown: 2 },
    { title: "30 of 5,000 characters", texts: of(30, (at) => `n${at} ${WORDS.repeat(120)}`), shown: 30 },
    { title: "100 of 90 characters", texts: of(100, (at) => `n${at} ${WORDS.repeat(2)}`.trim()), shown: 34 },
    { title: "1 of 20,000 characters beside 3 short ones", texts: ["x ".repeat(10_000), "a", "b", "c"], shown: 4 },
    { title: "30 in Chinese", texts: of(30, (at) => `第${at}件 ${SIGNS.repeat(100)}`), shown: 30 },
    { title: "blocks of code", texts: of(20, () => `Log:\n\n\`\`\`\n${WORDS.repeat(60)}\n\`\`\``), shown: 20 },
    { title: "empty lines", texts: of(20, (at) => `n${at}${"\n".repeat(5000)}end`), shown: 20 },
  ])("fits $title into one message, and keeps the whole", fitsIntoOne);

  it.each([
    { title: "many", others: 99, question: "Shall I run the tests each night?", end: "night?" },
    { title: "one", others: 1, question: `${"Why. ".repeat(100)}Shall I run the tests each night?`, end: "night?" },
    { title: "many, when it is long itself", others: 99, question: "Why? ".repeat(1000), end: "…" },
  ])("shows what is asked behind $title", ({ others, question, end }) => {
    const texts = [question, ...of(others, () => WORDS.repeat(120))];
    const { text, offer } = digest(texts, (at) => (at === 0 ? { offer: OFFER } : {}));
    expect(offer).toMatchObject(OFFER);
    expect(text.length).toBeLessThanOrEqual(MAX_DIGEST);
    const asked = text.split("\n\n").at(-2) ?? "";
    expect(asked.startsWith("Why") || asked.includes(question.slice(0, 20))).toBe(true);
    expect(asked.endsWith(end)).toBe(true);
  });

  it("never ends with half a character", () => {
    const { text } = digest(of(50, (at) => `${"x".repeat(at)}${"🙂".repeat(500)}`));
    expect(text.isWellFormed()).toBe(true);
  });
});
