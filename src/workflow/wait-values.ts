import { isDay } from "../calendar.ts";
import type { JsonValue } from "../store/index.ts";

/** Such as `2026-11-24`, or with a time of day. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/** What a value of a `wait` must be; undefined: it is valid. */
export function waitExpects(key: string, value: JsonValue): string | undefined {
  if (key === "event") return value === null || value === "" ? "the name of an event" : undefined;
  if (key === "until") {
    const isTime =
      typeof value === "string" &&
      ISO_TIME.test(value) &&
      isDay(value.slice(0, 10)) &&
      !Number.isNaN(Date.parse(value));
    return isTime ? undefined : "a time such as 2026-11-24T09:00:00Z";
  }
  const count = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof count === "number" && Number.isFinite(count) && count >= 0 ? undefined : "a number of 0 or more";
}
