import type { ParsedResult } from "chrono-node/en";
import { calendarOf, dayAfter, isDay } from "../calendar.ts";
import { type FoundTime, recurrenceIn } from "./recurrence.ts";
import type { TimeGiven } from "./time-rule.ts";
import { NUMBER, numberOf } from "./times-in-chinese.ts";
import { isIsoTime, parseSchedule } from "./parse-schedule.ts";
import { type Schedule, invalidSchedule, timeOfClock } from "./schedule.ts";

/** Meaning of words about a time, or a question to ask. */
export type ReadTime = { readonly schedule: Schedule } | { readonly ask: string };

const HAN = /\p{Script=Han}/u;
/** Filler words around a time. Any other word, however short, may change the meaning. */
const SAYS_NOTHING = /^(?:[\s,.:;!，。：；！]|\b(?:on|at|by|pls|please)\b|[请在于就吧的])*$/iu;
/** Says which of its two midnights a day is meant with: its beginning or its end. */
const EDGE = /^,?\s*at\s+(?:the\s+|its\s+)?(?<edge>beginning|start|end)(?:\s+of\s+(?:that|the)\s+day)?$/i;
/** 下周三下午: the parser reads the day only. */
const PART_ZH = /^的?(?:清晨|早晨|早上|上午|中午|下午|傍晚|晚上|晚间|夜里|早|晚)$/;
const QUARTERS: Readonly<Record<string, string>> = { 一刻: "15分", 三刻: "45分" };
/** 下周日, 星期三; not 上周日, which has passed, and not 下下周日. */
const WEEKDAY_ZH = /(?<![上下])(?<week>[下这本])?个?(?:周|星期|礼拜)(?<name>[一二三四五六日天])/gu;
/** on the 15th; not on the 15th of May, nor of every month. */
const DAY_OF_MONTH = /(?<=\bon\s+)the\s+(?<day>\d{1,2})(?:st|nd|rd|th)\b(?!\s+(?:day\s+)?of\b)/gi;
/** on the first of next month */
const MONTH_DAY = /\bthe\s+(?<day>\d{1,2}(?:st|nd|rd|th)?|first)\s+(?:day\s+)?of\s+(?<month>next|this)\s+month\b/gi;
/** 下个月一号; not 下下个月一号 */
const MONTH_DAY_ZH = new RegExp(`(?<![上下])(?<month>[下这本])个?月(?:的)?\\s*(?<day>${NUMBER})\\s*[号號日]`, "gu");
const WEEK_ZH = "一二三四五六日";

/**
 * Reads a time, including dates in words: `tomorrow at 9`, `next Friday at 3pm`, `下周五下午三点`.
 * @throws {AssistantError} `OPTION_INVALID` as `parseSchedule`.
 */
export async function readSchedule(
  input: unknown,
  { tz, now, minIntervalMs }: Required<TimeGiven> & { readonly minIntervalMs?: number | undefined },
): Promise<ReadTime> {
  if (typeof input === "string" && !isIsoTime(input)) {
    const repeated = recurrenceIn(input, { tz, now });
    const isAll = repeated !== undefined && isAllOf(repeated);
    const found = isAll ? repeated : ((await dateIn(input, { tz, now })) ?? repeated);
    if (found !== undefined && isAllOf(found)) {
      if ("ask" in found) return { ask: found.ask };
      return { schedule: parseSchedule(found.schedule, { tz, ...(minIntervalMs !== undefined && { minIntervalMs }) }) };
    }
  }
  return { schedule: parseSchedule(input, { tz, now, ...(minIntervalMs !== undefined && { minIntervalMs }) }) };
}

function isAllOf({ before, after }: FoundTime): boolean {
  return SAYS_NOTHING.test(before) && SAYS_NOTHING.test(after);
}

/** Finds the first date or time of day in a text, and the text around it: for `tomorrow at 9, please`. */
async function dateIn(said: string, given: Required<TimeGiven>): Promise<FoundTime | undefined> {
  const text = said.replaceAll(/(?<=[点點])(?:一刻|三刻)/g, (quarter) => QUARTERS[quarter] ?? quarter);
  const { read, results, ofWeekdays } = await timesIn(text, given);
  const [result] = results;
  if (result === undefined) return undefined;
  const after = read.slice(result.index + result.text.length).trim();
  const edge = EDGE.exec(after)?.groups?.["edge"];
  const part = result.start.isCertain("hour") ? undefined : PART_ZH.exec(after)?.[0];
  const words = result.text + (part ?? "");
  const meaning = meaningOf(result, words, ofWeekdays, given, edge);
  if (meaning === undefined) return undefined;
  return {
    ...meaning,
    words,
    before: read.slice(0, result.index).trim(),
    after: (edge ?? part) === undefined ? after : "",
  };
}

