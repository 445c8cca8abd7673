import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { fsStore } from "../../../adapters/storage/fs/index.ts";
import { parseSchedule } from "../../../src/schedule/index.ts";
import { writeJobFile } from "../../../src/schedule/job-file.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { aJob } from "../../support/a-job.ts";
import { keepJobs } from "../../support/keep-jobs.ts";

// 100,000 jobs on files: a first start that reads them all, a start after that, a tick with nothing due, and 1,000 that are due at once. Argument: rounds.

const JOBS = 100_000;
const DUE_AT_ONCE = 1000;
const TICKS = 2000;
const START_MS = Date.UTC(2028, 0, 1);
const DAY_MS = 86_400_000;

const folder = mkdtempSync(join(tmpdir(), "wakeful-bench-jobs-"));
const root = join(folder, "data");
const ran = new Map<string, number>();

async function started(nowMs: number) {
  const clock = fakeClock(nowMs);
  const store = await fsStore({ root });
  const before = performance.now();
  const kept = await keepJobs({ store, clock }, (runId) => void ran.set(runId, (ran.get(runId) ?? 0) + 1));
  return { ms: performance.now() - before, clock, kept, store };
}

try {
  const empty = await fsStore({ root });
  await empty.close?.();
  mkdirSync(join(root, "jobs"), { recursive: true });
  for (let index = 0; index < JOBS; index += 1) writeFileSync(join(root, "jobs", `job-${index}.yaml`), fileOf(index));
  const first = await started(START_MS);
  await first.kept.stop();
  await first.store.close?.();
  const starts: number[] = [];
  let ticks: number[] = [];
  let dueMs = 0;
  const rounds = Number(process.argv[2] ?? 3);
  for (let round = 0; round < rounds; round += 1) {
    const life = await started(START_MS + round * 60_000);
    starts.push(life.ms);
    ticks = [];
    for (let tick = 0; tick < TICKS; tick += 1) {
      const before = performance.now();
      await life.kept.tick();
      ticks.push(performance.now() - before);
    }
    if (round === rounds - 1) {
      const before = performance.now();
      await life.clock.advance(START_MS + DAY_MS - life.clock.now());
      do {
        await life.clock.advance(0);
        await setImmediate();
      } while (life.kept.isBusy());
      dueMs = performance.now() - before;
    }
    await life.kept.stop();
    await life.store.close?.();
  }
  const once = [...ran.values()].filter((times) => times === 1).length;
  console.log(JSON.stringify({ firstMs: first.ms, starts, ticks, dueMs, once, runs: ran.size }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);

/** One in a hundred is due after a day, the others in the year that follows. */
function fileOf(index: number): string {
  const isNear = index % (JOBS / DUE_AT_ONCE) === 0;
  const dueMs = START_MS + (isNear ? DAY_MS : 2 * DAY_MS + (index % 8000) * 3_600_000);
  const schedule = parseSchedule(new Date(dueMs).toISOString());
  return writeJobFile(
    aJob({ id: `job-${index}`, schedule, createdAt: new Date(START_MS), user: `app:person-${index % 500}` }),
  );
}
