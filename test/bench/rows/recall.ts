import { existsSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../child.ts";
import type { QualityFigures } from "../programs/recall-quality.ts";
import type { SpeedFigures } from "../programs/recall-speed.ts";
import { type Result, type Row, type RowContext, judge } from "../row.ts";
import { summarize } from "../statistics.ts";
import { formatNumber } from "../table.ts";

const SETS = ["locomo-dev.json", "cmrc-sample.json"];
const OURS = "keyword index";
const NAIVE = "words in common";
/** Least recall of the first five, and where it is asked for least reciprocal rank and gain over words in common. */
const QUALITY_BARS: Readonly<Record<string, { readonly at5: number; readonly rank?: number; readonly gain?: number }>> =
  {
    "conversations, all": { at5: 0.62, rank: 0.53, gain: 0.35 },
    "Chinese paragraphs": { at5: 0.99 },
  };

const SIZES = [1000, 10_000, 100_000];
const BARRED = 10_000;
const MAX_MS = { search: 0.5, load: 30, add: 0.05 } as const;

/** What recall finds, where labelled data is given, and what it costs. */
export const recall: Row = {
  name: "recall",
  rounds: 5,
  run: async (context) => [...(await quality(context)), ...(await speed(context))],
};

async function quality({ build, peers, root, say }: RowContext): Promise<readonly Result[]> {
  const folder = process.env["WAKEFUL_BENCH_DATA"];
  if (folder === undefined || !SETS.every((name) => existsSync(join(folder, name)))) {
    const note = `skipped: no data (--data or WAKEFUL_BENCH_DATA names a folder with ${SETS.join(" and ")})`;
    return [{ name: "what recall finds", figure: "–", verdict: "told", measured: [], note }];
  }
  say("what recall finds");
  const program = join(build, "test/bench/programs/recall-quality.js");
  const figures = await runProgram<QualityFigures[]>(program, { root, args: [folder, peers] });
  return figures.map((one): Result => {
    const naive = figures.find(({ set, subject }) => set === one.set && subject === NAIVE);
    const gain = one.recallAt5 / (naive?.recallAt5 ?? NaN) - 1;
    const bar = one.subject === OURS ? QUALITY_BARS[one.set] : undefined;
    const name = `${one.set} (${one.queries} questions): ${one.subject}`;
    const figure = `R@1 ${share(one.recallAt1)}, R@5 ${share(one.recallAt5)}, R@10 ${share(one.recallAt10)}, MRR ${share(one.reciprocalRank)}, nDCG@10 ${share(one.gainAt10)}, R@5 ${gain < 0 ? "−" : "+"}${Math.abs(gain * 100).toFixed(0)}% of ${NAIVE}`;
    const measured = [{ name: "a search", unit: "ms", sample: summarize([one.searchMs]) }];
    if (bar === undefined) return { name, figure, verdict: "told", measured };
    const { at5, rank = 0, gain: least = 0 } = bar;
    const holds = one.recallAt5 >= at5 && one.reciprocalRank >= rank && gain >= least;
    const asked = [`R@5 ≥ ${at5}`, rank > 0 ? `MRR ≥ ${rank}` : "", least > 0 ? `+${least * 100}%` : ""];
    return { name, figure, bar: asked.filter(Boolean).join(", "), verdict: holds ? "pass" : "fail", measured };
  });
}

const share = (value: number) => value.toFixed(3);

async function speed({ build, root, rounds, runtimes, say }: RowContext): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const runtime of runtimes) {
    for (const size of SIZES) {
      say(`recall among ${size} on ${runtime}`);
      const program = join(build, "test/bench/programs/recall-speed.js");
      const args = [String(size), String(size > BARRED ? Math.min(rounds, 2) : rounds)];
      const figures = await runProgram<SpeedFigures>(program, { root, runtime, args });
      const medianOf = (key: keyof typeof MAX_MS) => summarize(figures[key]).median;
      const keys = Object.keys(MAX_MS) as (keyof typeof MAX_MS)[];
      const asked = size === BARRED;
      const holds = keys.every((key) => judge(medianOf(key), { most: MAX_MS[key] }) === "pass");
      results.push({
        name: `keyword index of ${size.toLocaleString("en-US")}, ${runtime}`,
        figure: keys.map((key) => `${key} ${formatNumber(medianOf(key))} ms`).join(", "),
        ...(asked && { bar: keys.map((key) => `${key} ≤ ${MAX_MS[key]}`).join(", ") }),
        verdict: !asked ? "told" : holds ? "pass" : "fail",
        measured: (["build", "seal", "load", "add", "search"] as const).map((name) => {
          return { name, unit: "ms CPU", sample: summarize(figures[name]) };
        }),
        note: `${formatNumber(figures.bytes / 1e6)} MB as bytes`,
      });
    }
  }
  return results;
}
