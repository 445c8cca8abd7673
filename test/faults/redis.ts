import { setTimeout as sleep } from "node:timers/promises";
import { redisMissing, startRedis } from "../support/redis.ts";
import { seeded, startChats } from "./load.ts";
import type { Checks } from "./report.ts";
import { few, inScene } from "./scene.ts";

const CRASHES = 4;

/** The Redis server is killed and started again under load, with every write on its disk before it is answered: what was acknowledged is answered. */
export async function redis(checks: Checks, seed: number): Promise<void> {
  const missing = redisMissing();
  if (missing !== undefined) {
    checks.skip("redis", missing);
    return;
  }
  const server = await startRedis({ durable: true });
  try {
    await inScene({ redisUrl: server.url, errorsExpected: true }, async (scene) => {
      await scene.start();
      const load = startChats({
        sender: scene.sender,
        answered: () => scene.bot.answered,
        chats: 8,
        chance: seeded(seed),
      });
      for (let crash = 0; crash < CRASHES; crash += 1) {
        await sleep(900);
        await server.crash();
      }
      await sleep(1500);
      await load.stop();
      const answered = await scene.settle(60_000);
      const verdict = await scene.judge();
      const { acknowledged, lost } = verdict;
      checks.check(
        `redis: ${acknowledged} messages acknowledged, as many answered, over ${CRASHES} crashes of the server`,
        answered && lost === 0,
        `${lost} lost`,
      );
      checks.check(
        "redis: nothing is doubled or out of order",
        verdict.violations.length === 0,
        few(verdict.violations),
      );
      return { keep: verdict.violations.length > 0 };
    });
  } finally {
    await server.stop();
  }
}
