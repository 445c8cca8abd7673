const HOUR_MS = 3_600_000;

/** Days as the people of one time zone count them. */
export interface Calendar {
  /** `2026-02-01`. */
  dayOf(ms: number): string;
  /** The first millisecond of a day: not midnight where clocks are changed at midnight. */
  startOf(day: string): number;
}

/** @param timezone IANA name; one that the runtime does not know counts as UTC. */
export function createCalendar(timezone: string): Calendar {
  let format: Intl.DateTimeFormat | undefined;
  let known = { day: "", from: 0, to: 0 };

  function show(ms: number): string {
    if (timezone === "UTC") return new Date(ms).toISOString().slice(0, 10);
    format ??= formatOf(timezone);
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    return `${parts["year"]?.padStart(4, "0")}-${parts["month"]}-${parts["day"]}`;
  }

  function startOf(day: string): number {
    const midnight = Date.parse(`${day}T00:00:00Z`);
    // No zone is further from UTC than 14 hours.
    let [before, from] = [midnight - 15 * HOUR_MS, midnight + 15 * HOUR_MS];
    while (from - before > 1) {
      const middle = Math.floor((before + from) / 2);
      if (show(middle) < day) before = middle;
      else from = middle;
    }
    return from;
  }

  return {
    dayOf(ms) {
      // Formatting costs more than everything else that is done with an entry.
      if (ms < known.from || ms >= known.to) {
        const day = show(ms);
        known = { day, from: startOf(day), to: startOf(dayAfter(day, 1)) };
      }
      return known.day;
    },
    startOf,
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const parts = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  try {
    return new Intl.DateTimeFormat("en-GB", { timeZone, ...parts });
  } catch {
    return new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...parts });
  }
}

/** The day so many days later; earlier when `days` is negative. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 24 * HOUR_MS).toISOString().slice(0, 10);
}

/** Whether a text is a day that there is, as `2026-02-01`. */
export function isDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
