/** Days and months as people of one time zone count them. */
export interface Periods {
  /** `2026-11-22`. */
  dayOf(ms: number): string;
  /** When the day, or the month, of a time is over: the first millisecond of the next one. */
  endOf(period: "day" | "month", ms: number): number;
  /** `2026-11-23 00:00`, a time as the clocks of the zone show it. */
  show(ms: number): string;
}

const HOUR_MS = 3_600_000;

/** @param timezone IANA name. */
export function createPeriods(timezone: string): Periods {
  let day = { name: "", from: 0, until: 0 };
  const show = timezone === "UTC" ? showUtc : showIn(timezone);

  const nameOf = (length: number, ms: number) => show(ms).slice(0, length);

  /** The first millisecond with another name: days are not 24 hours long where clocks are changed. */
  function firstAfter(ms: number, length: number, mostHours: number): number {
    const name = nameOf(length, ms);
    let [same, other] = [ms, ms + mostHours * HOUR_MS];
    while (other - same > 1) {
      const middle = Math.floor((same + other) / 2);
      if (nameOf(length, middle) === name) same = middle;
      else other = middle;
    }
    return other;
  }

  return {
    show,
    dayOf(ms) {
      // Formatting costs more than all the rest of counting a call.
      if (ms < day.from || ms >= day.until) day = { name: nameOf(10, ms), from: ms, until: firstAfter(ms, 10, 50) };
      return day.name;
    },
    endOf: (period, ms) => (period === "day" ? firstAfter(ms, 10, 50) : firstAfter(ms, 7, 24 * 33)),
  };
}

/** The first formatter of a process loads tables for 10 to 20 ms, which the default zone can do without. */
function showUtc(ms: number): string {
  return new Date(ms).toISOString().slice(0, "2026-11-22T00:00".length).replace("T", " ");
}

function showIn(timeZone: string): (ms: number) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (ms) => {
    format ??= new Intl.DateTimeFormat("en-GB", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    return `${parts["year"]}-${parts["month"]}-${parts["day"]} ${parts["hour"]}:${parts["minute"]}`;
  };
}
