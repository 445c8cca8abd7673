import type { Clock } from "../clock.ts";
import type { Engine } from "../engine/index.ts";
import { type Job, type Jobs, type Runs, dueTimeOf, nextTimeOf, runIdOf } from "../schedule/index.ts";
import type { Metrics } from "../telemetry/index.ts";
import type { Claims } from "./claims.ts";

/** The engine's key of the nearest job that is due. */
export const SCHEDULE_KEY = "schedule";
/** So many jobs are fired at one time: their claims share the disk's syncs. */
const BATCH = 64;
/** Never again so soon after the last time, whatever a clock does. */
const NOT_AGAIN_MS = 2000;

export interface SchedulerDeps {
  readonly jobs: Pick<Jobs, "open" | "keepUp" | "due" | "nextDue" | "get" | "change">;
  readonly runs: Pick<Runs, "skip">;
  readonly claims: Pick<Claims, "claim">;
  readonly engine: Pick<Engine, "wake">;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, "increment">;
}

/** What fires jobs when they are due. */
export type Scheduler = ReturnType<typeof createScheduler>;

/**
 * Fires jobs: one wake for the nearest that is due, and a claim for each planned time, which is what makes it run once. A job's file is changed after its run
 * was claimed: what a crash left between the two is claimed again, in vain, and then changed.
 *
 * Source: docs/jobs.md.
 */
export function createScheduler({ jobs, runs, claims, engine, clock, metrics }: SchedulerDeps) {
  /** The nearest time that was asked for and has not come. */
  let asked = Infinity;

  /** Waits for the nearest job. Resolved = durable. To be called when a job was made or changed. */
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

  /** The handler of the key. */
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
    if (planned === null) await skip(job, due, "nothing ran when its time came");
    else if (isRun) await claims.claim(id, planned.getTime());
    else await skip(job, planned, "it ran less than two seconds before");
    const after = Math.max((planned ?? due).getTime(), now);
    await jobs.change(id, (newest) => {
      // What a person changed meanwhile has a next time of its own.
      if (newest.nextRunAt?.getTime() !== due.getTime()) return null;
      const nextRunAt = nextTimeOf(newest, after);
      return {
        nextRunAt,
        // A file that does not say when it was made says it from now on: steps are counted from then.
        createdAt: newest.createdAt,
        ...(isRun ? { lastRunAt: planned } : nextRunAt === null && { status: "done" }),
      };
    });
  }

  /** A time that was claimed before is no longer to be left out: its run goes on. */
  async function skip({ id }: Job, planned: Date, reason: string): Promise<void> {
    if (await runs.skip(id, planned.getTime(), reason))
      metrics.increment("scheduler.job.run_total", { status: "skipped" });
    else await claims.claim(id, planned.getTime());
  }

  return {
    handle,
    arm,
    /** Waits for the nearest, also when people change files of jobs. */
    async start(): Promise<void> {
      await jobs.open();
      await arm();
      void jobs.keepUp(arm);
    },
    /** A run now, whatever the job's times say. @returns The run's id. */
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
