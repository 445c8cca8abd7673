import type { Engine } from "../engine/index.ts";
import { historyWindow } from "../context/index.ts";
import type { Clock } from "../clock.ts";
import {
  type InRecord,
  type NextTurn,
  type QueueRules,
  type Session,
  type SessionSettings,
  type Sessions,
  type Slots,
  SESSION_WAKES,
  decideNextTurn,
} from "../session/index.ts";
import type { Replies } from "./replies.ts";
import type { Turns } from "./turn.ts";
import type { createTidyHistory } from "./tidy-history.ts";

export interface SessionHandlerDeps {
  readonly turns: Turns;
  readonly tidyHistory: ReturnType<typeof createTidyHistory>;
  readonly replies: Pick<Replies, "recover">;
  readonly sessions: Pick<Sessions, "open" | "arrived" | "refresh" | "release" | "claim" | "trim">;
  readonly slots: Slots;
  readonly engine: Pick<Engine, "wake">;
  rules(message: InRecord, settings: SessionSettings): QueueRules;
  /** Most history tokens that any turn may ask for. Older turns are dropped from memory. */
  readonly keepHistoryTokens: number;
  readonly clock: Clock;
}

/** Turns beyond the window are dropped in steps of this many, so that the history is not measured after every turn. */
const TRIM_STEP = 32;
const NO_RULES: QueueRules = { mode: "collect", debounceMs: 0, cap: Infinity, overflow: "summarize" };

/**
 * @returns The handler of `session:` keys. It reads the log, runs turn after turn until nothing is due, and schedules
 * a wake for later work. Replies that a crash left undelivered are handed to the outbox again.
 */
export function createSessionHandler(deps: SessionHandlerDeps) {
  const { turns, tidyHistory, replies, sessions, slots, engine, rules, keepHistoryTokens, clock } = deps;

  async function handle(wakeKey: string, signal: AbortSignal): Promise<void> {
    const key = wakeKey.slice(SESSION_WAKES.length);
    for (;;) {
      // Take the slot first: a session that waits for one costs no memory.
      const release = await slots.take(key, signal);
      try {
        const more = await runNext(wakeKey, signal);
        if (!more) return;
      } finally {
        release();
      }
    }
  }

  /**
   * Runs one turn of the session, if one is due.
   * @returns Whether there may be another.
   */
  async function runNext(wakeKey: string, signal: AbortSignal): Promise<boolean> {
    const key = wakeKey.slice(SESSION_WAKES.length);
    const session = await sessions.open(key);
    try {
      await sessions.arrived(key);
      await sessions.refresh(key);
      await replies.recover(session);
      signal.throwIfAborted();
      let next = nextTurn(session);
      if (next.kind === "start" && !next.stopped) {
        // Tidies before the turn as well, because the last process can have stopped right after a reply.
        await tidyHistory(session, next.batch[0], signal);
        // Tidying can take time, so messages that arrived in the meantime count.
        next = nextTurn(session);
      }
      if (next.kind === "idle") return false;
      if (next.kind === "wait") {
        await engine.wake(wakeKey, new Date(next.untilMs));
        return false;
      }
      await turns.run(session, next, signal).finally(() => sessions.claim(key, []));
      await tidyHistory(session, lastMessage(session), signal);
      if (session.history.length % TRIM_STEP === 0) trim(session);
      return true;
    } finally {
      sessions.release(key);
    }
  }

  function nextTurn(session: Session): NextTurn {
    const { open, stoppedAt, refusing } = session;
    const waiting =
      refusing.length === 0 ? session.waiting : session.waiting.filter(({ id }) => !refusing.includes(id));
    const [oldest] = waiting;
    const owed = { open, waiting, stoppedAt };
    return decideNextTurn(owed, oldest ? rules(oldest, session.settings) : NO_RULES, clock.now());
  }

  function trim(session: Session): void {
    const { needs } = historyWindow(session.history, keepHistoryTokens);
    if (needs >= TRIM_STEP) sessions.trim(session, session.history.length - needs);
  }

  return handle;
}

function lastMessage({ history }: Session): InRecord | undefined {
  return history.at(-1)?.inputs.findLast((input) => input.type === "in");
}
