import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../child.ts";
import { type Row, judge } from "../row.ts";
import { ratios, summarize } from "../statistics.ts";
import { formatNumber } from "../table.ts";
import { bundlesToLoad } from "./size.ts";

const MOST = 2.5;

/** What a Worker costs before its first request: V8 reads and runs the same module in Node. */
export const workerLoad: Row = {
  name: "worker-load",
  rounds: 15,
  async run({ build, root, rounds, say }) {
    say("loading a Worker's module");
    const folder = mkdtempSync(join(tmpdir(), "wakeful-bench-"));
    try {
      const bundles = await bundlesToLoad(root, build);
      const paths = { worker: join(folder, "worker.mjs"), ai: join(folder, "ai.mjs") };
      writeFileSync(paths.worker, bundles.worker);
      writeFileSync(paths.ai, bundles.ai);
      const load = (path: string) =>
        runProgram<number>(join(build, "test/bench/programs/load-bundle.js"), { root, args: [path] });
      const worker: number[] = [];
      const ai: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        worker.push(await load(paths.worker));
        ai.push(await load(paths.ai));
      }
      const ratio = ratios(worker, ai);
      return [
        {
          name: "loading a Worker's module against generateText of ai alone",
          figure: `${formatNumber(ratio.median)} × (${formatNumber(ratio.lowest)}–${formatNumber(ratio.highest)})`,
          bar: `≤ ${MOST} ×`,
          verdict: judge(ratio.median, { most: MOST }),
          measured: [
            { name: "Worker", unit: "ms CPU", sample: summarize(worker) },
            { name: "ai alone", unit: "ms CPU", sample: summarize(ai) },
          ],
        },
      ];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
