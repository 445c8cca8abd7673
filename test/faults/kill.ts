import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../support/seeded.ts";
import { type BotApi, startBotApi, BOT_SECRET, BOT_TOKEN } from "./bot-api.ts";
import { type HostRuntime, type Target, hostTarget } from "./host-target.ts";
import { startBusyChats } from "./busy-chats.ts";
import { checkFolds } from "./fold.ts";
import { createSender } from "./load.ts";
import type { Mode } from "./script.ts";
import { CAPTURE_LIMIT_MS, MAX_CAPTURE_STARTS, PATIENCE_MS, few, quiet, until } from "./scene.ts";
import { type Verdict, verify } from "./verify.ts";

export type Runtime = HostRuntime | "workerd";

/** What rounds of killing came to; those of several runs add up. */
export interface KillTotals {
  rounds: number;
  acknowledged: number;
  lost: number;
  doubled: number;
  resent: number;
  resentAfterMs: number;
  chargedTwice: number;
  lookedUpAgain: number;
  interrupted: number;
  gathered: number;
  joined: number;
  stopped: number;
  retried: number;
  commands: number;
  compactions: number;
  compactionsWithin: number;
  remembered: number;
  flushedToo: number;
  memoryFaults: number;
  peakBytes: number;
  violations: number;
  restartsMs: number[];
  acknowledgedWithinMs: number;
  seconds: number;
}

export function emptyTotals(): KillTotals {
  return {
    rounds: 0,
    acknowledged: 0,
    lost: 0,
    doubled: 0,
    resent: 0,
    resentAfterMs: 0,
    chargedTwice: 0,
    lookedUpAgain: 0,
    interrupted: 0,
    gathered: 0,
    joined: 0,
    stopped: 0,
    retried: 0,
    commands: 0,
    compactions: 0,
    compactionsWithin: 0,
    remembered: 0,
    flushedToo: 0,
    memoryFaults: 0,
    peakBytes: 0,
    violations: 0,
    restartsMs: [],
    acknowledgedWithinMs: 0,
    seconds: 0,
  };
}

/** A restart must serve again within this, in time of its own: what a busy machine made it wait for a processor is left out. */
export const RESTART_LIMIT_MS = 5_000;
/** Batches of so many rounds are of a long run. */
const LONG_BATCH = 10;
/** No life of the assistant may take more memory. */
const MEMORY_LIMIT_BYTES = 640 * 1024 * 1024;

export interface BatchResult {
  readonly totals: KillTotals;
  readonly violations: readonly string[];
  /** Where the state is kept, when there is something to look at. */
  readonly kept?: string;
}

/**
 * Rounds of load and kill on one state, then a look at everything: what was acknowledged, what arrived, what the tools did, what the log says.
 * Each round is in the next of the queue modes; every other round the chats give commands too, each mode in turn. In the end every chat is answered once more.
 * A kill comes at a random moment under load, while a reply is being sent, straight after one was sent, or while it starts.
 */
