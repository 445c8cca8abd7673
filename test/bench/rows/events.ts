import { join } from "node:path";
import { runProgram } from "../child.ts";
import { type Result, type Row, judge } from "../row.ts";
import { summarize } from "../statistics.ts";
import { formatNumber } from "../table.ts";

const LEAST = 400_000;

export const eventBus: Row = {
  name: "events",
  rounds: 15,
  async run({ build, root, rounds, runtimes, say }) {
    const results: Result[] = [];
    for (const runtime of runtimes) {
      say(`event bus on ${runtime}`);
      const program = join(build, "test/bench/programs/events.js");
      const { publish, emit } = await runProgram<{ publish: number[]; emit: number[] }>(program, {
        root,
        runtime,
        args: [String(rounds)],
      });
      const perSecond = (micros: readonly number[]) => summarize(micros.map((one) => 1e6 / one));
      const ours = perSecond(publish);
      results.push({
        name: `events/s, awaited, 10 handlers, metrics on, ${runtime}`,
        figure: formatNumber(ours.median),
        bar: `≥ ${formatNumber(LEAST)} a second of CPU`,
        verdict: judge(ours.median, { least: LEAST }),
        measured: [
          { name: "publish", unit: "/s CPU", sample: ours },
          { name: "EventEmitter.emit and await", unit: "/s CPU", sample: perSecond(emit) },
        ],
      });
    }
    return results;
  },
};
