import type { Job } from "./job.ts";
import { nextRuns } from "./schedule.ts";

/** A due time of a job. */
export interface DueJob {
  /** The job's id. */
  readonly id: string;
  /** The planned time. */
  readonly planned: Date;
}

/** The fields that a job's times depend on. */
type TimedJob = Pick<Job, "id" | "schedule" | "status" | "nextRunAt" | "createdAt" | "catchUp">;

/** A job whose times may also be milliseconds since the epoch. */
export interface GivenJob extends Omit<TimedJob, "nextRunAt" | "createdAt"> {
  readonly nextRunAt: Date | number | null;
  readonly createdAt: Date | number;
}

/** Milliseconds after which a due time counts as missed: nothing ran then. Engines and slow disks are faster. */
const MISSED_AFTER_MS = 60_000;

/**
 * Lists the jobs whose next time has come. A missed time counts only if the job catches up. Several missed times count
 * as one, the last.
 *
 * Source: docs/jobs.md, "Missed times".
 */
export function dueJobs(jobs: Iterable<GivenJob>, now: Date | number): DueJob[] {
  const due: DueJob[] = [];
  for (const job of jobs) {
    const nextRunAt = job.nextRunAt === null ? null : new Date(job.nextRunAt);
    const planned = dueTimeOf({ ...job, nextRunAt, createdAt: new Date(job.createdAt) }, Number(now));
    if (planned !== null) due.push({ id: job.id, planned });
  }
  return due.toSorted((a, b) => a.planned.getTime() - b.planned.getTime());
}

/** The time that a job has to run for now; null: none has come, or it was missed and is not caught up. */
export function dueTimeOf(job: Omit<TimedJob, "id">, now: number): Date | null {
  const { status, nextRunAt, catchUp } = job;
  if (status !== "active" || nextRunAt === null || nextRunAt.getTime() > now) return null;
  if (now - nextRunAt.getTime() <= MISSED_AFTER_MS) return nextRunAt;
  const newest = newestBefore(job, nextRunAt, now);
  return catchUp === "once" || now - newest.getTime() <= MISSED_AFTER_MS ? newest : null;
}

/** The last time of the schedule up to now. */
function newestBefore({ schedule, createdAt }: Pick<Job, "schedule" | "createdAt">, first: Date, now: number): Date {
  if (schedule.kind === "at") return first;
  if (schedule.kind === "every") {
    const steps = Math.floor((now - createdAt.getTime()) / schedule.everyMs);
    return new Date(Math.max(first.getTime(), createdAt.getTime() + steps * schedule.everyMs));
  }
  // Cron cannot search backwards in a zone, so the search starts further and further back.
  for (let before = MISSED_AFTER_MS; ; before *= 4) {
    const from = Math.max(first.getTime(), now - before);
    const newest = nextRuns(schedule, { from: new Date(from - 1), count: 100 })
      .filter((time) => time.getTime() <= now)
      .at(-1);
    if (newest !== undefined || from === first.getTime()) return newest ?? first;
  }
}
