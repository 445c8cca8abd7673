import { type Clock, after } from "../clock.ts";
import { cutText } from "../context/index.ts";
import { messageOf } from "../errors.ts";
import type { Persona } from "../persona/index.ts";
import { OWNER_ROLE, type Owners, USER_ROLE } from "../policy/index.ts";
import { type Job, type Jobs, parseSchedule } from "../schedule/index.ts";
import { parseUser } from "../session/index.ts";
import type { Logger } from "../telemetry/index.ts";
import {
  DEFAULT_ACTIVE_HOURS,
  DEFAULT_HEARTBEAT_STEP,
  HEARTBEAT_JOB,
  heartbeatCron,
  heartbeatStepMs,
} from "./heartbeat-times.ts";
import type { JobTurns } from "./job-turns.ts";
import type { StaticJobs } from "./static-jobs.ts";

export interface HeartbeatDeps {
  readonly jobs: Pick<Jobs, "statics" | "remove">;
  readonly staticJobs: StaticJobs;
  readonly persona: Pick<Persona, "refresh" | "said">;
  readonly owners: Pick<Owners, "all">;
  readonly turns: Pick<JobTurns, "agentOf">;
  /** Schedules a wake for the job that is due next. */
  arm(): Promise<void>;
  timezoneOf(user: string): string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, "warn">;
}

export interface HeartbeatOptions {
  readonly every?: string | undefined;
  readonly active?: readonly number[] | undefined;
  readonly minIntervalMs?: number | undefined;
  /** Longest HEARTBEAT.md in prompts, in tokens. */
  readonly fileTokens: number;
  /**
   * Whether a timer of the process checks for a HEARTBEAT.md that was written by hand. False where the engine is
   * external: a timer would keep an idle Durable Object in memory.
   */
  readonly hasTimer: boolean;
}

/** The owner when the configuration names none: the person at the terminal. */
const AT_TERMINAL = "cli";
const TASK = "Look after what HEARTBEAT.md says";

export type Heartbeat = ReturnType<typeof createHeartbeat>;

/**
 * Keeps the built-in heartbeat job. The job exists while HEARTBEAT.md has content. While the file is empty, nothing
 * wakes the engine; a timer of the process reads the file again after each interval.
 *
 * Source: docs/jobs.md, "Heartbeat".
 */
export function createHeartbeat(deps: HeartbeatDeps, options: HeartbeatOptions) {
  const { jobs, staticJobs, persona, owners, turns, arm, timezoneOf, clock, logger } = deps;
  const {
    every = DEFAULT_HEARTBEAT_STEP,
    active = DEFAULT_ACTIVE_HOURS,
    minIntervalMs,
    fileTokens,
    hasTimer,
  } = options;
  const cron = heartbeatCron(every, active);
  let cancel: (() => void) | undefined;
  let looking = Promise.resolve();
  let isStopped = false;
  let isCutTold = false;

  function placeOf() {
    const [user = AT_TERMINAL] = owners.all();
    return { user, channel: parseUser(user).channel, mode: "isolated" } as const;
  }

  /** @throws {AssistantError} `OPTION_INVALID` when the heartbeat would run more often than jobs may. */
  function scheduleFor(user: string): Job["schedule"] {
    return parseSchedule(cron, { tz: timezoneOf(user), ...(minIntervalMs !== undefined && { minIntervalMs }) });
  }

  /** @returns Whether HEARTBEAT.md has content. */
  async function hasWork(agentId: string): Promise<boolean> {
    await persona.refresh(agentId);
    const said = persona.said(agentId, "HEARTBEAT.md");
    if (said === undefined) return false;
    if (!isCutTold && cutText(said.text, fileTokens).isCut) {
      isCutTold = true;
      logger.warn("A persona file is cut in prompts: it is too long", { file: said.source, tokens: fileTokens });
    }
    return true;
  }

  async function follow(): Promise<void> {
    cancel?.();
    cancel = undefined;
    if (isStopped) return;
    const place = placeOf();
    if (await hasWork(turns.agentOf(place))) {
      const schedule = scheduleFor(place.user);
      // The owner wrote the file, so the job has the owner's rights.
      const roles = [OWNER_ROLE, USER_ROLE];
      await staticJobs.keep({ ...place, name: HEARTBEAT_JOB, schedule, task: TASK, deliver: { mode: "none" }, roles });
      await arm();
      return;
    }
    if (jobs.statics().includes(HEARTBEAT_JOB)) await jobs.remove(HEARTBEAT_JOB);
    if (!hasTimer) return;
    // A plain interval: computing the exact cron times would load a calendar at startup.
    cancel = after(clock, heartbeatStepMs(every), () => void look(), { idle: true });
  }

  /**
   * Creates the job when HEARTBEAT.md has content and removes it when it has none. Calls run one after another. Never
   * rejects.
   */
  function look(): Promise<void> {
    return (looking = looking.then(follow).catch((error: unknown) => {
      logger.warn("The heartbeat cannot be kept", { error: messageOf(error) });
    }));
  }

  return {
    look,
    stop(): void {
      isStopped = true;
      cancel?.();
    },
  };
}
