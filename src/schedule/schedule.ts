import { Cron } from "croner";
import QuickLRU from "quick-lru";
import { calendarOf, dayAfter, isDay, isTimezone } from "../calendar.ts";
import { AssistantError } from "../errors.ts";

/** When something happens: once, in equal steps, or by the clock of a time zone. */
export type Schedule =
  /** Once. `at` is a time in ISO 8601 with its offset, as `2026-11-24T09:00:00+01:00`. */
  | { readonly kind: "at"; readonly at: string }
  /** Every so many milliseconds, counted from when the job was made. */
  | { readonly kind: "every"; readonly everyMs: number }
  /** Five fields of cron, by the clock of the zone `tz` (IANA). */
  | { readonly kind: "cron"; readonly cron: string; readonly tz: string };

/** Options of `nextRuns`. */
export interface NextRunsOptions {
  /** Results are after this time, never at it. A number is milliseconds since the epoch. */
  readonly from: Date | number;
  /** How many; fewer when the schedule ends. Default 1. */
  readonly count?: number;
  /** IANA zone of a cron schedule that names none. Default `UTC`. */
  readonly tz?: string;
  /** What steps of `every` are counted from. Default `from`. */
  readonly anchor?: Date;
}

const DAY_MS = 86_400_000;
/** A pattern takes 0.1 ms to read, and 83 KB to keep: up to twice as many stay, 17 MB. */
const patterns = new QuickLRU<string, Cron>({ maxSize: 100 });
/** Whoever lists jobs asks for the same times again, each of which takes 0.1 ms to find. */
const found = new QuickLRU<string, readonly Date[]>({ maxSize: 5000 });

/**
 * The next times of a schedule, in order, strictly after `from`. By the clock of its zone: a time that is skipped when clocks go forward comes at the first
 * minute after the gap, and one that comes twice when they go back comes once.
 *
 * Source: docs/jobs.md, "Times".
 *
 * @throws {AssistantError} `OPTION_INVALID` for a `from` that is no time, and a pattern or zone that there is not.
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

/** Only a fixed time is made up for after a gap, and only an hour from 23:00 has ever been one that goes over midnight. */
function mayBeSkippedBeforeMidnight(pattern: string): boolean {
  const [minute = "", hour = ""] = pattern.split(" ");
  return /23|-/.test(hour) && !/[*?]/.test(minute + hour);
}

/** The first minute after a gap over midnight with a time of the pattern, before `next`: croner leaves such a time out. Greenland's clocks go from 22:59 to 0:00. */
function skippedBeforeMidnight(pattern: string, tz: string, from: Date, next: Date | undefined): Date | undefined {
  const { show, startOf } = calendarOf(tz);
  const shown = (ms: number): number => Date.parse(`${show(ms).replace(" ", "T")}Z`);
  const planned = cronOf(pattern, "UTC").nextRun(new Date(shown(from.getTime())));
  if (!planned) return undefined;
  const end = startOf(dayAfter(planned.toISOString().slice(0, 10), 1));
  const isSkipped = shown(end - 1) < planned.getTime() && end > from.getTime();
  return isSkipped && (next === undefined || end < next.getTime()) ? new Date(end) : undefined;
}

/** @throws {AssistantError} `OPTION_INVALID` for what is no pattern. */
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
    throw invalidSchedule(`"${pattern}" is no cron pattern of five fields (minute hour day month weekday): ${reason}`);
  }
  patterns.set(key, cron);
  return cron;
}

function readCron(pattern: string, timezone: string): Cron {
  return new Cron(pattern, { paused: true, mode: "5-part", fixedTimeRule: "no-wildcard", timezone });
}

/**
 * When the clocks of a zone show a time, as `2026-11-24T09:00`: at the first minute after a gap that it lies in, and at the first of two. `undefined`: there is
 * no such day or hour.
 */
export function timeOfClock(local: string, tz: string): number | undefined {
  const [day = "", clock = ""] = local.split("T");
  const [hour = 0, minute = 0, second = 0] = clock.split(":").map(Number);
  if (!isDay(day) || hour > 23 || minute > 59 || second >= 60) return undefined;
  const [, month = 1, date = 1] = day.split("-").map(Number);
  // A pattern of cron, since that knows about gaps. A day before is before it in every zone.
  const from = new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS);
  const [time] = findTimes(readCron(`${minute} ${hour} ${date} ${month} *`, tz), tz, 1, from);
  return time && time.getTime() + second * 1000;
}

/** `2026-11-24 09:00` by the clock of the zone. */
export function showTime(time: Date | number, tz: string): string {
  return calendarOf(tz).show(typeof time === "number" ? time : time.getTime());
}

/** What stands before the question, where words can mean two times. */
export const TWO_MEANINGS = "can mean two times: ";

/** What a schedule that cannot be read is refused with. */
export function invalidSchedule(reason: string): AssistantError {
  return new AssistantError("OPTION_INVALID", `Cannot read the schedule: ${reason}`);
}

/** What a zone that the runtime does not know is refused with. */
export function unknownZone(tz: string): AssistantError {
  return invalidSchedule(`the time zone ${JSON.stringify(tz)} is not known: use a name as Europe/Stockholm`);
}
