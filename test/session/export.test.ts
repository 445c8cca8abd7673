import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type NewRecord, type Sequenced, exportJsonl, exportMarkdown } from "../../src/session/index.ts";
import { compact, message, out, step } from "./support.ts";
import { runs } from "../support/thorough.ts";

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 0, 5, 12);

async function* sequenced(records: readonly (NewRecord & { readonly at?: number })[]): AsyncGenerator<Sequenced> {
  let seq = 0;
  for (const record of records) yield { at: NOON, ...record, v: 1, seq: ++seq };
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}
const markdown = (...records: (NewRecord & { readonly at?: number })[]) =>
  textOf(exportMarkdown("agent:main:web:direct:a", sequenced(records)));

describe("exportMarkdown()", () => {
  it("is a conversation to read", async () => {
    const call = (name: string) => ({ toolCallId: name, name, input: { zone: "UTC" } });
    const done = { type: "tool", turn: "turn-a", step: 0, state: "done" } as const;
    const attachments = [{ name: "plan_*.pdf", mediaType: "application/pdf" }, { mediaType: "image/png" }];
    const text = await markdown(
      message("a", { text: "What time is it?\nIn Oslo.", attachments }),
      step("turn-a", ["a"], { calls: [call("time"), call("news"), call("slow")] }),
      { ...done, index: 0, name: "time", state: "started" },
      { ...done, index: 0, name: "time", output: "noon `now`" },
      { ...done, index: 1, name: "news", error: { code: "TIMEOUT", message: "too slow" } },
      { ...out("turn-a", ["a"], { text: "It is **noon**" }), at: NOON + 65_000 },
      { type: "mark", of: 6, part: 0, delivery: "sent" },
      { type: "setting", settings: { queueMode: "steer", model: null }, by: "telegram:42" },
      { ...compact(7, { summary: "Ada asked for the time", by: "web", reason: "edit" }), at: NOON + DAY },
      { type: "reset", by: "telegram:42", at: NOON + DAY },
      { type: "heard", id: "h", text: "lunch?", user: "telegram:7", sender: { id: "7" }, at: NOON + DAY },
      { type: "note", text: "Edited", source: "edit", at: NOON + DAY },
      { type: "stop", by: "telegram:42", at: NOON + DAY },
      { ...out("turn-b", [], { text: "", silent: true }), at: NOON + DAY },
      {
        ...out("turn-c", [], { text: "Sorry", error: { code: "MODEL_FAILED", message: "no_answer" } }),
        at: NOON + DAY,
      },
    );
    expect(text).toBe(`# agent:main:web:direct:a

## 2026-01-05

**Ada (telegram:42)** · 12:00:00

> What time is it?
> In Oslo.

Attached: plan\\_\\*.pdf (application/pdf), image/png

- \` time \` \` {"zone":"UTC"} \` → \`\` noon \`now\` \`\`

- \` news \` \` {"zone":"UTC"} \` → failed: \` TIMEOUT: too slow \`

- \` slow \` \` {"zone":"UTC"} \` → no result

**assistant** · 12:01:05

> It is **noon**

*Set: queueMode steer, model as configured* · telegram:42 · 12:00:00

## 2026-01-06

---

**Summary of 7 turns, written by web** · 12:00:00

> Ada asked for the time

---

---

*New conversation* · telegram:42 · 12:00:00

---

**telegram:7 (heard)** · 12:00:00

> lunch?

**note: edit** · 12:00:00

> Edited

*Stopped* · telegram:42 · 12:00:00

**assistant** · 12:00:00

> Sorry

*MODEL\\_FAILED: no\\_answer*
`);
  });

  it("says which calls a crash left without a result, at the next turn or at the end", async () => {
    const calls = [{ toolCallId: "x", name: "bash", input: {} }];
    const text = await markdown(step("t1", [], { calls }), step("t2", [], { calls }));
    expect(text.match(/bash.*no result/g)).toHaveLength(2);
  });

  it.each([
    { title: "line ends of every kind", text: "a\r# b\r\n# c\u2028# d\u0085# e\f# f" },
    { title: "a tag", text: "</blockquote><h2>owner</h2><!-- <script>" },
    { title: "a tag after a backslash", text: "\\<script>\\\\<!--" },
    { title: "a fence that is not closed", text: "```\n</script>" },
    { title: "a fence behind a tab", text: "\t```\nx\n```\n<script>" },
    { title: "a fence that a tab seems to close", text: "```\n\t```\n<script>" },
    { title: "a fence in a list", text: "- ```\n```\n<script>\n```\n<script>" },
    { title: "a fence whose language holds a line separator", text: "```a\u2028\n<script>\n```\n<script>" },
    { title: "backticks in a fence's language", text: "``` a`b\n<script>" },
    { title: "a shorter fence inside", text: "````\n```\n<script>\n````\n<script>" },
  ])("keeps $title inside what was said", async ({ text }) => {
    expect(escapes(await markdown(message("a", { text })))).toEqual([]);
  });

  it("lets nothing that was said begin structure of its own", async () => {
    const hostile = fc.array(
      fc.constantFrom(
        "```",
        "~~~~",
        "`",
        "<script>",
        "</blockquote>",
        "\\",
        "\n",
        "\r",
        "\t",
        "\u2028",
        "#",
        "- ",
        "> ",
        "---",
        " ",
        "    ",
        "a",
      ),
      { maxLength: 14 },
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (pieces) => {
        expect(escapes(await markdown(message("a", { text: pieces.join("") }), out("t", [])))).toEqual([]);
      }),
      { numRuns: runs(1000) },
    );
  });

  it("lets no name of a person, a file or a tool begin structure", async () => {
    const name = "x\n# y\n**owner** <b>`";
    const text = await markdown(
      message("a", { sender: { id: "1", name }, attachments: [{ name, mediaType: "<i>" }] }),
      step("t", ["a"], { calls: [{ toolCallId: "1", name, input: "`` <b>\n# z" }] }),
      { type: "note", text: "n", source: name },
    );
    expect(escapes(text)).toEqual([]);
    expect(text).toContain("**x \\# y \\*\\*owner\\*\\* \\<b\\>\\` (telegram:42)**");
  });

  it("keeps little in memory, however long the conversation", async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<Sequenced> {
      for (;;) yield { ...message("a"), v: 1, at: NOON, seq: ++read };
    }
    const pieces = exportMarkdown("agent:main:main", endless());
    for (let count = 0; count < 100; count += 1) await pieces.next();
    await pieces.return(undefined);
    expect(read).toBeLessThanOrEqual(100);
  });
});

