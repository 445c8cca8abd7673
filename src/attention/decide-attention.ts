import { calendarOrUtc } from "../calendar.ts";
import type { NoticeVerdict } from "../notice.ts";
import { type AttentionConfig, resolveLimits } from "./limits.ts";
import { endOfQuietHours, nextAllowedDay } from "./quiet-hours.ts";

/** How much a notice matters that does not say. */
export const DEFAULT_PRIORITY = 0.7;
/** How long the same thing, by its `dedupeKey`, is not said again. */
const SAME_THING_MS = 24 * 60 * 60_000;

/** Something that would be said although its person waits for nothing. */
export interface AttentionNotification {
  /** What it is about, as `job` or `pattern`. The interval between two is counted by it. */
  readonly type: string;
  /** How much it matters, 0 to 1. Default 0.7. */
  readonly priority?: number | undefined;
  /** The channel that it would be said on, as `telegram`. */
  readonly channel: string;
  /** Who it is for, as `channel:id`. Not read by the decision. */
  readonly user?: string | undefined;
  /** What it says. Not read by the decision. */
  readonly content?: string | undefined;
  /** What made it. Not read by the decision. */
  readonly source?: string | undefined;
  /** What it is about: the same said within a day is dropped. */
  readonly dedupeKey?: string | undefined;
  /** When it is worth nothing any more: a date, or milliseconds since the epoch. Default: never. */
  readonly expiresAt?: Date | number | undefined;
  /** It cannot wait: it passes quiet hours and limits. */
  readonly urgent?: boolean | undefined;
  /** Its person asked for it: it passes quiet hours and limits. */
  readonly requested?: boolean | undefined;
}

/** What was said to a person, as far as limits need it. */
export interface AttentionState {
  /** What was said; of what lies more than a day back nothing is read. */
  readonly sent: readonly SentNotification[];
  /** Nothing unasked is said before this time, milliseconds since the epoch. */
  readonly mutedUntil?: number | undefined;
  /** Types of which the person wants less: how often they said so. */
  readonly less?: Readonly<Record<string, number>> | undefined;
}

/** One message that was said unasked. */
export interface SentNotification {
  /** What it was about. */
  readonly type: string;
  /** A date, or milliseconds since the epoch. */
  readonly at: Date | number;
  /** Of a digest: the types of what it joined. */
  readonly types?: readonly string[] | undefined;
  /** What it was about, as its maker named it. */
  readonly dedupeKey?: string | undefined;
  /** Of a digest: what it joined was about. */
  readonly dedupeKeys?: readonly string[] | undefined;
}

/** `send` now, `hold` until a time, join the `digest` of the next day, or `drop`. */
export type AttentionVerdict = NoticeVerdict;

/** Which rule decided. */
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

/** What was decided, and by which rule. */
export interface AttentionDecision {
  /** What becomes of it. */
  readonly verdict: AttentionVerdict;
  /** The first rule that applied. */
  readonly rule: AttentionRule;
  /** Of `hold` and `digest`: when it is decided again. */
  readonly until?: Date;
}

/** By how much a person who wants less of a type lowers the priority of what is of that type, each time that they say so. */
export const LESS_STEP = 0.15;

/**
 * Decides whether, and when, something is said unasked. The first rule that applies decides: `channel_disabled`, `expired`, `asked` (urgent or requested), `muted`,
 * `quiet_hours`, `threshold`, `duplicate`, `daily_cap`, `min_interval`, `ok`.
 *
 * Source: docs/attention.md, "What decides".
 *
 * @param config What is not set has its default: 5 a day, 30 minutes between two of one type, quiet from 22 to 8 in UTC, threshold 0.6.
 * @param nowMs Milliseconds since the epoch.
 * @throws {RangeError} If `minInterval` is no span as `30m`.
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

/** How often they said so of a type, which may be called as a member of every object is. */
export function timesOf(less: Readonly<Record<string, number>>, type: string): number {
  return Object.hasOwn(less, type) ? (less[type] ?? 0) : 0;
}

/** 0.5 + 0.1 is 0.6, whatever floating point makes of sums. */
const ROUNDING = 1e-9;

function held(rule: AttentionRule, until: number): AttentionDecision {
  return { verdict: "hold", rule, until: new Date(until) };
}

/** When something of this type was last said; a time that a clock which was set back left in the future does not count. */
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