/**
 * Finds the times in a text; none is moved forward yet. The parser uses the clock of this process. It gets the noon
 * that this clock shows on the person's day, so that the result is the same wherever the process runs. No zone skips
 * noon.
 */
async function timesIn(said: string, given: Required<TimeGiven>) {
  const today = todayOf(given);
  const ofWeekdays = new Set<string>();
  // The parser's Chinese weeks begin on Sunday, people's on Monday.
  const inMonths = said
    .replaceAll(DAY_OF_MONTH, (words, day: string) => comingDay(today, Number(day)) ?? words)
    .replaceAll(MONTH_DAY, (words, day: string, month: string) => {
      const number = day.toLowerCase() === "first" ? 1 : Number.parseInt(day, 10);
      return dayOfMonth(today, month.toLowerCase() === "next" ? 1 : 0, number) ?? words;
    })
    .replaceAll(MONTH_DAY_ZH, (words, month: string, day: string) => {
      const found = dayOfMonth(today, month === "下" ? 1 : 0, numberOf(day));
      return found === undefined ? words : inChinese(found);
    });
  const read = inMonths.replaceAll(WEEKDAY_ZH, (_, week: string | undefined, name: string) => {
    const ahead = WEEK_ZH.indexOf(name === "天" ? "日" : name) - ((weekdayOn(today) + 6) % 7);
    const day = dayAfter(today, week === undefined ? (ahead + 7) % 7 : week === "下" ? ahead + 7 : ahead);
    if (week === undefined) ofWeekdays.add(day);
    return inChinese(day);
  });
  const { casual } = HAN.test(read) ? await import("chrono-node/zh/hans") : await import("chrono-node/en");
  const [year = 0, month = 1, date = 1] = today.split("-").map(Number);
  return { read, results: casual.parse(read, new Date(year, month - 1, date, 12)), ofWeekdays };
}

/** The next day with this number, today included. */
function comingDay(today: string, number: number): string | undefined {
  for (let ahead = number < Number(today.slice(-2)) ? 1 : 0; ahead < 4; ahead += 1) {
    const day = dayOfMonth(today, ahead, number);
    if (day !== undefined) return day;
  }
  return undefined;
}

/** A day of the month `ahead` months after today's; `undefined`: that month has no such day. */
function dayOfMonth(today: string, ahead: number, number: number): string | undefined {
  const [year = 0, month = 1] = today.split("-").map(Number);
  const count = month - 1 + ahead;
  const day = `${year + Math.floor(count / 12)}-${two((count % 12) + 1)}-${two(number)}`;
  return isDay(day) ? day : undefined;
}

function inChinese(day: string): string {
  const [year, month, date] = day.split("-").map(Number);
  return `${year}年${month}月${date}日`;
}

function meaningOf(
  { start, end }: ParsedResult,
  text: string,
  ofWeekdays: ReadonlySet<string>,
  given: Required<TimeGiven>,
  edge: string | undefined,
): ReadTime | undefined {
  const { tz, now } = given;
  const isChinese = HAN.test(text);
  const tags = start.tags();
  // Not a time: a range, the present moment, or a time relative to another one.
  if (
    end ||
    tags.has("casualReference/now") ||
    /\S\s+(?:before|after|from)\s+(?!now\b)(?<!the\s+day\s+after\s+(?=tomorrow\b))/i.test(text)
  )
    return undefined;
  const [hour = 0, minute = 0, second = 0] = (["hour", "minute", "second"] as const).map((part) =>
    Number(start.get(part)),
  );
  const clock = `${two(hour)}:${two(minute)}`;
  if (tags.has("result/relativeDateAndTime")) {
    // The parser counted from noon: the difference is the delay, and changes of clocks do not matter.
    const later = Date.parse(`${dayOf(start)}T${clock}:${two(second)}Z`) - Date.parse(`${todayOf(given)}T12:00:00Z`);
    return { schedule: { kind: "at", at: new Date(now + later).toISOString() } };
  }
  // Abbreviations of zones are often ambiguous, and the schedule needs one zone.
  if (start.isCertain("timezoneOffset"))
    throw invalidSchedule(
      `${JSON.stringify(text)} contains a time zone: leave it out of the words and pass it as the timezone, such as Europe/Stockholm`,
    );
  const twoDays = daysOfSlashes(start);
  if (twoDays !== undefined) return { ask: `is it ${twoDays}?` };
  if (!start.isCertain("hour") && !/.中午/.test(text))
    return { ask: isChinese ? "几点？" : "at what time of the day?" };
  const isHalfKnown = start.isCertain("meridiem") || /\d\d:\d\d/.test(text) || hour === 0 || hour > 6;
  if (!isHalfKnown)
    return { ask: isChinese ? `是上午${hour}点还是下午${hour}点？` : `is it ${hour} am or ${hour} pm?` };
  const isNight = /[晚夜]|(?<!mid)night/i.test(text);
  const isMidnight = !isNight && /midnight/i.test(text);
  if (edge !== undefined && !isMidnight) return undefined;
  const isToday = /今晚|tonight|today/i.test(text);
  // `tomorrow at midnight` and `tomorrow night at 1 am` can mean two days. `tonight` means the coming one.
  if (isMidnight && edge === undefined && !isToday && !/^(?:at\s+)?midnight$/i.test(text))
    return { ask: "at the beginning of that day, or at its end?" };
  if (isNight && hour > 0 && hour < 5 && !isToday)
    return { ask: isChinese ? "是当天凌晨，还是第二天凌晨？" : `at ${hour} am of which day?` };
  const isLate = isNight && hour >= 12 && hour < 17;
  // Twelve at night ends the named day; one at night may be in the night before or after it.
  if (isLate && hour > 12)
    return { ask: isChinese ? "是当天凌晨，还是第二天凌晨？" : `at ${hour - 12} am of which day?` };
  const timeOn = (day: string) =>
    isLate ? timeOfClock(`${dayAfter(day, 1)}T00:${two(minute)}`, tz) : timeOfClock(`${day}T${clock}`, tz);
  const meant = dayMeant({ start, text }, ofWeekdays, given);
  const day = edge?.toLowerCase() === "end" ? dayAfter(meant.day, 1) : meant.day;
  const next = isToday && (isNight || isMidnight) && hour < 5 ? dayAfter(day, 1) : meant.next;
  let time = timeOn(day);
  // `at 9` means tomorrow when nine has passed.
  if (time !== undefined && time <= now && next !== undefined) time = timeOn(next);
  return time === undefined ? undefined : { schedule: { kind: "at", at: new Date(time).toISOString() } };
}

