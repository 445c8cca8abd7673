import type { Clock } from "../../src/clock.ts";
import { createRuns, nextRuns, parseSchedule } from "../../src/schedule/index.ts";
import type { Job, Schedule } from "../../src/schedule/index.ts";
import { writeJobFile } from "../../src/schedule/job-file.ts";
import type { Store } from "../../src/store/index.ts";
import { aJob } from "./a-job.ts";

const DAY_MS = 86_400_000;
const ZONES = ["UTC", "Europe/Stockholm", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe", "Africa/Cairo"];
const PATTERNS = ["30 2 * * *", "0 9 * * 1-5", "0 0 29 2 *", "30 1,14 * * *", "0 */6 * * *", "15 2 1 * *", "0 0 * * 0"];
/** A leap year with both edges of daylight saving in four of the six zones. */
export const YEAR_START: number = Date.UTC(2028, 0, 1);
export const YEAR_DAYS = 366;

/** Writes jobs of all kinds, in six zones. Each is due for the first time after `startMs`. */
export async function writeMixedJobs(
  store: Store,
  {
    startMs,
    count,
    days,
    random,
  }: { readonly startMs: number; readonly count: number; readonly days: number; readonly random: () => number },
): Promise<readonly Job[]> {
  const start = new Date(startMs);
  const jobs = Array.from({ length: count }, (_, index): Job => {
    const once = new Date(startMs + Math.floor(random() * days * DAY_MS)).toISOString();
    const schedule =
      index % 10 === 7
        ? parseSchedule({ kind: "every", everyMs: (1 + (index % 5)) * 5 * 3_600_000 })
        : index % 10 === 3
          ? parseSchedule(once)
          : parseSchedule(PATTERNS[index % PATTERNS.length], { tz: ZONES[index % ZONES.length]! });
    return aJob({ id: `job-${index}`, schedule, createdAt: start });
  });
  for (const job of jobs) await store.put(`jobs/${job.id}.yaml`, writeJobFile(job));
  return jobs;
}

/** What is wrong with the runs of these jobs: every planned time from `startMs` to `endMs` claimed once and ended once, in success, and none besides. */
export async function faultsOfRuns(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  jobs: readonly Job[],
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): Promise<readonly string[]> {
  const faults: string[] = [];
  const runs = createRuns({ store, clock });
  for (const { id, schedule } of jobs) {
    const missing = { claimed: plannedTimes(schedule, { startMs, endMs }), ended: new Set<number>() };
    missing.ended = new Set(missing.claimed);
    for await (const { record } of store.read(`jobs/runs/${id}.jsonl`)) {
      const type = record["type"] as keyof typeof missing;
      const planned = record["planned"] as string;
      if (!missing[type].delete(Date.parse(planned)))
        faults.push(`${id}: ${type} ${planned}, not planned or not the first`);
    }
    for (const [type, times] of Object.entries(missing))
      for (const time of times) faults.push(`${id}: never ${type} ${new Date(time).toISOString()}`);
    for (const { runId, status } of await runs.list(id)) if (status !== "success") faults.push(`${runId}: ${status}`);
  }
  return faults;
}

/** Every planned time after `startMs`, up to `endMs`. */
function plannedTimes(
  schedule: Schedule,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): Set<number> {
  const planned = new Set<number>();
  const anchor = new Date(startMs);
  let times = nextRuns(schedule, { from: anchor, anchor, count: 50 });
  for (let time = times.shift(); time !== undefined && time.getTime() <= endMs; time = times.shift()) {
    planned.add(time.getTime());
    if (times.length === 0) times = nextRuns(schedule, { from: time, anchor, count: 50 });
  }
  return planned;
}
