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

/** A job that stands in the configuration. */
const trigger = section(
  {
    name: text({ what: "Its name, which is its id", required: true, example: "standup" }),
    schedule: text({
      what: "Five fields of cron, a time in ISO 8601, or words as `every weekday at 9`",
      required: true,
      example: "0 9 * * 1-5",
    }),
    timezone: timezone({
      what: "Zone of its schedule; when left out, that of the person",
      example: "Europe/Stockholm",
    }),
    task: text({ what: "What is to be done, in words", required: true, example: "Remind me of the standup" }),
    user: anyUser({
      what: "Whose job it is; `cli` is the person at the terminal and the page",
      required: true,
      example: "telegram:42",
    }),
    channel: text({ what: "Where its results go; when left out, the person's own channel", example: "telegram" }),
    chat: text({ what: "The chat there; when left out, the person's direct chat", example: "42" }),
    mode: choice(["main", "isolated"], {
      what: "In the person's conversation, or in a session of each run's own",
      default: "main",
    }),
    deliver: choice(["full", "summary", "none"], { what: "What is sent of a result", default: "full" }),
    approvalRequired: flag({ what: "Whether the owner is asked before each run", default: false }),
  },
  {
    what: "A job of the configuration",
    type: "work/options.ts#JobTrigger",
    // By itself, so that what is wrong with one hides no other. How often is for the section to say.
    rule(given) {
      const message = problemOf(given as unknown as JobTrigger, 1);
      return message === undefined ? undefined : { at: ["schedule"], message };
    },
  },
);

export const scheduler = section(
  {
    enabled: flag({ what: "Whether jobs run; false: none does, and there are no tools for them", default: true }),
    minIntervalMs: whole(1, {
      what: "Milliseconds that must lie between two times of a job",
      default: DEFAULT_MIN_INTERVAL_MS,
    }),
    maxConsecFailures: whole(1, {
      what: "Failed runs in a row after which a job is paused and its person told",
      default: DEFAULT_MAX_CONSEC_FAILURES,
    }),
    budget: section(
      {
        daily: whole(0, { what: "Tokens that all jobs may use on one day", default: DEFAULT_DAILY_TOKENS }),
        monthly: whole(0, { what: "Tokens that all jobs may use in one month", default: DEFAULT_MONTHLY_TOKENS }),
        perPersonDaily: whole(0, {
          what: "Tokens that the jobs of one person who is no owner may use on one day",
          default: DEFAULT_PERSON_DAILY_TOKENS,
        }),
      },
      {
        what: "What unattended work may spend; conversations are never stopped by it",
        type: "work/options.ts#WorkBudgetOptions",
      },
    ),
    triggers: list(trigger, { what: "Jobs that stand here; one that is taken out is gone at the next start" }),
  },
  { what: "Jobs and their times", inCode: "Source: docs/jobs.md.", rule: triggersRule },
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

/** What is wrong with a job's schedule. */
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
      what: "How often what HEARTBEAT.md says is looked after",
      default: DEFAULT_HEARTBEAT_STEP,
    }),
    active: list(whole(0, { max: 24, what: "An hour, by the clock of the owner's zone", example: 8 }), {
      what: "From which hour to which, as [8, 22]; when left out from 8 to 22",
      inSample: false,
    }),
  },
  {
    what: "What the assistant looks after by itself; nothing as long as HEARTBEAT.md says nothing",
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
