import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { systemClock } from "../../entry.host.ts";
import { YEAR_DAYS, YEAR_START, faultsOfRuns, writeMixedJobs } from "../support/year-of-jobs.ts";
import { seeded } from "../support/seeded.ts";
import type { HostRuntime } from "./host-target.ts";
import { bornOf } from "./life.ts";
import type { Checks } from "./report.ts";
import { few } from "./scene.ts";

/** Of each pattern two, in all six zones. */
const JOBS = 14;
const KILLS = 20;
const END_LIMIT_MS = 300_000;
const END = YEAR_START + YEAR_DAYS * 86_400_000;
const CHILD = join(import.meta.dirname, "year-child.ts");

/** A year on a clock of its own, in a process that is killed over and over: every planned time is claimed and ended once, and none besides. */
export async function year(checks: Checks, seed: number, runtime: HostRuntime): Promise<void> {
  const chance = seeded(seed);
  const folder = mkdtempSync(join(tmpdir(), "wakeful-year-"));
  const [root, timeFile] = [join(folder, "data"), join(folder, "time")];
  const store = await fsStore({ root });
  const jobs = await writeMixedJobs(store, { startMs: YEAR_START, count: JOBS, days: YEAR_DAYS, random: chance });
  await store.close?.();
  writeFileSync(timeFile, String(YEAR_START));
  const timeNow = () => Number(readFileSync(timeFile, "utf8"));

  let kills = 0;
  const endBy = Date.now() + END_LIMIT_MS;
  while (timeNow() < END && Date.now() < endBy) {
    const life = bornOf(runtime, CHILD, [root, timeFile, String(END)]);
    await Promise.race([life.ready, life.gone]);
    if (kills < KILLS) {
      await Promise.race([sleep(chance() * 1000), life.gone]);
      kills += 1;
      life.kill();
    }
    await life.gone;
  }

  const last = await fsStore({ root });
  const faults = await faultsOfRuns({ store: last, clock: systemClock() }, jobs, { startMs: YEAR_START, endMs: END });
  await last.close?.();
  const isWhole = kills === KILLS && timeNow() === END;
  checks.check(
    `year: ${JOBS} jobs over ${YEAR_DAYS} days and ${kills} kills run at every planned time, once`,
    isWhole && faults.length === 0,
    isWhole ? few(faults) : `it stands at ${new Date(timeNow()).toISOString()} after ${kills} kills`,
  );
  if (isWhole && faults.length === 0) rmSync(folder, { recursive: true, force: true });
  else console.log(`  look at ${folder}`);
}
