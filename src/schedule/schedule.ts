import { Cron } from "croner";
import QuickLRU from "quick-lru";
import { calendarOf, isTimezone } from "../calendar.ts";
import { AssistantError } from "../errors.ts";
import { recurrenceIn } from "./recurrence.ts";

/** When something happens: once, in equal steps, or by the clock of a time zone. */
export type Schedule =
  /** Once. `at` is a time in ISO 8601 with its offset, as `2026-11-24T09:00:00+01:00`. */
  | { readonly kind: "at"; readonly at: string }
  /** Every so many milliseconds, counted from when the job was made. */
  | { readonly kind: "every"; readonly everyMs: number }
  /** Five fields of cron, by the clock of the zone `tz` (IANA). */
  | { readonly kind: "cron"; readonly cron: string; readonly tz: string };

/** Options of `parseSchedule`. */
export interface ParseScheduleOptions {
  /** IANA zone of times without an offset. Default `UTC`. */
  readonly tz?: string;
  /** Epoch milliseconds that `in 20 minutes` counts from. Without it such texts are refused. */
  readonly now?: number;
  /** Least time between two firings, in milliseconds. Default 60,000. */
  readonly minIntervalMs?: number;
}

/** Options of `nextRuns`. */
export interface NextRunsOptions {
  /** Results are after this time, never at it. */
  readonly from: Date;
  /** How many; fewer when the schedule ends. Default 1. */
  readonly count?: number;
  /** IANA zone of a cron schedule that names none. Default `UTC`. */
  readonly tz?: string;
  /** What steps of `every` are counted from. Default `from`. */
  readonly anchor?: Date;
}

/** Least time between two firings, unless the option `scheduler.minIntervalMs` says otherwise. */
export const DEFAULT_MIN_INTERVAL_MS = 60_000;
/** Longest step of `every`: longer ones are a cron's. */
const MAX_EVERY_MS = 366 * 86_400_000;
/** So many firings are looked at for the smallest gap. */
const LOOKED_AT = 100;
/** `2026-11-24T09:00`, with seconds and an offset if they are there. */
const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** A pattern takes 0.1 ms to read. */
const patterns = new QuickLRU<string, Cron>({ maxSize: 2000 });
/** What comes, and not too often: to find that out takes as long as to read it. */
const checked = new QuickLRU<string, true>({ maxSize: 2000 });

/**
 * Reads when something happens: a schedule as a job's file has it (`{ kind: "cron", cron: "0 9 * * 1-5", tz }`), five fields of cron, a time in ISO 8601,
 * or words as `every weekday at 9`, `in 20 minutes`, `每天早上九点`. Dates in words (`next Friday`) are read by the tools, which load what that takes.
 *
 * Source: docs/jobs.md, "Times".
 * @throws {AssistantError} `OPTION_INVALID` with what was expected; also for a schedule that never comes, or comes too often.
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

/**
 * The next times of a schedule, in order, strictly after `from`. By the clock of its zone: a time that is skipped when clocks go forward comes at the first
 * minute after the gap, and one that comes twice when they go back comes once.
 *
 * Source: docs/jobs.md, "Times".
 */
export function nextRuns(schedule: Schedule, { from, count = 1, tz = "UTC", anchor }: NextRunsOptions): Date[] {
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
      return cronOf(schedule.cron, schedule.tz || tz).nextRuns(count, from);
  }
}

function readText(text: string, options: ParseScheduleOptions & { readonly tz: string }): Schedule {
  if (ISO.test(text)) return { kind: "at", at: new Date(timeIn(text, options.tz)).toISOString() };
  if (looksLikeCron(text)) return { kind: "cron", cron: text.replaceAll(/\s+/g, " "), tz: options.tz };
  const found = recurrenceIn(text, options);
  if (found === undefined || found.before !== "" || found.after !== "") throw notUnderstood(text);
  if ("ask" in found) throw invalid(`${JSON.stringify(text)} can mean two things: ${found.ask}`);
  return found.schedule;
}

