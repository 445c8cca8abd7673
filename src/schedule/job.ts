import type { Schedule } from "./schedule.ts";

/** Where a job runs: as an inbound of its person's conversation, or in a session of its own. */
export const JOB_MODES = ["main", "isolated"] as const;
export type JobMode = (typeof JOB_MODES)[number];

/** `error`: it failed too often and is paused until somebody resumes it, or its one time came and nothing was done. `done`: its one time has come. */
export const JOB_STATUSES = ["active", "paused", "error", "done"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** What is sent of a run's result: all of it, its beginning, or nothing. */
export const DELIVER_MODES = ["full", "summary", "none"] as const;
export type DeliverMode = (typeof DELIVER_MODES)[number];

/** What becomes of a time that passed while nothing ran: one run for all that were missed, or none. */
export const CATCH_UPS = ["once", "skip"] as const;
export type CatchUp = (typeof CATCH_UPS)[number];

/** Who a job comes from: the configuration, a goal's review, or a conversation and the API. */
export const JOB_SOURCES = ["static", "okr", "dynamic"] as const;
export type JobSource = (typeof JOB_SOURCES)[number];

/** Something that the assistant does later, once or again and again. Source: docs/jobs.md. */
export interface Job {
  /** A ULID; of a trigger in the configuration its name. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** When. */
  readonly schedule: Schedule;
  /** What is to be done, in words: what the model reads when it is due. */
  readonly task: string;
  /** Whose job it is, as `channel:id`. */
  readonly user: string;
  /** The channel whose conversation it is of, as `telegram`. */
  readonly channel: string;
  /** Which account of the channel. Default `default`. */
  readonly account?: string;
  /** The chat that results go to, by the platform's id. Default: the person's direct chat. */
  readonly chat?: string;
  /** The thread in that chat. */
  readonly thread?: string;
  /** The key of the conversation in which it was made. */
  readonly session?: string;
  /** Default `main`. */
  readonly mode: JobMode;
  /** Only an `active` one runs. */
  readonly status: JobStatus;
  /** Runs that may be under way at one time; further ones are skipped. */
  readonly maxConcurrency: number;
  /** A run that is due sooner after the last one is skipped. */
  readonly cooldownSeconds: number;
  /** A failed run is tried again so often, after so long, twice as long each time. */
  readonly retryPolicy: { readonly maxRetries: number; readonly backoffSeconds: number };
  /** After so many failed runs in a row it is paused. */
  readonly maxConsecFailures: number;
  /** It goes when it has succeeded. */
  readonly deleteAfterRun: boolean;
  /** Each of its runs waits for the owner's consent. */
  readonly approvalRequired: boolean;
  /** A job that is made with the key of one that is there changes that one. */
  readonly dedupeKey?: string;
  /** What is sent of a result. Default all of it. */
  readonly deliver: { readonly mode: DeliverMode };
  /** Default `once` for a single time, else `skip`. */
  readonly catchUp: CatchUp;
  /** Only a `dynamic` one is changed from outside; an `okr` one can be paused. */
  readonly source: JobSource;
  /** Who made it, as `channel:id`. */
  readonly startedBy: string;
  /** The roles that they had: a run has at most these, and at most those that they have then. */
  readonly roles: readonly string[];
  /** The only tools of its runs, by names and beginnings with a `*`. Absent: all that its person may use. */
  readonly tools?: readonly string[];
  /** Names of tools that its runs do without. */
  readonly withoutTools?: readonly string[];
  /** When it was made: steps of `every` are counted from here. */
  readonly createdAt: Date;
  /** Null: it does not come any more, or is paused. */
  readonly nextRunAt: Date | null;
  /** The planned time of its last run. */
  readonly lastRunAt?: Date;
  /** How that ended. */
  readonly lastRunStatus?: "success" | "failed" | "skipped";
  /** The run that is counted in `consecFailures` already. */
  readonly lastRunId?: string;
  /** Failed runs since the last that succeeded. */
  readonly consecFailures: number;
}

/** What changes of a job. A chat that is `undefined` is taken out. */
export type JobEdit = Partial<Omit<Job, "chat">> & { readonly chat?: string | undefined };

/** What a run came to. Source: docs/jobs.md, "Runs". */
export interface JobRun {
  /** `<job>:<planned, epoch ms>`. */
  readonly runId: string;
  /** The time that it was planned for; of one that was asked for, when that was. */
  readonly planned: Date;
  /** `waiting`: it is claimed, or waits to be tried again. */
  readonly status: "waiting" | "running" | "success" | "failed" | "skipped";
  /** When its last try began. */
  readonly started?: Date;
  /** Absent while it is under way. */
  readonly ended?: Date;
  /** Why it failed. */
  readonly error?: string;
  /** Why it was skipped. */
  readonly reason?: string;
  /** Of all its model calls. */
  readonly tokens?: number;
  /** What was said; empty when it had nothing to say. */
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

/** A time that was missed is made up for when it is the only one. */
export function defaultCatchUp({ kind }: Schedule): CatchUp {
  return kind === "at" ? "once" : "skip";
}
