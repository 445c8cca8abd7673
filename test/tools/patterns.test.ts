import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { compileGlob } from "../../src/tools/patterns/glob.ts";
import { linePattern } from "../../src/tools/patterns/line-pattern.ts";
import { plainPattern, re2Patterns } from "../../src/patterns/index.ts";
import { HOSTILE_PATTERNS } from "../support/hostile-texts.ts";
import { runs } from "../support/thorough.ts";
import { platform } from "../support/this-platform.ts";

describe("plainPattern()", () => {
  it.each([
    ["foo", "foo"],
    ["a b-c_d/e", "a b-c_d/e"],
    [String.raw`f\(x\)\.y`, "f(x).y"],
    ["été 今天", "été 今天"],
    ["{a}", undefined],
    ["fo.", undefined],
    ["^foo", undefined],
    ["(?i)foo", undefined],
  ])("knows whether %j is only a text", (pattern, literal) => {
    const plain = plainPattern(pattern);
    expect(plain.ok ? plain.literal : undefined).toBe(literal);
  });

  it.each([
    "foo\\d+",
    "^import .* from",
    "(cat|dog)s",
    "[A-Z][a-z]{2,5}",
    "colou?r",
    "\\bTODO\\b",
    "(?i)error",
    "x{3}",
    "a*",
    "[^\\]]+",
    "(?:a|b|c)d+?",
    "((a|b)|(c|d))(e|f)",
  ])("takes %j", (pattern) => {
    expect(plainPattern(pattern)).toMatchObject({ ok: true });
  });

  it.each([
    ...HOSTILE_PATTERNS,
    "a+b+",
    "(a)+",
    "(a)?",
    "\\1",
    "(?=a)",
    "(?<n>a)",
    "a{1,5}b{1,5}",
    "a?b?c?d?e?",
    "(a|aa)(a|aa)(a|aa)(a|aa)(a|aa)",
    "(a",
    "a)",
    "a**",
    "[z-a]",
    "*",
    "\\u{61}",
    "a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p|q",
  ])("refuses %j", (pattern) => {
    expect(plainPattern(pattern)).toMatchObject({ ok: false });
  });

  it("never takes a pattern that needs more than its cost (property)", () => {
    const piece = fc.constantFrom(
      "a",
      ".",
      "a+",
      ".*",
      "a?",
      "(a|aa)",
      "(a",
      ")",
      "|",
      "[ab]",
      "[ab]*",
      "a{2,9}",
      "$",
      "^",
      "\\w",
      "\\w+",
      "(a+)+",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const plain = plainPattern(pieces.join(""));
        if (!plain.ok) return;
        const line = `${"a".repeat(2000)}!`;
        // 16 ways, 2000 places, 2000 characters each: far under a second, where an explosion would not end.
        expect(plain.costOf(line.length)).toBeLessThanOrEqual(16 * 2001 * 2001);
        plain.expression.test(line);
      }),
      { numRuns: runs(150) },
    );
  });
});

describe("linePattern()", () => {
  const engine = re2Patterns({ RE2JS });

  it.each(["foo", "fo+", "(?i)FOO", "\\bfoo\\b", "(foo|bar)+", "^a .*foo$"])("finds %j", async (pattern) => {
    const found = await linePattern(pattern, platform.load, engine);
    expect(["a foo", "nothing"].map((line) => found.test(line))).toEqual([true, false]);
  });

  it.each(["(foo", "a**", "(?=a)", "(a)\\1", "[z-a]", "a{5000}"])("refuses %j with the remedy", async (pattern) => {
    await expect(linePattern(pattern, platform.load, engine)).rejects.toMatchObject({
      code: "BAD_INPUT",
      message: expect.stringContaining("without backreferences") as string,
    });
  });

  it("refuses a pattern that is too long", async () => {
    await expect(linePattern("a".repeat(501), platform.load, engine)).rejects.toMatchObject({ code: "BAD_INPUT" });
  });
});

describe("compileGlob()", () => {
  it.each<[string, string, boolean]>([
    ["*.md", "a.md", true],
    ["*.md", "notes/deep/a.md", true],
    ["*.md", "a.mdx", false],
    ["/*.md", "notes/a.md", false],
    ["./*.md", "a.md", true],
    ["notes/*.md", "notes/a.md", true],
    ["notes/*.md", "notes/deep/a.md", false],
    ["notes/**/*.md", "notes/a.md", true],
    ["notes/**/*.md", "notes/x/y/a.md", true],
    ["**/a.md", "a.md", true],
    ["**", "x/y/z", true],
    ["notes/**", "notes/a", true],
    ["notes/**", "other/a", false],
    ["?.txt", "a.txt", true],
    ["?.txt", "😀.txt", true],
    ["?.txt", "ab.txt", false],
    ["[a-c].txt", "b.txt", true],
    ["[a-c].txt", "d.txt", false],
    ["[!a-c].txt", "d.txt", true],
    ["[]x].txt", "].txt", true],
    ["[a", "[a", true],
    ["*.{ts,md}", "x/a.ts", true],
    ["{a,b{1,2}}.txt", "b2.txt", true],
    ["{a,b{1,2}}.txt", "b.txt", false],
    ["{a}.txt", "{a}.txt", true],
    [String.raw`\*.txt`, "*.txt", true],
    [String.raw`\*.txt`, "a.txt", false],
    ["*", ".env", true],
    ["a*b*c", "aXbYbZc", true],
    ["a*b*c", "aXbYbZ", false],
    ["A.md", "a.md", false],
    ["+(a).md", "a.md", false],
    ["+(a).md", "+(a).md", true],
    ["häst.*", "häst.txt", true],
  ])("%s takes %s: %s", (glob, path, expected) => {
    expect(compileGlob(glob)(path)).toBe(expected);
  });

  it("refuses what is too long or multiplies", () => {
    expect(() => compileGlob("a".repeat(301))).toThrow("at most 300");
    expect(() => compileGlob("{a,b}".repeat(7))).toThrow("more than 64 alternatives");
    expect(() => compileGlob("{{{{{a,b},c},d},e},f}".repeat(10))).toThrow("alternatives");
  });

  it("agrees with a search that tries everything (property)", () => {
    const simple = (pattern: string, name: string): boolean => {
      if (pattern === "") return name === "";
      if (pattern[0] === "*") return simple(pattern.slice(1), name) || (name !== "" && simple(pattern, name.slice(1)));
      return name !== "" && (pattern[0] === "?" || pattern[0] === name[0]) && simple(pattern.slice(1), name.slice(1));
    };
    const glob = fc
      .array(fc.constantFrom("a", "b", "?", "*"), { minLength: 1, maxLength: 7 })
      .map((parts) => parts.join(""));
    const name = fc
      .array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 7 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(glob, name, (pattern, text) => {
        fc.pre(pattern !== "**");
        expect(compileGlob(pattern)(text)).toBe(simple(pattern, text));
      }),
      { numRuns: runs(1000) },
    );
  });
});
