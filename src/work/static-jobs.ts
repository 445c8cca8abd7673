import type { Clock } from "../clock.ts";
import { JOB_DEFAULTS, type Job, type JobEdit, type Jobs, defaultCatchUp, nextTimeOf } from "../schedule/index.ts";

export interface StaticJobsDeps {
  readonly jobs: Pick<Jobs, "get" | "create" | "change">;
  rolesOf(user: string): readonly string[];
  readonly clock: Pick<Clock, "now">;
}

/** A job that comes from the configuration or is built in. Its name is its id. */
export type StaticJob = Pick<Job, "name" | "schedule" | "task" | "user" | "channel" | "mode" | "deliver"> &
  Partial<Pick<Job, "chat" | "approvalRequired" | "roles">>;

/** Jobs of the configuration and built-in jobs. */
export type StaticJobs = ReturnType<typeof createStaticJobs>;

export function createStaticJobs(
  { jobs, rolesOf, clock }: StaticJobsDeps,
  { maxConsecFailures }: { readonly maxConsecFailures: number },
) {
  return {
    /** Stores a job: creates it, changes it if its definition changed, or leaves it as it is. */
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
      // A chat that was removed from the definition is removed from the job too.
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