describe("exportJsonl()", () => {
  it("is the records as they are, one line each, with their places", async () => {
    const records = [message("a", { text: "two\nlines" }), out("turn-a", ["a"])];
    const lines = (await textOf(exportJsonl(sequenced(records)))).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      records.map((record, index) => ({ ...record, v: 1, at: NOON, seq: index + 1 })),
    );
  });
});

/**
 * Lines that a reader of Markdown could take for something else than this file writes: no quotation, none of its own forms, or HTML outside of a block of code.
 * Blocks are found as CommonMark 0.31 finds them, where a quotation mark and a blank come before each line.
 */
function escapes(text: string): string[] {
  const own =
    /^(?:|# \S.*|## \d{4}-\d\d-\d\d|\*\*.+\*\* · \d\d:\d\d:\d\d|\*.+\* · .+ · \d\d:\d\d:\d\d|Attached: .+|- `.+|---)$/;
  const found: string[] = [];
  let fence: string | undefined;
  let before = "";
  for (const line of text.split(/[\n\r\v\f\u0085\u2028\u2029]/)) {
    const inside = /^>(?: (.*))?$/s.exec(line);
    if (!inside) {
      if (fence !== undefined || !own.test(line) || /(?<!\\)<(?=[a-z/!?])(?![^`]*`)/i.test(line)) found.push(line);
      continue;
    }
    // A tab after the quotation mark reaches to the next fourth column.
    const said = (inside[1] ?? "")
      .replace(/^\t/, "  ")
      .replace(/^ \t/, "  ")
      .replace(/^ {2}\t/, "      ");
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(said);
    if (fence !== undefined) {
      if (mark?.[1]?.startsWith(fence) && mark[2]?.trim() === "") fence = undefined;
    } else if (mark?.[1] !== undefined && !(mark[1].startsWith("`") && mark[2]?.includes("`"))) {
      if (before !== "") found.push(line);
      fence = mark[1];
    } else if (/<[a-z/!?]/i.test(said)) found.push(line);
    before = said.trim();
  }
  return fence === undefined ? found : [...found, fence];
}
