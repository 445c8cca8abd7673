import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Result, type Row, judge } from "../row.ts";
import { type Runtime, commandFor } from "../runtimes.ts";
import { ratios, summarize } from "../statistics.ts";
import { formatNumber } from "../table.ts";

export const coldStart: Row = {
  name: "cold-start",
  rounds: 15,
  async run({ build, root, rounds, runtimes, say }) {
    const published = buildPackage(root);
    const results: Result[] = [];
    for (const runtime of runtimes) {
      say(`cold start on ${runtime}`);
      const ours: number[] = [];
      const theirs: number[] = [];
      for (let round = -1; round < rounds; round += 1) {
        const [one, other] = (["wakeful", "ai"] as const).map((name) =>
          milliseconds(root, runtime, join(build, `test/bench/programs/cold-${name}.js`), [published]),
        ) as [number, number];
        if (round < 0) continue; // the runtimes' own caches
        ours.push(one);
        theirs.push(other);
      }
      const ratio = ratios(ours, theirs);
      results.push({
        name: `cold start to first reply, ${runtime}`,
        figure: `${formatNumber(ratio.median)} × (${formatNumber(ratio.lowest)}–${formatNumber(ratio.highest)})`,
        bar: "≤ 1.3 ×",
        verdict: judge(ratio.median, { most: 1.3 }),
        measured: [
          { name: "whole process", unit: "ms", sample: summarize(ours) },
          { name: "bare ai", unit: "ms", sample: summarize(theirs) },
        ],
      });
    }
    return results;
  },
};

/** @returns The address of the package's entry point, built as it is published. */
function buildPackage(root: string): string {
  const { status } = spawnSync(process.execPath, [join(root, ".ci/build.mjs")], { stdio: "inherit" });
  if (status !== 0) throw new Error("The package could not be built");
  return pathToFileURL(join(root, "dist/entry.host.js")).href;
}

function milliseconds(root: string, runtime: Runtime, program: string, given: readonly string[]): number {
  const [command, args] = commandFor(root, runtime, program, given);
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  const took = performance.now() - startedAt;
  if (status !== 0 || !stdout.includes('"text"')) throw new Error(`${program} on ${runtime} did not answer: ${stderr}`);
  return took;
}
