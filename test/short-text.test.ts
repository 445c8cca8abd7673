import { describe, expect, it } from "vitest";
import { headOf, inOneLine, shortened } from "../src/short-text.ts";

describe("shortened()", () => {
  it.each([
    { text: "abcd", most: 4, short: "abcd" },
    { text: "abcde", most: 4, short: "abcd…" },
    { text: "ab😀d", most: 3, short: "ab…" },
    { text: "ab😀d", most: 4, short: "ab😀…" },
  ])("makes $short of $text, with at most $most characters", ({ text, most, short }) => {
    expect(shortened(text, most)).toBe(short);
  });

  it("keeps fewer where the whole has to fit", () => {
    expect(shortened("abcde", 4, 3)).toBe("abc…");
    expect(shortened("abcd", 4, 3)).toBe("abcd");
  });
});

describe("headOf()", () => {
  it("never ends within a character of two units", () => {
    expect(headOf("😀😀", 3)).toBe("😀");
    expect(headOf("😀😀", 4)).toBe("😀😀");
  });
});

describe("inOneLine()", () => {
  it("leaves out what is not seen", () => {
    expect(inOneLine(" a\u200b\n\tb\u0007 ")).toBe("a b");
  });
});
