import { messageOf } from "../../errors.ts";
import { DEFAULT_MAX_CONSEC_FAILURES, DEFAULT_MIN_INTERVAL_MS, parseSchedule } from "../../schedule/index.ts";
import {
  DEFAULT_DAILY_TOKENS,
  DEFAULT_HEARTBEAT_STEP,
  DEFAULT_MONTHLY_TOKENS,
  DEFAULT_PERSON_DAILY_TOKENS,
  HEARTBEAT_JOB,
  HEARTBEAT_STEPS,
  type JobTrigger,
} from "../../work/index.ts";
import { type RuleBroken, anyUser, choice, flag, list, section, text, timezone, whole } from "../../settings/index.ts";

const trigger = section(
  {
    name: text({ what: "The job's name, which is also its id", required: true, example: "standup" }),
    schedule: text({
      what: "Five fields of cron, a time in ISO 8601, or words such as `every weekday at 9`",
      required: true,
      example: "0 9 * * 1-5",
    }),
    timezone: timezone({
      what: "Time zone of the schedule; default: the person's",
      example: "Europe/Stockholm",
    }),
    task: text({ what: "What to do, in words", required: true, example: "Remind me of the standup" }),
    user: anyUser({
      what: "The person whose job it is; `cli` is the person at the terminal and the page",
      required: true,
      example: "telegram:42",
    }),
    channel: text({ what: "Channel that results go to; default: the person's own channel", example: "telegram" }),
    chat: text({ what: "Chat on that channel; default: the person's direct chat", example: "42" }),
    mode: choice(["main", "isolated"], {
      what: "Where it runs: in the person's conversation, or each run in a session of its own",
      default: "main",
    }),
    deliver: choice(["full", "summary", "none"], { what: "How much of a result is sent", default: "full" }),
    approvalRequired: flag({ what: "Whether the owner is asked before each run", default: false }),
  },
  {
    what: "A job of the configuration",
    type: "work/options.ts#JobTrigger",
    // Checked for each job alone, so that an error in one job hides no error in another. The section checks the
    // interval.
    rule(given) {
      const message = problemOf(given as unknown as JobTrigger, 1);
      return message === undefined ? undefined : { at: ["schedule"], message };
    },
  },
);

export const scheduler = section(
  {
    enabled: flag({ what: "Whether jobs run; false: none runs, and there are no tools for them", default: true }),
    minIntervalMs: whole(1, {
      what: "Minimum milliseconds between two due times of a job",
      default: DEFAULT_MIN_INTERVAL_MS,
    }),
    maxConsecFailures: whole(1, {
      what: "Consecutive failed runs after which a job is paused and its person told",
      default: DEFAULT_MAX_CONSEC_FAILURES,
    }),
    budget: section(
      {
        daily: whole(0, { what: "Maximum tokens of all jobs on one day", default: DEFAULT_DAILY_TOKENS }),
        monthly: whole(0, { what: "Maximum tokens of all jobs in one month", default: DEFAULT_MONTHLY_TOKENS }),
        perPersonDaily: whole(0, {
          what: "Maximum tokens on one day of the jobs of one person who is not an owner",
          default: DEFAULT_PERSON_DAILY_TOKENS,
        }),
      },
      {
        what: "Token limits of unattended work; they never stop a conversation",
        type: "work/options.ts#WorkBudgetOptions",
      },
    ),
    triggers: list(trigger, { what: "Jobs defined here; a removed one is gone at the next start" }),
  },
  { what: "Scheduled jobs", inCode: "Source: docs/jobs.md.", rule: triggersRule },
);

function triggersRule({ triggers = [], minIntervalMs }: Readonly<Record<string, unknown>>): readonly RuleBroken[] {
  const broken: RuleBroken[] = [];
  const names = new Set([HEARTBEAT_JOB]);
  for (const [index, trigger] of (triggers as readonly JobTrigger[]).entries()) {
    const { name } = trigger;
    if (names.has(name)) broken.push({ at: ["triggers", index, "name"], message: "another job has this name" });
    names.add(name);
    const message = problemOf(trigger, 1) === undefined && problemOf(trigger, minIntervalMs as number | undefined);
    if (message) broken.push({ at: ["triggers", index, "schedule"], message });
  }
  return broken;
}

/** Returns what is wrong with a job's schedule, if anything. */
function problemOf({ schedule, timezone: tz }: JobTrigger, minIntervalMs: number | undefined): string | undefined {
  try {
    parseSchedule(schedule, { ...(tz !== undefined && { tz }), ...(minIntervalMs !== undefined && { minIntervalMs }) });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

export const heartbeat = section(
  {
    every: choice(HEARTBEAT_STEPS, {
      what: "How often the assistant checks what HEARTBEAT.md asks for",
      default: DEFAULT_HEARTBEAT_STEP,
    }),
    active: list(whole(0, { max: 24, what: "An hour of the day in the owner's time zone", example: 8 }), {
      what: "Start and end hour of the checks; default [8, 22]",
      inSample: false,
    }),
  },
  {
    what: "Checks that the assistant makes on its own; none while HEARTBEAT.md asks for nothing",
    inCode: 'Source: docs/jobs.md, "Heartbeat".',
    rule: hoursRule,
  },
);

function hoursRule({ active }: Readonly<Record<string, unknown>>): RuleBroken | undefined {
  if (active === undefined) return undefined;
  const [from, to, ...more] = active as readonly number[];
  if (from !== undefined && to !== undefined && more.length === 0 && from !== to && from !== 24) return undefined;
  return { at: ["active"], message: "expected two hours that differ, the first below 24: [8, 22]" };
}
