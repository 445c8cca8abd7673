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

const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
const DAY = "(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?s?";
const DAY_RANGE = `${DAY}\\s*(?:to|through|thru|till|until|-|–)\\s*${DAY}`;
const DAY_LIST = `${DAY}(?:(?:\\s*,\\s*(?:and\\s+)?|\\s+and\\s+|\\s*&\\s*)${DAY})*`;
const NUMBERS: Readonly<Record<string, number>> = {
  a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, eleven: 11,
  twelve: 12, fifteen: 15, twenty: 20, thirty: 30, forty: 40, "forty-five": 45, sixty: 60, ninety: 90, other: 2, second: 2,
}; // prettier-ignore
const NUMBER = `\\d{1,4}|${Object.keys(NUMBERS)
  .sort((a, b) => b.length - a.length)
  .join("|")}`;
const UNITS: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};
/** `at 9`, `at 9:30 am`, `at noon`, `at 9 in the morning`. */
const CLOCK =
  "(?:(?<hour>\\d{1,2})(?:[:.](?<minute>\\d\\d))?(?:\\s*o'?clock)?(?:\\s*(?<half>[ap]\\.?m\\.?(?![a-z])))?(?<colon>h(?![a-z]))?(?:\\s+(?:in\\s+the\\s+(?<partOf>morning|afternoon|evening)|at\\s+(?<night>night)))?|(?<named>noon|midday|midnight))";
/** The answer to which day a midnight belongs to. */
const EDGE = "(?:,?\\s+at\\s+(?:the\\s+|its\\s+)?(?<edge>beginning|start|end)(?:\\s+of\\s+(?:that|the)\\s+day)?)?";
const AT = `(?:,?\\s*(?:at|@)\\s+${CLOCK}${EDGE})`;
const ASK_HALF = (hour: string) => `is it ${hour} in the morning or in the afternoon? Say ${hour} am or ${hour} pm`;
const ASK_TIME = "at what time of the day?";
const ASK_DAY = "at the beginning of that day, or at its end?";
const ASK_WEEKEND = "this Saturday, this Sunday, or every weekend?";
const ASK_WEEKEND_DAY = "on Saturday or on Sunday?";

/** Rules for times in English. The longest match wins. */
export const englishTimes: readonly TimeRule[] = [
  {
    // in 20 minutes, in half an hour, in 2 hours and 30 minutes
    words: new RegExp(
      `\\bin\\s+(?:(?<halfHour>half\\s+an\\s+hour)|(?<count>${NUMBER})(?<plusHalf>\\s+and\\s+a\\s+half)?\\s*(?<unit>seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?)(?<half>\\s+and\\s+a\\s+half)?(?:\\s+and\\s+(?<more>${NUMBER})\\s*(?<moreUnit>minutes?|mins?|seconds?|secs?))?)\\b`,
      "i",
    ),
    read({ halfHour, count, plusHalf, half, unit, more, moreUnit }, { now }) {
      if (halfHour !== undefined) return after(UNITS["hour"]! / 2, now);
      const ms = (numberOf(count) + ((plusHalf ?? half) === undefined ? 0 : 0.5)) * unitMs(unit);
      return after(ms + (more === undefined ? 0 : numberOf(more) * unitMs(moreUnit)), now);
    },
  },
  {
    // every 2 hours, every minute, hourly
    words: new RegExp(
      `\\b(?:(?:every|each)\\s+(?:(?<count>${NUMBER})\\s+)?(?<unit>seconds?|secs?|minutes?|mins?|hours?|hrs?)|(?<hourly>hourly))\\b`,
      "i",
    ),
    read: ({ count, unit, hourly }) => ({
      schedule: { kind: "every", everyMs: hourly === undefined ? numberOf(count) * unitMs(unit) : UNITS["hour"]! },
    }),
  },
  {
    // every weekday at 9, daily at 8:30, every morning, on weekends at 10
    words: new RegExp(
      `\\b(?:(?:every|each|on|all)\\s+)?(?<days>weekdays|work(?:ing)?\\s*days|weekends|daily|(?<=(?:every|each|all)\\s+)(?:weekdays?|work(?:ing)?\\s*day|weekend|days?|morning|afternoon|evening|night))(?:\\s+(?<part>morning|afternoon|evening|night)s?)?${AT}?`,
      "i",
    ),
    read({ days = "", part, ...clock }, given) {
      const name = days.toLowerCase();
      const named = (["morning", "afternoon", "evening", "night"] as const).find((one) => one === name);
      if (/^days?$/.test(name) && clock["hour"] === undefined && clock["named"] === undefined) {
        return { ask: ASK_TIME };
      }
      const weekdays =
        name.startsWith("weekday") || name.startsWith("work") ? "1-5" : name.startsWith("weekend") ? "0,6" : "*";
      return byClock({ ...clock, part: part?.toLowerCase() ?? named }, "*", weekdays, given);
    },
  },
  {
    // at the weekend at 10 may mean once or every time; this weekend, next weekend
    words: new RegExp(
      `\\b(?:(?:at|on|over|during)\\s+)?(?:(?<which>this|next)\\s+|the\\s+)?weekend\\b(?:\\s+(?<part>morning|afternoon|evening|night))?${AT}?`,
      "i",
    ),
    read({ which, part, ...clock }, given) {
      const time =
        clock["hour"] === undefined && clock["named"] === undefined
          ? { ask: ASK_TIME }
          : byClock({ ...clock, part: part?.toLowerCase() }, "*", "0,6", given);
      if (time === null || "ask" in time) return time;
      return { ask: which === undefined ? ASK_WEEKEND : ASK_WEEKEND_DAY };
    },
  },
  {
    // every Monday at 9, on Mondays and Thursdays at 10am, Mondays at 10, weekly on Friday at 5pm
    words: new RegExp(
      `\\b(?:(?:every|each)\\s+(?<list>${DAY_LIST})|(?:(?:weekly\\s+)?on\\s+)?(?<plural>${DAY_LIST}))(?:\\s+(?<part>morning|afternoon|evening|night)s?)?${AT}?`,
      "i",
    ),
    read({ list, plural, part, ...clock }, given) {
      // `on Monday` is one Monday; `on Mondays` are all of them.
      if (list === undefined && !/days\b/i.test(plural ?? "") && !/weekly/i.test(plural ?? "")) return null;
      return byClock({ ...clock, part }, "*", weekdaysIn(list ?? plural ?? ""), given);
    },
  },
  {
    // Monday to Friday at 9, every Monday through Thursday at 10am
    words: new RegExp(`\\b(?:(?:every|each|from|on)\\s+)?(?<range>${DAY_RANGE})${AT}?`, "i"),
    read: ({ range = "", ...clock }, given) => byClock(clock, "*", rangeOfDays(weekdayNumbers(range)), given),
  },
  {
    // every month on the 1st at 9, monthly on the 15th at 10:00, on the 1st of every month at 8
    words: new RegExp(
      `\\b(?:(?:(?:every|each)\\s+month|monthly)\\s+on\\s+(?:the\\s+)?(?<day>\\d{1,2}(?:st|nd|rd|th)?|first)|(?:on\\s+)?the\\s+(?<date>\\d{1,2}(?:st|nd|rd|th)?|first)\\s+(?:day\\s+)?of\\s+(?:every|each|the)\\s+month)${AT}?`,
      "i",
    ),
    read({ day, date = "", ...clock }, given) {
      const written = day ?? date;
      const number = written.toLowerCase() === "first" ? 1 : Number.parseInt(written, 10);
      return number < 1 || number > 31 ? null : byClock(clock, String(number), "*", given);
    },
  },
];

