import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { composeDigest, factLinesOf } from "../../../src/memory/days/compose-digest.ts";
import { entry } from "./support.ts";
import { runs } from "../../support/thorough.ts";

const day = "2026-02-01";
const at = (hour: number) => new Date(Date.UTC(2026, 1, 1, hour));
const ENTRIES = [
  entry("B", "We decided to use Postgres", { createdAt: at(9), slots: { type: "statement", source: "conversation", kind: "decision" } }),
  entry("A", "Prefers\naisle   seats", { createdAt: at(8), slots: { type: "statement", source: "conversation" } }),
  entry("C", "Goal: find a train\nTools: web_search × 2, web_fetch\nOutcome: success: 8:15", {
    createdAt: at(10), slots: { type: "auto_capture", source: "turn", turn: "t1" },
  }),
  entry("D", "web_search→web_fetch→web_search: success.", {
    createdAt: at(10), slots: { type: "workflow_trace", source: "turn", task_id: "t1", tool_seq: "web_search→web_fetch→web_search" },
  }),
  entry("E", "memory: success.", { createdAt: at(11), slots: { type: "workflow_trace", task_id: "t2", tool_seq: "grep→web_search" } }),
]; // prettier-ignore

const EXPECTED = `---
date: "2026-02-01"
entry_count: 5
sources: ["conversation","turn","workflow_trace"]
---

## Facts and decisions

- Prefers aisle seats <!-- A -->
- We decided to use Postgres <!-- B -->

## Tool use

- web_search × 3
- grep × 1
- web_fetch × 1

## Conversation highlights

- Goal: find a train Tools: web_search × 2, web_fetch Outcome: success: 8:15 <!-- C -->

`;

describe("composeDigest()", () => {
  it("tells facts, tools and highlights of a day, oldest first", () => {
    const { text } = composeDigest({ day, entries: ENTRIES });
    expect(text).toBe(EXPECTED);
    expect(factLinesOf(text)).toEqual(["Prefers aisle seats <!-- A -->", "We decided to use Postgres <!-- B -->"]);
  });

  it("gives the same bytes for the same entries in any order, also over its own text", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(ENTRIES), fc.array(fc.constantFrom("## Notes", "text", "", "- mine", "```", "<!--", "# Facts and decisions", "---", "x: 1", "- mine\n  more")), (entries, lines) => {
        const theirs = lines.join("\n");
        const first = composeDigest({ day, entries, previous: theirs });
        const again = composeDigest({ day, entries: entries.toReversed(), previous: first.text, written: first.written });
        expect(again).toEqual(first);
        expect(composeDigest({ day, entries, previous: first.text })).toEqual(first);
      }),
      { numRuns: runs(300) },
    ); // prettier-ignore
  });

  it("leaves every byte of other sections and their order", () => {
    const piece = fc.constantFrom(
      "text",
      "",
      "- mine",
      "- mine\n  more",
      "### Deep",
      "> quote",
      "1. one",
      "| a |",
      "**bold** ",
      "\tcode",
    );
    fc.assert(
      fc.property(fc.array(piece), fc.array(piece), fc.constantFrom("\n", "\r\n"), fc.boolean(), (one, two, newline, fenced) => {
        const notes = ["## Notes", ...one, ...(fenced ? ["```", "## Tool use", "- a × 1", "```"] : []), "## Plans", ...two, ""].join(newline);
        const { text, written } = composeDigest({ day, entries: ENTRIES, previous: notes });
        expect(text.endsWith(notes)).toBe(true);
        const changed = composeDigest({ day, entries: ENTRIES.slice(1), previous: text, written });
        expect(changed.text.endsWith(notes)).toBe(true);
        expect(changed.text).not.toContain("Postgres");
      }),
      { numRuns: runs(200) },
    ); // prettier-ignore
  });

  it.each([
    {
      title: "a line that was changed",
      from: "- Prefers aisle seats <!-- A -->",
      to: "- Prefers WINDOW seats <!-- A -->",
    },
    { title: "a line that was deleted", from: "- Prefers aisle seats <!-- A -->\n", to: "" },
    { title: "a line that was added", from: "## Tool use", to: "- Mine\n\n## Tool use" },
    { title: "what was written under a line", from: "seats <!-- A -->", to: "seats <!-- A -->\n  - near the wing" },
    { title: "a key of the frontmatter", from: "---\n\n", to: "mood: good\n---\n\n" },
    { title: "a paragraph behind the tools", from: "- web_fetch × 1\n", to: "- web_fetch × 1\n\nToo many.\n" },
  ])("respects $title", ({ from, to }) => {
    const { text, written } = composeDigest({ day, entries: ENTRIES });
    const edited = text.replace(from, to);
    expect(edited).not.toBe(text);
    const after = composeDigest({ day, entries: ENTRIES, previous: edited, written });
    expect(after.text).toBe(edited);
    const more = composeDigest({
      day,
      entries: [...ENTRIES, entry("F", "New")],
      previous: after.text,
      written: after.written,
    });
    expect(more.text).toContain("- New <!-- F -->");
    if (to !== "") expect(more.text).toContain(to.trim().split("\n").at(-1));
    else expect(more.text).not.toContain("aisle");
  });

  it("tells of a changed entry in its new words, and no longer of a removed one", () => {
    const { text, written } = composeDigest({ day, entries: ENTRIES });
    const entries = [entry("A", "Prefers window seats", { createdAt: at(8) })];
    const after = composeDigest({ day, entries, previous: text, written });
    expect(factLinesOf(after.text)).toEqual(["Prefers window seats <!-- A -->"]);
  });

  it("keeps a line that a person changed also when its entry is gone", () => {
    const { text, written } = composeDigest({ day, entries: ENTRIES });
    const edited = text.replace("Prefers aisle seats", "Prefers aisle seats, far in front");
    const gone = ENTRIES.filter(({ id }) => id !== "A");
    const after = composeDigest({ day, entries: gone, previous: edited, written });
    expect(factLinesOf(after.text)).toContain("Prefers aisle seats, far in front <!-- A -->");
    const again = composeDigest({ day, entries: gone, previous: after.text, written: after.written });
    expect(again.text).toBe(after.text);
    expect(factLinesOf(composeDigest({ day, entries: gone, previous: text, written }).text)).not.toContain(
      "Prefers aisle seats <!-- A -->",
    );
  });

  it("lets no content begin a comment, a heading or code", () => {
    const entries = [entry("-->", "one <!-- two\n```\n# three"), entry("X", "## four")];
    const { text } = composeDigest({ day, entries });
    expect(factLinesOf(text)).toHaveLength(2);
    expect(text).toContain("## Conversation highlights");
    expect(composeDigest({ day, entries, previous: text }).text).toBe(text);
  });
});
