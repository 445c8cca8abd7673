import { describe, expect, it } from "vitest";
import {
  type AttentionConfig,
  type AttentionNotification,
  type AttentionState,
  LESS_STEP,
  decideAttention,
} from "../../src/attention/index.ts";

const HOUR_MS = 3_600_000;
const NOON = "2026-11-25T12:00:00Z";
const NOTE: AttentionNotification = { type: "pattern", priority: 0.7, channel: "telegram" };

/** So many messages of one type, so many minutes before noon each. */
const sent = (...minutesBefore: readonly number[]): AttentionState["sent"] =>
  minutesBefore.map((minutes) => ({ type: "job", at: Date.parse(NOON) - minutes * 60_000 }));

interface Case {
  readonly title: string;
  /** ISO 8601. Default noon in UTC. */
  readonly at?: string;
  readonly is?: Partial<AttentionNotification>;
  readonly state?: Partial<AttentionState>;
  readonly config?: AttentionConfig;
  /** `verdict rule`, and when it is decided again. */
  readonly to: string;
}

const ZONES: readonly Case[] = [
  { title: "says it at noon in UTC", to: "send ok" },
  {
    title: "holds it in the night of Shanghai, which is the afternoon of UTC",
    at: "2026-11-25T15:00:00Z",
    config: { timezone: "Asia/Shanghai" },
    to: "hold quiet_hours 2026-11-26T00:00:00.000Z",
  },
  {
    title: "holds it in the evening of New York",
    at: "2026-11-26T03:00:00Z",
    config: { timezone: "America/New_York" },
    to: "hold quiet_hours 2026-11-26T13:00:00.000Z",
  },
  {
    title: "says it in the morning of Stockholm",
    at: "2026-11-25T07:00:00Z",
    config: { timezone: "Europe/Stockholm" },
    to: "send ok",
  },
  {
    title: "ends quiet hours at the hour of a zone of half hours",
    at: "2026-11-25T20:00:00Z",
    config: { timezone: "Asia/Kolkata" },
    to: "hold quiet_hours 2026-11-26T02:30:00.000Z",
  },
  {
    title: "ends quiet hours at the hour of a zone of quarters",
    at: "2026-11-25T20:00:00Z",
    config: { timezone: "Asia/Kathmandu" },
    to: "hold quiet_hours 2026-11-26T02:15:00.000Z",
  },
  {
    title: "ends a night in which the clocks go forward an hour earlier",
    at: "2026-03-28T23:00:00Z",
    config: { timezone: "Europe/Stockholm" },
    to: "hold quiet_hours 2026-03-29T06:00:00.000Z",
  },
  {
    title: "ends a night in which the clocks go back an hour later",
    at: "2026-10-24T22:00:00Z",
    config: { timezone: "Europe/Stockholm" },
    to: "hold quiet_hours 2026-10-25T07:00:00.000Z",
  },
  {
    title: "ends quiet hours whose end is skipped at the first moment after",
    at: "2026-03-29T00:30:00Z",
    config: { timezone: "Europe/Stockholm", quietHours: [22, 2] },
    to: "hold quiet_hours 2026-03-29T01:00:00.000Z",
  },
  {
    title: "takes a zone that there is not as UTC",
    at: "2026-11-25T23:00:00Z",
    config: { timezone: "Mars/Olympus" },
    to: "hold quiet_hours 2026-11-26T08:00:00.000Z",
  },
  {
    title: "counts the day by the person's zone: yesterday's five",
    at: "2026-11-25T16:30:00Z",
    config: { timezone: "Asia/Shanghai", quietHours: [0, 0] },
    state: {
      sent: [1, 2, 3, 4, 5].map((hour) => ({ type: "job", at: Date.parse("2026-11-25T15:30:00Z") - hour * HOUR_MS })),
    },
    to: "send ok",
  },
  {
    title: "counts the day by the person's zone: today's five",
    at: "2026-11-25T15:30:00Z",
    config: { timezone: "Asia/Shanghai", quietHours: [0, 0] },
    state: {
      sent: [1, 2, 3, 4, 5].map((hour) => ({ type: "job", at: Date.parse("2026-11-25T15:00:00Z") - hour * HOUR_MS })),
    },
    to: "digest daily_cap 2026-11-25T16:00:00.000Z",
  },
];