function readObject(input: unknown, zone: string): Schedule {
  if (typeof input !== "object" || input === null) throw notUnderstood(String(input));
  const { kind, at, everyMs, every_ms, cron, tz = zone } = input as Record<string, unknown>;
  if (kind === "at" && (typeof at === "string" || at instanceof Date)) {
    const text = at instanceof Date ? at.toISOString() : at;
    if (!ISO.test(text)) throw invalid(`${JSON.stringify(text)} is no time in ISO 8601, as 2026-11-24T09:00:00+01:00`);
    return { kind, at: new Date(timeIn(text, String(tz))).toISOString() };
  }
  const step = everyMs ?? every_ms;
  if (kind === "every" && typeof step === "number") return { kind, everyMs: step };
  if (kind === "cron" && typeof cron === "string")
    return { kind, cron: cron.trim().replaceAll(/\s+/g, " "), tz: String(tz) };
  throw invalid('a schedule is { kind: "at", at }, { kind: "every", everyMs } or { kind: "cron", cron, tz }');
}

/** A time without an offset is one of the zone's clock; one in a gap is the first minute after it. */
function timeIn(text: string, tz: string): number {
  const iso = text.replace(" ", "T");
  if (!isTimezone(tz)) throw unknownZone(tz);
  if (/(?:Z|[+-]\d\d:?\d\d)$/i.test(iso)) {
    const time = Date.parse(iso);
    if (Number.isNaN(time)) throw invalid(`${JSON.stringify(text)} is no time`);
    return time;
  }
  try {
    const time = new Cron(iso, { paused: true, timezone: tz }).nextRun(new Date(0))?.getTime();
    if (time !== undefined) return time;
  } catch {
    // Said below.
  }
  throw invalid(`${JSON.stringify(text)} is no time`);
}

function check(schedule: Schedule, minIntervalMs: number): void {
  const atLeast = `at least ${minIntervalMs / 1000} s must lie between two times`;
  if (schedule.kind === "every") {
    const { everyMs } = schedule;
    if (!Number.isFinite(everyMs) || everyMs < minIntervalMs)
      throw invalid(`every ${everyMs} ms is too often: ${atLeast}`);
    if (everyMs > MAX_EVERY_MS) throw invalid(`every ${everyMs} ms is too seldom: use cron`);
  }
  if (schedule.kind !== "cron") return;
  if (!isTimezone(schedule.tz)) throw unknownZone(schedule.tz);
  const known = `${minIntervalMs} ${schedule.tz} ${schedule.cron}`;
  if (checked.has(known)) return;
  // From a fixed day: what a pattern means does not depend on today.
  const times = cronOf(schedule.cron, schedule.tz).nextRuns(
    minIntervalMs > DEFAULT_MIN_INTERVAL_MS ? LOOKED_AT : 1,
    new Date(0),
  );
  if (times.length === 0) throw invalid(`"${schedule.cron}" never comes`);
  const gap = Math.min(...times.slice(1).map((time, index) => time.getTime() - times[index]!.getTime()));
  if (gap < minIntervalMs) throw invalid(`"${schedule.cron}" is too often: ${atLeast}`);
  checked.set(known, true);
}

/** Five fields, or something that is meant to be cron. */
function looksLikeCron(text: string): boolean {
  return /^[\d*?/,\-#LW]+(?:\s+[\w*?/,\-#]+){3,6}$/i.test(text) || text.startsWith("@");
}

function cronOf(pattern: string, tz: string): Cron {
  const key = `${tz} ${pattern}`;
  let cron = patterns.get(key);
  if (cron !== undefined) return cron;
  if (pattern.startsWith("@")) throw invalid(`"${pattern}" is not five fields: write 0 0 * * * for @daily`);
  try {
    cron = new Cron(pattern, { paused: true, mode: "5-part", fixedTimeRule: "no-wildcard", timezone: tz });
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^Cron\w+: /, "") : String(error);
    throw invalid(`"${pattern}" is no cron pattern of five fields (minute hour day month weekday): ${reason}`);
  }
  patterns.set(key, cron);
  return cron;
}

/** `2026-11-24 09:00` by the clock of the zone. */
export function showTime(time: Date | number, tz: string): string {
  return calendarOf(tz).show(typeof time === "number" ? time : time.getTime());
}

function notUnderstood(text: string): AssistantError {
  return invalid(
    `${JSON.stringify(text.slice(0, 100))} is not understood: write five fields of cron ("0 9 * * 1-5"), a time ("2026-11-24T09:00"), or words as "every weekday at 9", "in 20 minutes", "每天早上九点"`,
  );
}

function unknownZone(tz: string): AssistantError {
  return invalid(`the time zone ${JSON.stringify(tz)} is not known: use a name as Europe/Stockholm`);
}

function invalid(reason: string): AssistantError {
  return new AssistantError("OPTION_INVALID", `Cannot read the schedule: ${reason}`);
}
