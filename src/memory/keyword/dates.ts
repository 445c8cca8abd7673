// Dates become tokens of their own, which no text can contain: the day, the week, the month, the year, and the day and
// the month of any year. An entry has those of its time and of each date in its text; a query has those of the dates in
// it. Days are in UTC.

export const DAY_MS = 86_400_000;
const MONTHS = "january february march april may june july august september october november december".split(" ");
const WEEKDAYS = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
const NUMBERS = "a one two three four five six seven eight nine ten".split(" ");
const DIGITS = "〇一二三四五六七八九十";
const MONTH =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const AMBIGUOUS = /^(?:may|mar|march)$/;

const ENGLISH_HINT =
  /\d|day|week|month|year|night|morning|ago|tomorrow|january|february|march|april|may|june|july|august|october|ember/;
const HINT = new RegExp(`${ENGLISH_HINT.source}|[年月周天昨今明]|星期|礼拜`);
/** Cheap guards: a kind of date is searched for only when its guard matches. */
const HAS_MONTH = new RegExp(`\\b(?:${MONTH})\\b`);
const HAS_DIGIT = /\d|月/;
const HAS_NEAR = /yesterday|today|tonight|tomorrow|last night|this (?:morning|afternoon|evening)|[年天晚日]/;
const HAS_UNIT = / (?:week|month|year|(?:[a-z]{3,6})?day)/;
const NOT_ASCII = /[^\0-\x7f]/;
const ENGLISH_DATE = new RegExp(
  `(\\b(?:in|of|since|by|during|until|last|next|this|early|late|mid) )?(?:\\b(\\d{1,2})(?:st|nd|rd|th)? (?:of )?)?\\b(${MONTH})\\b\\.?(?: (\\d{1,2})(?:st|nd|rd|th)?(?!\\d))?(?:,? (\\d{4})\\b)?`,
  "g",
);
/** 5月, 五月7日, 五月二十号; not 五月初七, which belongs to the lunar calendar. */
const CHINESE_DATE =
  "([\\d一二三四五六七八九十]{1,3})月(?!初[一二三四五六七八九十])(?:([\\d一二三四五六七八九十]{1,3})[日号])?";
const WRITTEN_DATE = new RegExp(
  `(\\d{4})(?:[-/](\\d{1,2})(?:[-/](\\d{1,2}))?(?!\\d)|年(?:${CHINESE_DATE})?)|${CHINESE_DATE}|\\b((?:19|20)\\d\\d)\\b`,
  "g",
);
/** Names of days by their distance from today. A name stands before any name that it begins with. */
const NEAR_DAYS: Readonly<Record<string, number>> = {
  ...{ "day before yesterday": -2, yesterday: -1, "last night": -1, today: 0, tonight: 0 },
  ...{ "this morning": 0, "this afternoon": 0, "this evening": 0, "day after tomorrow": 2, tomorrow: 1 },
  ...{ 大前天: -3, 前天: -2, 昨天: -1, 昨晚: -1, 昨日: -1, 今天: 0, 今晚: 0, 今日: 0 },
  ...{ 大后天: 3, 后天: 2, 明天: 1, 明晚: 1, 明日: 1 },
};
const NEAR_YEARS: Readonly<Record<string, number>> = { 前年: -2, 去年: -1, 今年: 0, 明年: 1 };
const SHIFTS: Readonly<Record<string, number>> = {
  ...{ last: -1, past: -1, previous: -1, this: 0, next: 1, coming: 1 },
  ...{ 上上: -2, 上: -1, 这: 0, 本: 0, 下下: 2, 下: 1 },
};
const NEAR = new RegExp(
  `(?<![a-z])(?:${[...Object.keys(NEAR_DAYS), ...Object.keys(NEAR_YEARS)].join("|")})(?![a-z])`,
  "g",
);
const ENGLISH_RELATIVE = new RegExp(
  `\\b(?:(last|past|previous|this|next|coming) (week|month|year|${WEEKDAYS.join("|")})` +
    `|(in )?(\\d{1,3}|${NUMBERS.join("|")}) (day|week|month|year)s?( ago| later| from now)?)\\b`,
  "g",
);
const CHINESE_RELATIVE =
  /(上上|上|这|本|下下|下)个?(?:(周|星期|礼拜)([一二三四五六日天])?|月)|([\d一二两三四五六七八九十]{1,3})(天|周|个?星期|个?礼拜|个月|年)(?:之|以)?(前|后)/g;

