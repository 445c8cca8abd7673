import type { Clock } from "../../clock.ts";
import { AssistantError } from "../../errors.ts";
import { nextRuns, parseSchedule } from "../../schedule/index.ts";
import type { JsonValue } from "../../store/index.ts";
import { startDeadline } from "../../time-limit.ts";
import { type StepDefinition, type StepWait, asText, waitExpects } from "../../workflow/index.ts";

/** A hundred years. A longer wait is a mistake, and beyond the range of a date. */
const MAX_WAIT_DAYS = 36_500;
const MAX_WAIT_MS = MAX_WAIT_DAYS * 86_400_000;
/** Length of a date such as `2026-11-24`, which means the first moment of the day. */
const DAY_CHARS = 10;
const UNITS_MS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;

export interface StepTimesDeps {
  timezoneOf(user: string): string;
  readonly clock: Clock;
}

/** Waits and deadlines of steps. */
export type StepTimes = ReturnType<typeof createStepTimes>;

export function createStepTimes({ timezoneOf, clock }: StepTimesDeps) {
  /** @param given The step's values, filled in. @param user Times without a zone are in this person's zone. */
  function waitOf(step: StepDefinition, given: Readonly<Record<string, JsonValue>>, user: string): StepWait {
    const { until, event } = given;
    const now = clock.now();
    for (const [key, value] of Object.entries(given)) {
      const expected = waitExpects(key, value);
      if (expected !== undefined) throw wrongWait(key, value, expected);
    }
    let spanMs: number | undefined;
    for (const [unit, ms] of Object.entries(UNITS_MS)) {
      const value = given[unit];
      if (value === undefined) continue;
      spanMs = (spanMs ?? 0) + Number(value) * ms;
      if (spanMs > MAX_WAIT_MS) throw wrongWait(unit, value, `at most ${MAX_WAIT_DAYS} days in all`);
    }
    const times = spanMs === undefined ? [] : [now + spanMs];
    if (until !== undefined) {
      const text = asText(until);
      if (Date.parse(text) - now > MAX_WAIT_MS) throw wrongWait("until", until, `a time within ${MAX_WAIT_DAYS} days`);
      const at = text.length === DAY_CHARS ? `${text}T00:00` : text;
      const schedule = parseSchedule({ kind: "at", at }, { tz: timezoneOf(user) });
      const [time = now] = nextRuns(schedule, { from: 0 }).map(Number);
      times.push(time);
    }
    const name = event === undefined ? undefined : asText(event);
    const limit = limitOf(step);
    const first = Math.min(...times);
    return {
      ...(times.length > 0 && { until: first }),
      ...(limit && limit.until < first && limit),
      ...(name !== undefined && { event: name }),
    };
  }

  /** The deadline of a step that waits with nothing under way. */
  function limitOf({ timeoutSeconds }: StepDefinition) {
    return timeoutSeconds === undefined
      ? undefined
      : { until: clock.now() + timeoutSeconds * 1000, limitSeconds: timeoutSeconds };
  }

  /** The deadline of a try. A step that asks for approval has none: its question has one. */
  function deadlineOf(step: StepDefinition, signal: AbortSignal) {
    const { timeoutSeconds } = step;
    if (timeoutSeconds === undefined || step.run === "approve") return { signal, end() {} };
    const late = () => new AssistantError("TURN_TIMEOUT", `The step took longer than ${timeoutSeconds} s`);
    return startDeadline(clock, timeoutSeconds * 1000, late, signal);
  }

  return { waitOf, limitOf, deadlineOf };
}

function wrongWait(key: string, value: JsonValue, expected: string): AssistantError {
  const got = value === null ? "nothing: the referenced value does not exist" : JSON.stringify(value).slice(0, 100);
  return new AssistantError("OPTION_INVALID", `with.${key}: expected ${expected}, got ${got}`);
}
