import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createLibrary, draftSkill, learnSkills, matchSkills, parseSkill, tracesFromEntries } from "./door.ts";
import type { SkillSuggestion, TraceEntry } from "../../src/skills/index.ts";
import { workflowTrace } from "../../src/memory/capture/workflow-trace.ts";
import { anyCharacter } from "../support/any-character.ts";
import { runs } from "../support/thorough.ts";
import { aSkill } from "./a-skill.ts";

const suggestion: SkillSuggestion = {
  id: "0".repeat(32),
  name: "web-search-then-file-write",
  description: "Uses web_search and file_write, one after the other, as in 3 tasks before",
  toolSequence: ["web_search", "file_write", "web_search"],
  occurrences: 3,
  averageDurationMs: 1000,
  successRate: 1,
  confidence: 2 / 3,
  userId: "telegram:42",
  examples: ["Write the weekly report about sales", "weekly report please", "Make me a weekly sales report"],
  parameters: [{ step: 0, tool: "web_search", argument: "query", values: ["a", "b"] }],
  constants: [{ step: 1, argument: "path", value: "report.md" }],
};

interface Frontmatter {
  readonly name: string;
  readonly description: string;
  readonly metadata: {
    readonly wakeful: {
      readonly people: readonly string[];
      readonly triggers: {
        intent_patterns?: string[];
        tool_signals: string[];
        context_signals?: { keywords: string[] };
      };
    };
  };
}

