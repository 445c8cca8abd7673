import type { Clock } from "../clock.ts";
import type { Engine } from "../engine/index.ts";
import { type Job, type Jobs, type Runs, dueTimeOf, nextTimeOf, runIdOf } from "../schedule/index.ts";
import type { Metrics } from "../telemetry/index.ts";
import type { Claims } from "./claims.ts";

/** The engine's key that fires the next due job. */
export const SCHEDULE_KEY = "schedule";
/** Number of jobs that are fired at once: their claims share the disk's syncs. */
const BATCH = 64;
/** Shortest time between two runs of a job, in milliseconds, even if the clock jumps. */
const NOT_AGAIN_MS = 2000;

export interface SchedulerDeps {
  readonly jobs: Pick<Jobs, "open" | "keepUp" | "due" | "nextDue" | "get" | "change">;
  readonly runs: Pick<Runs, "skip">;
  readonly claims: Pick<Claims, "claim">;
  readonly engine: Pick<Engine, "wake">;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, "increment">;
}

/** Fires jobs when they are due. */
export type Scheduler = ReturnType<typeof createScheduler>;

/**
 * Fires jobs. One wake exists, for the job that is due next. A claim for each planned time makes the run happen once.
 * A job's file changes after its run was claimed. After a crash between the two, the second claim changes nothing and
 * the file is then updated.
 *
 * Source: docs/jobs.md.
 */
export function createScheduler({ jobs, runs, claims, engine, clock, metrics }: SchedulerDeps) {
  /** Time of the earliest wake that is pending; Infinity: none. */
  let asked = Infinity;

  /** Schedules a wake for the next due job. To be called when a job was created or changed. Resolved = durable. */
  async function arm(): Promise<void> {
    const next = jobs.nextDue();
    if (next === undefined || next >= asked) return;
    asked = next;
    try {
      await engine.wake(SCHEDULE_KEY, new Date(next));
    } catch (error) {
      asked = Infinity;
      throw error;
    }
  }

  /** Handles a wake of `SCHEDULE_KEY`: fires all due jobs. */
  async function handle(): Promise<void> {
    asked = Infinity;
    await jobs.open();
    for (let ids = jobs.due(clock.now()); ids.length > 0; ids = jobs.due(clock.now())) {
      for (let from = 0; from < ids.length; from += BATCH) await Promise.all(ids.slice(from, from + BATCH).map(fire));
    }
    await arm();
  }

  async function fire(id: string): Promise<void> {
    const job = await jobs.get(id);
    const now = clock.now();
    if (job?.status !== "active" || job.nextRunAt === null || job.nextRunAt.getTime() > now) return;
    const due = job.nextRunAt;
    const planned = dueTimeOf(job, now);
    const isRun = planned !== null && !isTooSoon(job, planned);
    if (planned === null) await skip(job, due, "no process was running at its time");
    else if (isRun) await claims.claim(id, planned.getTime());
    else await skip(job, planned, "it ran less than two seconds earlier");
    const after = Math.max((planned ?? due).getTime(), now);
    await jobs.change(id, (newest) => {
      // A person changed the job in the meantime, so it has a new next time.
      if (newest.nextRunAt?.getTime() !== due.getTime()) return null;
      const nextRunAt = nextTimeOf(newest, after);
      return {
        nextRunAt,
        // A file without a creation time gets one now: intervals are counted from it.
        createdAt: newest.createdAt,
        ...(isRun ? { lastRunAt: planned } : nextRunAt === null && { status: "done" }),
      };
    });
  }

  /** Skips a planned time. If it was claimed before, it can no longer be skipped: its run is woken. */
  async function skip({ id }: Job, planned: Date, reason: string): Promise<void> {
    if (await runs.skip(id, planned.getTime(), reason))
      metrics.increment("scheduler.job.run_total", { status: "skipped" });
    else await claims.claim(id, planned.getTime());
  }

  return {
    handle,
    arm,
    /** Arms the scheduler, and arms it again whenever a person changes files of jobs. */
    async start(): Promise<void> {
      await jobs.open();
      await arm();
      void jobs.keepUp(arm);
    },
    /** Claims a run for now, regardless of the schedule. @returns The run's id. */
    async runNow(id: string): Promise<string> {
      const planned = clock.now();
      await claims.claim(id, planned, true);
      return runIdOf(id, planned);
    },
  };
}

function isTooSoon({ lastRunAt }: Job, planned: Date): boolean {
  const since = lastRunAt === undefined ? Infinity : planned.getTime() - lastRunAt.getTime();
  return since >= 0 && since < NOT_AGAIN_MS;
}
