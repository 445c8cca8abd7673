import { describe, expect, it } from "vitest";
import { tokensOf } from "../../../src/memory/index.ts";

describe("tokensOf()", () => {
  it.each([
    { title: "reduces words to their stems", text: "Painting paints painted", tokens: ["paint", "paint", "paint"] },
    { title: "joins forms that no stemmer joins", text: "went, bought, children", tokens: ["go", "buy", "child"] },
    { title: "leaves out common words", text: "what is the name of it", tokens: ["name"] },
    {
      title: "takes a possessive for the name",
      text: "Caroline's book, Caroline’s",
      tokens: ["carolin", "book", "carolin"],
    },
    { title: "leaves out contractions", text: "I don’t, we're, it's", tokens: [] },
    { title: "keeps numbers", text: "room 42, 3pm", tokens: ["room", "42", "3pm"] },
    { title: "folds forms of the same character", text: "ＡＢＣ ｶﾞ", tokens: ["abc", "ガ"] },
    { title: "keeps words of other alphabets", text: "Привет, größe", tokens: ["привет", "größe"] },
    { title: "takes Chinese by characters and pairs", text: "我老板", tokens: ["我", "我老", "老", "老板", "板"] },
    { title: "takes traditional signs for simplified ones", text: "電腦", tokens: ["电", "电脑", "脑"] },
    {
      title: "takes kana and Han together, and Japanese signs that are traditional ones as simple",
      text: "東京タ",
      tokens: ["东", "东京", "京", "京タ", "タ"],
    },
    { title: "takes Hangul by characters and pairs", text: "한국", tokens: ["한", "한국", "국"] },
    { title: "parts Latin from Chinese", text: "买iPhone了", tokens: ["买", "iphon", "了"] },
    { title: "pairs nothing across punctuation", text: "好。坏", tokens: ["好", "坏"] },
    { title: "finds nothing in nothing", text: " \n…!", tokens: [] },
  ])("$title", ({ text, tokens }) => {
    expect(tokensOf(text)).toEqual(tokens);
  });

  it("takes a character beyond the first plane as one", () => {
    expect(tokensOf("𠮷野")).toEqual(["𠮷", "𠮷野", "野"]);
  });
});
