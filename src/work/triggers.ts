import type { Clock } from "../clock.ts";
import { AssistantError, messageOf } from "../errors.ts";
import { JOB_DEFAULTS, type Job, type Jobs, defaultCatchUp, nextTimeOf, parseSchedule } from "../schedule/index.ts";
import { parseUser } from "../session/index.ts";
import type { JobTrigger } from "./options.ts";

export interface TriggersDeps {
  readonly jobs: Pick<Jobs, "get" | "create" | "change" | "remove" | "statics">;
  rolesOf(user: string): readonly string[];
  timezoneOf(user: string): string;
  readonly clock: Clock;
}

export interface TriggersOptions {
  readonly minIntervalMs?: number | undefined;
  readonly maxConsecFailures: number;
}

/**
 * Jobs of the configuration. Made at once, so that a wrong schedule is told at the start.
 * @returns What brings them into the store: new ones are made, others changed, and those that are not in the configuration any more go.
 * @throws {AssistantError} `OPTION_INVALID` naming the trigger.
 */
export function createTriggers(triggers: readonly JobTrigger[], deps: TriggersDeps, options: TriggersOptions) {
  const { jobs, rolesOf, timezoneOf, clock } = deps;
  const { minIntervalMs, maxConsecFailures } = options;
  const wanted = triggers.map((trigger, index) => ({ ...trigger, read: scheduleOf(trigger, index) }));

  function scheduleOf({ schedule, timezone, user }: JobTrigger, index: number): Job["schedule"] {
    const zone = { tz: timezone ?? timezoneOf(user), ...(minIntervalMs !== undefined && { minIntervalMs }) };
    try {
      return parseSchedule(schedule, zone);
    } catch (error) {
      throw new AssistantError(
        "OPTION_INVALID",
        `Invalid option scheduler.triggers[${index}].schedule: ${messageOf(error)}`,
      );
    }
  }

  return async function sync(): Promise<void> {
    const names = new Set(wanted.map(({ name }) => name));
    for (const id of jobs.statics()) if (!names.has(id)) await jobs.remove(id);
    for (const { name, read, task, user, channel, chat, mode, deliver, approvalRequired } of wanted) {
      const configured = {
        name,
        schedule: read,
        task,
        user,
        channel: channel ?? parseUser(user).channel,
        ...(chat !== undefined && { chat }),
        mode: mode ?? JOB_DEFAULTS.mode,
        deliver: { mode: deliver ?? JOB_DEFAULTS.deliver.mode },
        approvalRequired: approvalRequired ?? JOB_DEFAULTS.approvalRequired,
        catchUp: defaultCatchUp(read),
        source: "static",
        startedBy: user,
        roles: rolesOf(user),
      } as const;
      const known = await jobs.get(name);
      if (known === undefined) await jobs.create(made(configured));
      else if (isChanged(known, configured))
        await jobs.change(name, (job) => ({
          ...configured,
          ...(JSON.stringify(job.schedule) !== JSON.stringify(read) && {
            nextRunAt: nextTimeOf({ ...job, schedule: read }, clock.now()),
          }),
        }));
    }
  };

  function made(
    configured: Pick<
      Job,
      | "name"
      | "schedule"
      | "task"
      | "user"
      | "channel"
      | "mode"
      | "deliver"
      | "approvalRequired"
      | "catchUp"
      | "source"
      | "startedBy"
      | "roles"
    >,
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

function isChanged(known: Job, configured: Partial<Job>): boolean {
  return Object.entries(configured).some(
    ([name, value]) => JSON.stringify(known[name as keyof Job]) !== JSON.stringify(value),
  );
}
