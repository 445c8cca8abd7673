import type { Clock } from "../../clock.ts";
import type { EventBus } from "../../events/index.ts";
import type { InRecord } from "../records.ts";
import type { Session } from "../session.ts";
import { isWorkSession } from "../session-key.ts";
import type { Sessions } from "../sessions.ts";

export const DEFAULT_IDLE_MINUTES = 60;

/** Ends that were told while nothing was said: so many are remembered, so that they are not told again at the next message. */
const MAX_TOLD = 10_000;

type Speaker = Pick<InRecord, "user" | "channel" | "peer" | "roles" | "account">;

export interface SessionLifeOptions {
  readonly sessions: Pick<Sessions, "load" | "remove">;
  readonly events: EventBus;
  readonly clock: Clock;
  /** Minutes of silence after which a session has ended; 0: never. Default 60. */
  readonly idleMinutes?: number | undefined;
}

export type SessionLife = ReturnType<typeof createSessionLife>;

/**
 * Tells when sessions begin and end. The log says when a session was last used, so nothing is written for this: silence is noticed by one timer for the
 * session that ends next while the process lives, and after a restart at the next message. The session that work has for itself does not end by silence: whoever
 * looks after the work says when it ends. Without a listener nothing is kept.
 *
 * Source: docs/events.md, "When a session ends".
 */
export function createSessionLife(options: SessionLifeOptions) {
  const { sessions, events, clock, idleMinutes = DEFAULT_IDLE_MINUTES } = options;
  const idleMs = idleMinutes * 60_000;
  /** Sessions at rest. Each turn puts its session at the end and all rest equally long, so the first one ends first. */
  const resting = new Map<string, Speaker & { readonly endsAtMs: number }>();
  const told = new Set<string>();
  let cancelTimer: (() => void) | undefined;
  let isStopped = false;

  /** A turn begins: tells the end that nobody noticed, and the beginning. */
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

  /** A turn ended: from now on the session is at rest. */
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

  /** The end of a session that no message made known. */
  function tellOnce(key: string, { user, channel, peer, roles, account }: Speaker, reason: "idle" | "done"): void {
    told.add(key);
    const [oldest] = told;
    if (told.size > MAX_TOLD && oldest !== undefined) told.delete(oldest);
    const payload = { user, channel, peer, roles, account, reason };
    events.publishAsync({ type: "session.ended", sessionId: key, timestamp: clock.now(), payload });
  }

  /** The session of a run has ended with all that the run began: tells it, unless this process did. */
  async function close(key: string): Promise<void> {
    if (told.has(key) || !events.has("session.ended")) return;
    const speaker = lastSpeaker(await sessions.load(key));
    if (speaker) tellOnce(key, speaker, "done");
  }

  /** A person began a new conversation: tells that the old one ended, unless that was told, or nothing was said in it. */
  async function end(session: Session, speaker: Speaker, reason: string, hadTurns: boolean): Promise<void> {
    resting.delete(session.key);
    const wasTold = told.delete(session.key);
    if (hadTurns && !wasTold) await publish("session.ended", session.key, speaker, reason);
  }

  /**
   * Removes a session for good, and tells its end. @returns Whether there was one.
   * @param newest Of the log: nothing is removed when more was said since.
   */
  async function remove(key: string, newest?: number): Promise<boolean> {
    const speaker = events.has("session.ended") && !told.has(key) ? lastSpeaker(await sessions.load(key)) : undefined;
    if (!(await sessions.remove(key, newest))) return false;
    forget(key);
    if (speaker) await publish("session.ended", key, speaker, "removed");
    return true;
  }

  /** Its end is not told any more. */
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
    /** The process stops: sessions go on resting, and their end is noticed at the next message after the next start. */
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
