import * as v from "valibot";
import { messageOf } from "../errors.ts";
import { issueText } from "../issue-text.ts";
import type { Platform } from "../platform.ts";
import { readYaml, snakeCase } from "../settings/index.ts";
import {
  CATCH_UPS,
  DELIVER_MODES,
  JOB_DEFAULTS,
  JOB_MODES,
  JOB_SOURCES,
  JOB_STATUSES,
  type Job,
  type JobEdit,
  defaultCatchUp,
} from "./job.ts";
import { parseSchedule } from "./parse-schedule.ts";

/** A problem in a job's file. */
export interface JobFileProblem {
  /** Counts from 1. */
  readonly line: number;
  /** The key as written in the file. */
  readonly field: string;
  readonly message: string;
}

/** Context for reading a file. */
export interface JobFileGiven {
  readonly yaml: Platform["yaml"];
  /** The job's id, which is the file's name. */
  readonly id: string;
  /** Zone of a schedule without one. */
  readonly timezone: string;
  readonly minIntervalMs: number;
  readonly maxConsecFailures: number;
  /** Creation time of a job whose file has none, in milliseconds since the epoch. */
  readonly now: number;
}

/** Longest task, in characters. */
export const MAX_TASK_CHARS = 8000;
const MAX_NAME_CHARS = 200;

const text = (most: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(most));
const whole = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const time = v.pipe(
  v.union([v.string(), v.date()]),
  v.transform((value) => new Date(value)),
  v.check((date) => !Number.isNaN(date.getTime()), "expected a time such as 2026-11-24T09:00:00Z"),
);

/** Keys of a file. `timezone`, `enabled`, `payload` and a mode in `session` are alternative spellings of other keys. */
const FileSchema = v.strictObject({
  id: v.optional(text(200)),
  name: v.optional(text(MAX_NAME_CHARS)),
  schedule: v.unknown(),
  timezone: v.optional(text(64)),
  task: v.optional(text(MAX_TASK_CHARS)),
  payload: v.optional(v.strictObject({ message: text(MAX_TASK_CHARS) })),
  user_id: text(300),
  channel: text(64),
  account: v.optional(text(300)),
  chat_id: v.optional(v.union([text(300), v.pipe(v.number(), v.transform(String))])),
  thread: v.optional(v.union([text(300), v.pipe(v.number(), v.transform(String))])),
  session: v.optional(text(600)),
  mode: v.optional(v.picklist(JOB_MODES)),
  status: v.optional(v.picklist(JOB_STATUSES)),
  enabled: v.optional(v.boolean()),
  max_concurrency: v.optional(whole(1, 100)),
  cooldown_seconds: v.optional(whole(0, 31_536_000)),
  retry_policy: v.optional(
    v.strictObject({ max_retries: v.optional(whole(0, 100)), backoff_seconds: v.optional(whole(1, 86_400)) }),
  ),
  max_consec_failures: v.optional(whole(1, 1000)),
  delete_after_run: v.optional(v.boolean()),
  approval_required: v.optional(v.boolean()),
  dedupe_key: v.optional(text(300)),
  deliver: v.optional(v.strictObject({ mode: v.optional(v.picklist(DELIVER_MODES)) })),
  catch_up: v.optional(v.picklist(CATCH_UPS)),
  source: v.optional(v.picklist(JOB_SOURCES)),
  started_by: v.optional(text(300)),
  roles: v.optional(v.array(text(100))),
  tools: v.optional(v.array(text(100))),
  without_tools: v.optional(v.array(text(100))),
  created_at: v.optional(time),
  next_run_at: v.optional(v.nullable(time)),
  last_run_at: v.optional(v.nullable(time)),
  last_run_status: v.optional(v.picklist(["success", "failed", "skipped"])),
  last_run_id: v.optional(text(400)),
  consec_failures: v.optional(whole(0, 1_000_000)),
});

