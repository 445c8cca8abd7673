import type { ChannelAttention } from "./options.ts";
import type { QuietHours } from "./quiet-hours.ts";

export const DEFAULT_MAX_DAILY_NOTIFICATIONS = 5;
export const DEFAULT_MIN_INTERVAL = "30m";
/** From which hour to which nothing unasked is said. */
export const DEFAULT_QUIET_HOURS: QuietHours = [22, 8];
export const DEFAULT_PRIORITY_THRESHOLD = 0.6;

/** A span of minutes, hours or days, as `30m`. */
export const SPAN = /^(\d{1,5})(m|h|d)$/;
const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** When a person may be told something unasked. Source: docs/attention.md. */
export interface AttentionConfig {
  /** Messages on one day of the person's zone. Default 5. */
  readonly maxDailyNotifications?: number | undefined;
  /** What must lie between two of one type: minutes, hours or days. Default `30m`. */
  readonly minInterval?: string | undefined;
  /** From which hour to which nothing is said. Default [22, 8]. */
  readonly quietHours?: readonly number[] | undefined;
  /** What matters less than this is dropped, 0 to 1. Default 0.6. */
  readonly priorityThreshold?: number | undefined;
  /** By the name of a channel. */
  readonly channels?: Readonly<Record<string, ChannelAttention>> | undefined;
  /** IANA zone of the person. Default UTC. */
  readonly timezone?: string | undefined;
}

/** What holds for a person. */
export interface PersonLimits extends AttentionConfig {
  /** False: no limit does; what waits is said when its time comes. Default true. */
  readonly enabled?: boolean | undefined;
}

/** The limits with their defaults, the interval in milliseconds. @throws {RangeError} If `minInterval` is no span. */
export function resolveLimits(config: AttentionConfig) {
  const {
    maxDailyNotifications = DEFAULT_MAX_DAILY_NOTIFICATIONS,
    minInterval = DEFAULT_MIN_INTERVAL,
    quietHours = DEFAULT_QUIET_HOURS,
    priorityThreshold = DEFAULT_PRIORITY_THRESHOLD,
    channels = {},
    timezone = "UTC",
  } = config;
  const [from = 0, to = from] = quietHours;
  return {
    maxDailyNotifications,
    minIntervalMs: spanMs(minInterval),
    quietHours: [from, to] as QuietHours,
    priorityThreshold,
    channels,
    timezone,
  };
}

/** A span in milliseconds. @throws {RangeError} If the text is no span as `30m`, `2h` or `1d`. */
export function spanMs(text: string): number {
  const [, count, unit] = SPAN.exec(text) ?? [];
  if (count === undefined || unit === undefined)
    throw new RangeError(`Cannot read the span ${JSON.stringify(text)}: expected minutes, hours or days, as "30m"`);
  return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}
