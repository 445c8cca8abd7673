import * as v from "valibot";

const EXPECTED = "Expected a time as 2026-01-31T12:00:00Z";

/** A time with its zone. A day that its month does not have is none: a date would take the next month for it. */
export const Time = v.pipe(v.string(EXPECTED), v.isoTimestamp(EXPECTED), v.check(hasItsDay, EXPECTED));

/** True also for what is no time: that is told already. */
function hasItsDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  return (
    day === undefined || new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  );
}
