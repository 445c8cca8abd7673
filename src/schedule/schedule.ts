import { Cron } from "croner";
import QuickLRU from "quick-lru";
import { calendarOf, dayAfter, isDay, isTimezone } from "../calendar.ts";
import { AssistantError } from "../errors.ts";

/** When something happens: once, at equal intervals, or by the clock of a time zone. */
export type Schedule =
  /** Once. `at` is a time in ISO 8601 with its offset, such as `2026-11-24T09:00:00+01:00`. */
  | { readonly kind: "at"; readonly at: string }
  /** At an interval in milliseconds, counted from the creation of the job. */
  | { readonly kind: "every"; readonly everyMs: number }
  /** A cron expression of five fields, in the zone `tz` (IANA). */
  | { readonly kind: "cron"; readonly cron: string; readonly tz: string };

/** Options of `nextRuns`. */
export interface NextRunsOptions {
  /** Results are strictly after this time. A number is milliseconds since the epoch. */
  readonly from: Date | number;
  /** Number of results; fewer when the schedule ends. Default 1. */
  readonly count?: number;
  /** IANA zone of a cron schedule without one. Default `UTC`. */
  readonly tz?: string;
  /** Start of the intervals of `every`. Default `from`. */
  readonly anchor?: Date;
}

const DAY_MS = 86_400_000;
/** Parsing a pattern takes 0.1 ms, and keeping it 83 KB. The cache may hold twice as many: 17 MB. */
const patterns = new QuickLRU<string, Cron>({ maxSize: 100 });
/** Listing jobs asks for the same times again, and each takes 0.1 ms to find. */
const found = new QuickLRU<string, readonly Date[]>({ maxSize: 5000 });

/**
 * Returns the next times of a schedule, in order, strictly after `from`. In its zone, a time that is skipped when
 * clocks go forward comes at the first minute after the gap, and a time that occurs twice when they go back comes once.
 *
 * Source: docs/jobs.md, "Times".
 *
 * @throws {AssistantError} `OPTION_INVALID` for an invalid `from`, pattern or zone.
 */
export function nextRuns(schedule: Schedule, { count = 1, tz = "UTC", anchor, ...options }: NextRunsOptions): Date[] {
  const from = new Date(options.from);
  if (Number.isNaN(from.getTime()))
    throw new AssistantError(
      "OPTION_INVALID",
      `Invalid from for nextRuns(): expected a time, got ${String(options.from)}`,
    );
  switch (schedule.kind) {
    case "at": {
      const at = Date.parse(schedule.at);
      return at > from.getTime() && count > 0 ? [new Date(at)] : [];
    }
    case "every": {
      const start = (anchor ?? from).getTime();
      const passed = Math.max(0, Math.floor((from.getTime() - start) / schedule.everyMs));
      return Array.from({ length: count }, (_, index) => new Date(start + (passed + 1 + index) * schedule.everyMs));
    }
    case "cron":
      return [...timesOf(schedule.cron, schedule.tz || tz, count, from)];
  }
}

function timesOf(pattern: string, tz: string, count: number, from: Date): readonly Date[] {
  const key = `${tz} ${pattern} ${count} ${from.getTime()}`;
  const times = found.get(key) ?? findTimes(cronOf(pattern, tz), tz, count, from);
  found.set(key, times);
  return times;
}

function findTimes(cron: Cron, tz: string, count: number, from: Date): readonly Date[] {
  const pattern = cron.getPattern() ?? "";
  if (!mayBeSkippedBeforeMidnight(pattern)) return cron.nextRuns(count, from);
  const times: Date[] = [];
  for (let last = from; times.length < count;) {
    const next = cron.nextRun(last) ?? undefined;
    const time = skippedBeforeMidnight(pattern, tz, last, next) ?? next;
    if (time === undefined) break;
    times.push(time);
    last = time;
  }
  return times;
}

/** Only a fixed time is moved out of a gap, and every known gap up to midnight is an hour from 23:00. */
function mayBeSkippedBeforeMidnight(pattern: string): boolean {
  const [minute = "", hour = ""] = pattern.split(" ");
  return /23|-/.test(hour) && !/[*?]/.test(minute + hour);
}

/**
 * The first minute after a gap up to midnight that hides a time of the pattern, if it is before `next`. croner omits
 * such a time. Greenland's clocks go from 22:59 to 0:00.
 */
function skippedBeforeMidnight(pattern: string, tz: string, from: Date, next: Date | undefined): Date | undefined {
  const { show, startOf } = calendarOf(tz);
  const shown = (ms: number): number => Date.parse(`${show(ms).replace(" ", "T")}Z`);
  const planned = cronOf(pattern, "UTC").nextRun(new Date(shown(from.getTime())));
  if (!planned) return undefined;
  const end = startOf(dayAfter(planned.toISOString().slice(0, 10), 1));
  const isSkipped = shown(end - 1) < planned.getTime() && end > from.getTime();
  return isSkipped && (next === undefined || end < next.getTime()) ? new Date(end) : undefined;
}

/** @throws {AssistantError} `OPTION_INVALID` for an invalid pattern. */
export function cronOf(pattern: string, tz: string): Cron {
  const key = `${tz} ${pattern}`;
  let cron = patterns.get(key);
  if (cron !== undefined) return cron;
  if (!isTimezone(tz)) throw unknownZone(tz);
  if (pattern.startsWith("@")) throw invalidSchedule(`"${pattern}" is not five fields: write 0 0 * * * for @daily`);
  try {
    cron = readCron(pattern, tz);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Cron\w+: /, "") : String(error);
    throw invalidSchedule(
      `"${pattern}" is not a cron pattern of five fields (minute hour day month weekday): ${reason}`,
    );
  }
  patterns.set(key, cron);
  return cron;
}

function readCron(pattern: string, timezone: string): Cron {
  return new Cron(pattern, { paused: true, mode: "5-part", fixedTimeRule: "no-wildcard", timezone });
}

/**
 * The moment at which the clocks of a zone show a time such as `2026-11-24T09:00`. A time in a gap becomes the first
 * minute after it; of two moments the first counts. `undefined`: no such day or hour exists.
 */
export function timeOfClock(local: string, tz: string): number | undefined {
  const [day = "", clock = ""] = local.split("T");
  const [hour = 0, minute = 0, second = 0] = clock.split(":").map(Number);
  if (!isDay(day) || hour > 23 || minute > 59 || second >= 60) return undefined;
  const [, month = 1, date = 1] = day.split("-").map(Number);
  // Uses a cron pattern, since croner handles gaps. The day before is earlier in every zone.
  const from = new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS);
  const [time] = findTimes(readCron(`${minute} ${hour} ${date} ${month} *`, tz), tz, 1, from);
  return time && time.getTime() + second * 1000;
}

/** Formats a time in a zone, as `2026-11-24 09:00`. */
export function showTime(time: Date | number, tz: string): string {
  return calendarOf(tz).show(typeof time === "number" ? time : time.getTime());
}

/** Text before the question when words can mean two times. */
export const TWO_MEANINGS = "can mean two times: ";

/** The error for an unreadable schedule. */
export function invalidSchedule(reason: string): AssistantError {
  return new AssistantError("OPTION_INVALID", `Cannot read the schedule: ${reason}`);
}

/** The error for a zone that the runtime does not know. */
export function unknownZone(tz: string): AssistantError {
  return invalidSchedule(`the time zone ${JSON.stringify(tz)} is not known: use a name such as Europe/Stockholm`);
}
