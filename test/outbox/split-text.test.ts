import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitText } from "../../src/outbox/split-text.ts";
import type { SplitOptions } from "../../src/outbox/split-text.ts";
import { runs } from "../support/thorough.ts";
import { anyCharacter } from "../support/any-character.ts";

const lengthOf = (text: string, unit: "chars" | "bytes") =>
  unit === "chars" ? text.length : new TextEncoder().encode(text).length;
const withoutBlanks = (text: string) => text.replaceAll(/\s/gu, "");
const withoutFences = (text: string) =>
  text
    .split("\n")
    .filter((line) => !/^ {0,3}(```|~~~)/.test(line))
    .join("\n");

function expectFits(parts: readonly string[], { maxLength, unit }: SplitOptions) {
  for (const part of parts) {
    expect(lengthOf(part, unit)).toBeLessThanOrEqual(maxLength);
    expect(part).not.toBe("");
  }
}

/** Every fence that a part opens it closes, as CommonMark reads it. */
function isBalanced(part: string): boolean {
  let open: string | undefined;
  for (const line of part.split("\n")) {
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (marker === undefined) continue;
    if (open === undefined) open = marker;
    else if (line.trim() === marker && marker.startsWith(open)) open = undefined;
  }
  return open === undefined;
}

const code = (lines: number, name = "line") =>
  Array.from({ length: lines }, (_, index) => `${name}(${index}); // 码 😀`).join("\n");

describe("splitText()", () => {
  it.each([
    { title: "a blank text has no parts", text: " \n\t ", maxLength: 10, parts: [] },
    { title: "a text that fits stays as it is", text: " hello \n", maxLength: 10, parts: [" hello \n"] },
    { title: "no limit is no cut", text: "a\n\nb", maxLength: Infinity, parts: ["a\n\nb"] },
    {
      title: "paragraphs first",
      text: "one two\n\nthree four\nfive",
      maxLength: 16,
      parts: ["one two", "three four\nfive"],
    },
    {
      title: "then lines",
      text: "one two three\nfour five six",
      maxLength: 20,
      parts: ["one two three", "four five six"],
    },
    {
      title: "then sentences",
      text: "One two. Three four five six seven",
      maxLength: 16,
      parts: ["One two.", "Three four five", "six seven"],
    },
    { title: "then words", text: "one two three four", maxLength: 10, parts: ["one two", "three four"] },
    { title: "then anywhere", text: "abcdefghijkl", maxLength: 5, parts: ["abcde", "fghij", "kl"] },
    { title: "a line that fits exactly", text: "abcde\nfghij", maxLength: 5, parts: ["abcde", "fghij"] },
    { title: "a word that fits exactly", text: "abcde fghij", maxLength: 5, parts: ["abcde", "fghij"] },
    {
      title: "the indent of a list's next line stays",
      text: "- one two three\n  - four five six",
      maxLength: 20,
      parts: ["- one two three", "  - four five six"],
    },
    { title: "windows newlines", text: "one two\r\n\r\nthree four", maxLength: 12, parts: ["one two", "three four"] },
    {
      title: "Chinese sentences",
      text: "今天天气很好。我们去公园吧！好不好",
      maxLength: 10,
      parts: ["今天天气很好。", "我们去公园吧！好不好"],
    },
    {
      title: "a closing quote stays with its sentence",
      text: "他说：“好。”我们走吧，快一点",
      maxLength: 8,
      parts: ["他说：“好。”", "我们走吧，快一点"],
    },
    {
      title: "a short line before a long one is filled up",
      text: "Hi\nabcdefghijklmnop",
      maxLength: 10,
      parts: ["Hi\nabcdefg", "hijklmnop"],
    },
  ])("$title", ({ text, maxLength, parts }) => {
    expect(splitText(text, { maxLength, unit: "chars" })).toEqual(parts);
  });

  it("ends the first of two parts after a paragraph, however short that is, where the rest fits the second", () => {
    const rows = Array.from({ length: 10 }, (_, row) => `| ${row} | cell |`).join("\n");
    const items = Array.from({ length: 10 }, (_, item) => `- item ${item} of it`).join("\n");
    const sentences = "A short one. ".repeat(11).trim();
    for (const rest of [rows, items, sentences, `\`\`\`\n${code(8)}\n\`\`\``]) {
      const maxLength = lengthOf(rest, "bytes") + 10;
      for (const intro of ["Look.", "Two lines\nof words.", "word ".repeat(maxLength * 0.14).trim()]) {
        const text = `${intro}\n\n${rest}`;
        if (text.length > maxLength) expect(splitText(text, { maxLength, unit: "chars" })).toEqual([intro, rest]);
        if (lengthOf(text, "bytes") > maxLength)
          expect(splitText(text, { maxLength, unit: "bytes" })).toEqual([intro, rest]);
      }
    }
  });

  it("ends a part after a paragraph that fills .7 of it, and not after the last line that fits", () => {
    const [first, second] = ["x".repeat(70), Array.from({ length: 9 }, () => "y".repeat(9)).join("\n")];
    expect(splitText(`${first}\n\n${second}`, { maxLength: 100, unit: "chars" })).toEqual([first, second]);
  });

  it("does not end a part after a short paragraph where that makes a part more", () => {
    const text = `Look.\n\n${"line of it\n".repeat(20)}`.trim();
    expect(splitText(text, { maxLength: 125, unit: "chars" })).toHaveLength(2);
  });

  it("counts bytes as UTF-8", () => {
    expect(splitText("äöüß", { maxLength: 4, unit: "bytes" })).toEqual(["äö", "üß"]);
    expect(splitText("a😀b", { maxLength: 4, unit: "bytes" })).toEqual(["a", "😀", "b"]);
    expect(splitText("春眠不觉晓", { maxLength: 7, unit: "bytes" })).toEqual(["春眠", "不觉", "晓"]);
  });

  it("keeps surrogate pairs and emoji of several code points whole", () => {
    const family = "👩‍👩‍👧‍👦";
    expect(splitText(`ab${family}${family}`, { maxLength: 13, unit: "chars" })).toEqual([`ab${family}`, family]);
    expect(splitText("🇸🇪🇳🇴🇫🇮", { maxLength: 6, unit: "chars" })).toEqual(["🇸🇪", "🇳🇴", "🇫🇮"]);
    expect(splitText("xe\u0301e\u0301", { maxLength: 2, unit: "chars" })).toEqual(["x", "e\u0301", "e\u0301"]);
  });

  it("cuts a grapheme that alone is over the limit between its code points", () => {
    const family = "👩‍👩‍👧‍👦";
    const parts = splitText(family, { maxLength: 4, unit: "chars" });
    expect(parts.join("")).toBe(family);
    expect(parts.every((part) => !/\p{Surrogate}/u.test(part))).toBe(true);
  });

  it("closes a fence that it cuts, and opens it again with its info string", () => {
    const text = `Look:\n\n\`\`\`ts title="a.ts"\n${code(8)}\n\`\`\`\n\nThat is all.`;
    const parts = splitText(text, { maxLength: 100, unit: "chars" });
    expect(parts.length).toBeGreaterThan(2);
    expectFits(parts, { maxLength: 100, unit: "chars" });
    expect(parts.every(isBalanced)).toBe(true);
    for (const part of parts.slice(1, -1)) expect(part.startsWith('```ts title="a.ts"\n')).toBe(true);
    expect(parts.map(withoutFences).join("\n").split("\n").filter(Boolean)).toEqual(
      withoutFences(text).split("\n").filter(Boolean),
    );
  });

  it("keeps the indent of code at the beginning of a part", () => {
    const text = `~~~py\ndef a():\n    return 11111111\n    # and more text here\n        deeper = 1\n~~~`;
    const parts = splitText(text, { maxLength: 48, unit: "chars" });
    expect(parts.every(isBalanced)).toBe(true);
    expect(parts.join("\n")).toContain("\n        deeper = 1\n");
    expect(parts.join("\n")).toContain("\n    return 11111111\n");
  });

  it("does not leave an empty fence for the next part", () => {
    const text = `\`\`\`\n${"a".repeat(20)}\n${"b".repeat(20)}\n\`\`\`\n${"c".repeat(40)}`;
    const parts = splitText(text, { maxLength: 49, unit: "chars" });
    expect(parts).toEqual([`\`\`\`\n${"a".repeat(20)}\n${"b".repeat(20)}\n\`\`\``, "c".repeat(40)]);
  });

  it("cuts before a fence rather than in it when that fills the part well enough", () => {
    const text = `${"word ".repeat(12)}\n\`\`\`\n${code(4)}\n\`\`\``;
    const [first, second] = splitText(text, { maxLength: 100, unit: "chars" });
    expect(first).toBe("word ".repeat(12).trim());
    expect(second?.startsWith("```\nline(0)")).toBe(true);
  });

  it("cuts a line of code that is over the limit, and nothing of it is lost", () => {
    const long = Array.from({ length: 60 }, (_, index) => `value_${index}`).join(" ");
    const parts = splitText(`\`\`\`sh\n${long}\n\`\`\``, { maxLength: 64, unit: "bytes" });
    expectFits(parts, { maxLength: 64, unit: "bytes" });
    expect(parts.every(isBalanced)).toBe(true);
    expect(parts.map((part) => part.split("\n").slice(1, -1).join("\n")).join("")).toBe(long);
  });

  it("does not let backticks in a line become a fence by cutting before them", () => {
    for (let lead = 1; lead < 40; lead++) {
      const text = `${"x".repeat(lead)} \`\`\` ${"y ".repeat(60)}`;
      const parts = splitText(text, { maxLength: 32, unit: "chars" });
      expectFits(parts, { maxLength: 32, unit: "chars" });
      expect(parts.every(isBalanced)).toBe(true);
    }
  });

  it("takes fences as ordinary text where repairing them would take half of a part", () => {
    const parts = splitText("```\nabc def\n```", { maxLength: 8, unit: "chars" });
    expectFits(parts, { maxLength: 8, unit: "chars" });
    expect(withoutBlanks(parts.join(""))).toBe("```abcdef```");
  });

  it("opens a fence again without an info string that would take half of a part", () => {
    const info = "i".repeat(40);
    const parts = splitText(`\`\`\`${info}\n${code(6)}\n\`\`\``, { maxLength: 90, unit: "chars" });
    expectFits(parts, { maxLength: 90, unit: "chars" });
    expect(parts.every(isBalanced)).toBe(true);
    expect(parts[0]?.startsWith(`\`\`\`${info}\n`)).toBe(true);
    expect(parts[1]?.startsWith("```\n")).toBe(true);
  });

  it("brings a reply of 10,000 characters with fences through whole", () => {
    const text = Array.from(
      { length: 14 },
      (_, index) =>
        `## Part ${index}\n\n${"Some words about it, in a paragraph. ".repeat(10)}\n\n\`\`\`js\n${code(26, `step${index}`)}\n\`\`\`\n`,
    ).join("\n");
    expect(text.length).toBeGreaterThan(10_000);
    for (const options of [
      { maxLength: 4096, unit: "chars" },
      { maxLength: 2000, unit: "chars" },
      { maxLength: 2048, unit: "bytes" },
    ] as const) {
      const parts = splitText(text, options);
      expectFits(parts, options);
      expect(parts.every(isBalanced)).toBe(true);
      expect(withoutBlanks(parts.map(withoutFences).join("\n"))).toBe(withoutBlanks(withoutFences(text)));
    }
  });

  it("brings a Chinese reply of 10,000 characters through whole, cut after sentences", () => {
    const text = "春天来了，花开了。鸟儿在枝头唱歌！你听见了吗？".repeat(420);
    for (const options of [
      { maxLength: 4096, unit: "chars" },
      { maxLength: 2048, unit: "bytes" },
    ] as const) {
      const parts = splitText(text, options);
      expectFits(parts, options);
      expect(parts.join("")).toBe(text);
      expect(parts.every((part) => /[。！？]$/.test(part))).toBe(true);
    }
  });

  it("makes parts that fit of a long text, whatever it is made of", () => {
    const length = 30_000;
    const shapes = {
      word: "x".repeat(length),
      spaces: `${" ".repeat(length)}x`,
      newlines: `a${"\n".repeat(length)}x`,
      "blank lines with spaces": `a${" \n".repeat(length / 2)}x`,
      "spaced letters": "a ".repeat(length / 2),
      backticks: "`".repeat(length),
      fences: "```\nx\n```\n".repeat(length / 10),
      "spaces in a fence": `\`\`\`\n${" ".repeat(length)}\n\`\`\``,
      "sentence ends": ".".repeat(length),
      marks: `a${"\u0301".repeat(length)}`,
      emoji: "👩‍👩‍👧‍👦".repeat(length / 11),
    };
    for (const [shape, text] of Object.entries(shapes)) {
      for (const unit of ["chars", "bytes"] as const) {
        const parts = splitText(text, { maxLength: 4096, unit });
        const isFit = (part: string) => part !== "" && lengthOf(part, unit) <= 4096;
        expect(parts.every(isFit), `${shape} in ${unit}`).toBe(true);
      }
    }
  });

  it.each([
    { maxLength: 0, unit: "chars" as const },
    { maxLength: 1, unit: "chars" as const },
    { maxLength: 3, unit: "bytes" as const },
    { maxLength: -5, unit: "chars" as const },
    { maxLength: 10.5, unit: "chars" as const },
    { maxLength: Number.NaN, unit: "bytes" as const },
    { maxLength: -Infinity, unit: "chars" as const },
  ])("refuses a limit of $maxLength $unit", (options) => {
    expect(() => splitText("hello", options)).toThrow(RangeError);
  });
});

describe("splitText(), of any text", () => {
  const anyOptions = fc.oneof(
    fc.record({ maxLength: fc.integer({ min: 2, max: 120 }), unit: fc.constant("chars" as const) }),
    fc.record({ maxLength: fc.integer({ min: 4, max: 240 }), unit: fc.constant("bytes" as const) }),
  );
  const pieces = fc.constantFrom(
    "a",
    "word ",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\r\n",
    "。",
    "好",
    "😀",
    "👩‍👩‍👧",
    "🇸🇪",
    "e\u0301",
    ". ",
    "é",
    "\t",
    "\u0600",
    "\ud83d",
  );
  const anyText = fc.oneof(
    fc.array(pieces, { maxLength: 300 }).map((list) => list.join("")),
    fc.string({ unit: "grapheme", maxLength: 400 }),
    fc.string({ unit: anyCharacter, maxLength: 400 }),
  );

  it("keeps parts within the limit and loses nothing but blanks", () => {
    fc.assert(
      fc.property(anyText, anyOptions, (text, options) => {
        if (/[`~]/.test(text)) return;
        const parts = splitText(text, options);
        expectFits(parts, options);
        expect(withoutBlanks(parts.join(""))).toBe(withoutBlanks(text));
      }),
      { numRuns: runs(400) },
    );
  });

  it("cuts within a paragraph only where no end of one leaves two parts that fit", () => {
    const paragraph = fc
      .array(fc.constantFrom("word", "Sentence.", "好的。", "line\nof it", "| a | b |\n| c | d |"), {
        minLength: 1,
        maxLength: 9,
      })
      .map((words) => words.join(" "));
    fc.assert(
      fc.property(
        fc.array(paragraph, { minLength: 2, maxLength: 5 }),
        fc.integer({ min: 30, max: 160 }),
        (all, maxLength) => {
          const text = all.join("\n\n");
          const parts = splitText(text, { maxLength, unit: "chars" });
          const halves = all
            .slice(1)
            .map((_, at) => [all.slice(0, at + 1).join("\n\n"), all.slice(at + 1).join("\n\n")]);
          const fitting = halves.filter((two) => two.every((half) => half.length <= maxLength));
          if (text.length > maxLength && fitting.length > 0) expect(fitting).toContainEqual(parts);
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it("cuts only between graphemes", () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
    fc.assert(
      fc.property(anyText, fc.integer({ min: 40, max: 120 }), (text, maxLength) => {
        const graphemes = [...segmenter.segment(text)];
        if (/[`~]/.test(text) || graphemes.some(({ segment }) => segment.length > 20)) return;
        const starts = new Set(graphemes.map(({ index }) => index));
        let position = 0;
        for (const part of splitText(text, { maxLength, unit: "chars" })) {
          position = text.indexOf(part, position);
          expect(starts.has(position)).toBe(true);
          position += part.length;
          expect(position === text.length || starts.has(position)).toBe(true);
        }
      }),
      { numRuns: runs(400) },
    );
  });

  it("stays within the limit with any backticks, and what was there is still there in order", () => {
    const markdown = fc
      .array(
        fc.constantFrom(
          "```",
          "````",
          "~~~",
          "```js\n",
          "\n```\n",
          "\n~~~\n",
          "\n",
          " ",
          "code",
          "`",
          "   ```",
          "text. ",
          "好。",
          "        ",
        ),
        { maxLength: 200 },
      )
      .map((list) => list.join(""));
    fc.assert(
      fc.property(markdown, anyOptions, (text, options) => {
        const parts = splitText(text, options);
        expectFits(parts, options);
        const all = withoutBlanks(parts.join("")).replaceAll(/[`~]/g, "");
        let from = 0;
        for (const character of withoutBlanks(text).replaceAll(/[`~]/g, "")) {
          from = all.indexOf(character, from) + 1;
          if (from === 0) throw new Error(`Lost ${JSON.stringify(character)}`);
        }
      }),
      { numRuns: runs(400) },
    );
  });

  it("balances the fences of every part of a document that is made of paragraphs and code blocks", () => {
    const block = fc.oneof(
      fc
        .array(fc.constantFrom("some", "words", "for", "you.", "好的。", "`x`", "\n"), { minLength: 1, maxLength: 30 })
        .map((words) => words.join(" ")),
      fc
        .record({
          marker: fc.constantFrom("```", "~~~~"),
          info: fc.constantFrom("", "ts", "python x=1"),
          lines: fc.array(fc.constantFrom("a = 1", "", "    indented", "x".repeat(50), "// 😀 说明"), {
            maxLength: 12,
          }),
        })
        .map(({ marker, info, lines }) => [marker + info, ...lines, marker].join("\n")),
    );
    const document = fc.array(block, { maxLength: 8 }).map((blocks) => blocks.join("\n\n"));
    fc.assert(
      fc.property(document, fc.integer({ min: 40, max: 200 }), (text, maxLength) => {
        const parts = splitText(text, { maxLength, unit: "chars" });
        expectFits(parts, { maxLength, unit: "chars" });
        expect(parts.every(isBalanced)).toBe(true);
        expect(withoutBlanks(parts.map(withoutFences).join("\n"))).toBe(withoutBlanks(withoutFences(text)));
      }),
      { numRuns: runs(400) },
    );
  });
});
