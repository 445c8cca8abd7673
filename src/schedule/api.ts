import { isTimezone } from "../calendar.ts";
import type { Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import { newId } from "../ids.ts";
import { sharedTools } from "../tool-lists.ts";
import { DEFAULT_MAX_CONSEC_FAILURES, JOB_DEFAULTS, type Job, type JobRun, defaultCatchUp } from "./job.ts";
import { MAX_TASK_CHARS } from "./job-file.ts";
import { type Jobs, nextTimeOf } from "./jobs.ts";
import { readSchedule } from "./dates.ts";
import type { Runs } from "./runs.ts";
import { TWO_MEANINGS, invalidSchedule, nextRuns } from "./schedule.ts";
import { defined } from "../store/index.ts";

/** Fields of a new job; the rest have defaults. */
export interface JobInput {
  /**
   * A cron expression of five fields, a time in ISO 8601, words such as `every weekday at 9`, or a schedule as in a
   * job's file.
   */
  readonly schedule: unknown;
  /** The task in words, which the model reads when the job is due. 1 to 8,000 characters. */
  readonly task: string;
  /** Name for people. Default: the beginning of the task. */
  readonly name?: string | undefined;
  /** IANA zone of the schedule. Default: the person's zone. */
  readonly timezone?: string | undefined;
  /**
   * `main`: in the conversation. `isolated`: in a session of each run, whose result is added to the conversation.
   * Default `main`.
   */
  readonly mode?: Job["mode"] | undefined;
  /** Default `full`. */
  readonly deliver?: Job["deliver"] | undefined;
  /** Default 0. */
  readonly cooldownSeconds?: number | undefined;
  /** Default 1. */
  readonly maxConcurrency?: number | undefined;
  /** Default: no retries, a back-off of 60 s. */
  readonly retryPolicy?: Partial<Job["retryPolicy"]> | undefined;
  /** Default: the option `scheduler.maxConsecFailures`. */
  readonly maxConsecFailures?: number | undefined;
  /** Default false. */
  readonly deleteAfterRun?: boolean | undefined;
  /** Default false. Only an owner can set it back to false. */
  readonly approvalRequired?: boolean | undefined;
  /** Idempotency key: if the person has a live job with this key, that job is changed instead. */
  readonly dedupeKey?: string | undefined;
  /** Default `once` for a single time, otherwise `skip`. */
  readonly catchUp?: Job["catchUp"] | undefined;
}

/** Changes to a job. */
export type JobChange = { readonly [Name in keyof JobInput]?: JobInput[Name] | undefined };

/** The person that a job is for, where it reports, and who created it with which rights. */
export type JobPlace = Pick<
  Job,
  "user" | "channel" | "account" | "chat" | "thread" | "session" | "startedBy" | "roles" | "tools" | "withoutTools"
>;

/** A job that was created or changed, with its next three times. */
export interface PlannedJob {
  /** The job as in its file. */
  readonly job: Job;
  /** Next times. Empty when the job does not run. */
  readonly next: readonly Date[];
}

export interface JobServiceDeps {
  readonly jobs: Jobs;
  readonly runs: Pick<Runs, "list" | "remove">;
  /** Schedules a wake for the job that is due next. */
  arm(): Promise<void>;
  runNow(id: string): Promise<string>;
  timezoneOf(user: string): string;
  readonly clock: Clock;
}

export interface JobServiceOptions {
  readonly minIntervalMs?: number | undefined;
  readonly maxConsecFailures?: number | undefined;
}

/** Most live jobs of a person who is no owner. */
export const MAX_JOBS_A_PERSON = 20;
const NEXT_SHOWN = 3;
const MAX_RUNS = 100;

/** Decides which jobs may be seen and changed: those of one person, or all for an owner. */
export interface JobViewer {
  readonly user: string;
  readonly isOwner: boolean;
  /** Only jobs that were created in this conversation: in a group, others read along. */
  readonly session?: string;
  /**
   * Roles of the person that changes a job. The job keeps only those of its roles. Absent: the program itself or a
   * token changes it.
   */
  readonly roles?: readonly string[];
  /**
   * The tools that the person that changes a job may use, and those that are excluded. The same limits then apply to
   * the job.
   */
  readonly tools?: readonly string[];
  readonly withoutTools?: readonly string[];
}

/** Creates, changes and lists jobs, within the rights of a viewer. */
export type JobService = ReturnType<typeof createJobService>;

export function createJobService(deps: JobServiceDeps, options: JobServiceOptions = {}) {
  const { jobs, runs, arm, runNow, timezoneOf, clock } = deps;
  const { minIntervalMs, maxConsecFailures = DEFAULT_MAX_CONSEC_FAILURES } = options;

  const planned = (job: Job): PlannedJob => ({
    job,
    next:
      job.status === "active" && job.nextRunAt !== null
        ? nextRuns(job.schedule, {
            from: new Date(job.nextRunAt.getTime() - 1),
            anchor: job.createdAt,
            count: NEXT_SHOWN,
          })
        : [],
  });

  async function scheduleOf(input: Pick<JobInput, "schedule" | "timezone">, user: string): Promise<Job["schedule"]> {
    const tz = input.timezone ?? timezoneOf(user);
    checkZone(tz);
    const read = await readSchedule(input.schedule, { tz, now: clock.now(), minIntervalMs });
    if ("ask" in read) throw invalidSchedule(`${JSON.stringify(input.schedule)} ${TWO_MEANINGS}${read.ask}`);
    if (read.schedule.kind === "at" && Date.parse(read.schedule.at) <= clock.now())
      throw invalid(`schedule: ${read.schedule.at} has passed`);
    return read.schedule;
  }

  /**
   * Creates a job, or changes the live job with the same `dedupeKey`.
   * @throws {AssistantError} `OPTION_INVALID` with the field and what was expected; `FORBIDDEN` for a person with too
   * many jobs.
   */
  async function create(input: JobInput, place: JobPlace, viewer: JobViewer): Promise<PlannedJob> {
    checkInput(input);
    const schedule = await scheduleOf(input, place.user);
    await jobs.load();
    const known = input.dedupeKey === undefined ? undefined : jobs.withKey(place.user, input.dedupeKey);
    if (known !== undefined) {
      // The caller knows the job's key, so the conversation in which it was created does not matter.
      const { session: _here, ...anywhere } = viewer;
      return update(known, { ...input, dedupeKey: undefined }, anywhere);
    }
    if (!viewer.isOwner && jobs.count(place.user) >= MAX_JOBS_A_PERSON)
      throw new AssistantError("FORBIDDEN", `${place.user} already has ${MAX_JOBS_A_PERSON} jobs: delete one first`);
    const createdAt = new Date(clock.now());
    const { name, task, mode, deliver, dedupeKey } = input;
    const made: Omit<Job, "nextRunAt"> = {
      // In lower case, as it is the name of the job's file.
      id: newId(clock).toLowerCase(),
      name: (name ?? task).replaceAll(/\s+/g, " ").trim().slice(0, 60),
      schedule,
      task: task.trim(),
      ...place,
      mode: mode ?? JOB_DEFAULTS.mode,
      status: "active",
      maxConcurrency: input.maxConcurrency ?? JOB_DEFAULTS.maxConcurrency,
      cooldownSeconds: input.cooldownSeconds ?? JOB_DEFAULTS.cooldownSeconds,
      retryPolicy: { ...JOB_DEFAULTS.retryPolicy, ...input.retryPolicy },
      maxConsecFailures: input.maxConsecFailures ?? maxConsecFailures,
      deleteAfterRun: input.deleteAfterRun ?? JOB_DEFAULTS.deleteAfterRun,
      approvalRequired: input.approvalRequired ?? JOB_DEFAULTS.approvalRequired,
      ...(dedupeKey !== undefined && { dedupeKey }),
      deliver: deliver ?? JOB_DEFAULTS.deliver,
      catchUp: input.catchUp ?? defaultCatchUp(schedule),
      source: "dynamic",
      createdAt,
      consecFailures: 0,
    };
    const job = await jobs.create({ ...made, nextRunAt: nextTimeOf(made, createdAt.getTime()) });
    await arm();
    return planned(job);
  }

  /**
   * @throws {AssistantError} `NOT_FOUND`, also for another person's job; `FORBIDDEN` for a job of the configuration or
   * of a goal.
   */
  async function update(id: string, change: JobChange, viewer: JobViewer): Promise<PlannedJob> {
    const job = await changeable(id, viewer);
    checkInput({ ...change, task: change.task ?? job.task });
    if (job.approvalRequired && change.approvalRequired === false && !viewer.isOwner)
      throw new AssistantError("FORBIDDEN", `Only an owner can let the job ${JSON.stringify(id)} run without approval`);
    const schedule =
      change.schedule === undefined
        ? inZone(job, change.timezone)
        : await scheduleOf({ ...change, schedule: change.schedule }, job.user);
    const { schedule: _written, timezone: _zone, retryPolicy, ...rest } = change;
    const { roles } = viewer;
    const changed = await jobs.change(id, (newest) => ({
      ...defined(rest),
      ...(roles && { roles: newest.roles.filter((role) => roles.includes(role)) }),
      ...defined(toolsOfBoth(newest, viewer)),
      ...(retryPolicy && { retryPolicy: { ...newest.retryPolicy, ...retryPolicy } }),
      ...(schedule && {
        schedule,
        catchUp: change.catchUp ?? catchUpOf(newest, schedule),
        // A job whose only time has passed becomes active with its new time.
        ...((newest.status === "active" || newest.status === "done" || isOver(newest)) && {
          status: "active",
          nextRunAt: nextTimeOf({ ...newest, schedule }, clock.now()),
        }),
      }),
    }));
    await arm();
    return planned(changed ?? job);
  }

  async function pause(id: string, viewer: JobViewer): Promise<PlannedJob> {
    await pausable(id, viewer);
    return planned(found(id, await jobs.change(id, () => ({ status: "paused", nextRunAt: null }))));
  }

  /** Pauses the jobs of a person who may no longer write. */
  async function pauseAllOf(user: string): Promise<void> {
    await jobs.load();
    for await (const { id, status, source } of jobs.list(user))
      if (status === "active" && source !== "static")
        await jobs.change(id, () => ({ status: "paused", nextRunAt: null }));
  }

  /**
   * Resumes a job, also one of the configuration.
   * @throws {AssistantError} `OPTION_INVALID` for a job whose only time passed in the meantime: it stays paused until
   * it gets another time.
   */
  async function resume(id: string, viewer: JobViewer): Promise<PlannedJob> {
    await visible(id, viewer);
    const changed = await jobs.change(id, (job) => {
      const nextRunAt = nextTimeOf(job, clock.now());
      if (nextRunAt === null && job.schedule.kind === "at" && job.status !== "done")
        throw invalid(`schedule: ${job.schedule.at} has passed in the meantime: give it another time`);
      return { status: nextRunAt === null ? "done" : "active", consecFailures: 0, nextRunAt };
    });
    await arm();
    return planned(found(id, changed));
  }

  /** A job that the viewer may see. @throws {AssistantError} `NOT_FOUND`, also for another person's job. */
  async function visible(id: string, viewer: JobViewer): Promise<Job> {
    const { user, isOwner } = viewer;
    await jobs.load();
    const job = await jobs.get(id);
    if (job === undefined || (!isOwner && job.user !== user) || !isSeenHere(job, viewer)) throw notFound(id);
    return job;
  }

  async function pausable(id: string, viewer: JobViewer): Promise<Job> {
    const job = await visible(id, viewer);
    if (job.source !== "static") return job;
    throw new AssistantError(
      "FORBIDDEN",
      `The job ${JSON.stringify(id)} cannot be changed here: change the configuration, or HEARTBEAT.md`,
    );
  }

  async function changeable(id: string, viewer: JobViewer): Promise<Job> {
    const job = await pausable(id, viewer);
    if (job.source !== "okr") return job;
    throw new AssistantError("FORBIDDEN", `The job ${JSON.stringify(id)} reviews a goal: change the goal, or pause it`);
  }

  return {
    create,
    update,
    pause,
    pauseAllOf,
    resume,
    get: async (id: string, viewer: JobViewer): Promise<PlannedJob> => planned(await visible(id, viewer)),
    /** @param page At most `limit` jobs after the id `after`. Default: all. */
    async list(
      viewer: JobViewer,
      {
        after,
        limit = Number.POSITIVE_INFINITY,
      }: { readonly after?: string | undefined; readonly limit?: number } = {},
    ): Promise<readonly PlannedJob[]> {
      await jobs.load();
      await jobs.look();
      const listed: PlannedJob[] = [];
      for await (const job of jobs.list(viewer.isOwner ? undefined : viewer.user, after)) {
        if (isSeenHere(job, viewer)) listed.push(planned(job));
        if (listed.length >= limit) break;
      }
      return listed;
    },
    async remove(id: string, viewer: JobViewer): Promise<void> {
      await changeable(id, viewer);
      await jobs.remove(id);
      await runs.remove(id);
    },
    async run(id: string, viewer: JobViewer): Promise<string> {
      await visible(id, viewer);
      return runNow(id);
    },
    async runs(id: string, viewer: JobViewer, limit = 20): Promise<readonly JobRun[]> {
      await visible(id, viewer);
      return runs.list(id, Math.min(MAX_RUNS, Math.max(1, limit)));
    },
  };
}

/** The schedule of a job in another zone. */
function inZone({ schedule }: Job, tz: string | undefined): Job["schedule"] | undefined {
  if (tz === undefined) return undefined;
  checkZone(tz);
  if (schedule.kind !== "cron")
    throw invalid("timezone: its schedule does not depend on a time zone: give the schedule again, with the timezone");
  return { ...schedule, tz };
}

function checkZone(tz: string): void {
  if (!isTimezone(tz))
    throw invalid(`timezone: ${JSON.stringify(tz)} is not known: use a name such as Europe/Stockholm`);
}

/** A catch-up that is the default follows the new schedule. */
function catchUpOf({ catchUp, schedule }: Job, next: Job["schedule"]): Job["catchUp"] {
  return catchUp === defaultCatchUp(schedule) ? defaultCatchUp(next) : catchUp;
}

/** Whether the job's only time passed without a run. */
function isOver({ status, schedule, nextRunAt }: Job): boolean {
  return status === "error" && schedule.kind === "at" && nextRunAt === null;
}

function isSeenHere(job: Job, { session }: JobViewer): boolean {
  return session === undefined || job.session === session;
}

function checkInput({ task, name, deliver }: Pick<JobInput, "task" | "name" | "deliver">): void {
  if (typeof task !== "string" || task.trim() === "" || task.length > MAX_TASK_CHARS)
    throw invalid(`task: expected a text of 1 to ${MAX_TASK_CHARS} characters`);
  if (name !== undefined && (typeof name !== "string" || name.trim() === "")) throw invalid("name: expected a text");
  if (deliver !== undefined && !["full", "summary", "none"].includes(deliver.mode))
    throw invalid('deliver: expected { mode: "full" | "summary" | "none" }');
}

/** Tools that both may use, except those that either excludes. */
function toolsOfBoth(one: Pick<Job, "tools" | "withoutTools">, other: Pick<Job, "tools" | "withoutTools">) {
  const without = [...new Set([...(one.withoutTools ?? []), ...(other.withoutTools ?? [])])];
  return { tools: sharedTools(one.tools, other.tools), withoutTools: without.length > 0 ? without : undefined };
}

function found(id: string, job: Job | undefined): Job {
  if (job === undefined) throw notFound(id);
  return job;
}

function notFound(id: string): AssistantError {
  return new AssistantError("NOT_FOUND", `There is no job ${JSON.stringify(id)}`);
}

function invalid(reason: string): AssistantError {
  return new AssistantError("OPTION_INVALID", `Invalid job: ${reason}`);
}
