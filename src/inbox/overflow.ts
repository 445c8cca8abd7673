import type { Clock } from "../clock.ts";
import type { Outbox } from "../outbox/index.ts";
import { type InRecord, type Session, type Sessions, type Waiters, QUEUE_FULL, standingOf } from "../session/index.ts";
import type { Logger } from "../telemetry/index.ts";
import { inboxText } from "./texts.ts";

export interface OverflowDeps {
  readonly sessions: Pick<Sessions, "load" | "append" | "refuse" | "addUnhanded">;
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly waiters: Pick<Waiters, "settle">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * @returns A function that refuses messages over the cap with the rules `old` and `new`. Source:
 * docs/sessions.md, "While it is busy".
 */
export function createOverflow({ sessions, outbox, waiters, clock, logger }: OverflowDeps) {
  /**
   * Answers the oldest or newest messages over the cap with a refusal. The rule `summarize` is left to the next turn.
   */
  async function refuseExcess(sessionKey: string, cap: number, overflow: "old" | "new"): Promise<void> {
    for (;;) {
      const session = await sessions.load(sessionKey);
      const waiting = session.waiting.filter(
        ({ id }) => !session.claimed.includes(id) && !session.refusing.includes(id),
      );
      const refused = overflow === "old" ? waiting[0] : waiting.at(-1);
      if (waiting.length <= cap || !refused) return;
      logger.warn("Too many messages wait in a session", { session: sessionKey, cap, overflow });
      await refuse(session, refused, cap);
    }
  }

  async function refuse(session: Session, refused: InRecord, cap: number): Promise<void> {
    const { target } = refused;
    const text = inboxText("QUEUE_FULL", refused.text);
    const out = {
      type: "out",
      turn: refused.turn,
      of: [refused.id],
      text,
      silent: false,
      parts: target ? [text] : [],
      ...(target && { target }),
      toolCalls: [],
      usage: { inputTokens: 0, outputTokens: 0 },
      steps: 0,
      error: { code: QUEUE_FULL, message: `More than ${cap} messages are waiting in this conversation` },
      ...standingOf(session, [refused.id]),
    } as const;
    const takeBack = sessions.refuse(session.key, refused.id);
    try {
      await Promise.all([
        sessions.append(session.key, out, { id: `refused:${refused.id}` }),
        target && outbox.enqueue(target, { session: session.key, turn: refused.turn }),
      ]);
    } catch (error) {
      takeBack();
      // The store may have written the refusal although its answer was lost.
      sessions.addUnhanded(session.key, refused.turn);
      throw error;
    }
    waiters.settle(session.key, { ...out, v: 1, at: clock.now() });
  }

  return refuseExcess;
}
