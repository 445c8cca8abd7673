import fc from "fast-check";
import { marked } from "marked";
import { describe, expect, it } from "vitest";
import { outlineOf } from "../../src/people/headings.ts";
import { appendEntry, entriesOf, entryText, patchSection, sectionOf } from "../../src/people/patch.ts";

const textOf = (patched: ReturnType<typeof patchSection>) => {
  if ("error" in patched) throw new Error(patched.error);
  return patched.text;
};

/** Lines of which hand-written files are made, with what a careless reader takes for a heading. */
const LINES = [
  "",
  "plain words",
  "## Notes",
  "## Profile",
  "  ## Profile  ##",
  "# Title",
  "### Notes",
  "## notes",
  "#Notes",
  "```",
  "```md",
  "~~~",
  "    ## Notes",
  "- ## Notes",
  "> ## Notes",
  "- item",
  "<!-- ## Notes",
  "-->",
  "Notes",
  "-----",
  "=====",
  "`## Notes`",
  "\t## Notes",
];
const lines = fc.array(fc.constantFrom(...LINES), { maxLength: 14 });
const file = fc
  .tuple(lines, fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([all, eol, isEnded]) => all.join(eol) + (isEnded ? eol : ""));

describe("patchSection()", () => {
  it("makes the section in a new file, and behind what is there", () => {
    expect(patchSection("", "Notes", "Likes tea")).toEqual({ text: "## Notes\n\nLikes tea\n" });
    expect(patchSection("# Ada", "Notes", "a\nb")).toEqual({ text: "# Ada\n\n## Notes\n\na\nb\n" });
    expect(patchSection("# Ada\r\n", "Notes", "a\nb")).toEqual({ text: "# Ada\r\n\r\n## Notes\r\n\r\na\r\nb\r\n" });
  });

  it("replaces what the section holds, up to the next heading of its level or above", () => {
    const text = "# Ada\n\n## profile ##\nold\n### deep\nold\n\n## Notes\nkeep";
    expect(patchSection(text, "Profile", "new")).toEqual({
      text: "# Ada\n\n## profile ##\n\nnew\n\n## Notes\nkeep",
    });
    expect(patchSection("## Notes", "Notes", "new")).toEqual({ text: "## Notes\n\nnew\n" });
    expect(patchSection("## Notes\nold\n\nOther\n-----\nkeep", "Notes", "new")).toEqual({
      text: "## Notes\n\nnew\n\nOther\n-----\nkeep",
    });
  });

  it("takes no heading in code or in a comment for one", () => {
    for (const [open, close] of [
      ["```", "```"],
      ["~~~~", "~~~~"],
      ["<!--", "-->"],
    ]) {
      const text = `${open}\n## Notes\nexample\n${close}\n`;
      expect(patchSection(text, "Notes", "x")).toEqual({ text: `${text}\n## Notes\n\nx\n` });
    }
  });

  it("puts headings of the content below its own level, and code stays as it is", () => {
    const text = "## Notes\nold\n\n## Limits\nkeep\n";
    const content = "a\n## Limits\nnone\n  # Top\n### deep\n```\n## code\n```";
    expect(patchSection(text, "Notes", content)).toEqual({
      text: "## Notes\n\na\n### Limits\nnone\n### Top\n### deep\n```\n## code\n```\n\n## Limits\nkeep\n",
    });
  });

  it.each(["```\nopen", "~~~", "<!-- open", "Limits\n---", "Top\n==="])(
    "refuses content that would not stay inside: %j",
    (content) => {
      expect(patchSection("## Notes\n", "Notes", content)).toMatchObject({
        error: expect.stringMatching(/^content must/),
      });
    },
  );

  it("refuses to add to a file that ends inside of code", () => {
    expect(patchSection("```\n", "Notes", "x")).toMatchObject({ error: expect.stringContaining("not closed") });
    expect(appendEntry("<!--\n", { day: undefined, text: "x" })).toMatchObject({
      error: expect.stringContaining("not closed"),
    });
  });

  it("leaves every byte outside of the section as it was, and reads back what it wrote", () => {
    fc.assert(
      fc.property(file, lines, (text, content) => {
        const patched = patchSection(text, "Notes", `x${content.join("\n")}`);
        if ("error" in patched) return;
        const { headings } = outlineOf(text);
        const index = headings.findIndex(({ name }) => name === "notes");
        const before = index === -1 ? text : text.slice(0, headings[index]?.to);
        const after = index === -1 ? "" : text.slice(headings[index + 1]?.from ?? text.length);
        expect(patched.text.startsWith(before)).toBe(true);
        expect(patched.text.endsWith(after)).toBe(true);
        // The same sections as before, and the one.
        const names = headings.map(({ name }) => name);
        expect(outlineOf(patched.text).headings.map(({ name }) => name)).toEqual(
          index === -1 ? [...names, "notes"] : names,
        );
        if (text.includes("\r\n"))
          expect(/[^\r]\n/.test(patched.text.slice(before.length, patched.text.length - after.length))).toBe(false);
        const again = textOf(patchSection(patched.text, "Notes", sectionOf(patched.text, "Notes")));
        expect(again).toBe(patched.text);
      }),
    );
  });
});

