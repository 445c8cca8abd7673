import * as v from "valibot";
import type { Clock } from "../clock.ts";
import { OWNER_ROLE, USER_ROLE } from "../policy/index.ts";
import { type JobPlace, type JobService, type JobViewer, type PlannedJob, plainRun } from "../schedule/index.ts";
import type { Caller } from "./auth.ts";
import { type GuardedRoute, checkedQuery, countParameter, json } from "./route.ts";
import { speakerOf } from "./speaker.ts";
import { checkedBody } from "./checked-body.ts";

const Time = v.pipe(v.string(), v.isoTimestamp());
const text = (most: number, what: string) =>
  v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(most), v.description(what));
const ScheduleBody = v.pipe(
  v.union([text(300, ""), v.looseObject({})]),
  v.description(
    "Five cron fields, an ISO 8601 time, words such as `every weekday at 9`, or a schedule object as jobs have it",
  ),
);
const changeable = {
  task: text(8000, "The task, in words"),
  name: v.optional(text(200, "Display name")),
  timezone: v.optional(text(64, "IANA time zone of the schedule")),
  mode: v.optional(v.picklist(["main", "isolated"])),
  deliver: v.optional(v.strictObject({ mode: v.picklist(["full", "summary", "none"]) })),
  cooldown_seconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  max_concurrency: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100))),
  retry_policy: v.optional(
    v.strictObject({
      max_retries: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100))),
      backoff_seconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(86_400))),
    }),
  ),
  max_consec_failures: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000))),
  delete_after_run: v.optional(v.boolean()),
  approval_required: v.optional(v.pipe(v.boolean(), v.description("Each run waits for the owner's approval"))),
  catch_up: v.optional(v.picklist(["once", "skip"])),
};
const CreateBody = v.strictObject({
  schedule: ScheduleBody,
  ...changeable,
  dedupe_key: v.optional(text(300, "If the person has a live job with the same key, that job is changed instead")),
  user: v.optional(text(300, "The user whom the job belongs to, as `channel:id`. Requires an owner's token")),
  channel: v.optional(text(64, "The channel that receives results. Requires an owner's token")),
  chat_id: v.optional(text(300, "The chat that receives results. Requires an owner's token")),
});
const ChangeBody = v.strictObject({
  ...v.partial(v.strictObject({ schedule: ScheduleBody, ...changeable })).entries,
  status: v.optional(
    v.pipe(v.picklist(["active", "paused"]), v.description("`paused` stops the job from running; `active` resumes it")),
  ),
  enabled: v.optional(v.pipe(v.boolean(), v.description("As in a job's file: `false` means the status `paused`"))),
});
const JobJson = v.strictObject({
  id: v.string(),
  name: v.string(),
  schedule: v.looseObject({ kind: v.string() }),
  task: v.string(),
  user: v.string(),
  channel: v.string(),
  chat_id: v.optional(v.string()),
  session_key: v.optional(v.string()),
  mode: v.picklist(["main", "isolated"]),
  status: v.picklist(["active", "paused", "error", "done"]),
  source: v.picklist(["static", "okr", "dynamic"]),
  deliver: v.strictObject({ mode: v.picklist(["full", "summary", "none"]) }),
  created_at: Time,
  next_run_at: v.nullable(Time),
  next_runs: v.array(Time),
  last_run_at: v.optional(Time),
  last_run_status: v.optional(v.picklist(["success", "failed", "skipped"])),
  consec_failures: v.number(),
  tools: v.optional(v.array(v.string())),
  without_tools: v.optional(v.array(v.string())),
});
const ListQuery = v.object({
  after: v.optional(v.pipe(v.string(), v.description("`next_after` of the previous page"))),
  limit: countParameter(1000, "Maximum number of jobs. Default: all"),
});
const ListJson = v.strictObject({ jobs: v.array(JobJson), next_after: v.optional(v.string()) });
const RunJson = v.strictObject({
  run_id: v.string(),
  planned: Time,
  status: v.picklist(["waiting", "running", "success", "failed", "skipped"]),
  started: v.optional(Time),
  ended: v.optional(Time),
  error: v.optional(v.string()),
  reason: v.optional(v.string()),
  tokens: v.optional(v.number()),
  output: v.optional(v.string()),
});
const RunsJson = v.strictObject({ runs: v.array(RunJson) });
const StartedJson = v.strictObject({ run_id: v.string() });
const RunsQuery = v.object({ limit: countParameter(100, "Maximum number of runs, newest first. Default 20") });

