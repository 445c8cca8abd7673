import { describe, expect, it } from "vitest";
import { inputsOf } from "../../adapters/cli/commands/workflows.ts";
import { printEnd, watchWorkflow } from "../../adapters/cli/watch-workflow.ts";
import {
  changeLines,
  definitionLines,
  endLines,
  runLine,
  runLines,
  spanText,
} from "../../adapters/cli/workflow-lines.ts";
import type { WorkflowRunDetailRow, WorkflowStepRow } from "../../adapters/cli/workflows-client.ts";
import { type FakeTerminal, fakeTerminal } from "./fake-terminal.ts";

const BEGUN = "2026-01-05T12:00:00.000Z";
const nowMs = Date.parse(BEGUN) + 65_000;
const plain = { colours: false };

const step = (id: string, status: WorkflowStepRow["status"], more: Partial<WorkflowStepRow> = {}): WorkflowStepRow => ({
  id,
  status,
  what: `does ${id}`,
  attempt: status === "pending" || status === "skipped" ? 0 : 1,
  ...(status !== "pending" && status !== "skipped" && { started_at: BEGUN }),
  ...more,
});

function runOf(steps: readonly WorkflowStepRow[], more: Partial<WorkflowRunDetailRow> = {}): WorkflowRunDetailRow {
  return {
    run_id: "run-1",
    name: "tea-time",
    status: "running",
    user: "cli",
    started_at: BEGUN,
    progress: { done: steps.filter(({ status }) => status === "done").length, total: steps.length },
    budget: { max_tokens: 1000, max_seconds: 60, max_tool_calls: 10 },
    spent: { tokens: 0, tool_calls: 0, seconds: 0 },
    inputs: {},
    steps,
    ...more,
  };
}

const everyState = [
  step("boil", "done", { ended_at: "2026-01-05T12:00:05.000Z", tokens: 120 }),
  step("pour", "running", { attempt: 2, items: { done: 1, failed: 1, total: 4 } }),
  step("ask", "waiting", { waits_for: { approval: { code: "AB12" } } }),
  step("wait", "waiting", { waits_for: { event: "guests", until: "2026-01-06T00:00:00.000Z" } }),
  step("bake", "failed", { ended_at: BEGUN, error: { code: "TOO_HOT", message: "too\nhot" } }),
  step("milk", "skipped"),
  step("drink", "pending"),
];

describe("a run on the command line", () => {
  it("has a line for each step: its state, tries, items, time, tokens, what it waits for, and why it failed", () => {
    expect(
      runLines(runOf(everyState, { spent: { tokens: 120, tool_calls: 1, seconds: 9 } }), plain, { nowMs }),
    ).toEqual([
      "tea-time running 1 of 7 steps  1 min 5 s, 120 tokens  run-1",
      "  ✓ boil   does boil, 5 s, 120 tokens",
      "  ▶ pour   does pour, attempt 2, 1 of 4, 1 failed, 1 min 5 s",
      "  ⏸ ask    does ask, waits for the approval AB12",
      "  ⏸ wait   does wait, waits for guests, at most until 2026-01-06T00:00:00.000Z",
      "  ✗ bake   does bake, 0 s, too hot",
      "  – milk   does milk, skipped",
      "  ○ drink  does drink",
    ]);
  });

  it("is no wider than the screen, of which Chinese takes two places a sign, and no longer", () => {
    const steps = Array.from({ length: 40 }, (_, at) =>
      step(`s${at + 10}`, at < 20 ? "done" : "pending", { what: "写一份很长很长很长的报告，给所有的人看" }),
    );
    const lines = runLines(runOf(steps), plain, { nowMs, columns: 30, rows: 10 });
    expect(lines).toEqual([
      "tea-time running 20 of 40 steps  1 min 5 s  run-1",
      "  … 19 before",
      "  ✓ s29  写一份很长很长很长…",
      "  ○ s30  写一份很长很长很长…",
      "  ○ s31  写一份很长很长很长…",
      "  ○ s32  写一份很长很长很长…",
      "  ○ s33  写一份很长很长很长…",
      "  ○ s34  写一份很长很长很长…",
      "  … 15 more",
    ]);
  });

  it("shows the last steps when all are over", () => {
    const steps = Array.from({ length: 9 }, (_, at) => step(`s${at}`, "done", { ended_at: BEGUN }));
    const lines = runLines(runOf(steps, { status: "done" }), plain, { nowMs, rows: 6 });
    expect(lines.slice(1)).toEqual(["  … 7 before", "  ✓ s7  does s7, 0 s", "  ✓ s8  does s8, 0 s"]);
  });

  it("lets no text of others command the terminal", () => {
    const evil = "\u001B[2J\u009B1A\u202Ex";
    const error = { code: "X", message: evil };
    const run = runOf([step(evil, "failed", { what: evil, error })], { name: evil, user: evil, error });
    const definition = { name: evil, description: evil, source: evil, inputs: { [evil]: { default: evil } }, steps: 1 };
    const lines = [
      ...runLines(run, plain, { nowMs, columns: 80, rows: 24 }),
      ...changeLines(undefined, run, plain, nowMs),
      runLine(run, plain, nowMs),
      ...definitionLines(definition, plain),
    ];
    const obeyed = /\p{Cc}|\u202E/u;
    expect(lines.join("")).not.toMatch(obeyed);
    const screen = fakeTerminal({ screen: true });
    printEnd({ ...run, status: "done", output: evil }, screen);
    expect(screen.output().replaceAll("\n", "")).not.toMatch(obeyed);
  });

  it.each([
    [{ status: "done", output: "Two cups" }, ["", "Two cups"]],
    [{ status: "done", output: { cups: 2 } }, ["", '{\n  "cups": 2\n}']],
    [{ status: "done" }, []],
    [{ status: "failed", summary: "Go on: resume", error: { code: "X", message: "broken" } }, ["", "Go on: resume"]],
    [{ status: "cancelled", error: { code: "ABORTED", message: "by cli" } }, ["", "by cli"]],
    [
      { status: "running" },
      ["Answer with wakeful approvals approve AB12", "Send it with wakeful workflows signal run-1 guests"],
    ],
  ] as const)("ends with what came of it, or what it waits for: %j", (more, lines) => {
    expect(endLines(runOf(everyState, more))).toEqual(lines);
  });

  it.each([
    [0, "0 s"],
    [59_400, "59 s"],
    [65_000, "1 min 5 s"],
    [3_780_000, "1 h 3 min"],
    [90_000_000, "1 d 1 h"],
    [-5, "0 s"],
  ])("writes %i ms as %s", (ms, text) => {
    expect(spanText(ms)).toBe(text);
  });
});

