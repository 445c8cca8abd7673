import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { alternativesOf, foldCase, requiredTexts } from "../../src/patterns/index.ts";
import { runs } from "../support/thorough.ts";

describe("requiredTexts()", () => {
  it.each<[string, readonly string[] | null]>([
    ["research", ["research"]],
    ["Research", ["research"]],
    ["analy[sz]e", ["analyse", "analyze"]],
    ["分析.*趋势", ["分析"]],
    ["\\bweekly\\b.*\\bsummary\\b", ["summary"]],
    ["(write|draft)\\s+(a\\s+)?report", ["report"]],
    ["(?:write|draft)\\s", ["write", "draft"]],
    ["(?P<verb>write|draft)", ["write", "draft"]],
    ["(?i)colou?r", ["colour", "color"]],
    ["(ab)+c", ["ab"]],
    ["(ab){2,3}", ["ab"]],
    ["a\\+b", ["a+b"]],
    ["straße", ["strasse"]],
    ["\\d+", null],
    [".*", null],
    ["(ab)*", null],
    ["(ab)?", null],
    ["(ab){0,3}", null],
    ["a|", null],
    ["[a-z]", null],
    ["[^a]", null],
    ["\\pL", null],
    ["\\Qa.b\\E", null],
    ["(?=a)b", null],
    ["(a", null],
    ["a)", null],
    ["a**", null],
    ["x{,2}", null],
    ["a(?i)*", null],
    ["ab(?i)c", ["abc"]],
  ])("of %j are %j", (pattern, texts) => {
    expect(requiredTexts(pattern)).toEqual(texts);
  });

  it("are in every text that the pattern matches (property)", () => {
    const piece = fc.constantFrom(
      ...["a", "b", "K", "ſ", "ß", ".", "\\w", "[ab]", "[^a]", "[]a]", "[[:alpha:]b]", "\\b", "^", "$"],
      ...["(a|b)", "(?:ab|", "(", ")", "|", "?", "*", "+", "{2}", "{0,2}", "+?", "(?i)", "(?i:b)", "\\.", "分析"],
    );
    const text = fc.string({
      unit: fc.constantFrom("a", "b", "k", "K", "s", "S", "ẞ", ".", " ", "分", "析"),
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.array(text, { maxLength: 10 }), (pieces, texts) => {
        const pattern = pieces.join("");
        const required = requiredTexts(pattern);
        const split = alternativesOf(pattern);
        let engine: RE2JS;
        try {
          engine = RE2JS.compile(`(?i)${pattern}`);
        } catch {
          return;
        }
        for (const one of texts) {
          const isFound = engine.test(one);
          if (isFound && required) expect(required.some((needed) => foldCase(one).includes(needed))).toBe(true);
          expect(split.some((alternative) => RE2JS.compile(`(?i)${alternative}`).test(one))).toBe(isFound);
        }
      }),
      { numRuns: runs(1500) },
    );
  });
});

describe("alternativesOf()", () => {
  it.each<[string, readonly string[]]>([
    ["a|b", ["a", "b"]],
    ["a(b|c)|d", ["a(b|c)", "d"]],
    ["[|]|\\||b", ["[|]", "\\|", "b"]],
    ["a||b", ["a", "", "b"]],
    ["(?s)a|b", ["(?s)a|b"]],
    ["\\Qa|b\\E", ["\\Qa|b\\E"]],
    ["a)|b", ["a)|b"]],
    ["(a|b", ["(a|b"]],
    ["[a|b", ["[a|b"]],
  ])("of %j are %j", (pattern, alternatives) => {
    expect(alternativesOf(pattern)).toEqual(alternatives);
  });
});

describe("foldCase()", () => {
  it("is the same for whatever the runtime's own engine takes for each other without regard to case", () => {
    const cased: string[] = [];
    for (let code = 0; code < 0x1_0000; code += 1) {
      const sign = String.fromCharCode(code);
      if (/\p{Cased}/u.test(sign)) cased.push(sign);
    }
    const all = cased.join("");
    expect(cased.length).toBeGreaterThan(2000);
    for (const sign of cased) {
      for (const other of all.match(new RegExp(sign, "giu")) ?? [])
        if (foldCase(other) !== foldCase(sign)) expect([sign, other]).toEqual([]);
    }
  });
});
