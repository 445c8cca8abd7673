import { setTimeout as sleep } from "node:timers/promises";
import { redisMissing, startRedis } from "../support/redis.ts";
import { seeded } from "../support/seeded.ts";
import { startChats } from "./load.ts";
import type { HostRuntime } from "./host-target.ts";
import type { Checks } from "./report.ts";
import { few, inScene } from "./scene.ts";

const CRASHES = 4;

/** The Redis server is killed and started again under load, with every write on its disk before it is answered: what was acknowledged is answered. */
export async function redis(checks: Checks, seed: number, runtime: HostRuntime): Promise<void> {
  const missing = redisMissing();
  if (missing !== undefined) {
    checks.skip("redis", missing);
    return;
  }
  const server = await startRedis({ durable: true });
  try {
    await inScene({ runtime, redisUrl: server.url, errorsExpected: true }, async (scene) => {
      await scene.start();
      const load = startChats({
        sender: scene.sender,
        answered: () => scene.bot.answered,
        chats: 8,
        chance: seeded(seed),
      });
      for (let crash = 0; crash < CRASHES; crash += 1) {
        await scene.answers(20);
        await sleep(seeded(seed + crash)() * 300);
        await server.crash();
      }
      await scene.answers(20);
      await load.stop();
      const open = await scene.settle();
      const verdict = await scene.judge();
      const { acknowledged, lost } = verdict;
      checks.check(
        `redis: ${acknowledged} messages acknowledged, as many answered, over ${CRASHES} crashes of the server`,
        open.length + lost === 0,
        [...open, `${lost} lost`].join("; "),
      );
      checks.check(
        "redis: nothing is doubled or out of order",
        verdict.violations.length === 0,
        few(verdict.violations),
      );
      return { keep: open.length + verdict.violations.length > 0 };
    });
  } finally {
    await server.stop();
  }
}
