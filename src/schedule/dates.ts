import { Cron } from "croner";
import type { ParsedResult } from "chrono-node/en";
import { calendarOf, isDay } from "../calendar.ts";
import { type FoundTime, type TimeGiven, recurrenceIn } from "./recurrence.ts";
import { parseSchedule } from "./parse-schedule.ts";
import type { Schedule } from "./schedule.ts";

/** What words about a time mean, or what has to be asked. */
export type ReadTime = { readonly schedule: Schedule } | { readonly ask: string };

const HAN = /\p{Script=Han}/u;
/** Words around a time that say nothing. Any other word may change what is meant, however short it is. */
const SAYS_NOTHING = /^(?:[\s,.:;!，。：；！]|\b(?:on|at|by|pls|please)\b|[请在于就吧的])*$/iu;
const QUARTERS: Readonly<Record<string, string>> = { 一刻: "15分", 三刻: "45分" };
const DAY_MS = 86_400_000;

/**
 * Reads when something happens, dates in words too: `tomorrow at 9`, `next Friday at 3pm`, `下周五下午三点`.
 * @throws {AssistantError} `OPTION_INVALID` as `parseSchedule`.
 */
export async function readSchedule(
  input: unknown,
  { tz, now, minIntervalMs }: Required<TimeGiven> & { readonly minIntervalMs?: number | undefined },
): Promise<ReadTime> {
  if (typeof input === "string") {
    const found = await findTime(input, { tz, now });
    if (found !== undefined && "ask" in found) return found;
    if (found !== undefined && SAYS_NOTHING.test(found.before) && SAYS_NOTHING.test(found.after))
      return { schedule: parseSchedule(found.schedule, { tz, ...(minIntervalMs !== undefined && { minIntervalMs }) }) };
  }
  return { schedule: parseSchedule(input, { tz, now, ...(minIntervalMs !== undefined && { minIntervalMs }) }) };
}

/** The first words of a text that say when, and what stands around them: for `remind me tomorrow at 9 to call Ada`. */
export async function findTime(said: string, given: Required<TimeGiven>): Promise<FoundTime | undefined> {
  const repeated = recurrenceIn(said, given);
  if (repeated !== undefined) return repeated;
  const text = said.replaceAll(/(?<=[点點])(?:一刻|三刻)/g, (quarter) => QUARTERS[quarter] ?? quarter);
  const { casual } = HAN.test(text) ? await import("chrono-node/zh/hans") : await import("chrono-node/en");
  const { tz, now } = given;
  const reference = { instant: new Date(now), timezone: offsetMinutes(now, tz) };
  const [result] = casual.parse(text, reference, { forwardDate: true });
  if (result === undefined) return undefined;
  const around = {
    words: result.text,
    before: text.slice(0, result.index).trim(),
    after: text.slice(result.index + result.text.length).trim(),
  };
  return { ...meaningOf(result, given), ...around };
}

function meaningOf({ start, text }: Pick<ParsedResult, "start" | "text">, { tz, now }: Required<TimeGiven>): ReadTime {
  const isChinese = HAN.test(text);
  if (!start.isCertain("hour")) return { ask: isChinese ? "几点？" : "at what time of the day?" };
  const [year, month, day, hour = 0, minute = 0] = (["year", "month", "day", "hour", "minute"] as const).map((part) =>
    Number(start.get(part)),
  );
  const isHalfKnown = start.isCertain("meridiem") || /\d\d:\d\d/.test(text) || hour === 0 || hour > 6;
  if (!isHalfKnown)
    return { ask: isChinese ? `是上午${hour}点还是下午${hour}点？` : `is it ${hour} am or ${hour} pm?` };
  const two = (number: number | undefined) => String(number).padStart(2, "0");
  const local = `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:00`;
  const time = new Cron(local, { paused: true, timezone: tz }).nextRun(new Date(0));
  if (time !== null && /[晚夜]|night/i.test(text) && hour >= 12 && hour < 17) {
    // Twelve at night ends that day; one at night is of the night before it or after it.
    if (hour > 12) return { ask: isChinese ? "是当天凌晨，还是第二天凌晨？" : `at ${hour - 12} am of which day?` };
    time.setTime(time.getTime() + DAY_MS / 2);
  }
  const isDateNamed = start.isCertain("day") || start.isCertain("weekday");
  // `at 9` is tomorrow's when nine has passed.
  if (time !== null && time.getTime() <= now && !isDateNamed) time.setTime(time.getTime() + DAY_MS);
  return { schedule: { kind: "at", at: (time ?? new Date(now)).toISOString() } };
}

/** How far the zone's clock is before UTC. */
function offsetMinutes(now: number, tz: string): number {
  return Math.round((Date.parse(`${calendarOf(tz).show(now).replace(" ", "T")}Z`) - now) / 60_000);
}

/**
 * The last day that a text names and that has not passed, as `2026-11-28`: for `I'll send it to Anna by Friday`, `下周五之前交报告`. `undefined`: there is
 * none.
 */
export async function dayIn(said: string, { tz, now }: Required<TimeGiven>): Promise<string | undefined> {
  const { casual } = HAN.test(said) ? await import("chrono-node/zh/hans") : await import("chrono-node/en");
  const reference = { instant: new Date(now), timezone: offsetMinutes(now, tz) };
  const days = casual.parse(said, reference, { forwardDate: true }).flatMap(({ start, end }) => {
    if (!start.isCertain("day") && !start.isCertain("weekday")) return [];
    const [year = 0, month = 0, day = 0] = (["year", "month", "day"] as const).map((part) =>
      Number((end ?? start).get(part)),
    );
    return [`${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`];
  });
  const today = calendarOf(tz).dayOf(now);
  return days.filter((day) => isDay(day) && day >= today).at(-1);
}
