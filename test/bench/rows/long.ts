import { join } from "node:path";
import { runProgram } from "../child.ts";
import { type Result, type Row, judge } from "../row.ts";
import { summarize } from "../statistics.ts";
import { formatNumber } from "../table.ts";

const BAR = { most: 1.5 };

interface Measured {
  readonly turns: readonly number[];
  readonly means: readonly number[];
}

interface Costs {
  readonly early: Measured;
  readonly late: Measured;
  readonly compactions: number;
  readonly lateCompactions: number;
}

/** What a turn costs after 2,000 turns of one conversation, against what it cost after 20. */
export const longConversation: Row = {
  name: "long",
  rounds: 3,
  async run({ build, root, rounds, runtimes, say }) {
    const results: Result[] = [];
    for (const runtime of runtimes) {
      say(`a long conversation on ${runtime}`);
      const program = join(build, "test/bench/programs/long.js");
      const { early, late, ...counts } = await runProgram<Costs>(program, { root, runtime, args: [String(rounds)] });
      const inMedian = summarize(late.turns).median / summarize(early.turns).median;
      const inMean = mean(late.means) / mean(early.means);
      results.push(
        {
          name: `turn at 2,000 against 20, median, ${runtime}`,
          figure: `${formatNumber(inMedian)} ×`,
          bar: "≤ 1.5 ×",
          verdict: judge(inMedian, BAR),
          measured: [
            { name: "turn at 2,000", unit: "µs CPU", sample: summarize(late.turns) },
            { name: "turn at 20", unit: "µs CPU", sample: summarize(early.turns) },
          ],
        },
        {
          name: `turn at 2,000 against 20, mean with compactions, ${runtime}`,
          figure: `${formatNumber(inMean)} ×`,
          bar: "≤ 1.5 ×",
          verdict: judge(inMean, BAR),
          measured: [
            { name: "means of 20 turns at 2,000", unit: "µs CPU", sample: summarize(late.means) },
            { name: "at 20", unit: "µs CPU", sample: summarize(early.means) },
          ],
          note: `${counts.lateCompactions} compactions in ${late.turns.length} turns at 2,000`,
        },
      );
    }
    return results;
  },
};

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
