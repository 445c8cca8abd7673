import type { Schedule } from "./schedule.ts";

/** Where a job runs: as an inbound message of its person's conversation, or in a session of its own. */
export const JOB_MODES = ["main", "isolated"] as const;
export type JobMode = (typeof JOB_MODES)[number];

/**
 * `error`: the job failed too often and is paused until a person resumes it, or its only time passed without a run.
 * `done`: its only time has come.
 */
export const JOB_STATUSES = ["active", "paused", "error", "done"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** How much of a run's result is sent: all of it, its beginning, or nothing. */
export const DELIVER_MODES = ["full", "summary", "none"] as const;
export type DeliverMode = (typeof DELIVER_MODES)[number];

/** How missed times are handled: one run for all of them, or none. */
export const CATCH_UPS = ["once", "skip"] as const;
export type CatchUp = (typeof CATCH_UPS)[number];

/** Origin of a job: the configuration, a goal's review, or a conversation or the API. */
export const JOB_SOURCES = ["static", "okr", "dynamic"] as const;
export type JobSource = (typeof JOB_SOURCES)[number];

/** A task that the assistant does later, once or repeatedly. Source: docs/jobs.md. */
export interface Job {
  /** A ULID; for a trigger of the configuration, its name. */
  readonly id: string;
  /** Name for people. */
  readonly name: string;
  /** When it runs. */
  readonly schedule: Schedule;
  /** The task in words, which the model reads when the job is due. */
  readonly task: string;
  /** The person that the job belongs to, as `channel:id`. */
  readonly user: string;
  /** The channel of the job's conversation, such as `telegram`. */
  readonly channel: string;
  /** The account of the channel. Default `default`. */
  readonly account?: string;
  /** The chat that gets results, by the platform's id. Default: the person's direct chat. */
  readonly chat?: string;
  /** The thread in that chat. */
  readonly thread?: string;
  /** Key of the conversation in which the job was created. */
  readonly session?: string;
  /** Default `main`. */
  readonly mode: JobMode;
  /** Only an `active` job runs. */
  readonly status: JobStatus;
  /** Most runs under way at a time; further ones are skipped. */
  readonly maxConcurrency: number;
  /** Seconds between two runs; a run that is due sooner is skipped. */
  readonly cooldownSeconds: number;
  /** Number of retries of a failed run, and seconds before the first one. The wait doubles with each retry. */
  readonly retryPolicy: { readonly maxRetries: number; readonly backoffSeconds: number };
  /** Consecutive failed runs after which the job is paused. */
  readonly maxConsecFailures: number;
  /** Whether the job is removed when it has succeeded. */
  readonly deleteAfterRun: boolean;
  /** Whether each run needs the owner's approval. */
  readonly approvalRequired: boolean;
  /** Idempotency key: creating a job with the key of an existing one changes that one. */
  readonly dedupeKey?: string;
  /** How much of a result is sent. Default: all of it. */
  readonly deliver: { readonly mode: DeliverMode };
  /** Default `once` for a single time, otherwise `skip`. */
  readonly catchUp: CatchUp;
  /** Only a `dynamic` job can be changed from outside; an `okr` job can be paused. */
  readonly source: JobSource;
  /** The person that created it, as `channel:id`. */
  readonly startedBy: string;
  /** Roles of the creator at that time. A run has only those that the creator still has. */
  readonly roles: readonly string[];
  /** The only tools of its runs: names, or prefixes that end in `*`. Absent: all that the person may use. */
  readonly tools?: readonly string[];
  /** Names of tools that its runs may not use. */
  readonly withoutTools?: readonly string[];
  /** When it was created. Intervals of `every` count from here. */
  readonly createdAt: Date;
  /** Next time. Null: none is left, or the job is paused. */
  readonly nextRunAt: Date | null;
  /** Planned time of the last run. */
  readonly lastRunAt?: Date;
  /** Outcome of the last run. */
  readonly lastRunStatus?: "success" | "failed" | "skipped";
  /** Id of the last run that `consecFailures` includes. */
  readonly lastRunId?: string;
  /** Failed runs since the last success. */
  readonly consecFailures: number;
}

/** Changes to a job. A `chat` of `undefined` is removed. */
export type JobEdit = Partial<Omit<Job, "chat">> & { readonly chat?: string | undefined };

/** Outcome of a run. Source: docs/jobs.md, "Runs". */
export interface JobRun {
  /** `<job>:<planned, epoch ms>`. */
  readonly runId: string;
  /** The planned time; for a run that was requested, the time of the request. */
  readonly planned: Date;
  /** `waiting`: claimed, or waiting for a retry. */
  readonly status: "waiting" | "running" | "success" | "failed" | "skipped";
  /** When the last try began. */
  readonly started?: Date;
  /** Absent while it is under way. */
  readonly ended?: Date;
  /** Reason of a failure. */
  readonly error?: string;
  /** Reason of a skip. */
  readonly reason?: string;
  /** Tokens of all its model calls. */
  readonly tokens?: number;
  /** The reply; empty when there was nothing to say. */
  readonly output?: string;
}

export const JOB_DEFAULTS = {
  mode: "main",
  status: "active",
  maxConcurrency: 1,
  cooldownSeconds: 0,
  retryPolicy: { maxRetries: 0, backoffSeconds: 60 },
  deleteAfterRun: false,
  approvalRequired: false,
  deliver: { mode: "full" },
  consecFailures: 0,
} as const satisfies Partial<Job>;

export const DEFAULT_MAX_CONSEC_FAILURES = 3;

/** A missed time is caught up by default only when it is the only one. */
export function defaultCatchUp({ kind }: Schedule): CatchUp {
  return kind === "at" ? "once" : "skip";
}
