import { join } from "node:path";
import { runProgram } from "../child.ts";
import { type Measured, type Result, type Row, judge } from "../row.ts";
import { summarize } from "../statistics.ts";
import { formatNumber } from "../table.ts";

/** A second pass may leave this share more than the first: what a garbage collector has not taken yet. */
const FLAT = 1.1;
/** What `wakeful serve` limits its heap to on Node: docs/deploy.md, "Memory". */
const SERVER_HEAP = ["--max-semi-space-size=4", "--heap-growing-percent=40"];

export const memory: Row = {
  name: "memory",
  rounds: 3,
  async run({ build, root, rounds, say }) {
    const program = (name: string) => join(build, `test/bench/programs/${name}.js`);
    const passes = async (name: string, ...args: string[]) => runProgram<number[]>(program(name), { root, args });
    const served = async (...args: string[]) =>
      runProgram<number[]>(program("memory-wakeful"), { root, args, flags: SERVER_HEAP });
    const few: number[] = [];
    const fewServed: number[] = [];
    const inMemory: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      say(`memory, 1,000 sessions, round ${round + 1}`);
      few.push(...(await passes("memory-wakeful", "fs", "1000", "10")));
      fewServed.push(...(await served("fs", "1000", "10")));
      inMemory.push(...(await passes("memory-wakeful", "memory", "1000", "10")));
      bare.push(...(await passes("memory-ai", "1000", "10")));
    }
    say("memory, 10,000 sessions, two passes");
    const [first = NaN, second = NaN] = await passes("memory-wakeful", "fs", "10000", "10", "2");
    const servedMany = await served("fs", "10000", "10", "2");
    const bareMany = await passes("memory-ai", "10000", "10");
    return [
      megabytes("memory after 1,000 sessions × 10 messages", median(few), 130, [
        measured("fs store", few),
        measured("fs store, with the heap of `wakeful serve`", fewServed),
        measured("memory store, which keeps it all", inMemory),
        measured("bare ai with a Map", bare),
      ]),
      megabytes("memory after 10,000 sessions × 10 messages", first, 200, [
        measured("fs store", [first]),
        measured("with the heap of `wakeful serve`, two passes", servedMany),
        measured("bare ai with a Map", bareMany),
      ]),
      {
        name: "memory after a second pass over 10,000 sessions",
        figure: `${formatNumber(second / first)} ×`,
        bar: `≤ ${FLAT} × the first, ≤ 200 MB`,
        verdict: judge(Math.max(second / first / FLAT, second / 200), { most: 1 }),
        measured: [measured("second pass", [second]), measured("first", [first])],
      },
    ];
  },
};

function megabytes(name: string, value: number, most: number, samples: readonly Measured[]): Result {
  return {
    name,
    figure: `${formatNumber(value)} MB`,
    bar: `≤ ${most} MB`,
    verdict: judge(value, { most }),
    measured: samples,
  };
}

function measured(name: string, values: readonly number[]): Measured {
  return { name, unit: "MB", sample: summarize(values) };
}

function median(values: readonly number[]): number {
  return summarize(values).median;
}