/** Returns the date tokens of a day. */
export function datesOfDay(day: number): ReadonlySet<string> {
  const words = new Set<string>();
  if (isTime(day * DAY_MS)) addDay(words, day);
  return words;
}

/** Returns the date tokens of an entry's text, written at `atMs`. `datesOfDay` gives those of that day. */
export function datesOfEntry(normalised: string, atMs: number): ReadonlySet<string> {
  const words = new Set<string>();
  readDates(normalised, atMs, {
    day: (day) => addDay(words, day),
    week: (week) => words.add(weekWord(week)),
    month: (year, month) => words.add(monthWord(year, month)).add(anyMonthWord(month)).add(yearWord(year)),
    year: (year) => words.add(yearWord(year)),
    anyDay: (month, day) => {
      words.add(anyDayWord(month, day)).add(anyMonthWord(month));
      addDay(words, nearestDay(month, day, atMs));
    },
    anyMonth: (month) => words.add(anyMonthWord(month)),
  });
  return words;
}

/** Returns the date tokens of a query asked at `atMs`. */
export function datesOfQuery(normalised: string, atMs: number): ReadonlySet<string> {
  const words = new Set<string>();
  readDates(normalised, atMs, {
    day: (day) => words.add(dayWord(day)),
    week: (week) => words.add(weekWord(week)),
    month: (year, month) => words.add(monthWord(year, month)),
    year: (year) => words.add(yearWord(year)),
    anyDay: (month, day) => words.add(anyDayWord(month, day)),
    anyMonth: (month) => words.add(anyMonthWord(month)),
  });
  return words;
}

/** Removes dates from a normalised text. English names of months stay. */
export function withoutDates(normalised: string): string {
  return [WRITTEN_DATE, NEAR, CHINESE_RELATIVE].reduce((text, dates) => text.replace(dates, " "), normalised);
}

const dayWord = (day: number) => `@d${day}`;
const weekWord = (week: number) => `@w${week}`;
const monthWord = (year: number, month: number) => `@m${year}-${month}`;
const yearWord = (year: number) => `@y${year}`;
const anyDayWord = (month: number, day: number) => `@a${month}-${day}`;
const anyMonthWord = (month: number) => `@n${month}`;
const isTime = (ms: number) => Math.abs(ms) < 8e15;

function addDay(words: Set<string>, day: number): void {
  const date = new Date(day * DAY_MS);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
  words
    .add(dayWord(day))
    .add(weekWord(weekOf(day)))
    .add(monthWord(year, month))
    .add(yearWord(year));
  words.add(anyDayWord(month, date.getUTCDate())).add(anyMonthWord(month));
}

/** The day of that date nearest to a time: a person who names no year means it. */
function nearestDay(month: number, day: number, atMs: number): number {
  const year = new Date(atMs).getUTCFullYear();
  const days = [year - 1, year, year + 1].map((each) => Date.UTC(each, month - 1, day));
  return days.reduce((best, one) => (Math.abs(one - atMs) < Math.abs(best - atMs) ? one : best)) / DAY_MS;
}

/** Weeks begin on a Monday; day 0 was a Thursday. */
const weekOf = (day: number) => Math.floor((day + 3) / 7);

interface DateTaker {
  day(day: number): unknown;
  week(week: number): unknown;
  month(year: number, month: number): unknown;
  year(year: number): unknown;
  anyDay(month: number, day: number): unknown;
  anyMonth(month: number): unknown;
}

