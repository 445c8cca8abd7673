import { JOB_DEFAULTS, nextRuns } from "../../src/schedule/index.ts";
import type { Job } from "../../src/schedule/index.ts";

/** A job of the channel `app` that says nothing, of its maker, with its first time after it was made. */
export function aJob(given: Pick<Job, "id" | "schedule" | "createdAt"> & Partial<Job>): Job {
  const { id, schedule, createdAt, user = "app:ada" } = given;
  return {
    ...JOB_DEFAULTS,
    name: id,
    task: "work",
    user,
    channel: "app",
    maxConsecFailures: 3,
    deliver: { mode: "none" },
    catchUp: "once",
    source: "dynamic",
    startedBy: user,
    roles: [],
    nextRunAt: nextRuns(schedule, { from: createdAt, anchor: createdAt })[0] ?? null,
    ...given,
  };
}
