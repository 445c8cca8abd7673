import QuickLRU from "quick-lru";
import { isDay, isTimezone } from "../calendar.ts";
import type { AssistantError } from "../errors.ts";
import { recurrenceIn } from "./recurrence.ts";
import { type Schedule, TWO_MEANINGS, cronOf, invalidSchedule, timeOfClock, unknownZone } from "./schedule.ts";

/** Options of `parseSchedule`. */
export interface ParseScheduleOptions {
  /** IANA zone of times without an offset. Default `UTC`. */
  readonly tz?: string;
  /** Epoch milliseconds from which `in 20 minutes` counts. Without it such texts are refused. */
  readonly now?: number;
  /** Shortest time between two firings, in milliseconds. Default 60,000. */
  readonly minIntervalMs?: number;
}

/** Default of the option `scheduler.minIntervalMs`: shortest time between two firings. */
export const DEFAULT_MIN_INTERVAL_MS = 60_000;
/** Longest interval of `every`; longer ones need cron. */
const MAX_EVERY_MS = 366 * 86_400_000;
/** Number of firings among which the smallest gap is searched. */
const LOOKED_AT = 100;
/** `2026-11-24T09:00`, with optional seconds and offset. */
const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** Patterns that passed the check, which takes as long as parsing. */
const checked = new QuickLRU<string, true>({ maxSize: 2000 });

/**
 * Parses a schedule: an object as in a job's file (`{ kind: "cron", cron: "0 9 * * 1-5", tz }`), a cron expression of
 * five fields, a time in ISO 8601, or words such as `every weekday at 9`, `in 20 minutes`, `每天早上九点`. Only the
 * tools read dates in words (`next Friday`), as they load the parser for them.
 *
 * Source: docs/jobs.md, "Times".
 * @throws {AssistantError} `OPTION_INVALID` with what was expected; also for a schedule that never fires or fires too
 * often.
 * @example
 * ```ts
 * parseSchedule("0 9 * * 1-5", { tz: "Europe/Stockholm" }); // { kind: "cron", cron: "0 9 * * 1-5", tz: "Europe/Stockholm" }
 * ```
 */
export function parseSchedule(input: unknown, options: ParseScheduleOptions = {}): Schedule {
  const { tz = "UTC", minIntervalMs = DEFAULT_MIN_INTERVAL_MS } = options;
  const schedule = typeof input === "string" ? readText(input.trim(), { ...options, tz }) : readObject(input, tz);
  check(schedule, minIntervalMs);
  return schedule;
}

function readText(text: string, options: ParseScheduleOptions & { readonly tz: string }): Schedule {
  if (ISO.test(text)) return { kind: "at", at: new Date(timeIn(text, options.tz)).toISOString() };
  if (looksLikeCron(text)) return { kind: "cron", cron: text.replaceAll(/\s+/g, " "), tz: options.tz };
  const found = recurrenceIn(text, options);
  if (found === undefined || found.before !== "" || found.after !== "") throw notUnderstood(text, options);
  if ("ask" in found) throw invalidSchedule(`${JSON.stringify(text)} ${TWO_MEANINGS}${found.ask}`);
  return found.schedule;
}

function readObject(input: unknown, zone: string): Schedule {
  if (typeof input !== "object" || input === null) throw notUnderstood(String(input));
  const { kind, at, everyMs, every_ms, cron, tz = zone } = input as Record<string, unknown>;
  if (kind === "at" && (typeof at === "string" || typeof at === "number" || at instanceof Date)) {
    const text = typeof at === "string" ? at : isoOf(new Date(at));
    if (!ISO.test(text))
      throw invalidSchedule(`${JSON.stringify(text)} is not a time in ISO 8601, such as 2026-11-24T09:00:00+01:00`);
    return { kind, at: new Date(timeIn(text, String(tz))).toISOString() };
  }
  const step = everyMs ?? every_ms;
  if (kind === "every" && typeof step === "number") return { kind, everyMs: step };
  if (kind === "cron" && typeof cron === "string")
    return { kind, cron: cron.trim().replaceAll(/\s+/g, " "), tz: String(tz) };
  throw invalidSchedule('a schedule is { kind: "at", at }, { kind: "every", everyMs } or { kind: "cron", cron, tz }');
}

function isoOf(date: Date): string {
  return Number.isNaN(date.getTime()) ? String(date) : date.toISOString();
}

/** Whether a text is a date and time in ISO 8601, which needs no interpretation. */
export function isIsoTime(text: string): boolean {
  return ISO.test(text.trim());
}

/** A time without an offset is local time in the zone; one in a gap becomes the first minute after it. */
function timeIn(text: string, tz: string): number {
  const iso = text.replace(" ", "T");
  if (!isTimezone(tz)) throw unknownZone(tz);
  if (/(?:Z|[+-]\d\d:?\d\d)$/i.test(iso)) {
    const time = Date.parse(iso);
    if (Number.isNaN(time) || !isDay(iso.slice(0, 10))) throw invalidSchedule(`${JSON.stringify(text)} is not a time`);
    return time;
  }
  const time = timeOfClock(iso, tz);
  if (time !== undefined) return time;
  throw invalidSchedule(`${JSON.stringify(text)} is not a time`);
}

function check(schedule: Schedule, minIntervalMs: number): void {
  const atLeast = `at least ${minIntervalMs / 1000} s must lie between two times`;
  if (schedule.kind === "every") {
    const { everyMs } = schedule;
    if (!Number.isFinite(everyMs) || everyMs < minIntervalMs)
      throw invalidSchedule(`every ${everyMs / 1000} s is too often: ${atLeast}`);
    if (everyMs > MAX_EVERY_MS) throw invalidSchedule(`every ${everyMs} ms is too rare: use cron`);
  }
  if (schedule.kind !== "cron") return;
  if (!isTimezone(schedule.tz)) throw unknownZone(schedule.tz);
  const known = `${minIntervalMs} ${schedule.tz} ${schedule.cron}`;
  if (checked.has(known)) return;
  // From a fixed day: the result does not depend on today.
  const times = cronOf(schedule.cron, schedule.tz).nextRuns(
    minIntervalMs > DEFAULT_MIN_INTERVAL_MS ? LOOKED_AT : 1,
    new Date(0),
  );
  if (times.length === 0) throw invalidSchedule(`"${schedule.cron}" never occurs`);
  const gap = Math.min(...times.slice(1).map((time, index) => time.getTime() - times[index]!.getTime()));
  if (gap < minIntervalMs) throw invalidSchedule(`"${schedule.cron}" is too often: ${atLeast}`);
  checked.set(known, true);
}

/** Whether a text is, or is meant as, a cron expression of five fields. */
function looksLikeCron(text: string): boolean {
  return /^[\d*?/,\-#LW]+(?:\s+[\w*?/,\-#]+){3,6}$/i.test(text) || text.startsWith("@");
}

function notUnderstood(text: string, { now }: ParseScheduleOptions = {}): AssistantError {
  const since = now === undefined ? " (from the option now)" : "";
  return invalidSchedule(
    `${JSON.stringify(text.slice(0, 100))} is not understood: write five cron fields ("0 9 * * 1-5"), a time ("2026-11-24T09:00"), or words such as "every weekday at 9", "in 20 minutes"${since}, "每天早上九点"`,
  );
}
