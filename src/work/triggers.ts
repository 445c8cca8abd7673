import { JOB_DEFAULTS, type Jobs, parseSchedule } from "../schedule/index.ts";
import { parseUser } from "../session/index.ts";
import { HEARTBEAT_JOB } from "./heartbeat-times.ts";
import type { JobTrigger } from "./options.ts";
import type { StaticJobs } from "./static-jobs.ts";

export interface TriggersDeps {
  readonly jobs: Pick<Jobs, "remove" | "statics">;
  readonly staticJobs: StaticJobs;
  timezoneOf(user: string): string;
}

/**
 * Jobs of the configuration.
 * @returns A function that syncs the configuration to the store: it creates new jobs, changes existing ones, and
 * removes those no longer in the configuration.
 * @throws {AssistantError} `OPTION_INVALID` for a schedule that was not checked before.
 */
export function createTriggers(
  triggers: readonly JobTrigger[],
  { jobs, staticJobs, timezoneOf }: TriggersDeps,
  { minIntervalMs }: { readonly minIntervalMs?: number | undefined },
) {
  const wanted = triggers.map((trigger) => ({
    ...trigger,
    read: parseSchedule(trigger.schedule, {
      tz: trigger.timezone ?? timezoneOf(trigger.user),
      ...(minIntervalMs !== undefined && { minIntervalMs }),
    }),
  }));

  return async function sync(): Promise<void> {
    const names = new Set([HEARTBEAT_JOB, ...wanted.map(({ name }) => name)]);
    for (const id of jobs.statics()) if (!names.has(id)) await jobs.remove(id);
    for (const { name, read, task, user, channel, chat, mode, deliver, approvalRequired } of wanted) {
      await staticJobs.keep({
        name,
        schedule: read,
        task,
        user,
        channel: channel ?? parseUser(user).channel,
        ...(chat !== undefined && { chat }),
        mode: mode ?? JOB_DEFAULTS.mode,
        deliver: { mode: deliver ?? JOB_DEFAULTS.deliver.mode },
        approvalRequired: approvalRequired ?? JOB_DEFAULTS.approvalRequired,
      });
    }
  };
}
