import type { Meaning, TimeGiven, TimeRule } from "./time-rule.ts";
import {
  type PartOfDay,
  type TimeOfDay,
  clockCron,
  edgeCron,
  isOfTwoDays,
  rangeOfDays,
  timeOfDay,
  usualTimeOf,
} from "./time-of-day.ts";
import { after } from "./times-in-english.ts";

const DIGITS = "零一二三四五六七八九";
export const NUMBER = "\\d{1,4}|[零一二两三四五六七八九十百半]+";
const PARTS: Readonly<Record<string, PartOfDay>> = {
  凌晨: "am", 清晨: "morning", 早晨: "morning", 早上: "morning", 早: "morning", 上午: "morning", 中午: "noon",
  下午: "afternoon", 傍晚: "evening", 晚上: "evening", 晚间: "evening", 晚: "evening", 夜里: "night", 半夜: "night",
}; // prettier-ignore
const PART = `(?<part>${Object.keys(PARTS)
  .sort((a, b) => b.length - a.length)
  .join("|")})`;
/** 九点, 9点半, 九点一刻, 9点30分, 21:30 */
const CLOCK = `(?:${PART}?\\s*(?:的\\s*)?(?:(?<hour>${NUMBER})\\s*[点點时](?:钟|鐘|整)?(?:(?<fraction>半|一刻|三刻)|(?<minute>${NUMBER})\\s*分?)?|(?<written>\\d{1,2}[:：]\\d\\d))(?:[，,]?\\s*(?<edge>当天|第二天|次日)(?:的?凌晨)?)?)`;
const PART_ALONE = "(?<only>早上|上午|中午|下午|晚上|早|晚)";
const DAY_MS = 86_400_000;
const UNITS: Readonly<Record<string, number>> = {
  秒: 1000,
  分: 60_000,
  刻: 900_000,
  时: 3_600_000,
  天: DAY_MS,
  周: 7 * DAY_MS,
};
const UNIT = "秒钟?|分钟?|刻钟|个?(?:小时|钟头)|天|日|个?(?:星期|礼拜)|周";
const ASK_HALF = (hour: number) => `是上午${hour}点还是下午${hour}点？`;
const ASK_TIME = "几点？";
const ASK_DAY = "是当天凌晨，还是第二天凌晨？";
const ASK_WEEKEND = "是这周六、这周日，还是每个周末？";
const ASK_WEEKEND_DAY = "周六还是周日？";

/** Rules for times in Chinese. The longest match wins. */
export const chineseTimes: readonly TimeRule[] = [
  {
    // 20分钟后, 一刻钟后, 半小时以后, 两个小时之后, 一个半小时后, 一小时二十分钟后, 2.5小时后
    words: new RegExp(
      `(?:再?过|在)?\\s*(?<count>\\d{1,4}\\.\\d{1,2}|${NUMBER})\\s*(?<plusHalf>个半)?\\s*(?<unit>${UNIT})(?<half>半)?(?:[零又]?\\s*(?<more>${NUMBER})\\s*(?<moreUnit>分钟?|秒钟?|刻钟))?\\s*(?:之后|以后|后)`,
    ),
    read({ count = "", unit = "", plusHalf, half, more, moreUnit = "" }, { now }) {
      const ms = (numberOf(count) + ((plusHalf ?? half) === undefined ? 0 : 0.5)) * unitMs(unit);
      return after(ms + (more === undefined ? 0 : numberOf(more) * unitMs(moreUnit)), now);
    },
  },
  {
    // 每隔两小时, 每30分钟, 每小时
    words: new RegExp(`每(?:隔|过)?\\s*(?<count>${NUMBER})?\\s*(?<unit>[分秒]钟?|刻钟|个?(?:小时|钟头))`),
    read: ({ count, unit = "" }) => ({
      schedule: { kind: "every", everyMs: (count === undefined ? 1 : numberOf(count)) * unitMs(unit) },
    }),
  },
  {
    // 每天早上九点, 每个工作日9点, 工作日九点, 每晚八点; not 下个工作日, which is one
    words: new RegExp(
      `(?:每个?(?<days>工作日|周末|天|日|(?=[早晚]))|(?<![上下个])(?<workdays>工作日)(?:每天)?)\\s*(?:的\\s*)?(?:${CLOCK}|${PART_ALONE})?`,
    ),
    read({ days, workdays, only, ...clock }, given) {
      const weekdays = workdays !== undefined || days === "工作日" ? "1-5" : days === "周末" ? "0,6" : "*";
      return byClock({ ...clock, part: clock["part"] ?? only }, "*", weekdays, given);
    },
  },
  {
    // 周末上午十点 may mean once or every time; 这个周末, 下周末
    words: new RegExp(`(?<![每上下]个?)(?<which>[这本下]个?)?周末\\s*(?:的\\s*)?(?:${CLOCK}|${PART_ALONE})?`),
    read({ which, ...clock }, given) {
      const time = byClock(clock, "*", "0,6", given);
      if (time === null || "ask" in time) return time;
      return { ask: which === undefined ? ASK_WEEKEND : ASK_WEEKEND_DAY };
    },
  },
  {
    // 每周一早上九点, 每个星期一和星期四, 每周一、三、五
    words: new RegExp(
      `每个?(?:周|星期|礼拜)(?<list>[一二三四五六日天](?:\\s*[、,，和及]?\\s*(?:周|星期|礼拜)?[一二三四五六日天])*)\\s*(?:的\\s*)?${CLOCK}?`,
    ),
    read: ({ list = "", ...clock }, given) => byClock(clock, "*", weekdaysIn(list), given),
  },
  {
    // 周一到周五上午九点, 从周一至周四每天早上九点
    words: new RegExp(
      `(?:每个?|从)?(?<range>(?:周|星期|礼拜)[一二三四五六日天]\\s*(?:到|至|-|~)\\s*(?:周|星期|礼拜)?[一二三四五六日天])\\s*(?:的\\s*)?(?:每天(?:的)?\\s*)?${CLOCK}?`,
    ),
    read: ({ range = "", ...clock }, given) => byClock(clock, "*", rangeOfDays(weekdayNumbers(range)), given),
  },
  {
    // 每月1号上午十点
    words: new RegExp(`每个?月(?:的)?\\s*(?<day>${NUMBER})\\s*[号號日]\\s*(?:的\\s*)?${CLOCK}?`),
    read({ day = "", ...clock }, given) {
      const number = numberOf(day);
      return number < 1 || number > 31 ? null : byClock(clock, String(number), "*", given);
    },
  },
];

