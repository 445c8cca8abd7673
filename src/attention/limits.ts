import type { ChannelAttention } from "./options.ts";
import type { QuietHours } from "./quiet-hours.ts";

export const DEFAULT_MAX_DAILY_NOTIFICATIONS = 5;
export const DEFAULT_MIN_INTERVAL = "30m";
/** Hours during which nothing unrequested is said. */
export const DEFAULT_QUIET_HOURS: QuietHours = [22, 8];
export const DEFAULT_PRIORITY_THRESHOLD = 0.6;

/** A span of minutes, hours or days, such as `30m`. */
export const SPAN = /^(\d{1,5})(m|h|d)$/;
const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** When a person may get unrequested messages. Source: docs/attention.md. */
export interface AttentionConfig {
  /** Most messages on one day of the person's zone. Default 5. */
  readonly maxDailyNotifications?: number | undefined;
  /** Shortest time between two of one type: minutes, hours or days. Default `30m`. */
  readonly minInterval?: string | undefined;
  /** First and last hour of silence. Default [22, 8]. */
  readonly quietHours?: readonly number[] | undefined;
  /** Lowest priority, 0 to 1; anything below is dropped. Default 0.6. */
  readonly priorityThreshold?: number | undefined;
  /** Settings by the name of a channel. */
  readonly channels?: Readonly<Record<string, ChannelAttention>> | undefined;
  /** The person's IANA zone. Default UTC. */
  readonly timezone?: string | undefined;
}

/** Limits of a person. */
export interface PersonLimits extends AttentionConfig {
  /** False: no limits apply, and held notices are said when their time comes. Default true. */
  readonly enabled?: boolean | undefined;
}

/**
 * Fills in the defaults of limits, with the interval in milliseconds.
 * @throws {RangeError} If `minInterval` is no span.
 */
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

/** Parses a span into milliseconds. @throws {RangeError} If the text is no span such as `30m`, `2h` or `1d`. */
export function spanMs(text: string): number {
  const [, count, unit] = SPAN.exec(text) ?? [];
  if (count === undefined || unit === undefined)
    throw new RangeError(`Cannot read the span ${JSON.stringify(text)}: expected minutes, hours or days, as "30m"`);
  return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}
