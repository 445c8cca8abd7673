import { calendarOf, weekdayOf } from "../calendar.ts";

/** Formats a time as `Sat 2026-11-21 23:50 Europe/Stockholm`. */
export function formatTime(nowMs: number, timezone: string): string {
  const text = calendarOf(timezone).show(nowMs);
  const weekday = weekdayOf(text.slice(0, "2026-11-21".length)).slice(0, "Sat".length);
  return `${weekday} ${text} ${timezone}`;
}
