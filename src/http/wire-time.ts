import * as v from "valibot";

const EXPECTED = "Expected a time such as 2026-01-31T12:00:00Z";

/** A time with its zone. Refuses days that the month does not have, since `Date` would silently use the next month. */
export const Time = v.pipe(v.string(EXPECTED), v.isoTimestamp(EXPECTED), v.check(hasItsDay, EXPECTED));

/** Whether the day exists in its month. True for a malformed time, which another check reports. */
function hasItsDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  return (
    day === undefined || new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  );
}
