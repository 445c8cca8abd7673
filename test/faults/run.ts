import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { joinPrograms } from "../support/join-programs.ts";
import { seeded } from "../support/seeded.ts";
import {
  type KillTotals,
  type Runtime,
  addTotals,
  emptyTotals,
  killBatch,
  megabytes,
  RESTART_LIMIT_MS,
} from "./kill.ts";
import { clock } from "./clock.ts";
import { duplicates } from "./duplicates.ts";
import { fullDisk } from "./full-disk.ts";
import { model } from "./model.ts";
import { jobs } from "./jobs.ts";
import { poll } from "./poll.ts";
import { redis } from "./redis.ts";
import type { HostRuntime } from "./host-target.ts";
import { type Checks, createChecks, table } from "./report.ts";
import { MODES } from "./script.ts";
import { stop } from "./stop.ts";
import { stores } from "./stores.ts";
import { stress } from "./stress.ts";
import { thorough } from "./thorough.ts";
import { torn } from "./torn.ts";
import { subagents } from "./subagents.ts";
import { unasked } from "./unasked.ts";
import { workflows } from "./workflows.ts";
import { year } from "./year.ts";

// What `npm run faults` runs: the assistant is killed on each runtime, and flooded, starved and misled on the first of them; what it promised is held against what came of it.
// `--runtime node|bun|deno|workerd|all`, `--only kill|duplicates|stop|torn|full-disk|model|clock|jobs|year|workflows|subagents|unasked|poll|redis|stores|stress|thorough`, `--mode collect|followup|steer|interrupt|all`
// (all three may be repeated; rounds are in each of the modes in turn), `--rounds N`, `--seed N`, `--resume` (goes on with the rounds of an interrupted run),
// `--chats N`.

const RUNTIMES = ["node", "bun", "deno", "workerd"] as const satisfies readonly Runtime[];
const HOSTS = ["node", "bun", "deno"] as const satisfies readonly HostRuntime[];
const STATE = join(import.meta.dirname, ".state");
/** Rounds on one state; then everything is checked, and written down for `--resume`. */
const BATCH = 10;
const SHORT_ROUNDS = 4;

const COLUMNS = [
  ...[
    "runtime",
    "mode",
    "rounds",
    "acked",
    "lost",
    "doubled",
    "re-sent",
    "tools twice",
    "cut-off calls",
    "gathered",
    "joined",
  ],
  ...[
    "commands",
    "stopped",
    "retried",
    "summaries (within)",
    "remembered (flushed)",
    "restart p50 / max ms",
    "ack max ms",
    "MB",
    "violations",
  ],
];

interface Fault {
  readonly name: string;
  run(checks: Checks, seed: number, runtime: HostRuntime): Promise<void>;
}

const faults: readonly Fault[] = [
  { name: "duplicates", run: duplicates },
  { name: "stop", run: stop },
  { name: "torn", run: torn },
  { name: "full-disk", run: fullDisk },
  { name: "model", run: model },
  { name: "clock", run: clock },
  { name: "jobs", run: jobs },
  { name: "year", run: year },
  {
    name: "workflows",
    // A Worker takes its time to start: twenty of them only where this is what is tried.
    run: (checks, seed, host) =>
      workflows(
        checks,
        seed,
        host,
        runtimes.includes("workerd") ? { kills: values.only.includes("workflows") ? 20 : 6 } : undefined,
      ),
  },
  { name: "subagents", run: subagents },
  { name: "unasked", run: unasked },
  { name: "poll", run: poll },
  { name: "redis", run: redis },
  { name: "stores", run: stores },
  { name: "stress", run: (checks, seed) => stress(checks, seed, runtimes) },
  // Whole on one runtime, as the faults before it; the suite tries a sample on the others. On each of them where this is what is asked for.
  {
    name: "thorough",
    run: (checks, seed, host) => thorough(checks, seed, values.only.includes("thorough") ? runtimes : [host]),
  },
];