const MIDNIGHT: readonly Case[] = [
  {
    title: "holds it a minute before midnight",
    at: "2026-11-25T23:59:00Z",
    to: "hold quiet_hours 2026-11-26T08:00:00.000Z",
  },
  { title: "holds it at midnight", at: "2026-11-26T00:00:00Z", to: "hold quiet_hours 2026-11-26T08:00:00.000Z" },
  {
    title: "holds it a minute after midnight",
    at: "2026-11-26T00:01:00Z",
    to: "hold quiet_hours 2026-11-26T08:00:00.000Z",
  },
  {
    title: "holds it a second before the end",
    at: "2026-11-26T07:59:59Z",
    to: "hold quiet_hours 2026-11-26T08:00:00.000Z",
  },
  { title: "says it at the end", at: "2026-11-26T08:00:00Z", to: "send ok" },
  { title: "says it a second before the beginning", at: "2026-11-25T21:59:59Z", to: "send ok" },
  { title: "holds it at the beginning", at: "2026-11-25T22:00:00Z", to: "hold quiet_hours 2026-11-26T08:00:00.000Z" },
  {
    title: "ends at midnight where the range does",
    at: "2026-11-25T23:30:00Z",
    config: { quietHours: [22, 0] },
    to: "hold quiet_hours 2026-11-26T00:00:00.000Z",
  },
  {
    title: "says it after midnight where the range ends there",
    at: "2026-11-26T00:00:00Z",
    config: { quietHours: [22, 0] },
    to: "send ok",
  },
  {
    title: "takes 24 as midnight",
    at: "2026-11-25T23:30:00Z",
    config: { quietHours: [22, 24] },
    to: "hold quiet_hours 2026-11-26T00:00:00.000Z",
  },
  {
    title: "begins at midnight where the range does",
    at: "2026-11-26T00:00:00Z",
    config: { quietHours: [0, 7] },
    to: "hold quiet_hours 2026-11-26T07:00:00.000Z",
  },
];

const HOURS: readonly Case[] = [
  {
    title: "does not cross midnight when the start is before the end",
    at: "2026-11-25T13:00:00Z",
    config: { quietHours: [12, 14] },
    to: "hold quiet_hours 2026-11-25T14:00:00.000Z",
  },
  {
    title: "says it at night when only the siesta is quiet",
    at: "2026-11-25T23:00:00Z",
    config: { quietHours: [12, 14] },
    to: "send ok",
  },
  { title: "says it before a siesta", at: "2026-11-25T11:59:00Z", config: { quietHours: [12, 14] }, to: "send ok" },
  { title: "says it after a siesta", at: "2026-11-25T14:00:00Z", config: { quietHours: [12, 14] }, to: "send ok" },
  {
    title: "has no quiet hours when they are equal: at night",
    at: "2026-11-25T23:00:00Z",
    config: { quietHours: [8, 8] },
    to: "send ok",
  },
  {
    title: "has no quiet hours when they are equal: at that hour",
    at: "2026-11-25T08:00:00Z",
    config: { quietHours: [8, 8] },
    to: "send ok",
  },
  {
    title: "has no quiet hours when both are 0",
    at: "2026-11-26T00:00:00Z",
    config: { quietHours: [0, 0] },
    to: "send ok",
  },
  {
    title: "holds it for a day when all day is quiet",
    at: NOON,
    config: { quietHours: [0, 24] },
    to: "hold quiet_hours 2026-11-26T12:00:00.000Z",
  },
  {
    title: "holds a quarter of an hour at a time inside an hour",
    at: "2026-11-25T13:47:00Z",
    config: { quietHours: [13, 14] },
    to: "hold quiet_hours 2026-11-25T14:00:00.000Z",
  },
];

