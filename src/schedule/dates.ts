import { Cron } from "croner";
import type { ParsedResult } from "chrono-node/en";
import { calendarOf } from "../calendar.ts";
import { type FoundTime, type TimeGiven, recurrenceIn } from "./recurrence.ts";
import { type Schedule, parseSchedule } from "./schedule.ts";

/** What words about a time mean, or what has to be asked. */
export type ReadTime = { readonly schedule: Schedule } | { readonly ask: string };

const HAN = /\p{Script=Han}/u;

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
    // Words around it that say nothing: "on" before a date, "please" behind it.
    if (found !== undefined && "ask" in found) return found;
    if (found !== undefined && found.before.length + found.after.length <= 3)
      return { schedule: parseSchedule(found.schedule, { tz, ...(minIntervalMs !== undefined && { minIntervalMs }) }) };
  }
  return { schedule: parseSchedule(input, { tz, now, ...(minIntervalMs !== undefined && { minIntervalMs }) }) };
}

/** The first words of a text that say when, and what stands around them: for `remind me tomorrow at 9 to call Ada`. */
export async function findTime(text: string, given: Required<TimeGiven>): Promise<FoundTime | undefined> {
  const repeated = recurrenceIn(text, given);
  if (repeated !== undefined) return repeated;
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
  const isDateNamed = start.isCertain("day") || start.isCertain("weekday");
  // `at 9` is tomorrow's when nine has passed.
  if (time !== null && time.getTime() <= now && !isDateNamed) time.setTime(time.getTime() + 86_400_000);
  return { schedule: { kind: "at", at: (time ?? new Date(now)).toISOString() } };
}

/** How far the zone's clock is before UTC. */
function offsetMinutes(now: number, tz: string): number {
  return Math.round((Date.parse(`${calendarOf(tz).show(now).replace(" ", "T")}Z`) - now) / 60_000);
}
