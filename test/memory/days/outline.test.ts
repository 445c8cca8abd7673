import fc from "fast-check";
import { marked } from "marked";
import { describe, expect, it } from "vitest";
import { outlineOf, sectionOf } from "../../../src/memory/days/outline.ts";
import { runs } from "../../support/thorough.ts";

const FENCE = "```";
const pieces = fc.constantFrom(
  "# One", "## Two", "### Three ###", "#no heading", "- bullet", "* other", "+ third", "  continued", "    - nested", "text", "", "", "---", "***",
  FENCE, "~~~", `${FENCE}js`, "  ```\n  # x\n  ```", "<!-- comment", "--> end", "<!-- whole -->", "1. first", "===", "#", "| a | b |", "  # indented", "\tcode",
); // prettier-ignore
const documents = fc
  .tuple(fc.array(pieces, { maxLength: 14 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, newline, ends]) => lines.join(newline) + (ends ? newline : ""));

describe("outlineOf()", () => {
  it("gives back every byte", () => {
    fc.assert(
      fc.property(documents, (text) => {
        const { lines, sections, frontmatter } = outlineOf(text);
        expect(lines.join("")).toBe(text);
        let at = frontmatter ? frontmatter.to + 1 : 0;
        for (const section of sections) {
          expect(section.from).toBe(at);
          at = section.to;
        }
        expect(at).toBe(lines.length);
      }),
    );
  });

  it("finds the headings that a Markdown library finds", () => {
    fc.assert(
      fc.property(documents, (text) => {
        if (outlineOf(text).frontmatter) return;
        const theirs = marked
          .lexer(text)
          .flatMap((token) => (token.type === "heading" ? [token["text"] as string] : []));
        const ours = outlineOf(text)
          .sections.filter(({ level }) => level > 0)
          .map(({ title }) => title);
        // The first line of a heading of several lines is a paragraph here.
        expect(ours).toEqual(theirs.map((title) => title.split("\n").at(-1)?.trim()));
      }),
      { numRuns: runs(500) },
    );
  });

  it("knows frontmatter, bullets and what belongs to them", () => {
    const text =
      "---\r\nupdated: x\r\n---\r\n# A\r\n\r\n- one\r\n  more\r\n\r\n- two\r\n\r\ntext\r\n## b ##\r\n* three";
    const outline = outlineOf(text);
    expect(outline.newline).toBe("\r\n");
    expect(outline.frontmatter).toEqual({ from: 1, to: 2 });
    expect(sectionOf(outline, "a")?.bullets).toEqual([
      { from: 5, to: 7, text: "one" },
      { from: 8, to: 9, text: "two" },
    ]);
    expect(sectionOf(outline, "B")?.bullets.map((bullet) => bullet.text)).toEqual(["three"]);
  });
});