export interface JobRoutesDeps {
  readonly jobs: JobService;
  /** Returns the place of a user's job, with that user's rights. */
  placeOf(user: string, to: { readonly channel?: string | undefined; readonly chat?: string | undefined }): JobPlace;
  /** Resolves once the assistant runs. */
  start(): Promise<void>;
  readonly clock: Clock;
}

/** Routes for jobs: an owner's token reads and changes all, a user's token its user's. */
export function jobRoutes({ jobs, placeOf, start, clock }: JobRoutesDeps): readonly GuardedRoute[] {
  const id = { id: "The job's id, percent-encoded" };
  const one = { 200: { description: "The job", schema: JobJson } };
  return [
    {
      method: "GET",
      path: "/api/v1/jobs",
      summary: "Lists jobs with their next run times",
      access: ["owner", "user"],
      query: ListQuery,
      answers: { 200: { description: "The jobs", schema: ListJson } },
      async handle({ query, caller }) {
        const { limit = Number.POSITIVE_INFINITY, ...page } = checkedQuery(ListQuery, query);
        const found = await jobs.list(viewerOf(caller), { ...page, limit: limit + 1 });
        const listed = found.slice(0, limit).map(jobJson);
        const last = found.length > limit ? listed.at(-1) : undefined;
        return json({ jobs: listed, ...(last && { next_after: last.id }) } satisfies v.InferOutput<typeof ListJson>);
      },
    },
    {
      method: "POST",
      path: "/api/v1/jobs",
      summary: "Creates a job and returns it with its next three run times",
      access: ["owner", "user"],
      body: CreateBody,
      answers: { 201: { description: "The job", schema: JobJson } },
      async handle({ request, caller }) {
        const { user, channel, chat_id: chat, ...body } = await checkedBody(CreateBody, request, clock);
        const viewer = viewerOf(caller);
        const { user: whose = "sdk", asOwner } = speakerOf(caller, { user });
        await start();
        const to = viewer.isOwner ? { channel, chat } : {};
        const place = placeOf(whose, to);
        // Other people may read the result in an explicitly named chat, so the job does not get the owner role there.
        const isTheOwners = asOwner && channel === undefined && chat === undefined;
        const given = isTheOwners ? { ...place, roles: [OWNER_ROLE, USER_ROLE] } : place;
        return json(jobJson(await jobs.create(inputOf(body), given, viewer)), 201);
      },
    },
    {
      method: "GET",
      path: "/api/v1/jobs/:id",
      summary: "Shows a job with its next run times",
      access: ["owner", "user"],
      params: id,
      answers: one,
      handle: async ({ params, caller }) => json(jobJson(await jobs.get(params["id"] ?? "", viewerOf(caller)))),
    },
    {
      method: "PATCH",
      path: "/api/v1/jobs/:id",
      summary: "Changes the given fields of a job. `status` pauses and resumes it",
      access: ["owner", "user"],
      params: id,
      body: ChangeBody,
      answers: one,
      async handle({ request, params, caller }) {
        const {
          enabled,
          status = enabled ? "active" : undefined,
          ...body
        } = await checkedBody(ChangeBody, request, clock);
        const { id: job = "" } = params;
        const viewer = viewerOf(caller);
        await start();
        let changed = await (Object.keys(body).length > 0
          ? jobs.update(job, inputOf(body), viewer)
          : jobs.get(job, viewer));
        if (enabled === false || status === "paused") changed = await jobs.pause(job, viewer);
        else if (status !== undefined) changed = await jobs.resume(job, viewer);
        return json(jobJson(changed));
      },
    },
    {
      method: "DELETE",
      path: "/api/v1/jobs/:id",
      summary: "Deletes a job with its runs",
      access: ["owner", "user"],
      params: id,
      answers: { 204: { description: "The job was deleted" } },
      async handle({ params, caller }) {
        await jobs.remove(params["id"] ?? "", viewerOf(caller));
        return new Response(null, { status: 204 });
      },
    },
    {
      method: "POST",
      path: "/api/v1/jobs/:id/run",
      summary: "Runs a job now, in addition to its schedule",
      access: ["owner", "user"],
      params: id,
      answers: { 202: { description: "The run is stored and starts", schema: StartedJson } },
      async handle({ params, caller }) {
        const viewer = viewerOf(caller);
        await start();
        return json({ run_id: await jobs.run(params["id"] ?? "", viewer) }, 202);
      },
    },
    {
      method: "GET",
      path: "/api/v1/jobs/:id/runs",
      summary: "Lists the newest runs of a job, newest first",
      access: ["owner", "user"],
      params: id,
      query: RunsQuery,
      answers: { 200: { description: "The runs", schema: RunsJson } },
      async handle({ params, query, caller }) {
        const { limit } = checkedQuery(RunsQuery, query);
        const found = await jobs.runs(params["id"] ?? "", viewerOf(caller), limit);
        return json({ runs: found.map(plainRun) } satisfies v.InferOutput<typeof RunsJson>);
      },
    },
  ];
}

