import { calendarOrUtc } from "../calendar.ts";
import type { NoticeVerdict } from "../notice.ts";
import { type AttentionConfig, resolveLimits } from "./limits.ts";
import { endOfQuietHours, nextAllowedDay } from "./quiet-hours.ts";

/** Default priority of a notice. */
export const DEFAULT_PRIORITY = 0.7;
/** How long a `dedupeKey` is not repeated, in milliseconds. */
const SAME_THING_MS = 24 * 60 * 60_000;

/** A notice that its person is not waiting for. */
export interface AttentionNotification {
  /** Its subject, such as `job` or `pattern`. The interval between two notices counts per type. */
  readonly type: string;
  /** Importance, 0 to 1. Default 0.7. */
  readonly priority?: number | undefined;
  /** The channel for it, such as `telegram`. */
  readonly channel: string;
  /** The recipient, as `channel:id`. The decision does not read it. */
  readonly user?: string | undefined;
  /** The text. The decision does not read it. */
  readonly content?: string | undefined;
  /** The producer. The decision does not read it. */
  readonly source?: string | undefined;
  /** Idempotency key: the same key within a day is dropped. */
  readonly dedupeKey?: string | undefined;
  /** When it expires: a date, or milliseconds since the epoch. Default: never. */
  readonly expiresAt?: Date | number | undefined;
  /** Whether it cannot wait: it passes quiet hours and limits. */
  readonly urgent?: boolean | undefined;
  /** Whether the person asked for it: it passes quiet hours and limits. */
  readonly requested?: boolean | undefined;
}

/** A person's history, as far as limits need it. */
export interface AttentionState {
  /** Messages that were said. Those older than a day are ignored. */
  readonly sent: readonly SentNotification[];
  /** Nothing unrequested is said before this time, in milliseconds since the epoch. */
  readonly mutedUntil?: number | undefined;
  /** Types that the person wants less of, and how often they said so. */
  readonly less?: Readonly<Record<string, number>> | undefined;
}

/** One message that was said without a request. */
export interface SentNotification {
  /** Its type. */
  readonly type: string;
  /** A date, or milliseconds since the epoch. */
  readonly at: Date | number;
  /** For a digest: the types of the notices that it joined. */
  readonly types?: readonly string[] | undefined;
  /** Its `dedupeKey`. */
  readonly dedupeKey?: string | undefined;
  /** For a digest: the keys of the notices that it joined. */
  readonly dedupeKeys?: readonly string[] | undefined;
}

/** `send` now, `hold` until a time, join the `digest` of the next day, or `drop`. */
export type AttentionVerdict = NoticeVerdict;

/** The rule that decided. */
export type AttentionRule =
  | "channel_disabled"
  | "expired"
  | "asked"
  | "muted"
  | "quiet_hours"
  | "threshold"
  | "duplicate"
  | "daily_cap"
  | "min_interval"
  | "ok";

/** A verdict and the rule that led to it. */
export interface AttentionDecision {
  /** What happens to the notice. */
  readonly verdict: AttentionVerdict;
  /** The first rule that applied. */
  readonly rule: AttentionRule;
  /** For `hold` and `digest`: when it is decided again. */
  readonly until?: Date;
}

/** Reduction of a type's priority each time that a person asks for less of it. */
export const LESS_STEP = 0.15;

/**
 * Decides whether and when an unrequested notice is said. The first rule that applies decides: `channel_disabled`,
 * `expired`, `asked` (urgent or requested), `muted`, `quiet_hours`, `threshold`, `duplicate`, `daily_cap`,
 * `min_interval`, `ok`.
 *
 * Source: docs/attention.md, "What decides".
 *
 * @param config Limits. Defaults: 5 a day, 30 minutes between two of one type, quiet from 22 to 8 in UTC, threshold
 * 0.6.
 * @param nowMs Milliseconds since the epoch.
 * @throws {RangeError} If `minInterval` is no span such as `30m`.
 * @example
 * ```ts
 * decideAttention({ type: "pattern", priority: 0.8, channel: "telegram" }, { sent: [] }, { quietHours: [22, 8] }, Date.now());
 * // { verdict: "send", rule: "ok" }, or at night { verdict: "hold", rule: "quiet_hours", until: … }
 * ```
 */
export function decideAttention(
  notification: AttentionNotification,
  state: AttentionState,
  config: AttentionConfig,
  nowMs: number,
): AttentionDecision {
  const { channels, quietHours, timezone, ...limits } = resolveLimits(config);
  const { type, channel, priority = DEFAULT_PRIORITY, dedupeKey, expiresAt } = notification;
  const { enabled = true, priorityBoost = 0 } = channels[channel] ?? {};

  if (!enabled) return { verdict: "drop", rule: "channel_disabled" };
  if (expiresAt !== undefined && Number(expiresAt) <= nowMs) return { verdict: "drop", rule: "expired" };
  if (notification.urgent === true || notification.requested === true) return { verdict: "send", rule: "asked" };

  const { mutedUntil = 0, sent, less = {} } = state;
  if (mutedUntil > nowMs) return held("muted", mutedUntil);

  const quietUntil = endOfQuietHours(nowMs, quietHours, timezone);
  if (quietUntil !== null) return held("quiet_hours", quietUntil);

  const weight = priority + priorityBoost - LESS_STEP * timesOf(less, type);
  if (weight + ROUNDING < limits.priorityThreshold) return { verdict: "drop", rule: "threshold" };

  if (
    dedupeKey !== undefined &&
    sent.some((one) => isAbout(dedupeKey, one) && isSince(one, nowMs - SAME_THING_MS, nowMs))
  )
    return { verdict: "drop", rule: "duplicate" };

  const { dayOf } = calendarOrUtc(timezone);
  const today = dayOf(nowMs);
  if (sent.filter(({ at }) => dayOf(Number(at)) === today).length >= limits.maxDailyNotifications) {
    return { verdict: "digest", rule: "daily_cap", until: new Date(nextAllowedDay(nowMs, quietHours, timezone)) };
  }

  const last = lastOf(type, sent, nowMs);
  if (last !== undefined && nowMs - last < limits.minIntervalMs)
    return held("min_interval", last + limits.minIntervalMs);
  return { verdict: "send", rule: "ok" };
}

/**
 * How often a person asked for less of a type. A type can have the name of a member of every object, such as
 * `constructor`.
 */
export function timesOf(less: Readonly<Record<string, number>>, type: string): number {
  return Object.hasOwn(less, type) ? (less[type] ?? 0) : 0;
}

/** Tolerance for floating point: 0.5 + 0.1 counts as 0.6. */
const ROUNDING = 1e-9;

function held(rule: AttentionRule, until: number): AttentionDecision {
  return { verdict: "hold", rule, until: new Date(until) };
}

/** When this type was last said. A time in the future, from a clock that was set back since, does not count. */
function lastOf(type: string, sent: readonly SentNotification[], nowMs: number): number | undefined {
  const times = sent
    .filter((one) => one.type === type || one.types?.includes(type) === true)
    .map(({ at }) => Number(at))
    .filter((at) => at <= nowMs);
  return times.length === 0 ? undefined : Math.max(...times);
}

function isAbout(dedupeKey: string, one: SentNotification): boolean {
  return one.dedupeKey === dedupeKey || one.dedupeKeys?.includes(dedupeKey) === true;
}

function isSince({ at }: SentNotification, fromMs: number, nowMs: number): boolean {
  return Number(at) > fromMs && Number(at) <= nowMs;
}