export async function killBatch(options: {
  runtime: Runtime;
  rounds: number;
  chats: number;
  modes: readonly Mode[];
  /** Rounds that other batches ran before. Default 0. */
  firstRound?: number;
  chance: Chance;
}): Promise<BatchResult> {
  const { runtime, rounds, chats, modes, firstRound = 0, chance } = options;
  const begun = performance.now();
  const folder = mkdtempSync(join(tmpdir(), `wakeful-faults-${runtime}-`));
  const bot = await startBotApi();
  const target = await targetFor(runtime, folder, bot);
  const killsAtMs: number[] = [];
  const restartsMs: number[] = [];
  const problems: string[] = [];

  const sender = createSender({ port: () => target.port });
  let verdict: Verdict | undefined;
  try {
    let count = firstRound;
    const start = () => target.start(killsAtMs.length, modes[count % modes.length]);
    if ((await start()) < 0) throw new Error(`It does not start: ${target.said.slice(-10).join(" | ")}`);
    const load = startBusyChats({
      sender,
      answered: () => bot.answered,
      chats,
      chance,
      givesCommands: () => ((count % modes.length) + Math.floor(count / modes.length)) % 2 === 1,
    });
    for (let round = 0; round < rounds; round += 1) {
      await killOnce(target, bot, chance, killsAtMs);
      // Now and then it is killed again before it is up.
      while (chance() < 0.12) {
        const starting = start();
        await sleep(chance() * 500);
        killsAtMs.push(performance.now());
        await target.kill();
        await starting;
      }
      count += 1;
      const tookMs = await start();
      if (tookMs < 0) {
        problems.push(`round ${round + 1}: it did not start again`);
        break;
      }
      restartsMs.push(tookMs);
      if (tookMs > RESTART_LIMIT_MS) {
        // A machine that is busy with other work is no fault of the assistant's.
        const text = `round ${round + 1}: the restart took ${Math.round(tookMs)} ms, ${Math.round(target.ownStartMs)} of them its own`;
        if (target.ownStartMs > RESTART_LIMIT_MS) problems.push(text);
        else console.log(`  ${runtime}: ${text}: not counted`);
      }
    }
    await Promise.race([load.stop(), limit()]);
    const isAnswered = ({ id, kind }: { id: number; kind: string }) =>
      bot.answered.has(id) || load.excused.has(id) || kind === "/compact" || kind === "/retry";
    await until(() => sender.acknowledged.every(isAnswered), PATIENCE_MS);
    await quiet(bot);
    // Every conversation goes on; in long runs after one more start, which finds nothing to do.
    if (rounds >= LONG_BATCH) {
      killsAtMs.push(performance.now());
      await target.stop();
      if ((await start()) < 0) problems.push("it did not start for the last time");
    }
    const probes = load.names.map((name) => ({ name, id: sender.newId() }));
    for (const { name, id } of probes) void sender.deliver(name, id, "");
    const isOver = () => probes.every(({ id }) => bot.answered.has(id)) && sender.acknowledged.every(isAnswered);
    if (!(await until(isOver, PATIENCE_MS))) {
      const open = [...probes, ...sender.acknowledged.filter((one) => !isAnswered(one))].map(({ id }) => id);
      const left = open.filter((id) => !bot.answered.has(id)).map(String);
      problems.push(`not answered within ${PATIENCE_MS / 1000} s: ${few(left, 10)}`);
    }
    await quiet(bot);
    sender.stop();
    await target.stop();
    // What is to be remembered is kept beside the replies: what the stop came before follows after the next start.
    for (let again = 0; ; again += 1) {
      const sessions = await target.sessions();
      verdict = verify({
        acknowledged: sender.acknowledged,
        arrivals: bot.arrivals,
        killsAtMs,
        effects: runtime === "workerd" ? bot.effects : target.effects(),
        sessions,
        memory: await target.memory(),
      });
      if (verdict.forgotten === 0 || again >= MAX_CAPTURE_STARTS) {
        await checkFolds(sessions, (text) => void problems.push(text));
        break;
      }
      killsAtMs.push(performance.now());
      if ((await start()) < 0) problems.push("it did not start to remember the rest");
      await sleep(CAPTURE_LIMIT_MS * 2 ** again);
      await target.stop();
    }
    if (target.peakBytes > MEMORY_LIMIT_BYTES) problems.push(`it took ${megabytes(target.peakBytes)} MB of memory`);
  } finally {
    sender.stop();
    await target.kill();
    await bot.stop();
  }

  const violations = [...problems, ...(await target.faults()), ...sender.refusals, ...verdict.violations];
  const totals: KillTotals = {
    ...emptyTotals(),
    ...verdict,
    rounds,
    violations: violations.length,
    restartsMs,
    peakBytes: target.peakBytes,
    acknowledgedWithinMs: Math.max(0, ...sender.acknowledged.map(({ latencyMs }) => latencyMs)),
    seconds: (performance.now() - begun) / 1000,
  };
  if (violations.length === 0) {
    rmSync(folder, { recursive: true, force: true });
    return { totals, violations };
  }
  writeFileSync(
    join(folder, "evidence.json"),
    JSON.stringify({ violations, killsAtMs, acknowledged: sender.acknowledged, arrivals: bot.arrivals }, null, 1),
  );
  writeFileSync(join(folder, "said.txt"), target.said.join("\n"));
  return { totals, violations, kept: folder };
}

async function targetFor(runtime: Runtime, folder: string, bot: BotApi): Promise<Target> {
  if (runtime === "workerd") {
    const { workerdTarget } = await import("./workerd-target.ts");
    return workerdTarget({ folder, apiBase: bot.urlOf });
  }
  const root = join(folder, "store");
  mkdirSync(root);
  return hostTarget(runtime, {
    store: { kind: "fs", root },
    apiBase: bot.urlOf,
    token: BOT_TOKEN,
    secret: BOT_SECRET,
    effects: join(folder, "effects.jsonl"),
  });
}

async function killOnce(target: Target, bot: BotApi, chance: Chance, killsAtMs: number[]): Promise<void> {
  await sleep(80 + chance() * 1200);
  const how = chance();
  const kill = () => {
    killsAtMs.push(performance.now());
    return target.kill();
  };
  if (how < 0.6) return kill();
  const killed = new Promise<void>((resolve) => {
    bot.onNextArrival(how < 0.85 ? "before-answer" : "after-answer", () => resolve(kill()));
  });
  // A load that stands still must not stop the rounds.
  const waited = await Promise.race([killed.then(() => true), sleep(3000).then(() => false)]);
  bot.onNextArrival("before-answer", () => {});
  bot.onNextArrival("after-answer", () => {});
  if (!waited) await kill();
}

/** To race with. */
function limit(): Promise<void> {
  return sleep(PATIENCE_MS, undefined, { ref: false });
}

const LARGEST: readonly (keyof KillTotals)[] = ["resentAfterMs", "acknowledgedWithinMs", "peakBytes"];

export function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

export function addTotals(sum: KillTotals, more: KillTotals): KillTotals {
  const added = { ...sum };
  for (const [name, value] of Object.entries(more) as [keyof KillTotals, number | number[]][]) {
    if (name === "restartsMs") added.restartsMs = [...sum.restartsMs, ...more.restartsMs];
    else if (LARGEST.includes(name)) added[name] = Math.max(sum[name], value as number);
    else added[name] = sum[name] + (value as number);
  }
  return added;
}
