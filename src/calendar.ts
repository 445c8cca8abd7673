import QuickLRU from "quick-lru";

/** Days, months and times of day in one time zone. */
export interface Calendar {
  /** `2026-11-22`. */
  dayOf(ms: number): string;
  /** The first millisecond of a day, or of the next existing one. That is not midnight where clocks change at midnight. */
  startOf(day: string): number;
  /** The end of a time's day or month: the first millisecond of the next one. */
  endOf(period: "day" | "month", ms: number): number;
  /** `2026-11-23 00:00`, the time on the zone's clocks. */
  show(ms: number): string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** LRU cache: a formatter takes about 50 microseconds to create. Names that differ in case count as different zones. */
const calendars = new QuickLRU<string, Calendar>({ maxSize: 100 });

/**
 * The calendar of a time zone.
 *
 * @param timezone IANA name.
 * @throws {RangeError} For a zone that the runtime does not know.
 */
export function calendarOf(timezone: string): Calendar {
  let calendar = calendars.get(timezone);
  if (calendar === undefined) calendars.set(timezone, (calendar = createCalendar(timezone)));
  return calendar;
}

/** The calendar of a time zone, or of UTC if the runtime does not know the zone. */
export function calendarOrUtc(timezone: string): Calendar {
  return calendarOf(isTimezone(timezone) ? timezone : "UTC");
}

/** Whether the runtime knows a zone. */
export function isTimezone(zone: string): boolean {
  try {
    return zone !== "" && calendarOf(zone) !== undefined;
  } catch {
    return false;
  }
}

function createCalendar(timezone: string): Calendar {
  const read = timezone === "UTC" ? readUtc : reader(timezone);
  let known = { day: "", from: 0, until: 0 };
  let shown = { minute: Number.NaN, text: "" };

  function startOf(day: string): number {
    const midnight = Date.parse(`${day}T00:00:00Z`);
    // Tries the offset that the zone has at UTC midnight, which is nearly always right: three formatted times instead
    // of fifty.
    const ahead = Date.parse(`${read(midnight).replace(" ", "T")}Z`) - midnight;
    const likely = midnight - ahead;
    if (read(likely) === `${day} 00:00` && read(likely - 1).slice(0, 10) < day) return likely;
    // No zone is further from UTC than 14 hours.
    let [before, from] = [midnight - 15 * HOUR_MS, midnight + 15 * HOUR_MS];
    while (from - before > 1) {
      const middle = Math.floor((before + from) / 2);
      if (read(middle).slice(0, 10) < day) before = middle;
      else from = middle;
    }
    return from;
  }

  function dayOf(ms: number): string {
    // Cached, since formatting costs more than the rest of counting a call or handling a memory entry.
    if (ms < known.from || ms >= known.until) {
      const day = read(ms).slice(0, 10);
      known = { day, from: startOf(day), until: startOf(dayAfter(day, 1)) };
    }
    return known.day;
  }

  return {
    dayOf,
    startOf,
    endOf(period, ms) {
      const day = dayOf(ms);
      // The 32nd day of a month is in the next month.
      const inNextMonth = dayAfter(`${day.slice(0, 8)}01`, 31);
      return startOf(period === "day" ? dayAfter(day, 1) : `${inNextMonth.slice(0, 8)}01`);
    },
    show(ms) {
      const minute = Math.floor(ms / MINUTE_MS);
      if (shown.minute !== minute) shown = { minute, text: read(ms) };
      return shown.text;
    },
  };
}

/**
 * Without a formatter: the first one of a process loads the runtime's tables of zones and languages, 10 to 20 ms, which
 * the default zone does not need.
 */
function readUtc(ms: number): string {
  return new Date(ms).toISOString().slice(0, "2026-11-22T00:00".length).replace("T", " ");
}

function reader(timeZone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return (ms) => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    return `${parts["year"]?.padStart(4, "0")}-${parts["month"]}-${parts["day"]} ${parts["hour"]}:${parts["minute"]}`;
  };
}

/** The day `days` days later, or earlier when `days` is negative. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 24 * HOUR_MS).toISOString().slice(0, 10);
}

/** Whether a text is an existing day, such as `2026-02-01`. */
export function isDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** `Sunday`. */
export function weekdayOf(day: string): string {
  return WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()]!;
}
