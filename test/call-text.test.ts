import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeCall, visible, visibleLine } from "../src/call-text.ts";
import { runs } from "./support/thorough.ts";

/** What {@link visible} makes of a text, read back. */
function readBack(shown: string): string {
  return shown.replaceAll(/(\\*)(?:u\{([0-9a-f]+)\}|(?=u\{))/gu, (_, backslashes: string, code: string | undefined) => {
    if (code === undefined || backslashes.length % 2 === 0)
      return "\\".repeat(backslashes.length / 2) + (code === undefined ? "" : `u{${code}}`);
    return "\\".repeat((backslashes.length - 1) / 2) + String.fromCodePoint(Number.parseInt(code, 16));
  });
}

describe("visible()", () => {
  it.each([
    ["a change of direction", "\u202e"],
    ["a variation selector", "\ufe0f"],
    ["a variation selector of the supplement", "\u{e0100}"],
    ["a combining grapheme joiner", "\u034f"],
    ["a Mongolian variation selector", "\u180b"],
    ["an inherent vowel of Khmer", "\u17b4"],
    ["another inherent vowel of Khmer", "\u17b5"],
    ["a braille blank", "\u2800"],
    ["a filler of Hangul", "\u3164"],
    ["a half-width filler", "\uffa0"],
    ["a zero-width space", "\u200b"],
    ["a tag", "\u{e0041}"],
    ["a blank that does not break", "\u00a0"],
    ["an em space", "\u2003"],
    ["an ideographic space", "\u3000"],
    ["a space mark of Ogham", "\u1680"],
    ["a line separator", "\u2028"],
    ["a bell", "\u0007"],
    ["a tab", "\t"],
    ["half of a pair", "\ud800"],
  ])("writes out %s", (_, character) => {
    const shown = `a\\u{${character.codePointAt(0)?.toString(16)}}b`;
    expect(visible(`a${character}b`)).toBe(shown);
    expect(visibleLine(`a${character}b`)).toBe(shown);
  });

  it("leaves plain text, blanks, line breaks and letters of any script as they are", () => {
    const text = 'grep -n "\\d+\\n" C:\\users\\x "ünïcodé 日本語 👍"\n\u{1f600}';
    expect(visible(text)).toBe(text);
  });

  it("shows a text that looks like an escape as no escape", () => {
    expect(visible(String.raw`echo \u{202e}`)).toBe(String.raw`echo \\u{202e}`);
    expect(visible("echo \\\u202e")).toBe(String.raw`echo \\\u{202e}`);
    expect(visible("echo \u202e")).toBe(String.raw`echo \u{202e}`);
  });

  it("can be read back, so that two texts never look the same", () => {
    const pieces = fc.constantFrom("\\", "u{", "202e", "}", "\u202e", "\u00a0", "u", "{", "a", " ", "\ufe0f", "\n");
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join("")),
        (text) => {
          expect(readBack(visible(text))).toBe(text);
          expect(readBack(visibleLine(text))).toBe(text);
        },
      ),
      { numRuns: runs(2000) },
    );
  });
});

describe("visibleLine()", () => {
  it("writes out line breaks too", () => {
    expect(visibleLine("one\nannotations was: null")).toBe(String.raw`one\u{a}annotations was: null`);
    expect(visibleLine(String.raw`one\u{a}`)).toBe(String.raw`one\\u{a}`);
  });
});

describe("describeCall()", () => {
  it("shows no value in a way in which it could pass for another field", () => {
    const shown = describeCall({ input: { command: "ls\nboundTo: none" }, boundTo: { folder: "/srv\u00a0x" } });
    expect(shown).toBe("input\n  command: ls\n      boundTo: none\nwhere\n  folder: /srv\\u{a0}x");
  });
});
