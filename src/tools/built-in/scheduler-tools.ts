import * as v from "valibot";
import { calendarOrUtc } from "../../calendar.ts";
import { AssistantError } from "../../errors.ts";
import { OWNER_ROLE } from "../../policy/index.ts";
import { ToolError, defineTool } from "../tool.ts";
import type { AnyTool, ToolContext } from "../tool.ts";
import { type Place, placeOf } from "./job-place.ts";

/** A job as its tools see it. */
export interface ScheduledJob {
  readonly id: string;
  readonly name: string;
  readonly task: string;
  readonly status: string;
  readonly user: string;
  readonly roles: readonly string[];
  readonly session?: string;
  readonly schedule: { readonly kind: string; readonly tz?: string };
  readonly source: string;
  readonly lastRunAt?: Date;
  readonly lastRunStatus?: string;
}

interface Planned {
  readonly job: ScheduledJob;
  readonly next: readonly Date[];
}

interface Viewer {
  readonly user: string;
  readonly isOwner: boolean;
  readonly session?: string;
  readonly roles?: readonly string[];
  readonly tools?: readonly string[];
  readonly withoutTools?: readonly string[];
}

interface NewJob {
  readonly schedule: unknown;
  readonly task: string;
  readonly name?: string | undefined;
  readonly timezone?: string | undefined;
  readonly mode?: "main" | "isolated" | undefined;
  readonly dedupeKey?: string | undefined;
  readonly deleteAfterRun?: boolean | undefined;
  readonly approvalRequired?: boolean | undefined;
}

/** Operations on jobs. Contract: throws `AssistantError` with a message for the model. */
export interface SchedulerToolsDeps {
  readonly jobs: {
    create(input: NewJob, place: Place, viewer: Viewer): Promise<Planned>;
    update(
      id: string,
      change: { readonly [Name in keyof NewJob]?: NewJob[Name] | undefined },
      viewer: Viewer,
    ): Promise<Planned>;
    pause(id: string, viewer: Viewer): Promise<Planned>;
    resume(id: string, viewer: Viewer): Promise<Planned>;
    get(id: string, viewer: Viewer): Promise<Planned>;
    list(viewer: Viewer): Promise<readonly Planned[]>;
    remove(id: string, viewer: Viewer): Promise<void>;
    run(id: string, viewer: Viewer): Promise<string>;
  };
  timezoneOf(user: string): string;
  /** Whether a job belongs to the person who speaks. */
  isTheirs(speaker: ToolContext["speaker"], job: ScheduledJob): boolean;
}

const text = (what: string, most = 8000) =>
  v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(most), v.description(what));
const schedule = v.pipe(
  v.union([text("", 300), v.looseObject({})]),
  v.description(
    "When: words as the person said them (in 20 minutes, tomorrow at 9, every weekday at 9, 每天早上九点), a time in ISO 8601, or five fields of cron",
  ),
);
const newJob = {
  schedule,
  task: text("What to do then, in words that are understood without this conversation"),
  name: v.optional(text("A short name", 200)),
  timezone: v.optional(text("IANA zone of the schedule; left out: the person's", 64)),
  mode: v.optional(v.pipe(v.picklist(["main", "isolated"]), v.description("main: in this conversation (default)"))),
};
const id = text("The job's id, as scheduler_list has it", 200);

/**
 * `scheduler_create`, `scheduler_list`, `scheduler_delete`, `scheduler_pause` and `schedule_task`: appointments of
 * the person who speaks. A new job has at most the rights of this turn, and is echoed with its next three times.
 *
 * Source: docs/jobs.md, "In a conversation".
 */
