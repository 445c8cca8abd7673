import { join } from "node:path";
import { runProgram } from "../child.ts";
import { type Row, judge } from "../row.ts";
import { summarize } from "../statistics.ts";
import { formatNumber } from "../table.ts";

/** Eight times the text: linear time is 8 times as long, quadratic 64 times. */
const MAX_GROWTH = 24;

interface Growths {
  readonly rows: readonly { readonly reader: string; readonly growth: number; readonly ms: number }[];
}

export const hostileTexts: Row = {
  name: "hostile-texts",
  rounds: 3,
  async run({ build, root, rounds, say }) {
    // The same code everywhere: one runtime is enough.
    say("hostile texts on node");
    const program = join(build, "test/bench/programs/hostile-texts.js");
    const { rows } = await runProgram<Growths>(program, { root, runtime: "node", args: [String(rounds)] });
    return rows.map(({ reader, growth, ms }) => ({
      name: `eight times the text, ${reader}`,
      figure: `${formatNumber(growth)} × the time`,
      bar: `≤ ${MAX_GROWTH} ×`,
      verdict: judge(growth, { most: MAX_GROWTH }),
      measured: [{ name: "the long text", unit: "ms", sample: summarize([ms]) }],
    }));
  },
};
