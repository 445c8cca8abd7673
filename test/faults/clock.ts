import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seeded } from "../support/seeded.ts";
import { startChats } from "./load.ts";
import type { HostRuntime } from "./host-target.ts";
import type { Checks } from "./report.ts";
import { few, inScene } from "./scene.ts";

const HOUR_MS = 3_600_000;
/** Between two steps of the clock. */
const ANSWERS = 25;

/** The host's time of day is set on a day and back an hour, while it runs and while it is down. */
export async function clock(checks: Checks, seed: number, runtime: HostRuntime): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-faults-clock-"));
  const clockOffset = join(folder, "offset");
  const setTo = (ms: number) => {
    writeFileSync(`${clockOffset}.new`, String(ms));
    renameSync(`${clockOffset}.new`, clockOffset);
  };
  setTo(0);
  await inScene({ runtime, clockOffset }, async (scene) => {
    await scene.start();
    const load = startChats({
      sender: scene.sender,
      answered: () => scene.bot.answered,
      chats: 6,
      chance: seeded(seed),
    });
    for (const offsetMs of [24 * HOUR_MS, 23 * HOUR_MS, -HOUR_MS, 0]) {
      await scene.answers(ANSWERS);
      setTo(offsetMs);
    }
    for (const offsetMs of [24 * HOUR_MS, -HOUR_MS]) {
      await scene.answers(ANSWERS);
      await scene.kill();
      setTo(offsetMs);
      await scene.start();
    }
    await scene.answers(ANSWERS);
    await load.stop();
    const open = await scene.settle();
    const verdict = await scene.judge();
    const faults = [...open, ...verdict.violations, ...(await scene.target.faults())];
    checks.check("clock: steps of a day on and an hour back lose and double nothing", faults.length === 0, few(faults));
    console.log(`  ${verdict.acknowledged} messages, ${verdict.resent} replies sent again`);
    return { keep: faults.length > 0 };
  });
  rmSync(folder, { recursive: true });
}
