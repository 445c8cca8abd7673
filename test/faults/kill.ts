import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type BotApi, startBotApi, BOT_SECRET, BOT_TOKEN } from "./bot-api.ts";
import { type HostRuntime, type Target, hostTarget } from "./host-target.ts";
import { type Chance, createSender, startChats } from "./load.ts";
import { quiet, until } from "./scene.ts";
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
    violations: 0,
    restartsMs: [],
    acknowledgedWithinMs: 0,
    seconds: 0,
  };
}

/** A restart must serve again within this. */
export const RESTART_LIMIT_MS = 5_000;
/** After the last restart every acknowledged message must be answered within this. */
const ANSWER_LIMIT_MS = 45_000;

export interface BatchResult {
  readonly totals: KillTotals;
  readonly violations: readonly string[];
  /** Where the state is kept, when there is something to look at. */
  readonly kept?: string;
}

/**
 * Rounds of load and kill on one state, then a look at everything: what was acknowledged, what arrived, what the tools did, what the log says.
 * A kill comes at a random moment under load, while a reply is being sent, straight after one was sent, or while it starts.
 */
export async function killBatch(options: {
  runtime: Runtime;
  rounds: number;
  chats: number;
  chance: Chance;
}): Promise<BatchResult> {
  const { runtime, rounds, chats, chance } = options;
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
    if ((await target.start(killsAtMs.length)) < 0)
      throw new Error(`It does not start: ${target.said.slice(-10).join(" | ")}`);
    const load = startChats({ sender, answered: () => bot.answered, chats, chance });
    for (let round = 0; round < rounds; round += 1) {
      await killOnce(target, bot, chance, killsAtMs);
      // Now and then it is killed again before it is up.
      while (chance() < 0.12) {
        const starting = target.start(killsAtMs.length);
        await sleep(chance() * 500);
        killsAtMs.push(performance.now());
        await target.kill();
        await starting;
      }
      const tookMs = await target.start(killsAtMs.length);
      if (tookMs < 0) {
        problems.push(`round ${round + 1}: it did not start again`);
        break;
      }
      restartsMs.push(tookMs);
      if (tookMs > RESTART_LIMIT_MS) {
        // A machine that is busy with other work is no fault of the assistant's.
        const text = `round ${round + 1}: the restart took ${Math.round(tookMs)} ms, ${Math.round(target.starvedMs)} of them waiting for a processor`;
        if (tookMs - target.starvedMs > RESTART_LIMIT_MS) problems.push(text);
        else console.log(`  ${runtime}: ${text}: not counted`);
      }
    }
    await Promise.race([load.stop(), sleep(ANSWER_LIMIT_MS)]);
    await until(() => sender.acknowledged.every(({ id }) => bot.answered.has(id)), ANSWER_LIMIT_MS);
    await quiet(bot);
    sender.stop();
    await target.stop();
    verdict = verify({
      acknowledged: sender.acknowledged,
      arrivals: bot.arrivals,
      killsAtMs,
      effects: runtime === "workerd" ? bot.effects : target.effects(),
      sessions: await target.sessions(),
    });
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
  await sleep(80 + chance() * 700);
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

export function addTotals(sum: KillTotals, more: KillTotals): KillTotals {
  const added = { ...sum };
  for (const [name, value] of Object.entries(more) as [keyof KillTotals, number | number[]][]) {
    if (name === "restartsMs") added.restartsMs = [...sum.restartsMs, ...more.restartsMs];
    else if (name === "resentAfterMs" || name === "acknowledgedWithinMs") added[name] = Math.max(sum[name], more[name]);
    else added[name] = sum[name] + (value as number);
  }
  return added;
}
