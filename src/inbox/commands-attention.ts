import type { Attention } from "../attention/index.ts";
import type { Clock } from "../clock.ts";
import { calendarOrUtc } from "../calendar.ts";
import type { MemorySpeaker } from "../session/index.ts";
import { inOneLine, shortened } from "../short-text.ts";
import { type Commands, say } from "./chat-commands.ts";
import { commandText } from "./command-texts.ts";

const SPAN = /^(\d{1,3})\s*(m|min|minutes?|分钟|h|hours?|小时|d|days?|天)$/i;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A longer mute belongs into the configuration. Held notices are worth nothing after a week. */
const MAX_MUTE_MS = 30 * DAY_MS;
const ENDS = ["off", "end", "关", "取消"];
/** Lines that `/held` shows, of held and of dropped notices each, and the characters of a line. */
const MAX_SHOWN = 10;
const SHOWN_CHARS = 120;
const RULES_ZH: Readonly<Record<string, string>> = {
  channel_disabled: "频道关闭",
  expired: "过期",
  muted: "静音",
  quiet_hours: "安静时段",
  threshold: "不够重要",
  daily_cap: "当天已满",
  min_interval: "间隔太短",
  too_many: "太多",
};
const TOMORROW = ["", "tomorrow", "明天"];

export interface AttentionCommandsDeps {
  readonly attention: Pick<Attention, "mute" | "view">;
  /** The person whose attention a speaker has. */
  personOf(speaker: MemorySpeaker): string;
  /** Time zone of the person, for all their accounts. */
  timezoneOf(speaker: MemorySpeaker): string;
  readonly clock: Pick<Clock, "now">;
}

/**
 * `/mute`: stops unasked messages for a time. `/held`: lists messages that were not sent.
 * Source: docs/attention.md, "Quiet".
 */
export function attentionCommands({ attention, personOf, timezoneOf, clock }: AttentionCommandsDeps): Commands {
  return {
    async mute(argument, { message }, _session, language) {
      const zone = timezoneOf(message);
      const until = readMute(argument, clock.now(), zone);
      if (until === undefined) return say(commandText("MUTE_UNKNOWN", { language }, { text: argument.slice(0, 64) }));
      await attention.mute(personOf(message), until);
      if (until === null) return say(commandText("MUTE_ENDED", { language }));
      return say(commandText("MUTED", { language }, { until: calendarOrUtc(zone).show(until), zone }));
    },
    async held(_argument, { message }, _session, language) {
      // A group must not read what is meant for one person.
      if (message.peer.kind !== "direct") return say(commandText("HELD_DIRECT", { language }));
      const zone = timezoneOf(message);
      const { held, decisions } = await attention.view(personOf(message));
      const waiting = held.toSorted((one, other) => one.until - other.until);
      // Another notice says, or said, the same as a dropped duplicate.
      const dropped = decisions.filter(({ verdict, rule }) => verdict === "drop" && rule !== "duplicate").toReversed();
      const lines = [
        ...listed("HELD", waiting, ({ until, notice, rule }) => line(until, notice.text, rule)),
        ...listed("DROPPED", dropped, ({ at, text, type, rule }) => line(at, text || type, rule)),
      ];
      return say(lines.length === 0 ? commandText("HELD_NONE", { language }) : lines.join("\n"));

      function line(at: number, text: string, rule: string): string {
        const why = language === "zh" ? RULES_ZH[rule] : rule.replace("_", " ");
        return `${calendarOrUtc(zone).show(at)}  ${shortened(inOneLine(text), SHOWN_CHARS)} (${why ?? rule})`;
      }
      function listed<One>(title: "HELD" | "DROPPED", all: readonly One[], show: (one: One) => string) {
        if (all.length === 0) return [];
        const more = all.length - MAX_SHOWN;
        return [
          commandText(title, { language }, { zone }),
          ...all.slice(0, MAX_SHOWN).map(show),
          ...(more > 0 ? [commandText("HELD_MORE", { language }, { count: more })] : []),
        ];
      }
    },
  };
}

/** Reads the end of a mute, milliseconds since the epoch; pure. `null`: the mute ends. `undefined`: not a time. */
export function readMute(argument: string, nowMs: number, timezone: string): number | null | undefined {
  const text = argument.trim().toLowerCase();
  if (ENDS.includes(text)) return null;
  if (TOMORROW.includes(text)) return calendarOrUtc(timezone).endOf("day", nowMs);
  const [, count, unit = ""] = SPAN.exec(text) ?? [];
  if (count === undefined) return undefined;
  const span = Number(count) * (/^[m分]/.test(unit) ? MINUTE_MS : /^[h小]/.test(unit) ? HOUR_MS : DAY_MS);
  return span > 0 && span <= MAX_MUTE_MS ? nowMs + span : undefined;
}
