import { AssistantError, messageOf } from "../../errors.ts";
import { type Schedule, parseSchedule } from "../../schedule/index.ts";

/** A review of a goal does not come more often. */
const MIN_INTERVAL_MS = 3_600_000;

const NAMED: Readonly<Record<string, string>> = {
  daily: "0 9 * * *",
  weekly: "0 9 * * 1",
  monthly: "0 9 1 * *",
  quarterly: "0 9 1 1,4,7,10 *",
  每天: "0 9 * * *",
  每周: "0 9 * * 1",
  每月: "0 9 1 * *",
  每季度: "0 9 1 1,4,7,10 *",
};

/**
 * When a goal is reviewed.
 * @throws {AssistantError} `OPTION_INVALID` with what was expected; also for a single time.
 */
export function readCadence(text: string, tz: string): Schedule {
  // What is reckoned from now on comes once, and is refused whenever that is.
  const options = { tz, minIntervalMs: MIN_INTERVAL_MS, now: 0 };
  const schedule = parseSchedule(NAMED[text.trim().toLowerCase()] ?? text, options);
  if (schedule.kind !== "at") return schedule;
  throw new AssistantError("OPTION_INVALID", `${JSON.stringify(text)} comes once: a review comes again and again`);
}

/** What is wrong with a cadence; `undefined`: nothing. */
export function cadenceProblem(text: string): string | undefined {
  try {
    readCadence(text, "UTC");
    return undefined;
  } catch (error) {
    return `${messageOf(error)}; or daily, weekly, monthly, quarterly`;
  }
}
