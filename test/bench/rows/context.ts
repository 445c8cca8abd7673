import { join } from "node:path";
import { runProgram } from "../child.ts";
import { type Result, type Row, judge } from "../row.ts";
import { summarize } from "../statistics.ts";
import { formatNumber } from "../table.ts";

const MAX_FULL_MICROS = 200;
const MAX_LITE_MICROS = 20;
/** By how many memories there are to look through, with 50 skills. */
const MAX_WHOLE_MICROS = { "1000 memories": 80, "10000 memories": 200 } as const;

interface Measured {
  readonly cpu: Readonly<Record<"full" | "lite" | "changed" | "estimate" | "fits", readonly number[]>>;
  readonly tokens: number;
}

export const contextBuild: Row = {
  name: "context",
  rounds: 40,
  async run({ build, root, rounds, runtimes, say }) {
    const results: Result[] = [];
    for (const runtime of runtimes) {
      say(`context on ${runtime}`);
      const program = join(build, "test/bench/programs/context.js");
      const { cpu, tokens } = await runProgram<Measured>(program, { root, runtime, args: [String(rounds)] });
      const told = (name: string, key: keyof Measured["cpu"]) => ({
        name,
        unit: "µs CPU",
        sample: summarize(cpu[key]),
      });
      const line = (name: string, key: "full" | "lite", most: number): Omit<Result, "measured"> => {
        const { median } = summarize(cpu[key]);
        return {
          name: `${name}, ${runtime}`,
          figure: `${formatNumber(median)} µs, ${formatNumber(median / most)} of the bar`,
          bar: `≤ ${most} µs of CPU`,
          verdict: judge(median, { most }),
        };
      };
      results.push(
        {
          ...line(`prompt, full, 50 parts (${tokens} tokens) and 10 turns`, "full", MAX_FULL_MICROS),
          measured: [
            told("full", "full"),
            told("one part says something new each time", "changed"),
            told("full, and whether it fits its model", "fits"),
            told("tokens of a prompt that was counted", "estimate"),
          ],
        },
        { ...line("prompt, lite", "lite", MAX_LITE_MICROS), measured: [told("lite", "lite")] },
      );
      const whole = await runProgram<Record<keyof typeof MAX_WHOLE_MICROS, readonly number[]>>(
        join(build, "test/bench/programs/turns.js"),
        { root, runtime, args: ["prompt", String(rounds)] },
      );
      for (const [memories, most] of Object.entries(MAX_WHOLE_MICROS)) {
        const sample = summarize(whole[memories as keyof typeof whole]);
        results.push({
          name: `prompt with ${memories} and 50 skills looked through, ${runtime}`,
          figure: `${formatNumber(sample.median)} µs, ${formatNumber(sample.median / most)} of the bar`,
          bar: `≤ ${most} µs of CPU`,
          verdict: judge(sample.median, { most }),
          measured: [{ name: "explainContext", unit: "µs CPU", sample }],
        });
      }
    }
    return results;
  },
};
