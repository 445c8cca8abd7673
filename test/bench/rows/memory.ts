import { join } from "node:path";
import { runProgram } from "../child.ts";
import type { MemoryTaken } from "../programs/conversations.ts";
import { type Measured, type Result, type Row, judge } from "../row.ts";
import { summarize } from "../statistics.ts";
import { formatNumber } from "../table.ts";

/** A second pass may leave this share more than the first: what a garbage collector has not taken yet. */
const FLAT = 1.1;
/** As `wakeful serve` limits its heap on Node: docs/deploy.md, "Memory". */
const SERVER_HEAP = ["--expose-gc", "--max-semi-space-size=4", "--heap-growing-percent=40"];
/** V8's own limits. */
const OWN_HEAP = ["--expose-gc"];

/** A look for patterns comes half a minute after a message, and files of ten thousand sessions take their time to be written. */
const REST_MS = 60_000;

export const memory: Row = {
  name: "memory",
  rounds: 3,
  async run({ build, root, rounds, say }) {
    const passes = (name: string, flags: readonly string[], ...args: string[]) =>
      runProgram<MemoryTaken[]>(join(build, `test/bench/programs/${name}.js`), { root, args, flags });
    const served: MemoryTaken[] = [];
    const large: MemoryTaken[] = [];
    const inMemory: MemoryTaken[] = [];
    const bare: MemoryTaken[] = [];
    for (let round = 0; round < rounds; round += 1) {
      say(`memory, 1,000 sessions, round ${round + 1}`);
      served.push(...(await passes("memory-wakeful", SERVER_HEAP, "fs", "1000", "10")));
      large.push(...(await passes("memory-wakeful", OWN_HEAP, "fs", "1000", "10")));
      inMemory.push(...(await passes("memory-wakeful", SERVER_HEAP, "memory", "1000", "10")));
      bare.push(...(await passes("memory-ai", OWN_HEAP, "1000", "10")));
    }
    say("memory, 10,000 sessions, two passes");
    const [first, second] = await passes("memory-wakeful", SERVER_HEAP, "fs", "10000", "2", "2", String(REST_MS));
    if (first === undefined || second === undefined) throw new Error("Two passes give two figures");
    const bareMany = await passes("memory-ai", OWN_HEAP, "10000", "2");
    return [
      megabytes("alive after 1,000 sessions × 10 messages", median(served, "alive"), 60, [
        measured("fs store", served, "alive"),
        measured("memory store, which keeps it all", inMemory, "alive"),
        measured("bare ai with a Map", bare, "alive"),
      ]),
      megabytes("resident then, with the heap of `wakeful serve`", median(served, "resident"), 200, [
        measured("fs store", served, "resident"),
        measured("memory store, which keeps it all", inMemory, "resident"),
        measured("fs store, with V8's own limits", large, "resident"),
        measured("bare ai with a Map", bare, "resident"),
      ]),
      megabytes("alive a minute after 10,000 sessions × 2 messages", first.alive, 100, [
        measured("fs store", [first], "alive"),
        measured("bare ai with a Map", bareMany, "alive"),
        measured("resident, fs store, two passes", [first, second], "resident"),
      ]),
      {
        name: "alive a minute after a second pass over them",
        figure: `${formatNumber(second.alive / first.alive)} ×`,
        bar: `≤ ${FLAT} × the first`,
        verdict: judge(second.alive / first.alive, { most: FLAT }),
        measured: [measured("second pass", [second], "alive"), measured("first", [first], "alive")],
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

function measured(name: string, taken: readonly MemoryTaken[], what: keyof MemoryTaken): Measured {
  return { name, unit: "MB", sample: summarize(taken.map((one) => one[what])) };
}

function median(taken: readonly MemoryTaken[], what: keyof MemoryTaken): number {
  return summarize(taken.map((one) => one[what])).median;
}
