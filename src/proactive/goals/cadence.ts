import { AssistantError, messageOf } from "../../errors.ts";
import { type Schedule, parseSchedule } from "../../schedule/index.ts";

/** Minimum interval between two reviews of a goal. */
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
 * Parses a review cadence into a schedule.
 * @throws {AssistantError} `OPTION_INVALID` with the expected format; also for a single time.
 */
export function readCadence(text: string, tz: string): Schedule {
  // Relative times give a single time and are refused in any case, so `now` does not matter.
  const options = { tz, minIntervalMs: MIN_INTERVAL_MS, now: 0 };
  const schedule = parseSchedule(NAMED[text.trim().toLowerCase()] ?? text, options);
  if (schedule.kind !== "at") return schedule;
  throw new AssistantError("OPTION_INVALID", `${JSON.stringify(text)} comes once: a review comes again and again`);
}

/** Returns what is wrong with a cadence, or `undefined` if it is valid. */
export function cadenceProblem(text: string): string | undefined {
  try {
    readCadence(text, "UTC");
    return undefined;
  } catch (error) {
    return `${messageOf(error)}; or daily, weekly, monthly, quarterly`;
  }
}
