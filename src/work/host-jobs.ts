import { AssistantError } from "../errors.ts";
import { OWNER_ROLE, USER_ROLE } from "../policy/index.ts";
import type { JobChange, JobInput, JobPlace, JobService, Job, JobRun, PlannedJob } from "../schedule/index.ts";
import { parseUser } from "../session/index.ts";
import { nearestName } from "../settings/index.ts";

/** `assistant.jobs`. Source: docs/jobs.md. */
export interface JobsApi {
  /**
   * Creates a job and returns it with its next three times.
   * @throws {AssistantError} `OPTION_INVALID` with the field and what was expected.
   */
  create(
    input: JobInput & { readonly user?: string; readonly channel?: string; readonly chat?: string },
  ): Promise<PlannedJob>;
  /** Lists all jobs, or those of one person, given as `channel:id`. */
  list(of?: { readonly user?: string }): Promise<readonly PlannedJob[]>;
  /** Reads one job. @throws {AssistantError} `NOT_FOUND`. */
  get(id: string): Promise<PlannedJob>;
  /**
   * Changes the given fields.
   * @throws {AssistantError} `NOT_FOUND`, `OPTION_INVALID`; `FORBIDDEN` for a job of the configuration.
   */
  update(id: string, change: JobChange): Promise<PlannedJob>;
  /** Pauses a job until it is resumed. @throws {AssistantError} As `update`. */
  pause(id: string): Promise<PlannedJob>;
  /** Resumes a job and resets its count of failures. @throws {AssistantError} `NOT_FOUND`. */
  resume(id: string): Promise<PlannedJob>;
  /** Removes a job with its runs. @throws {AssistantError} As `update`. */
  remove(id: string): Promise<void>;
  /** Runs a job now, in addition to its schedule. @returns The run's id. @throws {AssistantError} `NOT_FOUND`. */
  run(id: string): Promise<string>;
  /**
   * Lists the newest runs of a job, newest first. `limit`: 1 to 100, default 20.
   * @throws {AssistantError} `NOT_FOUND`.
   */
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
  /** Starts the assistant; resolves when it runs. */
  start(): Promise<void>;
}

/**
 * Jobs for the host program, which may see and change all of them. A job that it creates has the rights of the person
 * that it is for.
 */
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

/**
 * Drops fields that are `null` or undefined.
 * @throws {AssistantError} `OPTION_INVALID` for an unknown field, and for a `user`, `channel` or `chat` that is no
 * text.
 */
function checked<Given extends object>(given: Given, known: readonly string[]): Given {
  const fields = Object.entries(given ?? {}).filter(([, value]) => value !== null && value !== undefined);
  for (const [name, value] of fields) {
    if (PLACE.includes(name) && typeof value !== "string")
      throw invalid(`${name}: expected a text, got ${JSON.stringify(value)}`);
    if (known.includes(name)) continue;
    const nearest = nearestName(name, known);
    throw invalid(
      `unknown field ${JSON.stringify(name)}: ${nearest === undefined ? `known: ${known.join(", ")}` : `did you mean ${JSON.stringify(nearest)}?`}`,
    );
  }
  return Object.fromEntries(fields) as Given;
}

function invalid(reason: string): AssistantError {
  return new AssistantError("OPTION_INVALID", `Invalid job: ${reason}`);
}

/**
 * The place of a person's job: their direct chat unless another one is named.
 * @throws {AssistantError} `OPTION_INVALID` for a user that has no direct chat.
 */
export function placeOf(
  user: string,
  roles: Job["roles"],
  { channel, chat }: { readonly channel?: string | undefined; readonly chat?: string | undefined } = {},
): JobPlace {
  // A user without a colon is the only person of the channel with that name.
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
