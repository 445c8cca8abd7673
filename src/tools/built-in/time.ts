import * as v from "valibot";
import type { Clock } from "../../clock.ts";
import { ToolError, defineTool } from "../tool.ts";
import type { AnyTool, ToolContext } from "../tool.ts";

export interface TimeToolOptions {
  readonly clock: Pick<Clock, "now">;
  /** The IANA zone when the model names none, or who to ask for the caller's. */
  readonly timezone: string | ((context: ToolContext) => string);
}

/**
 * `time`: the time now, in a time zone.
 *
 * Source: docs/tools.md, "Time"; zone names are those of the IANA time zone database (https://www.iana.org/time-zones).
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
  const parts = new Map(
    formatFor(timezone)
      .formatToParts(new Date(nowMs))
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? "";
  const date = `${part("year")}-${part("month")}-${part("day")}`;
  const clockTime = `${part("hour")}:${part("minute")}:${part("second")}`;
  // "GMT" alone, or "GMT+05:30".
  const offset = part("timeZoneName").slice(3) || "+00:00";
  return { time: `${date}T${clockTime}${offset}`, weekday: part("weekday"), timezone };
}

function formatFor(timezone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", {
      calendar: "gregory",
      numberingSystem: "latn",
      timeZone: timezone,
      hourCycle: "h23",
      weekday: "long",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      timeZoneName: "longOffset",
    });
  } catch (cause) {
    throw new ToolError(
      "BAD_INPUT",
      `There is no time zone ${JSON.stringify(timezone)}: write a name such as Europe/Stockholm or UTC`,
      { cause },
    );
  }
}
