import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Block, type Span, readMarkdown, readSpans } from "../../adapters/channels/markdown.ts";

/** Spans in a short form: `b(…)`, `i(…)`, `s(…)`, `c(…)`, `a(href|…)`. */
function short(spans: readonly Span[]): string {
  const names = { strong: "b", emphasis: "i", strike: "s" };
  return spans
    .map((one) => {
      if (one.type === "text") return one.text;
      if (one.type === "code") return `c(${one.text})`;
      if (one.type === "link") return `a(${one.href}|${short(one.children)})`;
      return `${names[one.type]}(${short(one.children)})`;
    })
    .join("");
}

function outline(blocks: readonly Block[]): unknown[] {
  return blocks.map((one) => {
    switch (one.type) {
      case "heading":
      case "paragraph":
        return [one.type, short(one.children)];
      case "quote":
        return ["quote", ...outline(one.blocks)];
      case "list":
        return [one.start ?? "list", ...one.items.map((item) => outline(item.blocks))];
      case "code":
        return ["code", one.info, one.text];
      case "table":
        return ["table", one.text];
      case "rule":
        return ["rule"];
    }
  });
}

describe("readSpans()", () => {
  it.each([
    ["*a* **b** ***c***", "i(a) b(b) i(b(c))"],
    ["**a *b* c**", "b(a i(b) c)"],
    ["*a **b***", "i(a b(b))"],
    ["*a**b*", "i(a**b)"],
    ["a * b * c, 2 * 3", "a * b * c, 2 * 3"],
    ["** a**", "** a**"],
    ["__init__.py and a__b__c", "b(init).py and a__b__c"],
    ["_a_b and a_b_, a_b_", "i(a_b and a_b), a_b_"],
    ["_“a”_", "i(“a”)"],
    ["**重点：**请看 *这里。*好", "b(重点：)请看 i(这里。)好"],
    ["~a~ ~~b~~ ~~~c~~~ about ~5 and ~6", "s(a) s(b) ~~~c~~~ about ~5 and ~6"],
    ["`a` ``b`c`` `open", "c(a) c(b`c) `open"],
    ["`` ` `` `\n`", "c(`) c( )"],
    ["`*a*` **`b`**", "c(*a*) b(c(b))"],
    ["\\*a\\* \\a \\", "*a* \\a \\"],
    ["[a](/b) [c]( <d e> 'f' ) [g](h(i)j)", "a(/b|a) a(d e|c) a(h(i)j|g)"],
    ["[a [b](c) d](e)", "a(e|a a(c|b) d)"],
    ["[*a](b)*", "a(b|*a)*"],
    ["*[a*](b)", "*a(b|a*)"],
    ["[a] (b) [c][d] [e](f g)", "[a] (b) [c][d] [e](f g)"],
    ["![a *b*](c)", "a(c|a i(b))"],
    [
      "<https://a.example/_b_> <mailto:a@b.c> <b>",
      "a(https://a.example/_b_|https://a.example/_b_) a(mailto:a@b.c|mailto:a@b.c) <b>",
    ],
    ["https://a.example/_b_c_/~d~ (https://e.example/_f_)", "https://a.example/_b_c_/~d~ (https://e.example/_f_)"],
    [
      "**https://a.example/x** [https://b.example](https://b.example)",
      "b(https://a.example/x) a(https://b.example|https://b.example)",
    ],
    ["a<br>b&lt;", "a\nb&lt;"],
  ])("reads %j", (text, expected) => {
    expect(short(readSpans(text))).toBe(expected);
  });
});

describe("readMarkdown()", () => {
  it.each([
    [
      "a\nb\n\nc",
      [
        ["paragraph", "a\nb"],
        ["paragraph", "c"],
      ],
    ],
    [
      "# a #\n##b\n### C# #",
      [
        ["heading", "a"],
        ["paragraph", "##b"],
        ["heading", "C#"],
      ],
    ],
    [
      "a\nb\n===\nc\n---\nd",
      [
        ["heading", "a\nb"],
        ["heading", "c"],
        ["paragraph", "d"],
      ],
    ],
    ["* * *\n\n- - -\n\n___", [["rule"], ["rule"], ["rule"]]],
    ["````md\n```js\nx\n```\n````", [["code", "md", "```js\nx\n```"]]],
    [
      "~~~\na\n```\n~~~\nb",
      [
        ["code", "", "a\n```"],
        ["paragraph", "b"],
      ],
    ],
    [
      "    a\n\n      b\nc",
      [
        ["code", "", "a\n\n  b"],
        ["paragraph", "c"],
      ],
    ],
    [
      "> a\nb\n>\n> c\n\nd",
      [
        ["quote", ["paragraph", "a\nb"], ["paragraph", "c"]],
        ["paragraph", "d"],
      ],
    ],
    [
      "1. a\n  - b\n  - c\n2. d",
      [
        [
          1,
          [
            ["paragraph", "a"],
            ["list", [["paragraph", "b"]], [["paragraph", "c"]]],
          ],
          [["paragraph", "d"]],
        ],
      ],
    ],
    [
      "- a\nb\n\n  c\n\nd",
      [
        [
          "list",
          [
            ["paragraph", "a\nb"],
            ["paragraph", "c"],
          ],
        ],
        ["paragraph", "d"],
      ],
    ],
    [
      "a\n- b\n5. c",
      [
        ["paragraph", "a"],
        ["list", [["paragraph", "b"]]],
        [5, [["paragraph", "c"]]],
      ],
    ],
    ["in\n1999. A year", [["paragraph", "in\n1999. A year"]]],
    ["-\n- a", [["list", [], [["paragraph", "a"]]]]],
    ["-a\n+b", [["paragraph", "-a\n+b"]]],
    [
      "a | b\n--|--\n1 | 2\n\nc",
      [
        ["table", "a | b\n--|--\n1 | 2"],
        ["paragraph", "c"],
      ],
    ],
    ["a | b\nc", [["paragraph", "a | b\nc"]]],
  ])("reads %j", (text, expected) => {
    expect(outline(readMarkdown(text))).toEqual(expected);
  });

  it.each([
    ["stars", "*a ".repeat(20_000)],
    ["mixed marks", "*a _b ~~c ".repeat(10_000)],
    ["brackets", "[".repeat(50_000)],
    ["links that do not end", "[a](".repeat(20_000)],
    ["backticks", Array.from({ length: 400 }, (_, length) => "`".repeat(length)).join(" ")],
    ["quotes", "> ".repeat(30_000)],
    ["list marks", "- ".repeat(30_000)],
    ["deep lists", Array.from({ length: 500 }, (_, depth) => `${" ".repeat(depth * 2)}- a`).join("\n")],
    ["rules that are none", `${"* ".repeat(30_000)}a`],
    ["table rules that are none", `|\n${"|-".repeat(30_000)}a`],
    ["fences", "```\n~~~\n".repeat(3_000)],
  ])("is done soon with %s", (_title, text) => {
    const startedAt = performance.now();
    readMarkdown(text);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  it("loses no word of any text", () => {
    const piece = fc.constantFrom(
      "*",
      "**",
      "_",
      "~~",
      "`",
      "\n",
      "\n\n",
      "  ",
      "- ",
      "1. ",
      "> ",
      "# ",
      "[",
      "](x)",
      "!",
      "<",
      "字",
      "a1",
      "b2",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const seen = JSON.stringify(outline(readMarkdown(pieces.join(""))));
        for (const word of ["a1", "b2", "字"]) {
          const count = (text: string) => text.split(word).length;
          // A code block's first line may hold them.
          expect(count(seen)).toBe(count(pieces.join("")));
        }
      }),
    );
  });
});
