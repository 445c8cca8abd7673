import { existsSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../child.ts";
import type { FusionFigures } from "../programs/recall-fusion.ts";
import { type Row, judge } from "../row.ts";
import { summarize } from "../statistics.ts";

const MAX_LOST = 0.02;
const DATA = "locomo-dev.json";

/** What a useless embedding model costs: the self-check has to notice it. Without the data the row says so. */
export const recallFusion: Row = {
  name: "recall-fusion",
  rounds: 1,
  async run({ build, root, say }) {
    const folder = process.env["WAKEFUL_BENCH_DATA"];
    const file = folder === undefined ? undefined : join(folder, DATA);
    if (file === undefined || !existsSync(file)) {
      const note = `skipped: no data (WAKEFUL_BENCH_DATA names a folder with ${DATA})`;
      return [{ name: "recall with a useless embedding model", figure: "–", verdict: "told", measured: [], note }];
    }
    say("recall with useless embedding models");
    const program = join(build, "test/bench/programs/recall-fusion.js");
    const [words, ...joined] = await runProgram<FusionFigures[]>(program, { root, runtime: "node", args: [file] });
    if (words === undefined) throw new Error(`${program} gave no figures`);
    const figure = ({ name, recallAt5 }: FusionFigures) => ({ name, unit: "R@5", sample: summarize([recallAt5]) });
    return joined.map((one) => {
      const lost = words.recallAt5 - one.recallAt5;
      const name = `recall, ${one.name}: R@5 lost against words alone`;
      const measured = [figure(words), figure(one)];
      const told = { name, figure: lost.toFixed(3), measured, note: `MRR ${one.reciprocalRank.toFixed(3)}` };
      // Unchecked it only shows what the check is for.
      if (one.states === undefined) return { ...told, verdict: "told" as const };
      const note = `${told.note}; ${one.states.join(", ")}`;
      return { ...told, note, bar: `≤ ${MAX_LOST}`, verdict: judge(lost, { most: MAX_LOST }) };
    });
  },
};
