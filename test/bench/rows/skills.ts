import { join } from "node:path";
import { runProgram } from "../child.ts";
import { type Result, type Row, judge } from "../row.ts";
import { summarize } from "../statistics.ts";
import { formatNumber } from "../table.ts";

const MAX_MS = 1;
const CEILING_MS = 10;
const MAX_LOAD_MS = 1000;

type Figures = Readonly<Record<string, readonly number[]>>;

export const skillMatching: Row = {
  name: "skills",
  rounds: 7,
  async run({ build, root, rounds, runtimes, say }) {
    const results: Result[] = [];
    for (const runtime of runtimes) {
      say(`skills on ${runtime}`);
      const program = join(build, "test/bench/programs/skills.js");
      const flags = runtime === "node" ? ["--expose-gc"] : [];
      const figures = await runProgram<Figures>(program, { root, runtime, args: [String(rounds)], flags });
      const of = (name: string) => summarize(figures[name] ?? []);
      const ms = (name: string, figure: string) => ({ name, unit: "ms", sample: of(figure) });
      const line = (name: string, figure: string, most: number, more: readonly [string, string][]): Result => ({
        name: `${name}, ${runtime}`,
        figure: `${formatNumber(of(figure).median)} ms`,
        bar: `< ${most} ms`,
        verdict: judge(of(figure).median, { most }),
        measured: more.map(([title, key]) => ms(title, key)),
      });
      results.push(
        line("match 1,000 skills, p99", "plainP99", MAX_MS, [
          ["p50", "plainMedian"],
          ["4,000 characters, p50", "plainLongMedian"],
          ["4,000 characters, p99", "plainLongP99"],
          ["the first match", "firstMs"],
          ["compiling", "plainCompileMs"],
        ]),
        line("the same with patterns of the linear engine, p99", "linearP99", CEILING_MS, [
          ["p50", "linearMedian"],
          ["4,000 characters, p50", "linearLongMedian"],
          ["4,000 characters, p99", "linearLongP99"],
          ["compiling", "linearCompileMs"],
        ]),
        line("the same with patterns without any certain text, p99", "uncertainP99", CEILING_MS, [
          ["p50", "uncertainMedian"],
          ["4,000 characters, p50", "uncertainLongMedian"],
          ["4,000 characters, p99", "uncertainLongP99"],
        ]),
        line("4,000 characters with words of all skills, p99", "plainFullP99", CEILING_MS, [
          ["p50", "plainFullMedian"],
          ["patterns of the linear engine, p50", "linearFullMedian"],
          ["patterns of the linear engine, p99", "linearFullP99"],
          ["patterns without any certain text, p50", "uncertainFullMedian"],
          ["patterns without any certain text, p99", "uncertainFullP99"],
        ]),
        line("loading 1,000 skills, with the first match, once", "loadMs", MAX_LOAD_MS, []),
        line("(a+)+$ on 4,000 characters, once", "explodingMs", CEILING_MS, []),
      );
      if (runtime !== "node") continue;
      results.push({
        name: `what 1,000 skills keep alive, ${runtime}`,
        figure: `${formatNumber(of("plainMegabytes").median)} MB`,
        verdict: "told",
        measured: [{ name: "with patterns of the linear engine", unit: "MB", sample: of("linearMegabytes") }],
      });
    }
    return results;
  },
};