/** A job as its file says. `nextRunAt` is undefined when the file has none. */
export type ReadJob = Omit<Job, "nextRunAt"> & {
  readonly nextRunAt: Date | null | undefined;
  /** Whether the time is written relative to now, as `in 20 minutes`: each reading gives another time. */
  readonly isCountedFromNow: boolean;
};

/**
 * Reads a job's file: YAML, as this program or a person writes it.
 *
 * Source: docs/jobs.md, "A job's file".
 */
export function readJobFile(textOfFile: string, given: JobFileGiven): ReadJob | JobFileProblem {
  const file = readYaml(textOfFile, given.yaml());
  const [problem] = file.problems;
  if (problem !== undefined) return { line: problem.line, field: problem.path, message: problem.message };
  const lineOf = (field: string) => file.positionOf([field], "key").line;
  const checked = v.safeParse(FileSchema, plain(file.value));
  if (!checked.success) {
    const [issue] = checked.issues;
    const path = (issue.path ?? []).map(({ key }) => String(key));
    const [field = "", ...rest] = path;
    return { line: lineOf(field), field: [field, ...rest].join("."), message: issueText(issue) };
  }
  const written = checked.output;
  let schedule: Job["schedule"];
  try {
    const { minIntervalMs, timezone, now } = given;
    schedule = parseSchedule(written.schedule, { tz: written.timezone ?? timezone, minIntervalMs, now });
  } catch (error) {
    return { line: lineOf("schedule"), field: "schedule", message: messageOf(error) };
  }
  const task = written.task ?? written.payload?.message;
  if (task === undefined) return { line: 1, field: "task", message: "expected the task" };
  const { account, chat_id: chat, thread, dedupe_key: dedupeKey, last_run_at: lastRunAt } = written;
  // Other programs write the mode as `session: main`.
  const isMode = JOB_MODES.some((mode) => mode === written.session);
  const session = isMode ? undefined : written.session;
  const mode = written.mode ?? (isMode ? (written.session as Job["mode"]) : JOB_DEFAULTS.mode);
  return {
    id: given.id,
    name: written.name ?? task.slice(0, 60),
    schedule,
    task,
    user: written.user_id,
    channel: written.channel,
    ...(account !== undefined && { account }),
    ...(chat !== undefined && { chat }),
    ...(thread !== undefined && { thread }),
    ...(session !== undefined && { session }),
    mode,
    status: written.enabled === false ? "paused" : (written.status ?? JOB_DEFAULTS.status),
    maxConcurrency: written.max_concurrency ?? JOB_DEFAULTS.maxConcurrency,
    cooldownSeconds: written.cooldown_seconds ?? JOB_DEFAULTS.cooldownSeconds,
    retryPolicy: {
      maxRetries: written.retry_policy?.max_retries ?? JOB_DEFAULTS.retryPolicy.maxRetries,
      backoffSeconds: written.retry_policy?.backoff_seconds ?? JOB_DEFAULTS.retryPolicy.backoffSeconds,
    },
    maxConsecFailures: written.max_consec_failures ?? given.maxConsecFailures,
    deleteAfterRun: written.delete_after_run ?? JOB_DEFAULTS.deleteAfterRun,
    approvalRequired: written.approval_required ?? JOB_DEFAULTS.approvalRequired,
    ...(dedupeKey !== undefined && { dedupeKey }),
    deliver: { mode: written.deliver?.mode ?? JOB_DEFAULTS.deliver.mode },
    catchUp: written.catch_up ?? defaultCatchUp(schedule),
    source: written.source ?? "dynamic",
    startedBy: written.started_by ?? written.user_id,
    roles: written.roles ?? [],
    ...(written.tools && { tools: written.tools }),
    ...(written.without_tools && { withoutTools: written.without_tools }),
    createdAt: written.created_at ?? new Date(given.now),
    nextRunAt: written.next_run_at,
    isCountedFromNow:
      schedule.kind === "at" && typeof written.schedule === "string" && !/^\s*\d{4}-/.test(written.schedule),
    ...(lastRunAt != null && { lastRunAt }),
    ...(written.last_run_id !== undefined && { lastRunId: written.last_run_id }),
    ...(written.last_run_status && { lastRunStatus: written.last_run_status }),
    consecFailures: written.consec_failures ?? JOB_DEFAULTS.consecFailures,
  };
}

