import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { learnSkills } from "./door.ts";
import type { JsonValue } from "../../mod.ts";
import type { WorkflowTrace } from "../../src/skills/index.ts";
import { runs } from "../support/thorough.ts";
import { aSkill } from "./a-skill.ts";
import { trace } from "./a-trace.ts";

const times = (count: number, tools: readonly string[], more: Partial<WorkflowTrace> = {}) =>
  Array.from({ length: count }, (_, index) => trace(`t${tools.join()}${index}${more.outcome}`, tools, more));
const sequences = (traces: readonly WorkflowTrace[], options = {}) =>
  learnSkills(traces, options).map(({ toolSequence }) => toolSequence.join(" "));

describe("learnSkills()", () => {
  it("suggests what was done three times with success", () => {
    const traces = ["1", "2", "3"].map((id, index) =>
      trace(id, ["web_search", "web_fetch", "file_write"], { text: `Report ${id}`, createdAt: index }),
    );
    expect(learnSkills(traces)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
        name: "web-search-then-file-write",
        description: "Uses web_search, web_fetch and file_write, one after the other, as in 3 tasks before",
        toolSequence: ["web_search", "web_fetch", "file_write"],
        occurrences: 3,
        averageDurationMs: 300,
        successRate: 1,
        confidence: 1 - 1 / 3,
        userId: "telegram:42",
        examples: ["Report 3", "Report 2", "Report 1"],
        parameters: [],
        constants: [],
      },
    ]);
  });

  it.each<[string, readonly WorkflowTrace[], readonly string[]]>([
    ["twice is not enough", times(2, ["a", "b"]), []],
    ["one tool is no sequence", times(5, ["a"]), []],
    ["success of 70% is not enough", [...times(7, ["a", "b"]), ...times(3, ["a", "b"], { outcome: "failure" })], []],
    ["success of 71% is", [...times(5, ["a", "b"]), ...times(2, ["a", "b"], { outcome: "partial" })], ["a b"]],
    ["a step that failed counts against it", [...times(2, ["a", "b"]), trace("x", ["a!", "b"])], []],
    [
      "a try that failed before it was repeated does not",
      [...times(2, ["a", "b"]), trace("x", ["a", "b!", "a", "b"])],
      ["a b"],
    ],
    ["a failed step beside it does not", [...times(2, ["a", "b"]), trace("x", ["c!", "a", "b"])], ["a b"]],
    ["the longest is suggested", times(3, ["a", "b", "c", "d"]), ["a b c d"]],
    ["a part of it alone where the rest fails", times(4, ["a", "b", "c!"]), ["a b"]],
    ["what lies between others is found", ["x", "y", "z"].map((one) => trace(one, [one, "a", "b", one])), ["a b"]],
    ["what has a gap is none", ["x", "y", "z"].map((one) => trace(one, ["a", one, "b"])), []],
    ["a loop within one turn is no habit", [trace("x", ["a", "b", "a", "b", "a", "b"])], []],
    ["a tool twice is a sequence", times(3, ["a", "a"]), ["a a"]],
    ["the same turn three times is once", ["1", "1", "1"].map((id) => trace(id, ["a", "b"])), []],
    [
      "own tools are left out and leave no gap",
      times(3, ["memory_recall", "a", "plan", "skills", "b", "notify", "acp_context", "clarify", "message"]),
      ["a b"],
    ],
    ["own tools alone are nothing", times(3, ["memory_recall", "memory_write"]), []],
  ])("%s", (_, traces, expected) => {
    expect(sequences(traces)).toEqual(expected);
  });

  it("never counts people together", () => {
    const of = (userId: string, count: number) =>
      times(count, ["a", "b"], { userId }).map((one) => ({ ...one, taskId: `${userId}${one.taskId}` }));
    expect(sequences([...of("u1", 2), ...of("u2", 2)])).toEqual([]);
    const both = learnSkills([...of("u1", 3), ...of("u2", 3)]);
    expect(
      both
        .map(({ userId, occurrences }) => [userId, occurrences] as const)
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    ).toEqual([
      ["u1", 3],
      ["u2", 3],
    ]);
    expect(new Set(both.map(({ id }) => id)).size).toBe(2);
    expect(new Set(both.map(({ name }) => name)).size).toBe(2);
  });

  it.each<[string, readonly string[], Parameters<typeof aSkill>[2], readonly string[]]>([
    ["covers it", ["a", "b"], {}, []],
    ["covers it with more between", ["x", "a", "y", "b"], {}, []],
    ["has the other order", ["b", "a"], {}, ["a b"]],
    ["has a part of it", ["a"], {}, ["a b"]],
    ["is of its person", ["a", "b"], { people: ["telegram:42"] }, []],
    ["is of somebody else", ["a", "b"], { people: ["telegram:7"] }, ["a b"]],
  ])("looks at the skills: one that %s", (_, tools, more, expected) => {
    expect(sequences(times(3, ["a", "b"]), { library: [aSkill("one", { tools }, more)] })).toEqual(expected);
  });

  it("takes other limits, and refuses those that make no sense", () => {
    expect(sequences(times(2, ["a"]), { minOccurrence: 2, minSteps: 1 })).toEqual(["a"]);
    expect(() => learnSkills([], { minSteps: 0 })).toThrow(RangeError);
    expect(() => learnSkills([], { minOccurrence: 1.5 })).toThrow(RangeError);
  });

  it("names a skill that is not there yet", () => {
    const library = [aSkill("a-then-b", undefined)];
    expect(learnSkills(times(3, ["a", "b"]), { library })[0]?.name).toMatch(/^a-then-b-[0-9a-f]{8}$/);
    expect(learnSkills(times(3, ["工具", "工具"]))[0]?.name).toMatch(/^workflow-[0-9a-f]{8}$/);
    expect(learnSkills(times(3, ["a".repeat(60), "b".repeat(60)]))[0]?.name.length).toBeLessThanOrEqual(64);
  });

  it("makes parameters of what changed, and keeps short values that did not", () => {
    const withArguments = (id: string, given: readonly JsonValue[]): WorkflowTrace => ({
      ...trace(id, []),
      tools: given.map((one, index) => ({ name: `t${index}`, success: true, durationMs: 1, arguments: one })),
      createdAt: -Number(id),
    });
    const [suggestion] = learnSkills(
      ["1", "2", "3", "4"].map((id) =>
        withArguments(id, [
          { query: `word ${id}`, limit: 5, note: "a sentence that is the same" },
          { path: "out.md", ...(id === "1" ? { rare: 1 } : {}) },
        ]),
      ),
    );
    expect(suggestion?.parameters).toEqual([
      { step: 0, tool: "t0", argument: "query", values: ["word 1", "word 2", "word 3"] },
    ]);
    expect(suggestion?.constants).toEqual([
      { step: 0, argument: "limit", value: "5" },
      { step: 1, argument: "path", value: "out.md" },
    ]);
  });

  it("agrees with counting by hand (property)", () => {
    const tool = fc.constantFrom("a", "b", "c!", "c");
    fc.assert(
      fc.property(fc.array(fc.array(tool, { maxLength: 6 }), { maxLength: 8 }), (all) => {
        const traces = all.map((tools, index) => trace(String(index), tools));
        const found = learnSkills(traces);
        expect(learnSkills(traces.toReversed())).toEqual(found);
        for (const { toolSequence, occurrences, successRate, confidence } of found) {
          const text = ` ${toolSequence.join(" ")} `;
          const having = all.filter((tools) => ` ${tools.join(" ").replaceAll("!", "")} `.includes(text));
          const well = all.filter((tools) => ` ${tools.join(" ")} `.includes(text));
          expect(occurrences).toBe(having.length);
          expect(occurrences).toBeGreaterThanOrEqual(3);
          expect(successRate).toBe(well.length / having.length);
          expect(successRate).toBeGreaterThan(0.7);
          expect(confidence).toBe(successRate * (1 - 1 / occurrences));
          for (const other of found) {
            const longer = ` ${other.toolSequence.join(" ")} `;
            if (longer !== text) expect(longer).not.toContain(text);
          }
        }
      }),
      { numRuns: runs(300) },
    );
  });
});
