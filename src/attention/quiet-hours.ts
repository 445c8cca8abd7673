import { calendarOrUtc } from "../calendar.ts";

/** Zones change their clocks at quarter hours of UTC. */
const QUARTER_MS = 15 * 60_000;
const MAX_QUARTERS = 24 * 4;

/**
 * First and last hour of silence, 0 to 24, the last exclusive. A start after the end crosses midnight; equal hours mean
 * none.
 */
export type QuietHours = readonly [from: number, to: number];

/**
 * Returns the end of the quiet hours around a time: the first quarter of an hour whose local time is outside of them,
 * also across a change of clocks.
 * @returns Milliseconds since the epoch; `null` when the time is not in quiet hours.
 */
export function endOfQuietHours(ms: number, hours: QuietHours, timezone: string): number | null {
  const { show } = calendarOrUtc(timezone);
  const isQuiet = (at: number) => isWithin(Number(show(at).slice(11, 13)), hours);
  if (!isQuiet(ms)) return null;
  let at = ms - (ms % QUARTER_MS);
  for (let step = 0; step < MAX_QUARTERS; step += 1) {
    at += QUARTER_MS;
    if (!isQuiet(at)) return at;
  }
  return at; // quiet all day: decided again a day later
}

/** The first allowed moment of the next local day. */
export function nextAllowedDay(ms: number, hours: QuietHours, timezone: string): number {
  const tomorrow = calendarOrUtc(timezone).endOf("day", ms);
  return endOfQuietHours(tomorrow, hours, timezone) ?? tomorrow;
}

function isWithin(hour: number, [from, to]: QuietHours): boolean {
  if (from === to) return false;
  return from < to ? hour >= from && hour < to : hour >= from || hour < to;
}
