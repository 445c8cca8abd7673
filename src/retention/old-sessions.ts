import type { Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import type { Sessions } from "../session/index.ts";
import type { Sweep } from "./sweeps.ts";

const DAY_MS = 86_400_000;
const SESSIONS_A_SWEEP = 50;
/** Days within which a platform may deliver a message again; the session's log recognises it. */
const REPEATED_WITHIN_DAYS = 8;

export interface OldSessionsDeps {
  readonly sessions: Pick<Sessions, "list" | "read">;
  /**
   * Removes a session if this is its last record, and reports its end. Contract: throws `CONFLICT` if the session
   * is busy or has newer records.
   */
  readonly life: { remove(key: string, newest: number): Promise<boolean> };
  readonly clock: Pick<Clock, "now">;
}

/** @returns A function that removes sessions without messages for more than `days`, at least 8. 0 days: none. */
export function createOldSessions(
  { sessions, life, clock }: OldSessionsDeps,
  { days }: { readonly days: number },
): Sweep {
  const keptMs = Math.max(days, REPEATED_WITHIN_DAYS) * DAY_MS;
  return async function sweep({ after, signal }) {
    if (days === 0) return {};
    const found = await sessions.list({ limit: SESSIONS_A_SWEEP, ...(after !== undefined && { after }) });
    for (const { key } of found) {
      if (signal.aborted) return {};
      const [newest] = await sessions.read(key, 1);
      if (newest === undefined || clock.now() - newest.at <= keptMs) continue;
      await remove(key, newest.seq);
    }
    const last = found.length < SESSIONS_A_SWEEP ? undefined : found.at(-1)?.key;
    return last === undefined ? {} : { next: last };
  };

  async function remove(key: string, newest: number): Promise<void> {
    try {
      await life.remove(key, newest);
    } catch (error) {
      if (!AssistantError.is(error) || error.code !== "CONFLICT") throw error;
    }
  }
}
