import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChildOptions } from "./assistant-child.ts";
import { BOT_SECRET, BOT_TOKEN, type BotApi, startBotApi } from "./bot-api.ts";
import { type HostRuntime, type Target, hostTarget } from "./host-target.ts";
import { type Sender, createSender } from "./load.ts";
import { type Evidence, type Verdict, verify } from "./verify.ts";

/**
 * What must come is waited for so long, also on a machine that is busy with other work: what is lost never comes. Shorter than the time after which a call
 * that nobody answers is given up, which would bring it too.
 */
export const PATIENCE_MS = 90_000;
/** What is not in memory when it was stopped must be so long after the next start; where it is not, it is started again and waited for twice as long. */
export const CAPTURE_LIMIT_MS = 3_000;
export const MAX_CAPTURE_STARTS = 4;

/** An assistant with a platform and a sender of its own, in a folder of its own. */
export interface Scene {
  readonly folder: string;
  /** The root of its fs store. */
  readonly root: string;
  readonly bot: BotApi;
  readonly target: Target;
  readonly sender: Sender;
  readonly killsAtMs: number[];
  kill(): Promise<void>;
  /** Starts it, for the first time or again. @returns Whether it serves. */
  start(): Promise<boolean>;
  /** Waits until these messages, by default every acknowledged one, are answered, and nothing more arrives. @returns What is not answered, as faults. */
  settle(ids?: readonly number[], limitMs?: number): Promise<readonly string[]>;
  /** Waits until so many more messages are answered: that something has happened is not a matter of time. */
  answers(more: number): Promise<void>;
  /** Stops it and holds what came of it against what was promised. */
  judge(evidence?: Partial<Evidence>): Promise<Verdict>;
}

export interface SceneOptions extends Partial<Pick<ChildOptions, "maxTurnSeconds" | "maxSteps" | "clockOffset">> {
  readonly runtime: HostRuntime;
  /** Where the store is. Default: a folder of the scene's own. */
  readonly root?: string;
  readonly redisUrl?: string;
  readonly errorsExpected?: boolean;
}

/** Runs `act` in a scene, and removes it afterwards unless `act` says that something is to be looked at. */
export async function inScene(
  options: SceneOptions,
  act: (scene: Scene) => Promise<{ readonly keep: boolean }>,
): Promise<void> {
  const { runtime, root: givenRoot, redisUrl, ...rest } = options;
  const folder = mkdtempSync(join(tmpdir(), "wakeful-faults-"));
  const root = givenRoot ?? join(folder, "store");
  mkdirSync(root, { recursive: true });
  const bot = await startBotApi();
  const target = hostTarget(runtime, {
    ...rest,
    store: redisUrl === undefined ? { kind: "fs", root } : { kind: "redis", url: redisUrl },
    apiBase: bot.urlOf,
    token: BOT_TOKEN,
    secret: BOT_SECRET,
    effects: join(folder, "effects.jsonl"),
  });
  const sender = createSender({ port: () => target.port });
  const killsAtMs: number[] = [];
  const scene: Scene = {
    folder,
    root,
    bot,
    target,
    sender,
    killsAtMs,
    async kill() {
      killsAtMs.push(performance.now());
      await target.kill();
    },
    start: async () => (await target.start(killsAtMs.length)) >= 0,
    async settle(ids, limitMs = PATIENCE_MS) {
      const open = () => (ids ?? sender.acknowledged.map(({ id }) => id)).filter((id) => !bot.answered.has(id));
      await until(() => open().length === 0, limitMs);
      await quiet(bot);
      const left = open();
      return left.length === 0 ? [] : [`not answered within ${limitMs / 1000} s: ${few(left.map(String), 10)}`];
    },
    async answers(more) {
      const wanted = bot.answered.size + more;
      await until(() => bot.answered.size >= wanted, PATIENCE_MS);
    },
    async judge(evidence = {}) {
      for (let again = 0; ; again += 1) {
        await target.stop();
        const whole: Evidence = {
          acknowledged: sender.acknowledged,
          arrivals: bot.arrivals,
          killsAtMs,
          effects: target.effects(),
          sessions: await target.sessions(),
          memory: await target.memory(),
          ...evidence,
        };
        const verdict = verify(whole);
        // What is to be remembered is kept beside the replies: what the stop came before follows after the next start.
        if (verdict.forgotten > 0 && again < MAX_CAPTURE_STARTS) {
          killsAtMs.push(performance.now());
          await target.start(killsAtMs.length);
          // What a crash came before is kept with the next turn.
          const chats = new Set(sender.acknowledged.map(({ chat }) => chat));
          const ids = [...chats].map((chat) => {
            const id = sender.newId();
            void sender.deliver(chat, id, "");
            return id;
          });
          await scene.settle(ids);
          await sleep(CAPTURE_LIMIT_MS * 2 ** again);
          continue;
        }
        writeFileSync(
          join(folder, "evidence.json"),
          JSON.stringify({ ...whole, sessions: [...whole.sessions], violations: verdict.violations }, null, 1),
        );
        writeFileSync(join(folder, "said.txt"), target.said.join("\n"));
        return verdict;
      }
    },
  };
  let keep = true;
  try {
    ({ keep } = await act(scene));
  } finally {
    sender.stop();
    await target.kill();
    await bot.stop();
    if (keep) console.log(`  look at ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits until every reply that has begun to arrive is there as a whole, and nothing more arrives. */
export async function quiet(bot: BotApi): Promise<void> {
  for (let last = -1; bot.arrivals.length !== last;) {
    await until(() => bot.unfinished.size === 0, PATIENCE_MS);
    last = bot.arrivals.length;
    await sleep(400);
  }
}

export async function until(condition: () => boolean, limitMs: number): Promise<boolean> {
  const endsAt = performance.now() + limitMs;
  while (!condition()) {
    if (performance.now() > endsAt) return false;
    await sleep(10);
  }
  return true;
}

/** The first few, for one line. */
export function few(texts: readonly string[], most = 4): string {
  const clipped = texts.slice(0, most).map((text) => (text.length > 300 ? `${text.slice(0, 300)}…` : text));
  return clipped.join("; ") + (texts.length > most ? `; and ${texts.length - most} more` : "");
}