function readDates(text: string, atMs: number, take: DateTaker): void {
  const isEnglish = !NOT_ASCII.test(text);
  // Most texts have no date, and for English these guards are faster than the test for any hint.
  if (isEnglish && !HAS_MONTH.test(text) && !HAS_DIGIT.test(text) && !HAS_NEAR.test(text) && !HAS_UNIT.test(text))
    return;
  if (!isTime(atMs) || !(isEnglish ? ENGLISH_HINT : HINT).test(text)) return;
  const today = Math.floor(atMs / DAY_MS);
  const now = new Date(atMs);
  const takeMonth = (shift: number) => {
    const months = now.getUTCFullYear() * 12 + now.getUTCMonth() + shift;
    take.month(Math.floor(months / 12), (months % 12) + 1);
  };
  const takeYear = (shift: number) => take.year(now.getUTCFullYear() + shift);
  const takeParts = (...parts: readonly (string | undefined)[]) => {
    const [year = 0, month = 0, day = 0] = parts.map((part) => chineseNumber(part ?? "0"));
    if (month > 12 || day > 31 || (year > 0 && month === 0 && day > 0)) return;
    if (year > 0 && day > 0) take.day(Math.floor(Date.UTC(year, month - 1, day) / DAY_MS));
    else if (year > 0 && month > 0) take.month(year, month);
    else if (year > 0) take.year(year);
    else if (month > 0 && day > 0) take.anyDay(month, day);
    else if (month > 0) take.anyMonth(month);
  };
  const takeAway = (unit: string, count: number) => {
    if (/day|天/.test(unit)) take.day(today + count);
    else if (/week|周|星期|礼拜/.test(unit)) take.week(weekOf(today + 7 * count));
    else if (/month|月/.test(unit)) takeMonth(count);
    else takeYear(count);
  };

  // Removes each date with an English month name, so that its year is not read a second time.
  const takeNamed = (all: string, ...groups: (string | undefined)[]) => {
    const [lead, before, name = "", after, year] = groups;
    const day = before ?? after;
    if (AMBIGUOUS.test(name) && (lead ?? day ?? year) === undefined) return all;
    takeParts(year, String(MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3))) + 1), day);
    return " ";
  };
  const rest = HAS_MONTH.test(text) ? text.replace(ENGLISH_DATE, takeNamed) : text;
  if (HAS_DIGIT.test(rest)) {
    for (const [, year, month, day, zhMonth, zhDay, onlyMonth, onlyDay, onlyYear] of rest.matchAll(WRITTEN_DATE))
      takeParts(year ?? onlyYear, month ?? zhMonth ?? onlyMonth, day ?? zhDay ?? onlyDay);
  }
  if (HAS_NEAR.test(text)) {
    for (const [name] of text.matchAll(NEAR)) {
      if (name in NEAR_YEARS) takeYear(NEAR_YEARS[name]!);
      else take.day(today + NEAR_DAYS[name]!);
    }
  }
  const relative = HAS_UNIT.test(text) ? text.matchAll(ENGLISH_RELATIVE) : [];
  for (const [, which = "", what = "", inTime, count = "", unit = "", ago] of relative) {
    const shift = SHIFTS[which] ?? 0;
    const weekday = WEEKDAYS.indexOf(what);
    if (weekday >= 0) {
      const ahead = (weekday - ((today + 4) % 7) + 7) % 7;
      take.day(today + (shift < 0 ? ahead - 7 : shift > 0 && ahead === 0 ? 7 : ahead));
      // "Next Friday" means the coming Friday to some people and the one of next week to others: both count.
      if (shift > 0) take.day((weekOf(today) + 1) * 7 - 3 + ((weekday + 6) % 7));
    } else if (what) takeAway(what, shift);
    else if (ago || inTime) {
      const amount = /\d/.test(count) ? Number(count) : Math.max(1, NUMBERS.indexOf(count));
      takeAway(unit, ago === " ago" ? -amount : amount);
    }
  }
  if (isEnglish) return;
  for (const [, which, week, weekday, count = "", unit = "", side] of text.matchAll(CHINESE_RELATIVE)) {
    if (!which) takeAway(unit, (side === "前" ? -1 : 1) * chineseNumber(count));
    else if (!week) takeMonth(SHIFTS[which]!);
    else if (!weekday) take.week(weekOf(today) + SHIFTS[which]!);
    else take.day((weekOf(today) + SHIFTS[which]!) * 7 - 3 + Math.min(6, "一二三四五六日天".indexOf(weekday)));
  }
}

/** Reads a number up to 99: 两, 十二, 三十. */
function chineseNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const [tens, ones] = text.includes("十") ? text.split("十") : ["0", text];
  const digit = (character = "", empty: number) =>
    character === "" ? empty : character === "两" ? 2 : Math.max(0, DIGITS.indexOf(character));
  return digit(tens === "0" ? "〇" : tens, 1) * 10 + digit(ones, 0);
}
