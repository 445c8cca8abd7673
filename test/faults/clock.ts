import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { seeded, startChats } from "./load.ts";
import type { Checks } from "./report.ts";
import { few, inScene } from "./scene.ts";

const HOUR_MS = 3_600_000;

/** The host's time of day is set on a day and back an hour, while it runs and while it is down. */
export async function clock(checks: Checks, seed: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-faults-clock-"));
  const clockOffset = join(folder, "offset");
  const setTo = (ms: number) => {
    writeFileSync(`${clockOffset}.new`, String(ms));
    renameSync(`${clockOffset}.new`, clockOffset);
  };
  setTo(0);
  await inScene({ clockOffset }, async (scene) => {
    await scene.start();
    const load = startChats({
      sender: scene.sender,
      answered: () => scene.bot.answered,
      chats: 6,
      chance: seeded(seed),
    });
    for (const offsetMs of [24 * HOUR_MS, 23 * HOUR_MS, -HOUR_MS, 0]) {
      await sleep(600);
      setTo(offsetMs);
    }
    for (const offsetMs of [24 * HOUR_MS, -HOUR_MS]) {
      await sleep(600);
      await scene.kill();
      setTo(offsetMs);
      await scene.start();
    }
    await sleep(600);
    await load.stop();
    const answered = await scene.settle(20_000);
    const verdict = await scene.judge();
    const faults = [...verdict.violations, ...(await scene.target.faults())];
    checks.check(
      "clock: steps of a day on and an hour back lose and double nothing",
      answered && faults.length === 0,
      few(faults),
    );
    console.log(`  ${verdict.acknowledged} messages, ${verdict.resent} replies sent again`);
    return { keep: faults.length > 0 };
  });
  rmSync(folder, { recursive: true });
}