export function schedulerTools({ jobs, timezoneOf, isTheirs }: SchedulerToolsDeps): Readonly<Record<string, AnyTool>> {
  /**
   * A job of another account than the speaking one shows its `user`; `own` tells whether it still belongs to the same
   * person.
   */
  const shown = ({ job, next }: Planned, { speaker }: ToolContext) => {
    const tz = job.schedule.tz ?? timezoneOf(job.user);
    const { show } = calendarOrUtc(tz);
    return {
      id: job.id,
      name: job.name,
      task: job.task,
      status: job.status,
      schedule: job.schedule,
      next: next.map((time) => `${show(time.getTime())} (${tz})`),
      ...(job.user !== speaker.user && { user: job.user, own: isTheirs(speaker, job) }),
      ...(job.lastRunAt && { last_run: `${show(job.lastRunAt.getTime())}, ${job.lastRunStatus ?? "under way"}` }),
    };
  };
  const made = (context: ToolContext, input: NewJob) =>
    told(async () => shown(await jobs.create(input, placeOf(context), viewerOf(context)), context));

  const scheduler_create = defineTool({
    description:
      "Makes an appointment or reminder: at its time you are asked to do the task in this conversation. Tell the person the next times that it gives back.",
    inputSchema: v.strictObject({ ...newJob, channel: v.optional(text("Not needed: it is this conversation's", 64)) }),
    execute: ({ channel: _here, ...input }, context) => made(context, input),
    meta: { category: "scheduler" },
  });

  const scheduler_list = defineTool({
    description: "Lists the person's appointments and reminders with their next times.",
    inputSchema: v.strictObject({}),
    execute: (_input, context) =>
      told(async () => ({ jobs: (await jobs.list(viewerOf(context))).map((job) => shown(job, context)) })),
    meta: { category: "scheduler", idempotent: true },
  });

  const scheduler_delete = defineTool({
    description: "Deletes one of the person's appointments or reminders.",
    inputSchema: v.strictObject({ id }),
    execute: (input, context) =>
      told(async () => {
        const { job } = await jobs.get(input.id, viewerOf(context));
        await jobs.remove(input.id, viewerOf(context));
        return { deleted: true, name: job.name };
      }),
    meta: { category: "scheduler" },
  });

  const scheduler_pause = defineTool({
    description: "Pauses one of the person's appointments or reminders, or lets it go on.",
    inputSchema: v.strictObject({ id, paused: v.pipe(v.boolean(), v.description("false: it goes on")) }),
    execute: (input, context) =>
      told(async () => shown(await jobs[input.paused ? "pause" : "resume"](input.id, viewerOf(context)), context)),
    meta: { category: "scheduler", idempotent: true },
  });

  const schedule_task = defineTool({
    description: "Does one thing with appointments: add, update, remove, enable, disable, get, list or run now.",
    inputSchema: v.strictObject({
      action: v.picklist(["add", "update", "remove", "enable", "disable", "get", "list", "run"]),
      job: v.optional(
        v.strictObject({
          id: v.optional(id),
          ...v.partial(v.strictObject(newJob)).entries,
          dedupe_key: v.optional(text("A job with it that is there is changed instead", 300)),
          delete_after_run: v.optional(v.boolean()),
          approval_required: v.optional(v.pipe(v.boolean(), v.description("The owner is asked before each run"))),
        }),
      ),
    }),
    execute: ({ action, job = {} }, context) => {
      const { id: given, dedupe_key, delete_after_run, approval_required, ...rest } = job;
      const input = {
        ...rest,
        dedupeKey: dedupe_key,
        deleteAfterRun: delete_after_run,
        approvalRequired: approval_required,
      };
      const viewer = viewerOf(context);
      const of = () => needed(given, "job.id");
      switch (action) {
        case "add":
          return made(context, {
            ...input,
            schedule: needed(rest.schedule, "job.schedule"),
            task: needed(rest.task, "job.task"),
          });
        case "update":
          return told(async () => shown(await jobs.update(of(), input, viewer), context));
        case "remove":
          return told(async () => (await jobs.remove(of(), viewer), { deleted: true }));
        case "enable":
          return told(async () => shown(await jobs.resume(of(), viewer), context));
        case "disable":
          return told(async () => shown(await jobs.pause(of(), viewer), context));
        case "get":
          return told(async () => shown(await jobs.get(of(), viewer), context));
        case "run":
          return told(async () => ({ run_id: await jobs.run(of(), viewer) }));
        default:
          return told(async () => ({ jobs: (await jobs.list(viewer)).map((job) => shown(job, context)) }));
      }
    },
    meta: { category: "scheduler" },
  });

  return { scheduler_create, scheduler_list, scheduler_delete, scheduler_pause, schedule_task };
}

function viewerOf({ speaker, onlyTools, withoutTools }: ToolContext): Viewer {
  const { user, roles, peer, sessionKey } = speaker;
  const isDirect = peer.kind === "direct";
  return {
    user,
    isOwner: roles.includes(OWNER_ROLE) && isDirect,
    // A group must not read what a person asked for in private.
    ...(!isDirect && { session: sessionKey }),
    roles,
    ...(onlyTools && { tools: onlyTools }),
    ...(withoutTools && { withoutTools }),
  };
}

function needed<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw new ToolError("BAD_INPUT", `Cannot do that without ${field}`);
  return value;
}

/** Turns an `AssistantError` into a `ToolError`, so that the model corrects the job or asks the person. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!AssistantError.is(error)) throw error;
    const question = / can mean two times: (.+)$/su.exec(error.message)?.[1];
    const message = question === undefined ? error.message : `Ask the person first: ${question}`;
    throw new ToolError(error.code, message, { cause: error });
  }
}