export function isProblem(read: ReadJob | JobFileProblem): read is JobFileProblem {
  return "line" in read;
}

/** Writes a new job's file: one line per key, in the order of `Job`. Undefined values are left out. */
export function writeJobFile(job: Job): string {
  let file = "";
  for (const [key, value] of Object.entries(linesOf(job))) file += lineOf(key, value);
  return file;
}

/** A comment after a value that is quoted, in braces, plain, or absent. */
const BEHIND =
  /^[^:]+:(?:[ \t]+(?:"(?:\\.|[^"\\\n])*"|'(?:''|[^'\n])*'|[[{](?:"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[^"'#\n])*|[^\s"'#[{].*?))?([ \t]+#.*)/;

/** Comments on the lines under a key, alone or after text without quotes. */
const WITHIN = /(?<=^[ \t](?:[^"'#\n]*[ \t])?)#.*\n/gm;

/** Changes some keys of a file. All else, including comments, stays as it was written. */
export function changeJobFile(textOfFile: string, change: JobEdit): string {
  let changed = textOfFile.endsWith("\n") ? textOfFile : `${textOfFile}\n`;
  // The key's line and the lines indented under it, including blank lines in between.
  const linesUnder = (key: string) => new RegExp(`^${key}:.*\\r?\\n(?:(?:[ \\t]*\\r?\\n)*[ \\t-]+\\S.*\\r?\\n)*`, "m");
  for (const [key, value] of Object.entries(linesOf(change))) {
    const line = lineOf(key, value);
    const there = linesUnder(key);
    if (there.test(changed))
      changed = changed.replace(there, (found) => {
        // In the lines of a block text, `#` is part of the text.
        const within = /^[^:]+:[ \t]*(?:#.*)?\r?\n/.test(found) ? (found.match(WITHIN) ?? []) : [];
        return `${line.slice(0, -1)}${BEHIND.exec(found)?.[1] ?? ""}\n${within.map((one) => `  ${one}`).join("")}`;
      });
    else changed += line;
  }
  if ("chat" in change && change.chat === undefined) changed = changed.replace(linesUnder("chat_id"), "");
  // An old `enabled: false` would override the new status.
  return "status" in change ? changed.replace(/^enabled:.*\r?\n/m, "") : changed;
}

/** Lines by their keys in the file. `undefined` values are not written. */
function linesOf({ user, chat, schedule, retryPolicy, ...job }: JobEdit): Record<string, unknown> {
  const lines: Record<string, unknown> = {
    ...(job.name !== undefined && { name: job.name }),
    ...(schedule && { schedule: snaked(schedule) }),
    ...(job.task !== undefined && { task: job.task }),
    ...(user !== undefined && { user_id: user }),
    ...(job.channel !== undefined && { channel: job.channel }),
    ...(chat !== undefined && { chat_id: chat }),
  };
  for (const [name, value] of Object.entries(job)) {
    const key = snakeCase(name);
    if (key === "id" || key in lines || value === undefined) continue;
    lines[key] = value instanceof Date ? value.toISOString() : value;
  }
  if (retryPolicy) lines["retry_policy"] = snaked(retryPolicy);
  return lines;
}

function snaked(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [snakeCase(name), one]));
}

/** Writes a value as JSON, which is YAML. A plain word needs no quotes. */
function lineOf(key: string, value: unknown): string {
  const json = JSON.stringify(value).replaceAll(
    /[\u0085\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${key}: ${typeof value === "string" && /^[a-z]+$/.test(value) && !/^(?:true|false|null|yes|no|on|off|y|n)$/.test(value) ? value : json}\n`;
}

/** Copies the reader's maps: they have no prototype, and the checks would reject them. */
function plain(value: unknown): unknown {
  return value === undefined || value === null ? {} : JSON.parse(JSON.stringify(value));
}
