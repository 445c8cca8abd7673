import { join } from "node:path";
import { runProgram } from "../child.ts";
import { type Result, type Row, judge } from "../row.ts";
import { summarize } from "../statistics.ts";
import { formatNumber } from "../table.ts";

const MAX_MS = 5;

interface Times {
  readonly first: number;
  readonly median: readonly number[];
  readonly slowest: readonly number[];
}

export const commandGuard: Row = {
  name: "guard",
  rounds: 15,
  async run({ build, root, rounds, runtimes, say }) {
    const results: Result[] = [];
    for (const runtime of runtimes) {
      say(`command guard on ${runtime}`);
      const program = join(build, "test/bench/programs/guard.js");
      const { first, median, slowest } = await runProgram<Times>(program, { root, runtime, args: [String(rounds)] });
      const slow = summarize([...slowest]);
      results.push({
        name: `command guard, slowest of 100 everyday commands, ${runtime}`,
        figure: `${formatNumber(slow.median)} ms`,
        bar: `≤ ${MAX_MS} ms`,
        verdict: judge(slow.median, { most: MAX_MS }),
        measured: [
          { name: "99th of 100", unit: "ms", sample: slow },
          { name: "median command", unit: "ms", sample: summarize([...median]) },
          { name: "the very first", unit: "ms", sample: summarize([first]) },
        ],
      });
    }
    return results;
  },
};
