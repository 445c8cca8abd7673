import { calendarOrUtc, dayAfter, weekdayOf } from "../../calendar.ts";
import { idsIn, timeOfUlid } from "../../memory/index.ts";
import { type Asked, askedIn } from "./asked.ts";
import { DAY_MS, brief, languageOfAll } from "./entries.ts";
import { type FoundPattern, type PatternDetector, type PatternMoment, priorityOf } from "./pattern.ts";
import { groupsOf, subjectOf } from "./topics.ts";

/** Minimum number of days with similar requests at a similar time. */
const MIN_DAYS = 3;
/** Maximum spread of the times of one routine, in minutes. */
const WINDOW_MINUTES = 90;
/** Share of the similar requests that must fall into that window. */
const MIN_SHARE = 0.7;
/** Share of the days, or weeks, between the first and the last request that must have one. */
const MIN_RATE = 0.3;
const MIN_WEEKLY_RATE = 0.6;
const SPAN_DAYS = 45;
/** Days after the last request until a routine counts as over. */
const RECENT_DAYS = 10;
const RECENT_DAYS_WEEKLY = 16;
const DAY_MINUTES = 24 * 60;
const WEEKEND = /^S/;
const ROUND_TO = 5;

/** One time at which something was asked for, in the person's local time. */
interface Occasion {
  readonly asked: Asked;
  readonly day: string;
  readonly minute: number;
}

interface Rhythm {
  readonly kind: "daily" | "weekdays" | "weekly";
  readonly rate: number;
}

interface Data {
  readonly schedule: string;
  readonly tz: string;
  readonly task: string;
  readonly time: string;
  readonly rhythm: Rhythm["kind"];
  readonly weekday: string;
  readonly [name: string]: string;
}

/** Similar requests at similar times on at least three days. Source: docs/patterns.md, "What is found". */
export const timeRoutine: PatternDetector<Data> = {
  name: "time_routine",
  detect(entries, moment) {
    const requests = askedIn(entries).filter(
      ({ isQuestion, isOfTheMoment, at }) => (!isQuestion || isOfTheMoment) && moment.now - at <= SPAN_DAYS * DAY_MS,
    );
    return groupsOf(requests).flatMap((group) => foundIn(group, moment));
  },
  suggest({ confidence, language, data: { schedule, tz, task, time, rhythm, weekday } }) {
    const asked = brief(task);
    const text =
      language === "zh"
        ? `您${CHINESE[rhythm](weekday)} ${time} 左右常让我做这件事：“${asked}”。要我以后到时间自动做吗？`
        : `You often ask for this ${ENGLISH[rhythm](weekday)} around ${time}: “${asked}”. Shall I do it by myself at that time?`;
    return { text, priority: priorityOf(confidence), action: { kind: "job", schedule, tz, task } };
  },
};

const ENGLISH: Readonly<Record<Rhythm["kind"], (weekday: string) => string>> = {
  daily: () => "every day",
  weekdays: () => "on weekdays",
  weekly: (weekday) => `every ${weekday}`,
};
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const CHINESE: typeof ENGLISH = {
  daily: () => "每天",
  weekdays: () => "工作日",
  weekly: (weekday) => `每周${"日一二三四五六"[WEEKDAYS.indexOf(weekday)]}`,
};

