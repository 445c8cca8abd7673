import { sendFailure } from "../channel.ts";

/** Wait before the n-th try of a part. After the last one the part becomes a dead letter. */
export const RETRY_DELAYS_MS: readonly number[] = [0, 5_000, 25_000, 120_000, 600_000];
/** Until a message is this old, a try that the platform postponed with Retry-After does not count as failed. */
const RATE_LIMIT_PATIENCE_MS = 3_600_000;
/** Shortest wait for Retry-After: a platform that always answers "at once" would keep the process busy. */
export const MIN_RETRY_AFTER_MS = 1_000;
/** A try that takes longer has failed. */
export const SEND_TIMEOUT_MS = 30_000;
/** A try under way when the process stops may still succeed within this time. */
export const STOP_GRACE_MS = 2_000;
/** A part that was never tried is marked as late when its reply is older than this. */
export const LATE_AFTER_MS = 600_000;
/**
 * A pointer waits this long for its reply to appear in the session before it is skipped; it is checked every
 * `NOT_YET_RECHECK_MS`.
 */
export const NOT_YET_PATIENCE_MS = 5_000;
export const NOT_YET_RECHECK_MS = 250;
/** Interval between checks of a chat whose channel is not configured. */
export const NO_CHANNEL_RECHECK_MS = 600_000;

export type Verdict =
  | { readonly delivery: "pending"; readonly attempt: number; readonly nextAt: number }
  | { readonly delivery: "dead"; readonly attempt: number };

/**
 * Decides what happens to a part after a failed try; pure.
 *
 * Source: docs/channels.md, "When a message cannot be sent".
 *
 * @param tries Tries that counted, before this one.
 * @param sinceMs When the message was written.
 */
export function decideRetry(
  error: unknown,
  { tries, sinceMs, nowMs }: { tries: number; sinceMs: number; nowMs: number },
): Verdict {
  const { retryable, retryAfterMs } = sendFailure(error);
  if (!retryable) return { delivery: "dead", attempt: tries + 1 };
  if (retryAfterMs !== undefined && nowMs - sinceMs < RATE_LIMIT_PATIENCE_MS) {
    return { delivery: "pending", attempt: tries, nextAt: nowMs + Math.max(retryAfterMs, MIN_RETRY_AFTER_MS) };
  }
  const delayMs = RETRY_DELAYS_MS[tries + 1];
  if (delayMs === undefined) return { delivery: "dead", attempt: tries + 1 };
  return { delivery: "pending", attempt: tries + 1, nextAt: nowMs + Math.max(delayMs, retryAfterMs ?? 0) };
}
