import { join } from "node:path";
import { runProgram } from "../child.ts";
import { type Result, type Row, judge } from "../row.ts";
import { summarize } from "../statistics.ts";
import { formatNumber } from "../table.ts";

const JOBS = "100,000 jobs on files";
const DUE_AT_ONCE = 1000;
const MAX_START_MS = 3000;
const MAX_TICK_MS = 1;

interface Measured {
  readonly firstMs: number;
  readonly starts: number[];
  readonly ticks: number[];
  readonly dueMs: number;
  readonly once: number;
  readonly runs: number;
}

/** What many jobs cost: at the start, while none is due, and when many are due at once. */
export const manyJobs: Row = {
  name: "jobs",
  rounds: 3,
  async run({ build, root, rounds, runtimes, say }) {
    const results: Result[] = [];
    for (const runtime of runtimes) {
      say(`jobs on ${runtime}`);
      const program = join(build, "test/bench/programs/jobs.js");
      const { firstMs, starts, ticks, dueMs, once, runs } = await runProgram<Measured>(program, {
        root,
        runtime,
        args: [String(rounds)],
      });
      const start = summarize(starts);
      const tick = summarize(ticks);
      const isOnce = once === DUE_AT_ONCE && runs === DUE_AT_ONCE;
      results.push(
        {
          name: `start with ${JOBS}, ${runtime}`,
          figure: `${formatNumber(start.median / 1000)} s`,
          bar: `≤ ${MAX_START_MS / 1000} s`,
          verdict: judge(start.median, { most: MAX_START_MS }),
          measured: [{ name: "start", unit: "ms", sample: start }],
          note: `The first start of all, which has no index and reads every file, took ${formatNumber(firstMs / 1000)} s`,
        },
        {
          name: `tick with nothing due, ${JOBS}, ${runtime}`,
          figure: `${formatNumber(tick.median * 1000)} µs`,
          bar: `≤ ${MAX_TICK_MS} ms`,
          verdict: judge(tick.median, { most: MAX_TICK_MS }),
          measured: [{ name: "tick", unit: "ms", sample: tick }],
        },
        {
          name: `${DUE_AT_ONCE} jobs due at once run once each, ${runtime}`,
          figure: `${once} of ${DUE_AT_ONCE}`,
          bar: `${DUE_AT_ONCE}`,
          verdict: isOnce ? "pass" : "fail",
          measured: [],
          note: `in ${formatNumber(dueMs / 1000)} s: claimed, ended and their files written`,
        },
      );
    }
    return results;
  },
};
