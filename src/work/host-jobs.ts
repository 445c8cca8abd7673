import { AssistantError } from "../errors.ts";
import { OWNER_ROLE, USER_ROLE } from "../policy/index.ts";
import type { JobChange, JobInput, JobPlace, JobService, Job, JobRun, PlannedJob } from "../schedule/index.ts";
import { parseUser } from "../session/index.ts";
import { nearestName } from "../settings/index.ts";

/** `assistant.jobs`. Source: docs/jobs.md. */
export interface JobsApi {
  /** Makes a job and gives its next three times. @throws {AssistantError} `OPTION_INVALID` with the field and what was expected. */
  create(
    input: JobInput & { readonly user?: string; readonly channel?: string; readonly chat?: string },
  ): Promise<PlannedJob>;
  /** All jobs, or those of one person, as `channel:id`. */
  list(of?: { readonly user?: string }): Promise<readonly PlannedJob[]>;
  /** One job. @throws {AssistantError} `NOT_FOUND`. */
  get(id: string): Promise<PlannedJob>;
  /** Changes what is given. @throws {AssistantError} `NOT_FOUND`, `OPTION_INVALID`; `FORBIDDEN` for a job of the configuration. */
  update(id: string, change: JobChange): Promise<PlannedJob>;
  /** It does not run until it is resumed. @throws {AssistantError} As `update`. */
  pause(id: string): Promise<PlannedJob>;
  /** It runs again, and what failed before is not counted. @throws {AssistantError} `NOT_FOUND`. */
  resume(id: string): Promise<PlannedJob>;
  /** With its runs. @throws {AssistantError} As `update`. */
  remove(id: string): Promise<void>;
  /** Runs it now, besides its times. @returns The run's id. @throws {AssistantError} `NOT_FOUND`. */
  run(id: string): Promise<string>;
  /** Its newest runs, the newest first. `limit`: 1 to 100, default 20. @throws {AssistantError} `NOT_FOUND`. */
  runs(id: string, options?: { readonly limit?: number }): Promise<readonly JobRun[]>;
}

const INPUT: Readonly<Record<keyof JobInput, true>> = {
  schedule: true,
  task: true,
  name: true,
  timezone: true,
  mode: true,
  deliver: true,
  cooldownSeconds: true,
  maxConcurrency: true,
  retryPolicy: true,
  maxConsecFailures: true,
  deleteAfterRun: true,
  approvalRequired: true,
  dedupeKey: true,
  catchUp: true,
};
const CHANGEABLE = Object.keys(INPUT);
const PLACE = ["user", "channel", "chat"];

export interface HostJobsDeps {
  readonly jobs: JobService;
  rolesOf(user: string): readonly string[];
  /** The assistant runs once this is resolved. */
  start(): Promise<void>;
}

/** Jobs for the host program, which may see and change all of them. A job that it makes has the rights of the person that it is for. */
export function createHostJobs({ jobs, rolesOf, start }: HostJobsDeps): JobsApi {
  const host = { user: "sdk", isOwner: true };
  return {
    async create(given) {
      const { user = "sdk", channel, chat, ...input } = checked(given, [...CHANGEABLE, ...PLACE]);
      await start();
      return jobs.create(input, placeOf(user, rolesOf(user), { channel, chat }), host);
    },
    async list({ user } = {}) {
      const listed = await jobs.list(host);
      return user === undefined ? listed : listed.filter(({ job }) => job.user === user);
    },
    get: (id) => jobs.get(id, host),
    update: async (id, change) => jobs.update(id, checked(change, CHANGEABLE), host),
    pause: (id) => jobs.pause(id, host),
    resume: async (id) => (await start(), jobs.resume(id, host)),
    remove: (id) => jobs.remove(id, host),
    run: async (id) => (await start(), jobs.run(id, host)),
    runs: (id, { limit } = {}) => jobs.runs(id, host, limit),
  };
}

/** Fields that are `null` are none. @throws {AssistantError} `OPTION_INVALID` for one that a job has not, and for a place that is no text. */
function checked<Given extends object>(given: Given, known: readonly string[]): Given {
  const fields = Object.entries(given ?? {}).filter(([, value]) => value !== null && value !== undefined);
  for (const [name, value] of fields) {
    if (PLACE.includes(name) && typeof value !== "string")
      throw invalid(`${name}: expected a text, got ${JSON.stringify(value)}`);
    if (known.includes(name)) continue;
    const nearest = nearestName(name, known);
    throw invalid(
      `there is no field ${JSON.stringify(name)}: ${nearest === undefined ? `known: ${known.join(", ")}` : `did you mean ${JSON.stringify(nearest)}?`}`,
    );
  }
  return Object.fromEntries(fields) as Given;
}

function invalid(reason: string): AssistantError {
  return new AssistantError("OPTION_INVALID", `Invalid job: ${reason}`);
}

/** A job of somebody, in their direct chat unless another one is named. @throws {AssistantError} `OPTION_INVALID` for a name that has no such chat. */
export function placeOf(
  user: string,
  roles: Job["roles"],
  { channel, chat }: { readonly channel?: string | undefined; readonly chat?: string | undefined } = {},
): JobPlace {
  // A name without a colon is the one person of a channel with that name.
  if (channel === undefined && !/^[^:@\s][^:\s]*(?::\s*\S|$)/.test(user))
    throw invalid(`user: expected "channel:id", with both sides of the colon, got ${JSON.stringify(user)}`);
  const isTerminals = user === "cli" && channel === undefined && chat === undefined;
  return {
    user,
    channel: channel ?? parseUser(user).channel,
    ...(chat !== undefined && { chat }),
    startedBy: user,
    // The person at the terminal is the owner.
    roles: isTerminals ? [OWNER_ROLE, USER_ROLE] : roles,
  };
}
