import { join } from "node:path";
import { runProgram } from "../child.ts";
import { type Result, type Row, judge } from "../row.ts";
import { summarize } from "../statistics.ts";
import { formatNumber } from "../table.ts";

const MAX_MICROS = 2;

export const toolPolicy: Row = {
  name: "policy",
  rounds: 15,
  async run({ build, root, rounds, runtimes, say }) {
    const results: Result[] = [];
    for (const runtime of runtimes) {
      say(`tool policy on ${runtime}`);
      const program = join(build, "test/bench/programs/policy.js");
      const { decide, anew, map } = await runProgram<{ decide: number[]; anew: number[]; map: number[] }>(program, {
        root,
        runtime,
        args: [String(rounds)],
      });
      const ours = summarize(decide);
      results.push({
        name: `one tool decision, 20 profiles, 200 tools, ${runtime}`,
        figure: `${formatNumber(ours.median)} µs`,
        bar: `≤ ${MAX_MICROS} µs of CPU`,
        verdict: judge(ours.median, { most: MAX_MICROS }),
        measured: [
          { name: "policy.decide", unit: "µs CPU", sample: ours },
          { name: "decideTool, nothing remembered", unit: "µs CPU", sample: summarize(anew) },
          { name: "a look into a Map", unit: "µs CPU", sample: summarize(map) },
        ],
      });
    }
    return results;
  },
};