function viewerOf(caller: Caller): JobViewer {
  return { user: speakerOf(caller, {}).user ?? "sdk", isOwner: caller.role === "owner" };
}

type Body = Omit<v.InferOutput<typeof CreateBody>, "user" | "channel" | "chat_id">;

function inputOf<Given extends { readonly [Name in keyof Body]?: Body[Name] | undefined }>({
  cooldown_seconds,
  max_concurrency,
  retry_policy,
  max_consec_failures,
  delete_after_run,
  approval_required,
  catch_up,
  dedupe_key,
  ...rest
}: Given) {
  return {
    ...rest,
    cooldownSeconds: cooldown_seconds,
    maxConcurrency: max_concurrency,
    maxConsecFailures: max_consec_failures,
    deleteAfterRun: delete_after_run,
    approvalRequired: approval_required,
    catchUp: catch_up,
    dedupeKey: dedupe_key,
    ...(retry_policy && {
      retryPolicy: {
        ...(retry_policy.max_retries !== undefined && { maxRetries: retry_policy.max_retries }),
        ...(retry_policy.backoff_seconds !== undefined && { backoffSeconds: retry_policy.backoff_seconds }),
      },
    }),
  };
}

function jobJson({ job, next }: PlannedJob): v.InferOutput<typeof JobJson> {
  const { id, name, schedule, task, user, channel, chat, session, mode, status, source, deliver, consecFailures } = job;
  return {
    id,
    name,
    schedule: schedule.kind === "every" ? { kind: "every", every_ms: schedule.everyMs } : { ...schedule },
    task,
    user,
    channel,
    ...(chat !== undefined && { chat_id: chat }),
    ...(session !== undefined && { session_key: session }),
    mode,
    status,
    source,
    deliver,
    created_at: job.createdAt.toISOString(),
    next_run_at: job.nextRunAt?.toISOString() ?? null,
    next_runs: next.map((time) => time.toISOString()),
    ...(job.lastRunAt && { last_run_at: job.lastRunAt.toISOString() }),
    ...(job.lastRunStatus && { last_run_status: job.lastRunStatus }),
    consec_failures: consecFailures,
    ...(job.tools && { tools: [...job.tools] }),
    ...(job.withoutTools && { without_tools: [...job.withoutTools] }),
  };
}