function byClock(
  { part, hour, fraction, minute, written, edge }: Readonly<Record<string, string | undefined>>,
  days: string,
  weekdays: string,
  { tz }: TimeGiven,
): Meaning | null {
  const inDay = part === undefined ? undefined : PARTS[part];
  let time: TimeOfDay | null;
  if (written !== undefined) {
    const [hours = 0, minutes = 0] = written.split(/[:：]/).map(Number);
    time = inDay === undefined ? { minutes: hours * 60 + minutes } : timeOfDay(hours, minutes, inDay, "");
    if (hours > 23 || minutes > 59) return null;
  } else if (hour === undefined) {
    const usual = inDay && usualTimeOf(inDay);
    time = usual === undefined ? { ask: ASK_TIME } : { minutes: usual };
  } else {
    const hours = numberOf(hour);
    const minutes =
      fraction === undefined
        ? minute === undefined
          ? 0
          : numberOf(minute)
        : ({ 半: 30, 一刻: 15, 三刻: 45 }[fraction] ?? 0);
    time = timeOfDay(hours, minutes, inDay, ASK_HALF(hours));
  }
  if (time === null || "ask" in time) return time;
  const { minutes } = time;
  if (!isOfTwoDays(inDay, minutes, `${days} ${weekdays}`))
    return edge === undefined ? clockCron(minutes, days, weekdays, tz) : null;
  if (edge === undefined) return { ask: ASK_DAY };
  return edgeCron(minutes, days, weekdays, edge !== "当天", tz);
}

function weekdaysIn(list: string): string {
  return [...new Set(weekdayNumbers(list))].toSorted((a, b) => a - b).join(",");
}

function weekdayNumbers(list: string): readonly number[] {
  return [...list.matchAll(/[一二三四五六日天]/g)].map(([day]) =>
    day === "日" || day === "天" ? 0 : DIGITS.indexOf(day),
  );
}

/** 十二 is 12, 两 is 2, 二十五 is 25, 半 is a half. */
export function numberOf(text: string): number {
  if (/^[\d.]+$/.test(text)) return Number(text);
  if (text === "半") return 0.5;
  const [, hundreds, rest = ""] = /^(?:(.?)百)?(.*)$/.exec(text) ?? [];
  const [tens, ones] = rest.includes("十") ? rest.split("十") : [undefined, rest];
  const digit = (one: string | undefined, empty: number) =>
    one === undefined || one === "" ? empty : one === "两" ? 2 : DIGITS.indexOf(one.replace(/^零/, "") || "零");
  return (
    (hundreds === undefined ? 0 : digit(hundreds, 1) * 100) +
    (tens === undefined ? 0 : digit(tens, 1) * 10) +
    digit(ones, 0)
  );
}

function unitMs(unit: string): number {
  if (unit.includes("秒")) return UNITS["秒"]!;
  if (unit.includes("分")) return UNITS["分"]!;
  if (unit.includes("刻")) return UNITS["刻"]!;
  if (/小时|钟头/.test(unit)) return UNITS["时"]!;
  return /天|日/.test(unit) ? UNITS["天"]! : UNITS["周"]!;
}