function foundIn(group: readonly Asked[], { now, tz }: PatternMoment): readonly FoundPattern<Data>[] {
  const occasions = group.flatMap((asked) => occasionsOf(asked, tz));
  const inWindow = largestWindow(occasions);
  const days = [...new Set(inWindow.map(({ day }) => day))].sort();
  const [first, last] = [days[0], days.at(-1)];
  if (days.length < MIN_DAYS || first === undefined || last === undefined) return [];
  if (inWindow.length < MIN_SHARE * occasions.length) return [];
  const rhythm = rhythmOf(days);
  const recent = rhythm?.kind === "weekly" ? RECENT_DAYS_WEEKLY : RECENT_DAYS;
  if (!rhythm || dayAfter(last, recent) < calendarOrUtc(tz).dayOf(now)) return [];
  const asked = [...new Set(inWindow.map((one) => one.asked))];
  const newest = asked.at(-1)!; // at least three days exist here
  const minute = middleOf(inWindow.map((one) => one.minute));
  const [hour, rest] = [Math.floor(minute / 60), minute % 60];
  const weekday = weekdayOf(last);
  const on = { daily: "*", weekdays: "1-5", weekly: String(WEEKDAYS.indexOf(weekday)) }[rhythm.kind];
  return [
    {
      subject: `${subjectOf(asked.map(({ topic }) => topic))} ${rhythm.kind === "weekly" ? weekday : "daily"}`,
      confidence: Math.min(0.95, 0.35 + 0.3 * rhythm.rate + 0.3 * Math.min(1, days.length / 7)),
      evidenceIds: asked.map(({ entry }) => entry.id),
      frequency: inWindow.length,
      language: languageOfAll(asked.map(({ text }) => text)),
      data: {
        schedule: `${rest} ${hour} * * ${on}`,
        tz,
        task: newest.text,
        time: `${String(hour).padStart(2, "0")}:${String(rest).padStart(2, "0")}`,
        rhythm: rhythm.kind,
        weekday,
      },
    },
  ];
}

/** Returns the times of a request. A merged entry also has the times in the ULIDs of the entries merged into it. */
function occasionsOf(asked: Asked, tz: string): readonly Occasion[] {
  const { id, slots = {} } = asked.entry;
  const merged = idsIn(slots).flatMap((other) => (other === id ? [] : (timeOfUlid(other)?.getTime() ?? [])));
  return [asked.at, ...merged].map((ms) => {
    const shown = calendarOrUtc(tz).show(ms);
    return { asked, day: shown.slice(0, 10), minute: Number(shown.slice(11, 13)) * 60 + Number(shown.slice(14, 16)) };
  });
}

/** Returns the occasions in the time window that covers the most days. The window may span midnight. */
function largestWindow(occasions: readonly Occasion[]): readonly Occasion[] {
  let best: readonly Occasion[] = [];
  let most = 0;
  for (const { minute: from } of occasions) {
    const within = occasions.filter(({ minute }) => (minute - from + DAY_MINUTES) % DAY_MINUTES <= WINDOW_MINUTES);
    const days = new Set(within.map(({ day }) => day)).size;
    if (days > most || (days === most && within.length > best.length)) [best, most] = [within, days];
  }
  return best;
}

function rhythmOf(days: readonly string[]): Rhythm | undefined {
  const span = (Date.parse(days.at(-1)!) - Date.parse(days[0]!)) / DAY_MS + 1;
  const weekdays = new Set(days.map(weekdayOf));
  if (weekdays.size === 1) {
    const rate = days.length / (Math.floor(span / 7) + 1);
    return rate >= MIN_WEEKLY_RATE ? { kind: "weekly", rate } : undefined;
  }
  const spanned = Array.from({ length: span }, (_, at) => weekdayOf(dayAfter(days[0]!, at)));
  const isWorkOnly = ![...weekdays].some((day) => WEEKEND.test(day));
  const expected = isWorkOnly ? spanned.filter((day) => !WEEKEND.test(day)).length : span;
  const rate = days.length / expected;
  return rate >= MIN_RATE ? { kind: isWorkOnly ? "weekdays" : "daily", rate } : undefined;
}

/** Median, rounded to five minutes. If the times span midnight, they are shifted by half a day first. */
function middleOf(minutes: readonly number[]): number {
  const isAtMidnight = Math.max(...minutes) - Math.min(...minutes) > WINDOW_MINUTES;
  const shift = isAtMidnight ? DAY_MINUTES / 2 : 0;
  const sorted = minutes.map((minute) => (minute + shift) % DAY_MINUTES).sort((one, other) => one - other);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return (Math.round(middle / ROUND_TO) * ROUND_TO - shift + DAY_MINUTES) % DAY_MINUTES;
}
