import {
  type InRecord,
  type RunningTurns,
  type Session,
  type Sessions,
  type Waiters,
  waiterKey,
} from "../session/index.ts";
import type { Audiences } from "./audiences.ts";
import type { Turn } from "./turn-at-work.ts";
import { type TurnStop, stoppedByPerson } from "./turn-stop.ts";
import type { createTyping } from "./typing.ts";

export interface PresenceDeps {
  readonly sessions: Pick<Sessions, "claim">;
  readonly running: RunningTurns;
  readonly waiters: Pick<Waiters, "begin" | "abandoned">;
  readonly audiences: Pick<Audiences, "joinable">;
  readonly showTyping: ReturnType<typeof createTyping>;
}

/** A turn at work, as those see it who wait for it, end it or break into it. */
export type Presence = ReturnType<typeof createPresence>;

export function createPresence({ sessions, running, waiters, audiences, showTyping }: PresenceDeps) {
  /** Its messages count as waiting no more, and it can be stopped. @returns How its work is told, and what ends it. */
  function enter(session: Session, messages: readonly InRecord[], stop: TurnStop) {
    let working: Turn | undefined;
    let stopTyping = () => {};
    const leave = running.begin(session.key, {
      beganAt: session.seq,
      users: () => (working?.audience.messages ?? messages).map(({ user }) => user),
      stop: (reason = stoppedByPerson()) => stop.abort(reason),
      // What cannot join it is no reason to cut anything off.
      interrupt: () => void (working && audiences.joinable(working).length > 0 && stop.interrupt()),
    });
    return {
      /** Its work begins: it may take its time, ends when nobody waits any more, and is seen in the chat. */
      work(turn: Turn): void {
        const { newest } = turn.audience;
        stop.limit(turn.agent.maxTurnSeconds);
        if (newest.target === undefined) waiters.begin(keysOf(turn), stop);
        working = turn;
        // Nobody waits for an answer to what nobody wrote.
        stopTyping = showTyping(newest.origin === undefined ? newest.target : undefined, stop.signal);
      },
      leave(): void {
        stopTyping();
        leave();
      },
    };
  }

  return {
    enter,
    claim: sessions.claim,
    /** Did every caller leave? */
    isAbandoned: (turn: Turn): boolean => waiters.abandoned(keysOf(turn)),
  };
}

function keysOf({ session, audience }: Turn): readonly string[] {
  return audience.messages.map((message) => waiterKey(session.key, message.id));
}
