import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sameFacts } from "../../../src/memory/days/long-term.ts";
import { type LongTermFact, mergeFacts } from "../../../src/memory/days/merge-facts.ts";
import { runs } from "../../support/thorough.ts";

const merge = (text: string, facts: readonly LongTermFact[], known: readonly string[] = []) =>
  mergeFacts(text, facts, { known, isSame: sameFacts() });
const fact = (text: string, heading = "User Preferences", day: string | undefined = "2026-02-01") => ({
  text,
  heading,
  day,
});
const TEA = fact("Drinks green tea in the morning");
const POSTGRES = fact("We decided on Postgres", "Architecture Decisions");

/** Without these lines, the rest in its order. */
function without(text: string, lines: readonly string[]): string {
  return text.split(/(?<=\n)/).filter((line) => !lines.includes(line.trim())).join(""); // prettier-ignore
}

describe("mergeFacts()", () => {
  it("begins a file with its headings in their order", () => {
    const { text, added } = merge("", [POSTGRES, TEA]);
    expect(text).toBe(
      "## User Preferences\n\n- Drinks green tea in the morning (2026-02-01)\n\n## Architecture Decisions\n\n- We decided on Postgres (2026-02-01)\n",
    );
    expect(added).toHaveLength(2);
  });

  it("compares a fact that was added before with no other line", () => {
    const { text, known } = merge("", [TEA, POSTGRES]);
    let compared = 0;
    const isSame = () => (compared += 1) < 0;
    mergeFacts(text, [TEA, POSTGRES], { known, isSame });
    mergeFacts("- Likes rain\n", [TEA, POSTGRES], { known, isSame });
    expect(compared).toBe(0);
  });

  it("adds behind the last bullet of the heading that is there, with the file's line ends", () => {
    const before =
      "# Me\r\n\r\n### user preferences\r\n\r\n* Aisle seats\r\n  always\r\n\r\nA paragraph.\r\n\r\n## Other\r\n- x";
    const { text } = merge(before, [TEA]);
    expect(text).toBe(before.replace("  always\r\n", "  always\r\n- Drinks green tea in the morning (2026-02-01)\r\n"));
  });

  it.each([
    { title: "a heading of nothing", before: "## User Preferences", after: "## User Preferences\n\n- L\n" },
    {
      title: "a heading over a paragraph",
      before: "## User Preferences\ntext\n",
      after: "## User Preferences\n\n- L\n\ntext\n",
    },
    {
      title: "a heading in code",
      before: "```\n## User Preferences\n```\n",
      after: "```\n## User Preferences\n```\n\n## User Preferences\n\n- L\n",
    },
    {
      title: "code without an end",
      before: "text\n```\n# x\n",
      after: "## User Preferences\n\n- L\n\ntext\n```\n# x\n",
    },
    {
      title: "a heading with a line under it",
      before: "User Preferences\n---\n\n- a\n",
      after: "User Preferences\n---\n\n- a\n- L\n",
    },
    { title: "no last line end", before: "text", after: "text\n\n## User Preferences\n\n- L\n" },
  ])("finds the place beside $title", ({ before, after }) => {
    const line = `${TEA.text} (${TEA.day})`;
    const { text } = merge(before, [TEA]);
    expect(text).toBe(after.replace("- L\n", `- ${line}\n`));
  });

  it("changes no byte of what was there, and adds nothing twice", () => {
    const piece = fc.constantFrom(
      "# Me",
      "## User Preferences",
      "## Architecture Decisions",
      "- mine",
      "  more",
      "text",
      "",
      "```",
      "<!--",
      "-->",
      "1. one",
      "---",
      "> quote ",
      "\ttab",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom("\n", "\r\n"), fc.boolean(), (lines, newline, ends) => {
        const before = lines.join(newline) + (ends ? newline : "");
        const { text, known, added } = merge(before, [TEA, POSTGRES]);
        expect(added).toHaveLength(2);
        // Everything that was there, in its order, with lines between.
        let at = 0;
        for (const line of before.split(/\r?\n/)) {
          const found = text.indexOf(line, at);
          expect(found).toBeGreaterThanOrEqual(at);
          at = found + line.length;
        }
        const extra = text.length - before.length;
        const ours = [TEA, POSTGRES].map(({ text: line, day }) => `- ${line} (${day})`);
        const ended = (one: string) => one.replace(/\r?\n$/, "");
        const headings = ["## User Preferences", "## Architecture Decisions", ""];
        expect(ended(without(text, [...ours, ...headings]))).toBe(ended(without(before, headings)));
        expect(extra).toBeGreaterThan(0);
        if (newline === "\r\n" && before.includes("\r\n")) expect(text.replaceAll("\r\n", "")).not.toContain("\n");
        expect(merge(text, [TEA, POSTGRES], known)).toEqual({ text, known, added: [] });
        expect(merge(text, [TEA, POSTGRES]).text).toBe(text);
      }),
      { numRuns: runs(300) },
    ); // prettier-ignore
  });

  it.each([
    { title: "deleted", edit: (text: string) => text.replace(/- Drinks.*\n/, "") },
    { title: "changed", edit: (text: string) => text.replace("green tea", "oat milk") },
    {
      title: "moved",
      edit: (text: string) => `${text.replace(/- Drinks.*\n/, "")}\n# Mine\n- Drinks green tea in the morning\n`,
    },
    { title: "freed of its date", edit: (text: string) => text.replace("morning (2026-02-01)", "morning") },
  ])("leaves a line that was $title as it is", ({ edit }) => {
    const { text, known } = merge("", [TEA, POSTGRES]);
    const edited = edit(text);
    expect(edited).not.toBe(text);
    const again = merge(edited, [{ ...TEA, day: "2026-02-09" }, POSTGRES], known);
    expect(again.text).toBe(edited);
    const otherwise = merge(edited, [{ ...fact("In the morning, drinks green tea"), variants: [TEA.text] }], known);
    expect(otherwise.text).toBe(edited);
  });

  it("writes a later day behind a line that it added, never an earlier one", () => {
    const { text, known } = merge("", [TEA]);
    const later = merge(text, [{ ...TEA, day: "2026-03-01" }], known);
    expect(later.text).toBe(text.replace("2026-02-01", "2026-03-01"));
    expect(later.added).toEqual([]);
    expect(merge(later.text, [TEA], known).text).toBe(later.text);
  });

  it("adds what differs in a number from a line that is there", () => {
    const before = "## User Preferences\n\n- Wakes up at 6 every working day\n";
    expect(merge(before, [fact("Wakes up at 7 every working day")]).added).toHaveLength(1);
    expect(merge(before, [fact("Every working day wakes up at 6")]).added).toHaveLength(0);
  });
});
