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

/** Makes a running turn visible to callers that wait for it, stop it or interrupt it. */
export type Presence = ReturnType<typeof createPresence>;

export function createPresence({ sessions, running, waiters, audiences, showTyping }: PresenceDeps) {
  /**
   * Marks the turn's messages as taken up, and makes it stoppable.
   * @returns `work`, to call when its work begins, and `leave`, to call when it ends.
   */
  function enter(session: Session, messages: readonly InRecord[], stop: TurnStop) {
    let working: Turn | undefined;
    let stopTyping = () => {};
    const leave = running.begin(session.key, {
      beganAt: session.seq,
      users: () => (working?.audience.messages ?? messages).map(({ user }) => user),
      stop: (reason = stoppedByPerson()) => stop.abort(reason),
      // A message that cannot join does not interrupt.
      interrupt: () => void (working && audiences.joinable(working).length > 0 && stop.interrupt()),
    });
    return {
      /** The work begins: it gets a time limit, ends when all callers have left, and shows typing in the chat. */
      work(turn: Turn): void {
        const { newest } = turn.audience;
        stop.limit(turn.agent.maxTurnSeconds);
        if (newest.target === undefined) waiters.begin(keysOf(turn), stop);
        working = turn;
        // No typing for work that no person wrote a message for.
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
    /** Whether every caller has left. */
    isAbandoned: (turn: Turn): boolean => waiters.abandoned(keysOf(turn)),
  };
}

function keysOf({ session, audience }: Turn): readonly string[] {
  return audience.messages.map((message) => waiterKey(session.key, message.id));
}