describe("watching a run", () => {
  const first = runOf([step("boil", "running"), step("drink", "pending")]);
  const second = runOf([step("boil", "done", { ended_at: BEGUN }), step("drink", "pending")]);
  const last = runOf([step("boil", "done", { ended_at: BEGUN }), step("drink", "done", { ended_at: BEGUN })], {
    status: "done",
    ended_at: BEGUN,
    output: "Two cups",
  });

  function watched(
    terminal: FakeTerminal,
    runs: readonly WorkflowRunDetailRow[],
    { pauses = runs.length, hasData = false } = {},
  ) {
    let [at, paused] = [0, 0];
    return watchWorkflow(
      {
        get: async () => runs[Math.min(at++, runs.length - 1)] ?? first,
        pause: async () => ++paused <= pauses,
        hasData,
      },
      terminal,
    );
  }

  it("prints a line for each change where there is no screen, and nothing twice", async () => {
    const terminal = fakeTerminal();
    expect(await watched(terminal, [first, first, second, second, last])).toBe(last);
    expect(terminal.output().replaceAll(/does (\w+), .*/g, "does $1, …")).toBe(
      [
        "▶ boil  does boil, …",
        "tea-time running 0 of 2 steps",
        "✓ boil  does boil, …",
        "✓ drink  does drink, …",
        "tea-time done 2 of 2 steps",
        "",
      ].join("\n"),
    );
  });

  it("draws all again in place on a screen", async () => {
    const terminal = fakeTerminal({ screen: true });
    await watched(terminal, [first, second, last]);
    const frames = terminal.output().split("\u001B[3A\u001B[J");
    expect(frames.map((frame) => frame.split("\n").length)).toEqual([4, 4, 4]);
    expect(frames[2]).toContain("✓ drink");
  });

  it("takes away what somebody had to do once it is done", async () => {
    const terminal = fakeTerminal({ screen: true });
    const waiting = runOf([step("ask", "waiting", { waits_for: { approval: { code: "AB12" } } })], {
      status: "waiting",
    });
    await watched(terminal, [waiting, last]);
    expect(terminal.output()).toContain("wakeful approvals approve AB12\n\u001B[3A\u001B[J");
  });

  it("says that nobody can answer beside it where it has the data open, and only then", async () => {
    const waiting = runOf([step("ask", "waiting", { waits_for: { approval: { code: "AB12" } } })], {
      status: "waiting",
    });
    const texts = [true, false].map(async (hasData) => {
      const terminal = fakeTerminal({ screen: true });
      await watched(terminal, [first, waiting], { pauses: 1, hasData });
      return terminal.output().match(/Press Ctrl-C first.*\n.*|Answer.*/g);
    });
    expect(await Promise.all(texts)).toEqual([
      ["Press Ctrl-C first: this command has the data open\nAnswer with wakeful approvals approve AB12"],
      ["Answer with wakeful approvals approve AB12"],
    ]);
  });

  it("fits all lines, also what somebody has to do, on a screen of a known size, and obeys none of them", async () => {
    const event = "\u001B[2J very long name of an event";
    const steps = [step("first", "waiting", { waits_for: { event } }), ...last.steps, ...last.steps, ...last.steps];
    const terminal = fakeTerminal({ screen: true });
    Object.assign(terminal.stdout, { columns: 40, rows: 8 });
    await watched(terminal, [runOf(steps, { status: "waiting" })], { pauses: 0 });
    const lines = terminal.output().trimEnd().split("\n");
    expect(lines.at(-1)).toBe("Send it with wakeful workflows signal …");
    expect(lines.slice(1).every((line) => line.length < 40)).toBe(true);
    expect(lines).toHaveLength(6);
    const unknown = fakeTerminal({ screen: true });
    Object.assign(unknown.stdout, { columns: 0, rows: 0 });
    await watched(unknown, [runOf(steps)], { pauses: 0 });
    expect(unknown.output().split("\n")).toHaveLength(steps.length + 3);
    expect(unknown.output()).toContain("signal run-1 \\u{1b}[2J very long");
    expect(unknown.output()).not.toContain("\u001B");
  });

  it("ends when nobody watches any more, with the run as it is", async () => {
    expect(await watched(fakeTerminal(), [first, second, last], { pauses: 1 })).toBe(second);
  });
});

describe("inputs of a run", () => {
  it("are texts, and lists and groups as JSON", () => {
    expect(inputsOf(["days=14", "who=a=b", "empty=", "list=[1, 2]", 'group={"a":1}'])).toEqual({
      days: "14",
      who: "a=b",
      empty: "",
      list: [1, 2],
      group: { a: 1 },
    });
  });

  it.each(["days", "=1", "list=[1"])("are refused otherwise: %s", (word) => {
    expect(() => inputsOf([word])).toThrow(/An input must be key=value|must be JSON/);
  });
});
