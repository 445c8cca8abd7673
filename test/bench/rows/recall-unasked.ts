import { join } from "node:path";
import { runProgram } from "../child.ts";
import type { UnaskedFigures } from "../programs/recall-unasked.ts";
import type { Result, Row } from "../row.ts";

const MOST_DISTURBED = 0.1;
const LEAST_EVIDENCE = 0.97;
/** The people that nobody tuned on. */
const REPORTED = "reported, all";

/** Whether memories come into a prompt that asked for none only when they are about the message. */
export const recallUnasked: Row = {
  name: "recall-unasked",
  rounds: 1,
  async run({ build, root, say }) {
    say("what is recalled unasked");
    const program = join(build, "test/bench/programs/recall-unasked.js");
    const data = process.env["WAKEFUL_BENCH_DATA"];
    const args = [join(root, "test/memory/gate"), data === undefined ? "" : join(data, "locomo-dev.json")];
    const figures = await runProgram<UnaskedFigures[]>(program, { root, runtime: "node", args });
    return figures.map(({ name, quality }): Result => {
      const disturbed = quality.disturbed / quality.unrelated;
      const evidence = quality.evidence / quality.evidenceUngated;
      const ungated = quality.disturbedUngated / quality.unrelated;
      const holds = disturbed <= MOST_DISTURBED && evidence >= LEAST_EVIDENCE;
      const isBarred = name === REPORTED;
      return {
        name: `unasked, ${name} (${quality.unrelated} unrelated, ${quality.related} related)`,
        figure: `disturbed ${share(disturbed)} (${share(ungated)} without the gate), evidence kept ${share(evidence)}`,
        ...(isBarred && { bar: `disturbed ≤ ${MOST_DISTURBED}, evidence ≥ ${LEAST_EVIDENCE}` }),
        verdict: !isBarred ? "told" : holds ? "pass" : "fail",
        measured: [],
      };
    });
  },
};

const share = (value: number) => value.toFixed(3);
