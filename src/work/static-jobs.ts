import type { Clock } from "../clock.ts";
import { JOB_DEFAULTS, type Job, type JobEdit, type Jobs, defaultCatchUp, nextTimeOf } from "../schedule/index.ts";

export interface StaticJobsDeps {
  readonly jobs: Pick<Jobs, "get" | "create" | "change">;
  rolesOf(user: string): readonly string[];
  readonly clock: Pick<Clock, "now">;
}

/** A job that nobody made: what is said of it. Its name is its id. */
export type StaticJob = Pick<Job, "name" | "schedule" | "task" | "user" | "channel" | "mode" | "deliver"> &
  Partial<Pick<Job, "chat" | "approvalRequired" | "roles">>;

/** Jobs that stand in the configuration, or are built in. */
export type StaticJobs = ReturnType<typeof createStaticJobs>;

export function createStaticJobs(
  { jobs, rolesOf, clock }: StaticJobsDeps,
  { maxConsecFailures }: { readonly maxConsecFailures: number },
) {
  return {
    /** Brings a job into the store: it is made, changed when something else is said of it now, or left as it is. */
    async keep(said: StaticJob): Promise<void> {
      const { name, schedule, user } = said;
      const configured = {
        ...said,
        approvalRequired: said.approvalRequired ?? JOB_DEFAULTS.approvalRequired,
        catchUp: defaultCatchUp(schedule),
        source: "static",
        startedBy: user,
        roles: said.roles ?? rolesOf(user),
      } as const;
      const known = await jobs.get(name);
      // What is no longer said goes too.
      const wanted = { chat: undefined, ...configured };
      if (known === undefined) await jobs.create(made(configured));
      else if (isChanged(known, wanted))
        await jobs.change(name, (job) => ({
          ...wanted,
          ...(JSON.stringify(job.schedule) !== JSON.stringify(schedule) && {
            nextRunAt: nextTimeOf({ ...job, schedule }, clock.now()),
          }),
        }));
    },
  };

  function made(
    configured: Omit<StaticJob, "roles" | "approvalRequired"> &
      Pick<Job, "approvalRequired" | "catchUp" | "source" | "startedBy" | "roles">,
  ): Job {
    const createdAt = new Date(clock.now());
    const { maxConcurrency, cooldownSeconds, retryPolicy, deleteAfterRun } = JOB_DEFAULTS;
    return {
      id: configured.name,
      ...configured,
      status: "active",
      maxConcurrency,
      cooldownSeconds,
      retryPolicy,
      maxConsecFailures,
      deleteAfterRun,
      createdAt,
      consecFailures: 0,
      nextRunAt: nextTimeOf({ schedule: configured.schedule, createdAt }, createdAt.getTime()),
    };
  }
}

function isChanged(known: Job, configured: JobEdit): boolean {
  return Object.entries(configured).some(
    ([name, value]) => JSON.stringify(known[name as keyof Job]) !== JSON.stringify(value),
  );
}