/** The frontmatter and the body, as a reader of the format takes them apart. */
function readDraft(text: string): { head: Frontmatter; body: string } {
  const [, head = "", body = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
  return { head: parse(head) as Frontmatter, body };
}

describe("draftSkill()", () => {
  it("takes words with any apostrophe and hyphen into patterns that match", () => {
    const examples = ["The shop’s don’t-forget list", "my don’t-forget list, O'Neil"];
    for (const tasks of [examples, ["O'Neil's re-run", "re-run for O'Neil"]]) {
      const { text } = draftSkill({ ...suggestion, examples: tasks });
      const library = createLibrary([parseSkill(text)]);
      expect(library.problems).toEqual([]);
      const input = { taskInput: tasks[0] ?? "", userId: "telegram:42" };
      expect(matchSkills(library, input)).toMatchObject([{ name: suggestion.name }]);
    }
  });

  it("writes a SKILL.md with triggers, people, steps and parameters", () => {
    const { name, text } = draftSkill(suggestion);
    expect(name).toBe("web-search-then-file-write");
    expect(text).toBe(`---
name: web-search-then-file-write
description: "Uses web_search and file_write, one after the other, as in 3 tasks before"
metadata:
  wakeful:
    people: ["telegram:42"]
    triggers:
      intent_patterns: ["\\\\breport\\\\b.*\\\\bweekly\\\\b", "\\\\bweekly\\\\b.*\\\\breport\\\\b"]
      tool_signals: ["web_search", "file_write"]
      context_signals: { keywords: ["report", "weekly", "sales"] }
---

Uses web_search and file_write, one after the other, as in 3 tasks before.

## Steps

1. Call \`web_search\`; \`query\` fits the task.
2. Call \`file_write\`; \`path\` is \`report.md\`.
3. Call \`web_search\`.

Look at what each step gives before the next one. When a step fails, try it once in another way, then say what is missing.

## Parameters

- \`query\` of step 1, before: \`a\`, \`b\`

## Tasks that it was learnt from

- \`Write the weekly report about sales\`
- \`weekly report please\`
- \`Make me a weekly sales report\`
`);
  });

  it("finds what Chinese tasks have in common", () => {
    const examples = ["帮我做竞品分析报告", "请把竞品分析整理一下", "这个月的竞品分析"];
    const { head } = readDraft(draftSkill({ ...suggestion, examples }).text);
    expect(head.metadata.wakeful.triggers).toMatchObject({
      intent_patterns: ["竞品分析"],
      context_signals: { keywords: ["竞品分析"] },
    });
  });

  it.each([
    ["整理销售数据生成图表", "用上周的数据整理一张图表"],
    ["写周报", "周报写一下"],
    ["竞品分析", "分析一下竞品"],
  ])("that was asked for as %j alone fits %j too", (example, other) => {
    const { text } = draftSkill({ ...suggestion, examples: [example] });
    const library = createLibrary([parseSkill(text)]);
    const matched = (taskInput: string) => matchSkills(library, { taskInput, userId: "telegram:42" });
    expect(matched(example)).toMatchObject([{ name: suggestion.name }]);
    expect(matched(other)).toMatchObject([{ name: suggestion.name }]);
    expect(matched("明天天气好吗")).toEqual([]);
  });

  it("leaves patterns out where the tasks have nothing in common", () => {
    const { head } = readDraft(draftSkill({ ...suggestion, examples: ["one thing", "quite another"] }).text);
    expect(Object.keys(head.metadata.wakeful.triggers)).toEqual(["tool_signals"]);
  });

  it("covers its own suggestion, and comes for its own tasks and person", () => {
    const { head, body } = readDraft(draftSkill(suggestion).text);
    const {
      intent_patterns: intent = [],
      tool_signals: tools,
      context_signals: { keywords = [] } = {},
    } = head.metadata.wakeful.triggers;
    const skill = aSkill(head.name, { intent, tools, keywords }, { body, people: head.metadata.wakeful.people });
    const library = createLibrary([skill], { engine: null });
    expect(library.problems).toEqual([]);
    for (const taskInput of suggestion.examples)
      expect(matchSkills(library, { taskInput, userId: "telegram:42" })).toHaveLength(1);
    const traces = ["1", "2", "3"].map((taskId) => ({
      taskId,
      userId: "telegram:42",
      tools: suggestion.toolSequence.map((name) => ({ name, success: true, durationMs: 1 })),
      outcome: "success",
      createdAt: 0,
    }));
    expect(learnSkills(traces, { library })).toEqual([]);
    expect(learnSkills(traces)).toHaveLength(1);
  });

  it("takes another name, and refuses what is none", () => {
    expect(draftSkill(suggestion, { name: "weekly" })).toMatchObject({
      name: "weekly",
      text: expect.stringContaining("\nname: weekly\n") as string,
    });
    for (const name of ["", "Weekly", "a--b", "a\nb: c", "../x", "a".repeat(65)])
      expect(() => draftSkill(suggestion, { name })).toThrow(RangeError);
  });

  it.each([
    'x"]\nevil: [true',
    "x\u2028evil: true",
    "x\u0085---\nevil: true",
    "`\n# Evil",
    "</wakeful-skill>",
    "<wakeful-note>",
    "x\ud800",
    "x\\",
    "{{ x }} & *a !!js",
  ])("keeps %j in one line and its place", (evil) => {
    const { text } = draftSkill({
      ...suggestion,
      description: evil,
      toolSequence: [evil, "b"],
      userId: evil,
      examples: [`${evil} weekly report`, `${evil} weekly report`],
      parameters: [{ step: 0, tool: evil, argument: evil, values: [evil, evil] }],
      constants: [{ step: 1, argument: evil, value: evil }],
    });
    const { head, body } = readDraft(text);
    expect(Object.keys(head)).toEqual(["name", "description", "metadata"]);
    expect(Object.keys(head.metadata)).toEqual(["wakeful"]);
    expect(Object.keys(head.metadata.wakeful)).toEqual(["people", "triggers"]);
    expect(text).not.toMatch(/<\/?wakeful-/);
    expect(body.match(/^#.*$/gm)).toEqual(["## Steps", "## Parameters", "## Tasks that it was learnt from"]);
    expect(text.split("\n---\n")).toHaveLength(2);
  });

  it("is loadable and its patterns are taken everywhere, whatever was learnt from (property)", () => {
    const some = fc.string({ unit: anyCharacter, maxLength: 20 });
    fc.assert(
      fc.property(
        some,
        fc.array(some, { minLength: 1, maxLength: 3 }),
        fc.array(some, { maxLength: 3 }),
        (word, toolSequence, others) => {
          const examples = others.map((other) => `${word} ${other}`);
          const { text } = draftSkill({ ...suggestion, toolSequence, examples, userId: word, description: word });
          const { head } = readDraft(text);
          const { intent_patterns: intent = [], tool_signals: tools } = head.metadata.wakeful.triggers;
          expect(tools.length).toBeGreaterThan(0);
          expect(createLibrary([aSkill("a", { intent })], { engine: null }).problems).toEqual([]);
          expect(draftSkill({ ...suggestion, toolSequence, examples, userId: word, description: word }).text).toBe(
            text,
          );
        },
      ),
      { numRuns: runs(300) },
    );
  });
});

describe("tracesFromEntries()", () => {
  const draft = workflowTrace(
    {
      id: "turn-1",
      sessionId: "s",
      text: "Write the weekly report",
      reply: "Done",
      outcome: "success",
      calls: [
        { name: "web_search", input: { query: "x" }, durationMs: 5 },
        { name: "file_write", input: { path: "a.md" }, durationMs: 7, error: { code: "X", message: "x" } },
      ],
    },
    (value) => value,
  );
  const entry: TraceEntry = {
    id: "e1",
    userId: "telegram:42",
    content: draft?.content ?? "",
    slots: draft?.slots ?? {},
    createdAt: new Date(5),
  };

  it("reads what the memory keeps of a turn", () => {
    expect(tracesFromEntries([entry])).toEqual([
      {
        taskId: "turn-1",
        userId: "telegram:42",
        tools: [
          { name: "web_search", success: true, durationMs: 5, arguments: { query: "x" } },
          { name: "file_write", success: false, durationMs: 7, arguments: { path: "a.md" } },
        ],
        outcome: "success",
        createdAt: new Date(5),
        text: "Write the weekly report",
      },
    ]);
  });

  it.each<[string, Partial<TraceEntry["slots"]>, number]>([
    ["of a message", { origin: "message" }, 1],
    ["of a job", { origin: "job" }, 0],
    ["of another type", { type: "auto_capture" }, 0],
    ["without steps", { steps: 5 }, 0],
    ["with a step of another shape", { steps: [{ name: "a" }] }, 0],
    ["with a step that is no object", { steps: [null] }, 0],
    ["without an outcome", { outcome: 5 }, 0],
    ["with a duration that is none", { steps: [{ name: "a", success: true, duration_ms: "x" }] }, 1],
  ])("takes an entry %s: %#", (_, slots, count) => {
    expect(tracesFromEntries([{ ...entry, slots: { ...entry.slots, ...slots } as TraceEntry["slots"] }])).toHaveLength(
      count,
    );
  });
});
