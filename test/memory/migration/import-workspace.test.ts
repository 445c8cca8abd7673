import { describe, expect, it } from "vitest";
import { createDays } from "../../../src/memory/index.ts";
import { importWorkspace } from "../../../src/memory/migration/import-workspace.ts";
import { ADA, parts, textOf } from "../days/support.ts";

const LONG_TERM = `---
title: x
---
# Long-term Memory

- Above any heading

## User Preferences

- Tea, **never** coffee
- Family
  - Wife: Ann
  - Son: Bo
- Prefers tea
- Prefers tea with milk

A paragraph
of two lines.

## Servers
1. alpha is in Umeå
<!-- secret -->
\`\`\`sh
ssh alpha
\`\`\`
`;
const DAY = "# 2026-01-20\r\n\r\n## Morning\r\n\r\n- Met Bo\r\n- Met Bo\r\n\r\nWent for a walk\r\nby the river.\r\n";

function room() {
  const given = parts({ timezone: "Europe/Stockholm" });
  const days = createDays(given);
  const run = (files: readonly { path: string; text: string }[]) =>
    importWorkspace(files, { userId: ADA, memory: given.memory, days });
  return { ...given, days, run };
}

describe("importWorkspace()", () => {
  it("puts lines of MEMORY.md under their headings, and code into an entry", async () => {
    const { run, store, live } = room();
    await store.put(`memory/${ADA}/MEMORY.md`, "# Mine\n\n## user preferences\n\n- tea, never coffee.\n");
    expect(await run([{ path: "MEMORY.md", text: LONG_TERM }])).toEqual({
      facts: 7, entries: 1, known: 1, leftOut: [{ path: "MEMORY.md", reason: "HTML: <!-- secret -->" }],
    }); // prettier-ignore
    expect(await textOf(store, `memory/${ADA}/MEMORY.md`)).toBe(
      "# Mine\n\n## user preferences\n\n- tea, never coffee.\n- Family: Wife: Ann\n- Family: Son: Bo\n- Prefers tea\n- Prefers tea with milk\n- A paragraph of two lines.\n\n" +
        "## Imported\n\n- Above any heading\n\n## Servers\n\n- alpha is in Umeå\n",
    );
    const [code] = live.values();
    expect(code).toMatchObject({
      content: "```sh\nssh alpha\n```",
      keywords: ["Servers"],
      slots: { type: "note", source: "import", heading: "Servers" },
    });
    expect(code?.createdAt).toEqual(new Date("2026-02-01T11:00:00Z"));
  });

  it("makes bullets and paragraphs of a day's file entries of that day", async () => {
    const { run, live, days } = room();
    const result = await run([{ path: "memory\\2026-01-20-a-walk.md", text: DAY }]);
    expect(result).toEqual({ facts: 0, entries: 2, known: 1, leftOut: [] });
    const told = [...live.values()].map(({ content, createdAt, keywords, slots }) => [
      content,
      createdAt.toISOString(),
      keywords,
      slots["type"],
    ]);
    expect(told).toEqual([
      ["Met Bo", "2026-01-20T11:00:00.000Z", ["Morning"], "note"],
      ["Went for a walk by the river.", "2026-01-20T11:00:00.002Z", ["Morning"], "note"],
    ]);
    expect((await days.digest({ userId: ADA, day: "2026-01-20" })).text).toContain("Met Bo");
  });

  it("adds nothing the second time, nor what was deleted since", async () => {
    const { run, store, live, memory } = room();
    const files = [{ path: "MEMORY.md", text: LONG_TERM }, { path: "memory/2026-01-20.md", text: DAY }]; // prettier-ignore
    const first = await run(files);
    const key = `memory/${ADA}/MEMORY.md`;
    const edited = (await textOf(store, key)).replace("- Prefers tea\n", "").replace("Umeå", "Luleå");
    await store.put(key, edited);
    await memory.archive(ADA, [[...live.keys()][0] ?? ""]);
    const moved = [{ path: "memory/2026-01-20.md", text: `# 2026-01-20\n\nNew\n\n${DAY.replace("# 2026-01-20", "")}` }];
    expect(await run(files)).toMatchObject({ facts: 0, entries: 0, known: first.facts + first.entries + first.known });
    expect(await textOf(store, key)).toBe(edited);
    expect(await run(moved)).toMatchObject({ entries: 1 });
  });

  it("says what it left out, and how far it is", async () => {
    const { days, memory } = room();
    const heard: number[][] = [];
    const long = "x".repeat(40_000);
    const files = ["SOUL.md", "memory/2026-02-30.md", "memory/notes.md", "2026-01-01.md"].map((path) => ({
      path,
      text: long,
    }));
    const { leftOut } = await importWorkspace(files, {
      userId: ADA,
      memory,
      days,
      onProgress: (done, of) => heard.push([done, of]),
    });
    expect(leftOut.map(({ path, reason }) => [path, reason.slice(0, 20)])).toEqual([
      ["SOUL.md", "expected MEMORY.md, "], ["memory/2026-02-30.md", "expected MEMORY.md, "],
      ["memory/notes.md", "expected MEMORY.md, "], ["2026-01-01.md", "longer than 32768 by"],
    ]); // prettier-ignore
    expect(heard.at(-1)).toEqual([4, 4]);
  });
});
