import { sendFailure } from "../channel.ts";

/** How long the n-th try of a part waits after the one before. After the last of them the part is given up. */
export const RETRY_DELAYS_MS: readonly number[] = [0, 5_000, 25_000, 120_000, 600_000];
/** A try that the platform put off with Retry-After does not count as failed until the message is this old. */
const RATE_LIMIT_PATIENCE_MS = 3_600_000;
/** However soon a platform asks to be tried again: "at once", as often as it says so, would keep the whole process busy. */
export const MIN_RETRY_AFTER_MS = 1_000;
/** A try that takes longer than this has failed. */
export const SEND_TIMEOUT_MS = 30_000;
/** A try under way when the process stops may still end well for so long. */
export const STOP_GRACE_MS = 2_000;
/** A part that was never tried says so when its reply is older than this. */
export const LATE_AFTER_MS = 600_000;
/** A pointer whose reply is not in its session yet waits this long for it before it is passed over, looking again after `NOT_YET_RECHECK_MS`. */
export const NOT_YET_PATIENCE_MS = 5_000;
export const NOT_YET_RECHECK_MS = 250;
/** A chat whose channel is not configured (any more) is looked at again this often. */
export const NO_CHANNEL_RECHECK_MS = 600_000;

export type Verdict =
  | { readonly delivery: "pending"; readonly attempt: number; readonly nextAt: number }
  | { readonly delivery: "dead"; readonly attempt: number };

/**
 * What becomes of a part after a try that failed; pure.
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