function byClock(
  { hour, minute = "0", half, colon, partOf, night, named, part, edge }: Readonly<Record<string, string | undefined>>,
  days: string,
  weekdays: string,
  { tz }: TimeGiven,
): Meaning | null {
  const inDay = (partOf ?? night ?? part)?.toLowerCase() as PartOfDay | undefined;
  let time: TimeOfDay | null;
  if (named !== undefined) time = { minutes: /midnight/i.test(named) ? 0 : 720 };
  else if (hour === undefined) {
    const usual = inDay && usualTimeOf(inDay);
    time = usual === undefined ? { ask: ASK_TIME } : { minutes: usual };
  } else {
    const isWritten = hour.length === 2 || colon !== undefined;
    const how = half === undefined ? inDay : /^a/i.test(half) ? "am" : "pm";
    time = timeOfDay(Number(hour), Number(minute), how, ASK_HALF(hour));
    // 05:30 is the 24-hour clock.
    if (time !== null && "ask" in time && isWritten) time = { minutes: Number(hour) * 60 + Number(minute) };
  }
  if (time === null || "ask" in time) return time;
  const { minutes } = time;
  if (!isOfTwoDays(named === undefined ? inDay : "night", minutes, `${days} ${weekdays}`))
    return edge === undefined ? clockCron(minutes, days, weekdays, tz) : null;
  if (edge === undefined) return { ask: ASK_DAY };
  return edgeCron(minutes, days, weekdays, /end/i.test(edge), tz);
}

function weekdaysIn(list: string): string {
  return [...new Set(weekdayNumbers(list))].toSorted((a, b) => a - b).join(",");
}

function weekdayNumbers(list: string): readonly number[] {
  return [...list.toLowerCase().matchAll(/sun|mon|tue|wed|thu|fri|sat/g)].map(([name]) =>
    DAYS.findIndex((day) => day.startsWith(name)),
  );
}

export function after(ms: number, now: number | undefined): Meaning | null {
  if (now === undefined || !(ms > 0)) return null;
  return { schedule: { kind: "at", at: new Date(now + ms).toISOString() } };
}

function numberOf(text = "1"): number {
  return /^\d/.test(text) ? Number(text) : (NUMBERS[text.toLowerCase()] ?? 1);
}

function unitMs(unit = ""): number {
  const name = unit.toLowerCase();
  const full = name.startsWith("min")
    ? "minute"
    : name.startsWith("sec")
      ? "second"
      : name.startsWith("hr")
        ? "hour"
        : name.replace(/s$/, "");
  return UNITS[full] ?? 0;
}
