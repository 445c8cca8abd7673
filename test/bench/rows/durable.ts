import { join } from "node:path";
import { runProgram } from "../child.ts";
import { type Result, type Row, judge } from "../row.ts";
import type { Runtime } from "../runtimes.ts";
import { type Sample, ratios, summarize } from "../statistics.ts";
import { formatNumber } from "../table.ts";

type Measurements = Record<string, number[]>;

export const durableTurn: Row = {
  name: "durable",
  rounds: 7,
  async run({ build, root, rounds, runtimes, say }) {
    const results: Result[] = [];
    for (const runtime of runtimes) {
      say(`durable turns on ${runtime}`);
      const program = join(build, "test/bench/programs/durable.js");
      results.push(...toResults(await runProgram(program, { root, runtime, args: [String(rounds)] }), runtime));
    }
    return results;
  },
};

function toResults(measured: Measurements, runtime: Runtime): readonly Result[] {
  const values = (name: string) => measured[name] ?? [];
  const sample = (name: string, unit: string) => ({ name, unit, sample: summarize(values(name)) });
  const syncs = (sessions: number, most: number): Result => {
    // Beginning a segment of the log syncs its folder too, once in thousands of turns: two decimals leave that out.
    const median = Math.round(100 * summarize(values(`syncs at ${sessions}`)).median) / 100;
    return {
      name: `fsyncs a plain turn, ${sessions === 1 ? "alone" : `${sessions} sessions`}, ${runtime}`,
      figure: formatNumber(median),
      bar: `≤ ${most}`,
      verdict: judge(median, { most }),
      measured: [sample(`syncs at ${sessions}`, ""), sample(`all syncs at ${sessions}`, "with checkpoints")],
    };
  };
  const against = (sessions: number): Result => {
    const ratio = ratios(values(`turns/s at ${sessions}`), values(`in memory turns/s at ${sessions}`));
    return {
      name: `durable turns/s against in memory, ${sessions} sessions, ${runtime}`,
      figure: times(ratio),
      bar: "≥ 0.5 ×",
      verdict: judge(ratio.median, { least: 0.5 }),
      measured: [sample(`turns/s at ${sessions}`, "/s"), sample(`in memory turns/s at ${sessions}`, "/s")],
    };
  };
  const alone = ratios(values("turn ms"), values("raw ms"));
  return [
    syncs(1, 2),
    syncs(16, 0.5),
    against(16),
    against(64),
    {
      name: `durable turn alone against two fdatasyncs, ${runtime}`,
      figure: times(alone),
      bar: "≤ 2 ×",
      verdict: judge(alone.median, { most: 2 }),
      measured: [sample("turn ms", "ms"), sample("raw ms", "ms")],
    },
  ];
}

function times({ median, lowest, highest }: Sample): string {
  return `${formatNumber(median)} × (${formatNumber(lowest)}–${formatNumber(highest)})`;
}
