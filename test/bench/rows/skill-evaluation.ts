import { join } from "node:path";
import type { Quality } from "../../skills/evaluation/evaluate.ts";
import { runProgram } from "../child.ts";
import type { SkillFigures } from "../programs/skill-evaluation.ts";
import { type Result, type Row, judge } from "../row.ts";

const LEAST = 0.9;
/** Parts of the messages that the patterns were not written with. */
const UNSEEN = ["held", "fresh"] as const;

/** Whether the built-in skills come when they should, and what they take of a prompt. */
export const skillEvaluation: Row = {
  name: "skill-evaluation",
  rounds: 1,
  async run({ build, root, say }) {
    say("skills that come by themselves");
    const program = join(build, "test/bench/programs/skill-evaluation.js");
    const file = join(root, "test/skills/evaluation/messages.json");
    const figures = await runProgram<SkillFigures>(program, { root, runtime: "node", args: [file] });
    return UNSEEN.flatMap((part): Result[] => {
      const { all, languages, skills, tokens, messages } = figures[part];
      const told = (name: string, quality: Quality): Result => {
        return { name: `skills, ${part}: ${name}`, figure: textOf(quality), verdict: "told", measured: [] };
      };
      return [
        {
          ...told(`all of ${messages} messages`, all),
          bar: `P ≥ ${LEAST}, R ≥ ${LEAST}`,
          verdict: judge(Math.min(all.precision, all.recall), { least: LEAST }),
        },
        ...Object.entries({ ...languages, ...skills }).map(([name, quality]) => told(name, quality)),
        {
          name: `skills, ${part}: tokens of a prompt`,
          figure: `${tokens.section.toFixed(0)}, all texts ${tokens.everything}`,
          verdict: "told",
          measured: [],
          note: "mean: the catalogue and the texts that came",
        },
      ];
    });
  },
};

const textOf = ({ precision, recall, right, wrong, missed }: Quality) =>
  `P ${precision.toFixed(3)}, R ${recall.toFixed(3)} (${right} right, ${wrong} wrong, ${missed} missed)`;
