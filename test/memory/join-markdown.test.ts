import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinMarkdown } from "../../src/memory/join-markdown.ts";
import { runs } from "../support/thorough.ts";

describe("joinMarkdown()", () => {
  it.each([
    [
      "adds bullets under the heading that is there",
      "## A\n\n- one\n\n## B\n\n- two\n",
      "## A\n\n- three\n",
      "## A\n\n- one\n- three\n\n## B\n\n- two\n",
    ],
    ["keeps a line that both have once", "- one\n- two\n", "- two\n- one\n", "- one\n- two\n"],
    ["takes the newer date of what both say", "- tea (2026-01-02)\n", "- tea (2026-02-01)\n", "- tea (2026-02-01)\n"],
    ["keeps the newer date of what both say", "- tea (2026-02-01)\n", "- tea (2026-01-02)\n", "- tea (2026-02-01)\n"],
    [
      "keeps lines of two entries that say the same",
      "- tea <!-- 1 -->\n",
      "- tea <!-- 2 -->\n",
      "- tea <!-- 1 -->\n- tea <!-- 2 -->\n",
    ],
    [
      "adds what stands below a bullet that both have",
      "- tea\n  - green\n- two\n",
      "- tea\n  - green\n  - black\n",
      "- tea\n  - green\n  - black\n- two\n",
    ],
    [
      "adds a heading that is missing where it belongs",
      "## A\n\n- one\n\n## B\n",
      "## A\n\n### C\n\n- deep\n",
      "## A\n\n- one\n\n### C\n\n- deep\n\n## B\n",
    ],
    [
      "keeps paragraphs and code whole",
      "Hand-written.\n",
      "Other.\n\n```\n# no heading\n\nx\n```\n",
      "Hand-written.\n\nOther.\n\n```\n# no heading\n\nx\n```\n",
    ],
    [
      "adds fields of the frontmatter, and keeps others as comments",
      "---\na: 1\n---\n\n- one\n",
      "---\na: 2\nb: 3\n---\n\n- two\n",
      "---\na: 1\n# a: 2\nb: 3\n---\n\n- one\n- two\n",
    ],
    ["ends lines as the text does", "- one\r\n", "- two\n", "- one\r\n- two\r\n"],
    ["adds to a text whose last line has no end", "- one", "- two", "- one\n- two\n"],
    ["is the other text where there is none", "", "# A\n\n- one\n", "# A\n\n- one\n"],
    ["puts nothing into code that nobody closed", "- one\n\n```\nopen\n", "- two\n", "- two\n\n- one\n\n```\nopen\n"],
  ])("%s", (_, into, from, joined) => {
    expect(joinMarkdown(into, from)).toBe(joined);
    expect(joinMarkdown(joined, from)).toBe(joined);
  });

  it("loses no line of either, and changes nothing when it is done again (property)", () => {
    const line = fc.constantFrom(
      ...[
        "# A",
        "## A",
        "## B",
        "### C",
        "- one",
        "- two",
        "- tea (2026-01-01)",
        "- tea <!-- 1 -->",
        "  - below",
        "  more",
      ],
      ...[
        "Words.",
        "Other words.",
        "1. first",
        "***",
        "> quoted",
        "| a | b |",
        "",
        "",
        "Title\n=====",

        "\u6211\u559c\u6b22\u8336",
      ],
      ...["```", "~~~", "<!-- note", "-->", "<!-- whole -->", "key: value", "\tindented"],
    );
    const text = fc.array(line, { maxLength: 14 }).map((lines) => lines.map((one) => `${one}\n`).join(""));
    fc.assert(
      fc.property(text, text, (into, from) => {
        const joined = joinMarkdown(into, from);
        const there = new Set(joined.split("\n").map((one) => one.replace(/^# (?=\w+: )/, "").trimEnd()));
        for (const one of `${into}\n${from}`.split("\n"))
          expect(there, JSON.stringify(joined)).toContain(one.trimEnd());
        expect(joinMarkdown(joined, from)).toBe(joined);
        expect(joinMarkdown(into, into)).toBe(into);
      }),
      { numRuns: runs(3000) },
    );
  });
});
