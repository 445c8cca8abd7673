import { describe, expect, it } from "vitest";
import { readPlainAnswer } from "../../src/inbox/plain-answer.ts";

describe("readPlainAnswer()", () => {
  it.each([
    ["yes", "yes"],
    ["Yes!", "yes"],
    [" OK. ", "yes"],
    ["Sure", "yes"],
    ["yes please", "yes"],
    ["好", "yes"],
    ["好的。", "yes"],
    ["可以～", "yes"],
    ["👍", "yes"],
    ["no", "no"],
    ["No, ", "no"],
    ["不用了", "no"],
    ["算了！", "no"],
    ["later", "later"],
    ["Not now.", "later"],
    ["以后再说", "later"],
    ["No, thanks", "no"],
    ["no,thank you!", "no"],
    ["Yes, please", "yes"],
    ["好，谢谢", "yes"],
    ["不用，谢谢。", "no"],
    ["不用了谢谢", "no"],
    ["less of this", "less"],
    ["少发这类", "less"],
  ])("reads %j as %s", (text, answer) => expect(readPlainAnswer(text)).toBe(answer));

  it.each([
    "",
    ".",
    "?",
    "yes?",
    "yes, but at ten",
    "yes no",
    "yes, no",
    "不用谢",
    "no problem",
    "ok google",
    "what",
    "好吗",
    "好吃",
    "不是",
    "是不是",
    "/yes",
    "yes\nno",
    "y".repeat(30),
    "constructor",
    "__proto__",
  ])("leaves %j to the model", (text) => expect(readPlainAnswer(text)).toBeNull());
});
