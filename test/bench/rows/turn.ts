import { join } from "node:path";
import { runProgram } from "../child.ts";
import { type Measured, type Result, type Row, type RowContext, judge } from "../row.ts";
import type { Runtime } from "../runtimes.ts";
import { ratios, summarize } from "../statistics.ts";
import { formatNumber } from "../table.ts";

type Cpu = Record<string, number[]>;

export const plainTurn: Row = {
  name: "plain-turn",
  rounds: 40,
  run: (context) =>
    onEach(context, "plain", (cpu, runtime) => [
      compare(`plain turn, ${runtime}`, cpu, "turn", "generateText", 3),
      compare(`streamed turn, ${runtime}`, cpu, "streamed turn", "generateText", 3.5),
      {
        ...compare(`streamText, ${runtime}`, cpu, "streamText", "generateText", Infinity),
        verdict: "told",
        note: "not used: what streaming costs when the AI SDK does it",
      },
    ]),
};

export const toolTurn: Row = {
  name: "tool-turn",
  rounds: 40,
  run: (context) =>
    onEach(context, "tool", (cpu, runtime) => [
      compare(`turn with one tool call, ${runtime}`, cpu, "turn", "generateText", 3),
    ]),
};

export const skilledTurn: Row = {
  name: "turn-skills",
  rounds: 40,
  run: (context) =>
    onEach(context, "skills", (cpu, runtime) => [
      compare(`plain turn with 50 skills, ${runtime}`, cpu, "with 50 skills", "without", 1.1),
    ]),
};

export const noticingTurn: Row = {
  name: "turn-proactive",
  rounds: 40,
  run: (context) =>
    onEach(context, "proactive", (cpu, runtime) => [
      compare(`plain turn with patterns, initiative and alerts, ${runtime}`, cpu, "noticing", "without", 1.1),
    ]),
};

export const turnWithJobs: Row = {
  name: "turn-jobs",
  rounds: 40,
  run: (context) =>
    onEach(context, "jobs", (cpu, runtime) => [
      compare(`plain turn with jobs and goals, ${runtime}`, cpu, "with jobs", "without", 1.1),
    ]),
};

export const turnWithWorkflows: Row = {
  name: "turn-workflows",
  rounds: 40,
  run: (context) =>
    onEach(context, "workflows", (cpu, runtime) => [
      compare(`plain turn with workflows and sub-agents, ${runtime}`, cpu, "with workflows", "without", 1.1),
    ]),
};

export const historyGrowth: Row = {
  name: "history",
  rounds: 40,
  run: (context) =>
    onEach(context, "history", (cpu, runtime) => {
      const theirs = compare("", cpu, "generateText with 1,000", "generateText with 10", Infinity);
      const ours = compare(`1,000 messages against 10, ${runtime}`, cpu, "turn at 1,000", "turn at 10", 1.5);
      return [
        {
          ...ours,
          measured: [...ours.measured, ...theirs.measured],
          note: `generateText with the whole history: ${theirs.figure}`,
        },
      ];
    }),
};

async function onEach(
  { build, root, rounds, runtimes, say }: RowContext,
  kind: string,
  toResults: (cpu: Cpu, runtime: Runtime) => readonly Result[],
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const runtime of runtimes) {
    say(`${kind} turns on ${runtime}`);
    const program = join(build, "test/bench/programs/turns.js");
    const cpu = await runProgram<Cpu>(program, { root, runtime, args: [kind, String(rounds)] });
    results.push(...toResults(cpu, runtime));
  }
  return results;
}

function compare(name: string, cpu: Cpu, ours: string, theirs: string, most: number): Result {
  const ourRounds = cpu[ours] ?? [];
  const theirRounds = cpu[theirs] ?? [];
  const ratio = ratios(ourRounds, theirRounds);
  return {
    name,
    figure: `${formatNumber(ratio.median)} × (${formatNumber(ratio.lowest)}–${formatNumber(ratio.highest)})`,
    ...(Number.isFinite(most) && { bar: `≤ ${most} ×` }),
    verdict: judge(ratio.median, { most }),
    measured: [microseconds(ours, ourRounds), microseconds(theirs, theirRounds)],
  };
}

function microseconds(name: string, values: readonly number[]): Measured {
  return { name, unit: "µs CPU", sample: summarize(values) };
}
