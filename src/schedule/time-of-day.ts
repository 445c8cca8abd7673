import type { Meaning } from "./time-rule.ts";

/** Minutes since midnight, or a question when two times are possible. */
export type TimeOfDay = { readonly minutes: number } | { readonly ask: string };

const MINUTE = 60;

/** A part of the day that words name. */
export type PartOfDay = "morning" | "noon" | "afternoon" | "evening" | "night" | "am" | "pm";

/** Usual time of a part of the day alone: `every morning`. */
const USUAL: Readonly<Record<PartOfDay, number | undefined>> = {
  morning: 8 * MINUTE,
  noon: 12 * MINUTE,
  afternoon: 15 * MINUTE,
  evening: 19 * MINUTE,
  night: 21 * MINUTE,
  am: undefined,
  pm: undefined,
};

export function usualTimeOf(part: PartOfDay): number | undefined {
  return USUAL[part];
}

/**
 * Whether a time in a named evening or night is between midnight and 5:00. People may mean the day before it or the day
 * itself.
 */
export function isOfTwoDays(part: PartOfDay | undefined, minutes: number, days: string): boolean {
  return days !== "* *" && (part === "evening" || part === "night") && minutes < 5 * MINUTE;
}

/**
 * A time of day from its numbers and the named part of the day.
 * @param ask Question to ask when an hour from 1 to 6 is named alone, as it can be am or pm.
 * @returns `null` when there is no such time.
 */
export function timeOfDay(hour: number, minute: number, part: PartOfDay | undefined, ask: string): TimeOfDay | null {
  if (hour > 24 || minute > 59 || (hour === 24 && minute > 0)) return null;
  const at = (hours: number): TimeOfDay => ({ minutes: (hours % 24) * MINUTE + minute });
  switch (part) {
    case "am":
    case "morning":
      return hour > 12 ? (part === "am" ? null : at(hour)) : at(hour === 12 ? (part === "am" ? 0 : 12) : hour);
    case "evening":
      // Eight in the evening is 20:00; twelve and one belong to the night.
      return at(hour === 12 ? 0 : hour >= 5 && hour < 12 ? hour + 12 : hour);
    case "pm":
    case "afternoon":
      return at(hour < 12 ? hour + 12 : hour);
    case "night":
      // Nine at night is 21:00, and two at night is 2:00.
      return at(hour >= 6 && hour < 12 ? hour + 12 : hour === 12 ? 0 : hour);
    case "noon":
      return at(hour < 11 && hour > 0 ? hour + 12 : hour);
    default:
      return hour >= 1 && hour <= 6 ? { ask } : at(hour);
  }
}

/** A cron schedule that fires at this time on each of the days. */
export function clockCron(minutes: number, days: string, weekdays: string, tz: string): Meaning {
  return { schedule: { kind: "cron", cron: `${minutes % 60} ${Math.floor(minutes / 60)} ${days} * ${weekdays}`, tz } };
}

/**
 * As `clockCron`, for a night between two days: at the beginning of the named days, or at their end, which is on the
 * following days. `null` for the end of days of the month.
 */
export function edgeCron(minutes: number, days: string, weekdays: string, isEnd: boolean, tz: string): Meaning | null {
  if (!isEnd) return clockCron(minutes, days, weekdays, tz);
  if (days !== "*") return null;
  const after = weekdaysOf(weekdays).map((day) => (day + 1) % 7);
  return clockCron(minutes, days, after.toSorted((a, b) => a - b).join(","), tz);
}

/** A range of weekdays, both ends included: `1-5`, or `0,1,6` across the end of the week. */
export function rangeOfDays([from = 0, to = 0]: readonly number[]): string {
  if (from <= to) return `${from}-${to}`;
  const days = Array.from({ length: to + 8 - from }, (_, index) => (from + index) % 7);
  return days.toSorted((a, b) => a - b).join(",");
}

/** Parses `1-5` or `0,6`. */
function weekdaysOf(weekdays: string): readonly number[] {
  const [from = 0, to] = weekdays.split("-").map(Number);
  if (to !== undefined) return Array.from({ length: to + 1 - from }, (_, index) => from + index);
  return weekdays.split(",").map(Number);
}
