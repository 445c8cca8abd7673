import type { Clock } from "../../clock.ts";
import type { EventBus } from "../../events/index.ts";
import type { InRecord } from "../records.ts";
import type { Session } from "../session.ts";
import { isWorkSession } from "../session-key.ts";
import type { Sessions } from "../sessions.ts";

export const DEFAULT_IDLE_MINUTES = 60;

/** Ended sessions that are remembered, so that the next message does not report their end again. */
const MAX_TOLD = 10_000;

type Speaker = Pick<InRecord, "user" | "channel" | "peer" | "roles" | "account">;

/** What a room keeps for a session besides the session's log. */
export interface SessionLeavings {
  removeSession(sessionKey: string): Promise<void>;
}

export interface SessionLifeOptions {
  readonly sessions: Pick<Sessions, "load" | "remove">;
  readonly events: EventBus;
  readonly clock: Clock;
  /** Minutes of silence after which a session ends. 0: never. Default 60. */
  readonly idleMinutes?: number | undefined;
  /** Removed after the log of a session. Default: nothing. */
  readonly leavings?: readonly SessionLeavings[];
}

export type SessionLife = ReturnType<typeof createSessionLife>;

/**
 * Publishes when sessions begin and end. Nothing is written for this, because the log says when a session was last
 * used. While the process lives, one timer waits for the session that ends next. After a restart the next message
 * reports the end. A session that work has for itself does not end by silence: the caller that runs the work closes
 * it. Without a listener nothing is kept.
 *
 * Source: docs/events.md, "When a session ends".
 */
export function createSessionLife(options: SessionLifeOptions) {
  const { sessions, events, clock, idleMinutes = DEFAULT_IDLE_MINUTES, leavings = [] } = options;
  const idleMs = idleMinutes * 60_000;
  /** Sessions at rest. A turn moves its session to the end and all rest equally long, so the first one ends first. */
  const resting = new Map<string, Speaker & { readonly endsAtMs: number }>();
  const told = new Set<string>();
  let cancelTimer: (() => void) | undefined;
  let isStopped = false;

  /** A turn begins: publishes an end that was not reported yet, and the beginning. */
  async function begin(session: Session, first: InRecord): Promise<void> {
    resting.delete(session.key);
    const wasTold = told.delete(session.key);
    if (session.open || !(events.has("session.started") || events.has("session.ended"))) return;
    const last = session.history.at(-1);
    if (last === undefined) {
      const isFirst = (session.complete || session.beganAt > 0) && first.retries === undefined;
      if (isFirst || wasTold) await publish("session.started", session.key, first);
      return;
    }
    const isIdle = endsBySilence(session.key) && last.out !== undefined && first.at - last.out.at >= idleMs;
    if (!wasTold && !isIdle) return;
    if (!wasTold) await publish("session.ended", session.key, lastSpeaker(session) ?? first, "idle");
    await publish("session.started", session.key, first);
  }

  /** A turn ended: the session rests from now on. */
  function rest(key: string, { user, channel, peer, roles, account }: Speaker): void {
    if (!endsBySilence(key) || isStopped || !events.has("session.ended")) return;
    resting.delete(key);
    resting.set(key, { user, channel, peer, roles, account, endsAtMs: clock.now() + idleMs });
    setTimer();
  }

  function endsBySilence(key: string): boolean {
    return idleMs > 0 && !isWorkSession(key);
  }

  function setTimer(): void {
    const [next] = resting.values();
    if (cancelTimer || !next) return;
    cancelTimer = clock.at(next.endsAtMs, () => {
      cancelTimer = undefined;
      endIdle(clock.now());
      setTimer();
    });
  }

  function endIdle(nowMs: number): void {
    for (const [key, { endsAtMs, ...speaker }] of resting) {
      if (endsAtMs > nowMs) return;
      resting.delete(key);
      tellOnce(key, speaker, "idle");
    }
  }

  /** Publishes the end of a session that no message reports. */
  function tellOnce(key: string, { user, channel, peer, roles, account }: Speaker, reason: "idle" | "done"): void {
    told.add(key);
    const [oldest] = told;
    if (told.size > MAX_TOLD && oldest !== undefined) told.delete(oldest);
    const payload = { user, channel, peer, roles, account, reason };
    events.publishAsync({ type: "session.ended", sessionId: key, timestamp: clock.now(), payload });
  }

  /** A run's session has ended with everything that the run began. Publishes that, unless this process already did. */
  async function close(key: string): Promise<void> {
    if (told.has(key) || !events.has("session.ended")) return;
    const speaker = lastSpeaker(await sessions.load(key));
    if (speaker) tellOnce(key, speaker, "done");
  }

  /**
   * A person began a new conversation. Publishes the end of the old one, unless it was
   * published or the old one had no turns.
   */
  async function end(session: Session, speaker: Speaker, reason: string, hadTurns: boolean): Promise<void> {
    resting.delete(session.key);
    const wasTold = told.delete(session.key);
    if (hadTurns && !wasTold) await publish("session.ended", session.key, speaker, reason);
  }

  /**
   * Removes a session for good, with all that other rooms keep for it, and publishes its end.
   * @param newest The log's last record: nothing is removed if there is a later one.
   * @returns Whether the session existed.
   */
  async function remove(key: string, newest?: number): Promise<boolean> {
    const speaker = events.has("session.ended") && !told.has(key) ? lastSpeaker(await sessions.load(key)) : undefined;
    if (!(await sessions.remove(key, newest))) return false;
    forget(key);
    for (const one of leavings) await one.removeSession(key);
    if (speaker) await publish("session.ended", key, speaker, "removed");
    return true;
  }

  /** Drops a session, so that its end is not published. */
  function forget(key: string): void {
    resting.delete(key);
    told.delete(key);
  }

  async function publish(
    type: "session.started" | "session.ended",
    sessionId: string,
    { user, channel, peer, roles, account }: Speaker,
    reason?: string,
  ): Promise<void> {
    if (!events.has(type)) return;
    const payload = { user, channel, peer, roles, account, ...(reason !== undefined && { reason }) };
    await events.publish({ type, sessionId, timestamp: clock.now(), payload });
  }

  return {
    begin,
    rest,
    end,
    close,
    remove,
    forget,
    /** The process stops. The next message after a restart reports the end of a session at rest. */
    stop(): void {
      isStopped = true;
      cancelTimer?.();
      resting.clear();
    },
  };
}

function lastSpeaker({ history, waiting }: Session): Speaker | undefined {
  const inputs = [...(history.at(-1)?.inputs ?? []), ...waiting];
  return inputs.findLast((input) => input.type === "in");
}
