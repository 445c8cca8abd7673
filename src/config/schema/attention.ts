import {
  DEFAULT_MAX_DAILY_NOTIFICATIONS,
  DEFAULT_MIN_INTERVAL,
  DEFAULT_PRIORITY_THRESHOLD,
  SPAN,
} from "../../attention/index.ts";
import { type RuleBroken, between, flag, list, made, names, section, textLike, whole } from "../../settings/index.ts";

export const attention = section(
  {
    enabled: flag({
      what: "Whether limits hold for what nobody asked for; false: it is said at once",
      default: true,
    }),
    maxDailyNotifications: whole(0, {
      max: 100,
      what: "Messages that a person gets unasked on one day of their zone; the rest is joined in a digest",
      default: DEFAULT_MAX_DAILY_NOTIFICATIONS,
    }),
    minInterval: textLike(SPAN, "minutes, hours or days, for example 30m, 2h or 1d", {
      what: "What lies between two messages of one type",
      default: DEFAULT_MIN_INTERVAL,
    }),
    quietHours: list(whole(0, { max: 24, what: "An hour, by the clock of the person's zone", example: 22 }), {
      what: "From which hour to which nothing is said unasked, as [22, 8], which is the default; equal hours: none",
      inSample: false,
    }),
    priorityThreshold: between(0, 1, {
      what: "What matters less than this is dropped",
      default: DEFAULT_PRIORITY_THRESHOLD,
    }),
    channels: names(
      "channel",
      section(
        {
          enabled: flag({ what: "Whether anything is said unasked there", default: true }),
          priorityBoost: between(-1, 1, {
            what: "Is added to how much something matters that is said there",
            default: 0,
          }),
        },
        { what: "What is said unasked on one channel", type: "attention/options.ts#ChannelAttention" },
      ),
      { what: "By the name of a channel" },
    ),
    scorer: made(
      "Scorer",
      { Scorer: "notify/index.ts" },
      { can: ["score"], only: "sdk", what: "Says how much a notice matters; when left out, what made it says so" },
    ),
  },
  {
    what: "When the assistant may speak unasked; in the file read again when it changes",
    inCode: "Source: docs/attention.md.",
    rule: quietHoursRule,
  },
);

function quietHoursRule({ quietHours }: Readonly<Record<string, unknown>>): RuleBroken | undefined {
  if (quietHours === undefined || (quietHours as readonly number[]).length === 2) return undefined;
  return { at: ["quietHours"], message: "expected two hours, as [22, 8]" };
}