const { values } = parseArgs({
  options: {
    runtime: { type: "string", multiple: true, default: ["all"] },
    only: { type: "string", multiple: true, default: ["all"] },
    mode: { type: "string", multiple: true, default: ["all"] },
    rounds: { type: "string", default: String(SHORT_ROUNDS) },
    chats: { type: "string", default: "12" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    resume: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const seed = Number(values.seed);
const runtimes = RUNTIMES.filter((name) => values.runtime.includes(name) || values.runtime.includes("all"));
const modes = MODES.filter((name) => values.mode.includes(name) || values.mode.includes("all"));
const wants = (name: string) => values.only.includes(name) || values.only.includes("all");
refuseUnknown("runtime", values.runtime, ["all", ...RUNTIMES]);
refuseUnknown("mode", values.mode, ["all", ...MODES]);
refuseUnknown("only", values.only, ["all", "kill", ...faults.map(({ name }) => name)]);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(`Cannot run ${JSON.stringify(values.rounds)} rounds: give a whole number of 1 or more`);
  process.exit(2);
}

// One for all whom this run starts on Node, which take types out of each file.
const compiled = mkdtempSync(join(tmpdir(), "wakeful-faults-compiled-"));
process.env["NODE_COMPILE_CACHE"] = compiled;
// Few files, as in the published package: what a restart takes is measured.
const programs = await joinPrograms();
process.env["WAKEFUL_TEST_PROGRAMS"] = programs;
const checks = createChecks();
console.log(`seed ${seed}`);
if (wants("kill")) await timed("kill", killAll);
// The other faults are of files, clocks, models and servers, and the same code meets them everywhere: once is enough, on Node where that is among the runtimes.
const host = HOSTS.find((name) => runtimes.includes(name));
if (host !== undefined)
  for (const fault of faults) if (wants(fault.name)) await timed(fault.name, () => fault.run(checks, seed, host));
console.log(`\n${checks.passed} passed, ${checks.failed} failed`);
for (const folder of [compiled, programs]) rmSync(folder, { recursive: true, force: true });
process.exit(checks.failed === 0 ? 0 : 1);

/** Where the minutes go. */
async function timed(name: string, run: () => Promise<void>): Promise<void> {
  const began = performance.now();
  await run();
  console.log(`  ${name}: ${Math.round((performance.now() - began) / 1000)} s`);
}

async function killAll(): Promise<void> {
  const rows: string[][] = [];
  const totalsOf = new Map<Runtime, KillTotals>();
  const killInTurn = async (some: readonly Runtime[]) => {
    for (const runtime of some) totalsOf.set(runtime, await killRuntime(runtime));
  };
  // Starting workerd is mostly waiting: in a short run it is done beside the others.
  const [beside, inTurn] = rounds > SHORT_ROUNDS ? [[], runtimes] : [["workerd"] as const, HOSTS];
  const isWanted = (runtime: Runtime) => runtimes.some((one) => one === runtime);
  await Promise.all([killInTurn(inTurn.filter(isWanted)), killInTurn(beside.filter(isWanted))]);
  for (const [runtime, totals] of totalsOf) {
    rows.push(killRow(runtime, totals));
    checks.check(`kill ${runtime}: nothing acknowledged is lost`, totals.lost === 0);
    checks.check(`kill ${runtime}: nothing is answered twice`, totals.doubled === 0);
    checks.check(`kill ${runtime}: no tool that is not idempotent has its effect twice`, totals.chargedTwice === 0);
    checks.check(
      `kill ${runtime}: what people stated is in their own memory, once, and nobody else's`,
      totals.memoryFaults === 0 && totals.remembered > 0,
    );
    const slowest = Math.max(0, ...totals.restartsMs);
    console.log(`${runtime}: the slowest restart took ${Math.round(slowest)} ms (bar ${RESTART_LIMIT_MS} ms)`);
    checks.check(`kill ${runtime}: order, keys, journal, files and restarts are as promised`, totals.violations === 0);
  }
  console.log(`\n${table(COLUMNS, rows)}\n`);
}

async function killRuntime(runtime: Runtime): Promise<KillTotals> {
  const path = join(STATE, `${[runtime, ...modes].join("-")}.json`);
  let totals = values.resume ? readTotals(path) : emptyTotals();
  while (totals.rounds < rounds) {
    const wanted = Math.min(BATCH, rounds - totals.rounds);
    const chance = seeded(seed + totals.rounds * 7919);
    const result = await killBatch({
      runtime,
      rounds: wanted,
      chats: Number(values.chats),
      modes,
      firstRound: totals.rounds,
      chance,
    });
    totals = addTotals(totals, result.totals);
    mkdirSync(STATE, { recursive: true });
    writeFileSync(path, JSON.stringify(totals));
    for (const violation of result.violations.slice(0, 20)) console.log(`  ${runtime}: ${violation}`);
    if (result.kept !== undefined) console.log(`  ${runtime}: look at ${result.kept}`);
    console.log(`  ${killRow(runtime, totals).join("  ")}`);
  }
  if (!values.resume && rounds === SHORT_ROUNDS) rmSync(path, { force: true });
  return totals;
}

function readTotals(path: string): KillTotals {
  try {
    return { ...emptyTotals(), ...(JSON.parse(readFileSync(path, "utf8")) as KillTotals) };
  } catch {
    return emptyTotals(); // nothing to go on with
  }
}

function killRow(runtime: Runtime, totals: KillTotals): string[] {
  const sorted = totals.restartsMs.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return [
    runtime,
    modes.length === MODES.length ? "all" : modes.join(", "),
    String(totals.rounds),
    String(totals.acknowledged),
    String(totals.lost),
    String(totals.doubled),
    `${totals.resent} (${Math.round(totals.resentAfterMs)} ms)`,
    String(totals.chargedTwice),
    String(totals.interrupted),
    String(totals.gathered),
    String(totals.joined),
    String(totals.commands),
    String(totals.stopped),
    String(totals.retried),
    `${totals.compactions} (${totals.compactionsWithin})`,
    `${totals.remembered} (${totals.flushedToo})`,
    `${Math.round(median)} / ${Math.round(sorted.at(-1) ?? 0)}`,
    String(Math.round(totals.acknowledgedWithinMs)),
    String(megabytes(totals.peakBytes)),
    String(totals.violations),
  ];
}

function refuseUnknown(option: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  console.error(`Unknown --${option} ${unknown.join(", ")}: expected ${known.join(", ")}`);
  process.exit(2);
}
