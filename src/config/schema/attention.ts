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
      what: "Whether limits apply to unsolicited messages; false: they are sent at once",
      default: true,
    }),
    maxDailyNotifications: whole(0, {
      max: 100,
      what: "Messages per person and day, in the person's time zone, above which unsolicited ones wait for the next day's digest",
      default: DEFAULT_MAX_DAILY_NOTIFICATIONS,
    }),
    minInterval: textLike(SPAN, "minutes, hours or days, for example 30m, 2h or 1d", {
      what: "Minimum time between two unsolicited messages of one type",
      default: DEFAULT_MIN_INTERVAL,
    }),
    quietHours: list(whole(0, { max: 24, what: "An hour of the day in the person's time zone", example: 22 }), {
      what: "Start and end hour of the time without unsolicited messages; default [22, 8]; equal hours: none",
      inSample: false,
    }),
    priorityThreshold: between(0, 1, {
      what: "Priority below which an unsolicited message is dropped",
      default: DEFAULT_PRIORITY_THRESHOLD,
    }),
    channels: names(
      "channel",
      section(
        {
          enabled: flag({
            what: "Whether this channel takes notices; `false` drops everything that is no direct answer on this channel, requests for approval included",
            default: true,
          }),
          priorityBoost: between(-1, 1, {
            what: "Number added to the priority of notices on this channel",
            default: 0,
          }),
        },
        { what: "Settings for notices on one channel", type: "attention/options.ts#ChannelAttention" },
      ),
      { what: "Settings per channel, by the channel's name" },
    ),
    scorer: made(
      "Scorer",
      { Scorer: "notify/index.ts" },
      {
        can: ["score"],
        only: "sdk",
        what: "Computes the priority of unsolicited messages; default: the priority that their source gives",
      },
    ),
  },
  {
    what: "Which unsolicited messages are sent, and when; changes in the file apply without a restart",
    inCode: "Source: docs/attention.md.",
    rule: quietHoursRule,
  },
);

function quietHoursRule({ quietHours }: Readonly<Record<string, unknown>>): RuleBroken | undefined {
  if (quietHours === undefined || (quietHours as readonly number[]).length === 2) return undefined;
  return { at: ["quietHours"], message: "expected two hours, as [22, 8]" };
}
