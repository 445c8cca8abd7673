import type { TimeInput } from "./entry.ts";

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i;
/** Years 0000 to 9999, which ISO 8601 writes with four digits. */
const EARLIEST_MS = -62_167_219_200_000;
const LATEST_MS = 253_402_300_799_999;

/** Accepted forms of a time, for error messages. */
export const TIME_FORMS = "a Date, milliseconds since the epoch, or an ISO 8601 text such as 2026-02-01T09:30:00Z";

/** Parses a time; `undefined` for other values. A text without a zone is UTC. */
export function parseTime(input: TimeInput | unknown): Date | undefined {
  const time = input instanceof Date ? new Date(input.getTime()) : new Date(millisecondsOf(input));
  return time.getTime() >= EARLIEST_MS && time.getTime() <= LATEST_MS ? time : undefined;
}

function millisecondsOf(input: unknown): number {
  if (typeof input === "number") return input;
  const [, day, clock, zone] = (typeof input === "string" && ISO.exec(input.trim())) || [];
  if (day === undefined) return Number.NaN;
  return clock === undefined ? Date.parse(day) : Date.parse(`${day}T${clock}${zone?.toUpperCase() ?? "Z"}`);
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Reads the time from a ULID; `undefined` for other ids. Source: https://github.com/ulid/spec */
export function timeOfUlid(id: string): Date | undefined {
  if (!ULID.test(id)) return undefined;
  let ms = 0;
  for (const digit of id.slice(0, 10).toUpperCase()) ms = ms * 32 + DIGITS.indexOf(digit);
  return parseTime(ms);
}