/**
 * Both meanings of `3/4` or `3.4.2027`, such as `March 4 or April 3`: half the world writes the day first. The parser
 * reads the month first.
 */
function daysOfSlashes(start: ParsedResult["start"]): string | undefined {
  const [year = 0, month = 0, day = 0] = dayOf(start).split("-").map(Number);
  if (!start.tags().has("parser/SlashDateFormatParser") || day > 12 || day === month) return undefined;
  const { format } = new Intl.DateTimeFormat("en", {
    month: "long",
    day: "numeric",
    ...(start.isCertain("year") && { year: "numeric" }),
    timeZone: "UTC",
  });
  return `${format(Date.UTC(year, month - 1, day))} or ${format(Date.UTC(year, day - 1, month))}`;
}

/**
 * The day that words name, and the day to use instead when its time has passed, if any: `on Friday`, `12月24日`, `at
 * 9`.
 */
function dayMeant(
  { start, text }: Pick<ParsedResult, "start" | "text">,
  ofWeekdays: ReadonlySet<string>,
  given: Required<TimeGiven>,
): { readonly day: string; readonly next?: string } {
  const day = dayOf(start);
  const today = todayOf(given);
  if (start.isCertain("month"))
    return ofWeekdays.has(day)
      ? { day, next: dayAfter(day, 7) }
      : start.isCertain("year")
        ? { day }
        : { day, next: `${two(Number(day.slice(0, 4)) + 1)}${day.slice(4)}` };
  if (start.isCertain("day") || /\b(?:this\s+(?:morning|noon|afternoon|evening)|next|last|past)\b/i.test(text))
    return { day };
  if (!start.isCertain("weekday")) return { day, next: dayAfter(day, 1) };
  const coming = dayAfter(today, (Number(start.get("weekday")) - weekdayOn(today) + 7) % 7);
  return { day: coming, next: dayAfter(coming, 7) };
}

function dayOf(parts: ParsedResult["start"]): string {
  const [year = 0, month = 0, day = 0] = (["year", "month", "day"] as const).map((part) => Number(parts.get(part)));
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
}

function todayOf({ tz, now }: Required<TimeGiven>): string {
  return calendarOf(tz).dayOf(now);
}

/** Day of the week; 0 is Sunday. */
function weekdayOn(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

/**
 * The last day in a text that has not passed, as `2026-11-28`: for `I'll send it to Anna by Friday`,
 * `下周五之前交报告`. `undefined`: there is none, or it has two meanings, as `3/4`, and there is no person to ask.
 */
export async function dayIn(said: string, given: Required<TimeGiven>): Promise<string | undefined> {
  const { results, ofWeekdays } = await timesIn(said, given);
  const today = todayOf(given);
  const days = results.flatMap(({ start, end, text }) => {
    const last = end ?? start;
    if (!last.isCertain("day") && !last.isCertain("weekday")) return [];
    // A promise of April 3 is not late in March.
    if (daysOfSlashes(last) !== undefined) return [];
    const { day, next = day } = dayMeant({ start: last, text }, ofWeekdays, given);
    return [day < today ? next : day];
  });
  return days.filter((day) => isDay(day) && day >= today).at(-1);
}
