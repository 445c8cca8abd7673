import type { Clock } from "../clock.ts";
import { calendarOrUtc } from "../calendar.ts";
import type { MemorySpeaker } from "../session/index.ts";
import { type Commands, say } from "./chat-commands.ts";
import { commandText } from "./command-texts.ts";

const SPAN = /^(\d{1,3})\s*(m|min|minutes?|分钟|h|hours?|小时|d|days?|天)$/i;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Longer is a matter of the configuration: what waits is worth nothing after a week. */
const MAX_MUTE_MS = 30 * DAY_MS;
const ENDS = ["off", "end", "关", "取消"];
const TOMORROW = ["", "tomorrow", "明天"];

export interface AttentionCommandsDeps {
  /** Contract: durable when this resolves. */
  mute(speaker: MemorySpeaker, untilMs: number | null): Promise<void>;
  /** Of the person, whichever of their accounts they write from. */
  timezoneOf(speaker: MemorySpeaker): string;
  readonly clock: Pick<Clock, "now">;
}

/** `/mute`: when a person is not to be told what they did not ask for. Source: docs/attention.md, "Quiet". */
export function attentionCommands({ mute, timezoneOf, clock }: AttentionCommandsDeps): Commands {
  return {
    async mute(argument, { message }, _session, language) {
      const zone = timezoneOf(message);
      const until = readMute(argument, clock.now(), zone);
      if (until === undefined) return say(commandText("MUTE_UNKNOWN", { language }, { text: argument.slice(0, 64) }));
      await mute(message, until);
      if (until === null) return say(commandText("MUTE_ENDED", { language }));
      return say(commandText("MUTED", { language }, { until: calendarOrUtc(zone).show(until), zone }));
    },
  };
}

/** Pure: until when, in milliseconds since the epoch. `null`: not any more. `undefined`: it is no time. */
export function readMute(argument: string, nowMs: number, timezone: string): number | null | undefined {
  const text = argument.trim().toLowerCase();
  if (ENDS.includes(text)) return null;
  if (TOMORROW.includes(text)) return calendarOrUtc(timezone).endOf("day", nowMs);
  const [, count, unit = ""] = SPAN.exec(text) ?? [];
  if (count === undefined) return undefined;
  const span = Number(count) * (/^[m分]/.test(unit) ? MINUTE_MS : /^[h小]/.test(unit) ? HOUR_MS : DAY_MS);
  return span > 0 && span <= MAX_MUTE_MS ? nowMs + span : undefined;
}