const CAPS: readonly Case[] = [
  { title: "says the fifth of a day", state: { sent: sent(60, 120, 180, 240) }, to: "send ok" },
  {
    title: "keeps the sixth for the next day's first allowed moment",
    state: { sent: sent(60, 120, 180, 200, 230) },
    to: "digest daily_cap 2026-11-26T08:00:00.000Z",
  },
  {
    title: "keeps it until midnight where nothing is quiet",
    config: { quietHours: [0, 0] },
    state: { sent: sent(60, 120, 180, 200, 230) },
    to: "digest daily_cap 2026-11-26T00:00:00.000Z",
  },
  {
    title: "counts what was said yesterday for nothing",
    state: { sent: sent(720, 721, 722, 723, 724) },
    to: "send ok",
  },
  {
    title: "counts requested ones too",
    state: { sent: sent(1, 2, 3, 4, 5) },
    to: "digest daily_cap 2026-11-26T08:00:00.000Z",
  },
  {
    title: "takes a cap of one",
    config: { maxDailyNotifications: 1 },
    state: { sent: sent(300) },
    to: "digest daily_cap 2026-11-26T08:00:00.000Z",
  },
  {
    title: "says nothing that was not asked for with a cap of none",
    config: { maxDailyNotifications: 0 },
    to: "digest daily_cap 2026-11-26T08:00:00.000Z",
  },
  {
    title: "says what was asked for with a cap of none",
    config: { maxDailyNotifications: 0 },
    is: { requested: true },
    to: "send asked",
  },
  {
    title: "counts a digest once",
    config: { maxDailyNotifications: 2 },
    state: { sent: [{ type: "digest", types: ["a", "b", "c"], at: Date.parse(NOON) - HOUR_MS }] },
    to: "send ok",
  },
  {
    title: "takes dates as well as milliseconds",
    config: { maxDailyNotifications: 1 },
    state: { sent: [{ type: "job", at: new Date("2026-11-25T09:00:00Z") }] },
    to: "digest daily_cap 2026-11-26T08:00:00.000Z",
  },
];

const OF_TYPE = (minutes: number, more = {}): Partial<AttentionState> => ({
  sent: [{ type: "pattern", at: Date.parse(NOON) - minutes * 60_000, ...more }],
});
const INTERVALS: readonly Case[] = [
  {
    title: "holds the second of a type until the interval ends",
    state: OF_TYPE(10),
    to: "hold min_interval 2026-11-25T12:20:00.000Z",
  },
  { title: "says it when the interval has just ended", state: OF_TYPE(30), to: "send ok" },
  {
    title: "holds it a millisecond before",
    state: { sent: [{ type: "pattern", at: Date.parse(NOON) - 30 * 60_000 + 1 }] },
    to: "hold min_interval 2026-11-25T12:00:00.001Z",
  },
  { title: "does not hold another type", state: sentOnly("job", 1), to: "send ok" },
  {
    title: "counts a digest for each type in it",
    state: { sent: [{ type: "digest", types: ["job", "pattern"], at: Date.parse(NOON) - 60_000 }] },
    to: "hold min_interval 2026-11-25T12:29:00.000Z",
  },
  {
    title: "does not count a digest of other types",
    state: { sent: [{ type: "digest", types: ["job"], at: Date.parse(NOON) - 60_000 }] },
    to: "send ok",
  },
  {
    title: "counts from the last one",
    state: { sent: [...(OF_TYPE(25).sent ?? []), ...(OF_TYPE(5).sent ?? [])] },
    to: "hold min_interval 2026-11-25T12:25:00.000Z",
  },
  {
    title: "takes hours",
    config: { minInterval: "2h" },
    state: OF_TYPE(60),
    to: "hold min_interval 2026-11-25T13:00:00.000Z",
  },
  {
    title: "takes days",
    config: { minInterval: "1d" },
    state: OF_TYPE(60),
    to: "hold min_interval 2026-11-26T11:00:00.000Z",
  },
  { title: "takes none", config: { minInterval: "0m" }, state: OF_TYPE(0), to: "send ok" },
  { title: "ignores what a clock that was set back left in the future", state: OF_TYPE(-600), to: "send ok" },
  {
    title: "asks for the cap before the interval",
    state: { sent: [...sent(1, 2, 3, 4), ...(OF_TYPE(5).sent ?? [])] },
    to: "digest daily_cap 2026-11-26T08:00:00.000Z",
  },
];

