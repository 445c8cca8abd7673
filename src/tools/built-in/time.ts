import * as v from "valibot";
import { type Calendar, calendarOf, weekdayOf } from "../../calendar.ts";
import type { Clock } from "../../clock.ts";
import { ToolError, defineTool } from "../tool.ts";
import type { AnyTool, ToolContext } from "../tool.ts";

const MINUTE_MS = 60_000;

export interface TimeToolOptions {
  readonly clock: Pick<Clock, "now">;
  /** The IANA zone if the model names none, or a function that returns the caller's zone. */
  readonly timezone: string | ((context: ToolContext) => string);
}

/**
 * `time`: the current time in a time zone.
 *
 * Source: docs/tools.md, "Time"; zone names are those of the IANA time zone database
 * (https://www.iana.org/time-zones).
 */
export function timeTool({ clock, timezone }: TimeToolOptions): Readonly<Record<string, AnyTool>> {
  const time = defineTool({
    description: "Tells the date, time and weekday now, in the person's time zone or another one.",
    inputSchema: v.strictObject({
      timezone: v.optional(
        v.pipe(v.string(), v.description("An IANA time zone, as Europe/Stockholm. Default: the person's own")),
      ),
    }),
    execute(input, context) {
      const zone = input.timezone ?? (typeof timezone === "function" ? timezone(context) : timezone);
      return timeIn(zone, clock.now());
    },
    meta: { category: "ui", idempotent: true },
  });
  return { time };
}

function timeIn(timezone: string, nowMs: number) {
  const [day = "", minute = ""] = calendarIn(timezone).show(nowMs).split(" ");
  const seconds = new Date(nowMs).toISOString().slice(17, 19);
  const atUtc = Math.floor(nowMs / MINUTE_MS);
  const offset = Date.parse(`${day}T${minute}:00Z`) / MINUTE_MS - atUtc;
  const two = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const time = `${day}T${minute}:${seconds}${offset < 0 ? "-" : "+"}${two(hours)}:${two(minutes)}`;
  return { time, weekday: weekdayOf(day), timezone };
}

function calendarIn(timezone: string): Calendar {
  try {
    return calendarOf(timezone);
  } catch (cause) {
    throw new ToolError(
      "BAD_INPUT",
      `There is no time zone ${JSON.stringify(timezone)}: write a name such as Europe/Stockholm or UTC`,
      { cause },
    );
  }
}
