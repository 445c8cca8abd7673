import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { createRuns } from "../../src/schedule/index.ts";
import type { Job } from "../../src/schedule/index.ts";
import { writeJobFile } from "../../src/schedule/job-file.ts";
import { systemClock } from "../../entry.host.ts";
import { seeded } from "../support/seeded.ts";
import type { HostRuntime } from "./host-target.ts";
import { aJob } from "../support/a-job.ts";
import { bornOf } from "./life.ts";
import type { Checks } from "./report.ts";
import { few } from "./scene.ts";
import { toldIn } from "./told.ts";

const JOBS = 200;
const KILLS = 20;
/** Jobs are due within so long after the first start. */
const SPAN_MS = 30_000;
const END_LIMIT_MS = 90_000;
const CHILD = join(import.meta.dirname, "jobs-child.ts");

/** Reminders, each once, while the process that keeps them is killed over and over: every one is said, none twice, and every run is claimed and ended once. */
export async function jobs(checks: Checks, seed: number, runtime: HostRuntime): Promise<void> {
  const chance = seeded(seed);
  const folder = mkdtempSync(join(tmpdir(), "wakeful-jobs-"));
  const [root, told] = [join(folder, "data"), join(folder, "told.jsonl")];
  const begun = Date.now() + 2000;
  const store = await fsStore({ root });
  for (let index = 0; index < JOBS; index += 1) {
    const job = reminder(index, new Date(begun + Math.floor(chance() * SPAN_MS)));
    await store.put(`jobs/${job.id}.yaml`, writeJobFile(job));
  }
  await store.close?.();

  let [kills, restarts] = [0, 0];
  const tellings = () => toldIn(told);
  const saidTo = () => new Set(tellings().map(({ text }) => text)).size;
  const endBy = Date.now() + END_LIMIT_MS;
  while (kills < KILLS || (saidTo() < JOBS && Date.now() < endBy)) {
    const life = bornOf(runtime, CHILD, [root, told]);
    restarts += 1;
    await Promise.race([life.ready, life.gone]);
    if (kills < KILLS) {
      await sleep(chance() * 1600);
      kills += 1;
    } else while (saidTo() < JOBS && Date.now() < endBy) await sleep(100);
    if (kills === KILLS && saidTo() === JOBS) await sleep(2000);
    life.kill();
    await life.gone;
  }

  const faults: string[] = [];
  const last = await fsStore({ root });
  const runs = createRuns({ store: last, clock: systemClock() });
  for (let index = 0; index < JOBS; index += 1) {
    const id = `job-${index}`;
    const known = await runs.list(id);
    if (known.length !== 1 || known[0]?.status !== "success")
      faults.push(`${id}: ${known.map(({ status, reason = "" }) => `${status} ${reason}`).join(", ") || "no run"}`);
  }
  await last.close?.();
  const all = tellings();
  const texts = new Set(all.map(({ text }) => text));
  for (let index = 0; index < JOBS; index += 1)
    if (!texts.has(`done job-${index}`)) faults.push(`job-${index} was never said`);
  // A host that was killed while it took a message is handed it again, under the same id.
  const ids = new Set(all.map(({ id }) => id));
  if (ids.size !== JOBS) faults.push(`${ids.size} ids for ${JOBS} reminders`);
  checks.check(
    `jobs: ${JOBS} reminders over ${kills} kills run once each, and are said under one id each`,
    faults.length === 0,
    few(faults),
  );
  console.log(`  ${restarts} lives, ${all.length - ids.size} handed over again`);
  if (faults.length === 0) rmSync(folder, { recursive: true, force: true });
  else console.log(`  look at ${folder}`);
}

function reminder(index: number, at: Date): Job {
  return aJob({
    id: `job-${index}`,
    schedule: { kind: "at", at: at.toISOString() },
    createdAt: new Date(Date.now() - 1000),
    task: `say job-${index}`,
    user: `app:person-${index % 10}`,
    deliver: { mode: "full" },
    roles: ["user"],
  });
}