function sentOnly(type: string, minutes: number): Partial<AttentionState> {
  return { sent: [{ type, at: Date.parse(NOON) - minutes * 60_000 }] };
}

const BOOSTS: readonly Case[] = [
  { title: "drops what matters less than the threshold", is: { priority: 0.59 }, to: "drop threshold" },
  { title: "says what matters as much", is: { priority: 0.6 }, to: "send ok" },
  {
    title: "adds a channel's boost",
    is: { channel: "lark", priority: 0.5 },
    config: { channels: { lark: { priorityBoost: 0.1 } } },
    to: "send ok",
  },
  {
    title: "adds it there alone",
    is: { priority: 0.5 },
    config: { channels: { lark: { priorityBoost: 0.1 } } },
    to: "drop threshold",
  },
  {
    title: "takes a boost that lowers",
    config: { channels: { telegram: { priorityBoost: -0.2 } } },
    to: "drop threshold",
  },
  { title: "takes another threshold", is: { priority: 0.3 }, config: { priorityThreshold: 0.3 }, to: "send ok" },
  {
    title: "drops nothing with a threshold of 0",
    is: { priority: 0 },
    config: { priorityThreshold: 0 },
    to: "send ok",
  },
  {
    title: "drops what does not matter most with a threshold of 1",
    is: { priority: 0.99 },
    config: { priorityThreshold: 1 },
    to: "drop threshold",
  },
  { title: "takes 0.7 where nothing is said", is: { priority: undefined }, to: "send ok" },
  {
    title: "is not fooled by floating point",
    is: { channel: "lark", priority: 0.3 },
    config: { priorityThreshold: 0.4, channels: { lark: { priorityBoost: 0.1 } } },
    to: "send ok",
  },
  { title: "lowers what the person wants less of", state: { less: { pattern: 1 } }, to: "drop threshold" },
  { title: "lowers it for that type alone", state: { less: { alert: 3 } }, to: "send ok" },
  {
    title: "still says what matters much",
    is: { priority: 0.6 + LESS_STEP },
    state: { less: { pattern: 1 } },
    to: "send ok",
  },
  {
    title: "drops it when they said so twice",
    is: { priority: 0.6 + LESS_STEP },
    state: { less: { pattern: 2 } },
    to: "drop threshold",
  },
];

const EXPIRY: readonly Case[] = [
  { title: "drops what expired", is: { expiresAt: Date.parse(NOON) - 1 }, to: "drop expired" },
  { title: "drops what expires now", is: { expiresAt: new Date(NOON) }, to: "drop expired" },
  { title: "says what expires in a millisecond", is: { expiresAt: Date.parse(NOON) + 1 }, to: "send ok" },
  {
    title: "drops what expired at night too",
    at: "2026-11-25T23:00:00Z",
    is: { expiresAt: new Date(NOON) },
    to: "drop expired",
  },
  {
    title: "drops what expired although it was asked for",
    is: { expiresAt: new Date(NOON), requested: true },
    to: "drop expired",
  },
  {
    title: "drops what expired although it is urgent",
    is: { expiresAt: new Date(NOON), urgent: true },
    to: "drop expired",
  },
  {
    title: "drops what expired where the channel is off, for the channel's sake",
    is: { expiresAt: new Date(NOON) },
    config: { channels: { telegram: { enabled: false } } },
    to: "drop channel_disabled",
  },
];

