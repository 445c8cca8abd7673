import { setTimeout as sleep } from "node:timers/promises";
import { seeded } from "../support/seeded.ts";
import { startChats } from "./load.ts";
import type { HostRuntime } from "./host-target.ts";
import type { Checks } from "./report.ts";
import { few, inScene } from "./scene.ts";

const STOPS = 4;

/** SIGTERM under load, as at every update of the host: unlike a kill it repeats nothing and cuts nothing off. */
export async function stop(checks: Checks, seed: number, runtime: HostRuntime): Promise<void> {
  const chance = seeded(seed);
  await inScene({ runtime }, async (scene) => {
    const { target, bot, sender, killsAtMs } = scene;
    await scene.start();
    const load = startChats({ sender, answered: () => bot.answered, chats: 8, chance });
    let slowestMs = 0;
    for (let round = 0; round < STOPS; round += 1) {
      await scene.answers(10);
      await sleep(chance() * 700);
      killsAtMs.push(performance.now());
      slowestMs = Math.max(slowestMs, await target.stop());
      await scene.start();
    }
    await scene.answers(10);
    await load.stop();
    const open = await scene.settle();
    const verdict = await scene.judge();
    const faults = [...open, ...verdict.violations, ...(await target.faults())];
    checks.check(
      `stop: ${verdict.acknowledged} messages over ${STOPS} stops under load are answered once`,
      faults.length === 0,
      few(faults),
    );
    checks.check(
      "stop: no reply is sent again and no call is cut off",
      verdict.resent + verdict.interrupted === 0,
      `${verdict.resent} replies, ${verdict.interrupted} calls`,
    );
    console.log(`  the slowest stop took ${Math.round(slowestMs)} ms`);
    return { keep: faults.length + verdict.resent + verdict.interrupted > 0 };
  });
}