describe("outlineOf()", () => {
  it("sees every heading that a whole Markdown parser sees, and no line of its code", () => {
    fc.assert(
      fc.property(lines, (all) => {
        const text = all.join("\n");
        const seen = outlineOf(text).headings;
        let at = 0;
        for (const { type, raw, depth } of marked.lexer(text) as readonly {
          type: string;
          raw: string;
          depth?: number;
        }[]) {
          const [from, to] = [at, at + raw.length];
          at = to;
          // A heading of several lines may begin in what that parser takes for a list.
          const start = from + raw.search(/[^\n]/);
          if (type === "heading" && depth !== undefined && depth < 3)
            expect(seen.some((one) => one.from <= start && one.to >= start + raw.trim().length)).toBe(true);
          if (type === "code") expect(seen.filter((one) => one.from >= from && one.from < to)).toEqual([]);
        }
        expect(at).toBe(text.length);
      }),
    );
  });

  it("takes no long for a line of blanks or marks", () => {
    for (const sign of [" ", "#", "`", "-", "~"]) {
      const { headings } = outlineOf(`## a${sign.repeat(50_000)}x${sign.repeat(50_000)}y\n${sign.repeat(50_000)}`);
      expect(headings.length).toBeGreaterThan(0);
    }
  });
});

describe("appendEntry()", () => {
  const entry = { day: "2026-02-01", text: "Likes tea" };

  it("adds a dated bullet at the end, with the line ends of the file", () => {
    expect(appendEntry("", entry)).toEqual({ text: "- 2026-02-01 Likes tea\n" });
    expect(appendEntry("# Mine\r\nx", entry)).toEqual({ text: "# Mine\r\nx\r\n- 2026-02-01 Likes tea\r\n" });
  });

  it.each(["- 2026-01-01 Likes tea\n", "* Likes tea", "x\r\n- 2026-01-01: Likes tea\r\ny"])(
    "skips what %j has already",
    (text) => {
      expect(appendEntry(text, entry)).toEqual({ text });
    },
  );

  it("adds at the end of a section, so that others can be replaced without loss", () => {
    const first = textOf(appendEntry("## Facts\n\nold\n", entry, "Memory"));
    const second = textOf(appendEntry(first, { ...entry, text: "Likes salt" }, "Memory"));
    expect(second).toBe("## Facts\n\nold\n\n## Memory\n\n- 2026-02-01 Likes tea\n- 2026-02-01 Likes salt\n");
    expect(patchSection(second, "Facts", "new")).toEqual({ text: second.replace("old", "new") });
  });

  it("makes one line of what is said, which can begin nothing else", () => {
    fc.assert(
      fc.property(fc.string(), file, (said, before) => {
        const text = entryText(said);
        fc.pre(text !== "");
        const patched = appendEntry(before, { day: "2026-02-01", text });
        if ("error" in patched) return;
        expect(patched.text.startsWith(before)).toBe(true);
        expect(entriesOf(patched.text).map((one) => one.text)).toContain(text);
        expect(outlineOf(patched.text).headings).toHaveLength(outlineOf(before).headings.length);
        expect(appendEntry(patched.text, { day: "2026-03-01", text })).toEqual(patched);
      }),
    );
    expect(entryText("- 2026-02-01 Likes\r\n  tea ")).toBe("Likes tea");
  });
});