const ASKED: readonly Case[] = [
  { title: "says what is urgent at night", at: "2026-11-25T23:00:00Z", is: { urgent: true }, to: "send asked" },
  { title: "says what was asked for at night", at: "2026-11-25T23:00:00Z", is: { requested: true }, to: "send asked" },
  {
    title: "says what is urgent over the cap",
    is: { urgent: true },
    state: { sent: sent(1, 2, 3, 4, 5) },
    to: "send asked",
  },
  {
    title: "says what was asked for within the interval",
    is: { requested: true },
    state: OF_TYPE(1),
    to: "send asked",
  },
  { title: "says what was asked for below the threshold", is: { requested: true, priority: 0 }, to: "send asked" },
  {
    title: "says what was asked for while muted",
    is: { requested: true },
    state: { mutedUntil: Date.parse(NOON) + HOUR_MS },
    to: "send asked",
  },
  {
    title: "says what was asked for again",
    is: { requested: true, dedupeKey: "a" },
    state: OF_TYPE(1, { dedupeKey: "a" }),
    to: "send asked",
  },
  {
    title: "says nothing on a channel that is off, urgent or not",
    is: { urgent: true },
    config: { channels: { telegram: { enabled: false } } },
    to: "drop channel_disabled",
  },
  {
    title: "says nothing on a channel that is off, asked for or not",
    is: { requested: true },
    config: { channels: { telegram: { enabled: false } } },
    to: "drop channel_disabled",
  },
  {
    title: "says it on the channels beside one that is off",
    config: { channels: { lark: { enabled: false } } },
    to: "send ok",
  },
  {
    title: "takes false for not urgent",
    at: "2026-11-25T23:00:00Z",
    is: { urgent: false, requested: false },
    to: "hold quiet_hours 2026-11-26T08:00:00.000Z",
  },
];

const MUTES: readonly Case[] = [
  {
    title: "holds it until the mute ends",
    state: { mutedUntil: Date.parse(NOON) + HOUR_MS },
    to: "hold muted 2026-11-25T13:00:00.000Z",
  },
  { title: "says it when the mute has ended", state: { mutedUntil: Date.parse(NOON) }, to: "send ok" },
  {
    title: "names the mute before quiet hours",
    at: "2026-11-25T23:00:00Z",
    state: { mutedUntil: Date.parse("2026-11-27T12:00:00Z") },
    to: "hold muted 2026-11-27T12:00:00.000Z",
  },
  {
    title: "drops the same thing within a day",
    is: { dedupeKey: "a" },
    state: OF_TYPE(23 * 60, { dedupeKey: "a" }),
    to: "drop duplicate",
  },
  {
    title: "says the same thing after a day",
    is: { dedupeKey: "a" },
    state: OF_TYPE(24 * 60, { dedupeKey: "a" }),
    to: "send ok",
  },
  { title: "says another thing", is: { dedupeKey: "b" }, state: OF_TYPE(60, { dedupeKey: "a" }), to: "send ok" },
  {
    title: "knows what a digest was about",
    is: { dedupeKey: "b" },
    state: { sent: [{ type: "digest", at: Date.parse(NOON) - HOUR_MS, dedupeKeys: ["a", "b"] }] },
    to: "drop duplicate",
  },
  {
    title: "holds at night what would be dropped by day, so that only one rule is told",
    at: "2026-11-25T23:00:00Z",
    is: { priority: 0.1 },
    to: "hold quiet_hours 2026-11-26T08:00:00.000Z",
  },
];

const ALL = { ZONES, MIDNIGHT, HOURS, CAPS, INTERVALS, BOOSTS, EXPIRY, ASKED, MUTES };

describe.each(Object.entries(ALL))("decideAttention(): %s", (_, cases) => {
  it.each(cases)("$title", ({ at = NOON, is = {}, state = {}, config = {}, to }) => {
    const { verdict, rule, until } = decideAttention(
      { ...NOTE, ...is },
      { sent: [], ...state },
      config,
      Date.parse(at),
    );
    expect([verdict, rule, until?.toISOString()].filter(Boolean).join(" ")).toBe(to);
  });
});

describe("decideAttention()", () => {
  it("stands on a table of 80 cases at least", () => {
    expect(Object.values(ALL).flat().length).toBeGreaterThanOrEqual(80);
  });

  it.each(["30", "m", "1w", "-1h", "1.5h", ""])("refuses the interval %j", (minInterval) => {
    expect(() => decideAttention(NOTE, { sent: [] }, { minInterval }, Date.parse(NOON))).toThrow(RangeError);
  });
});
