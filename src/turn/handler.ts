import type { Engine } from "../engine/index.ts";
import { historyWindow } from "../context/index.ts";
import { type QueueRules, type Session, decideNextTurn } from "../session/index.ts";
import type { TurnParts } from "./parts.ts";
import type { Slots } from "./slots.ts";
import { runTurn } from "./turn.ts";

const PREFIX = "session:";

/** The engine's key for a session. */
export function sessionWakeKey(sessionKey: string): string {
  return PREFIX + sessionKey;
}

export interface HandlerParts extends TurnParts {
  readonly engine: Engine;
  readonly slots: Slots;
  /** Most tokens of history that any turn may ask for: older turns leave memory. */
  readonly keepHistoryTokens: number;
}

/** Turns beyond the window are dropped from memory in steps of so many, so that it is not measured at every turn. */
const TRIM_STEP = 32;

/**
 * The handler of `session:` keys: reads the log, runs what it owes, turn after turn, and asks to be woken for what is not due yet.
 * Replies that a crash left undelivered are handed to the outbox again.
 */
export async function handleSession(parts: HandlerParts, wakeKey: string, signal: AbortSignal): Promise<void> {
  const key = wakeKey.slice(PREFIX.length);
  for (;;) {
    // The place first: a session that waits for one costs no memory.
    const release = await takeSlot(parts, signal);
    try {
      const more = await runNext(parts, wakeKey, key, signal);
      if (!more) return;
    } finally {
      release();
    }
  }
}

async function takeSlot({ slots, metrics }: HandlerParts, signal: AbortSignal): Promise<() => void> {
  metrics.set("queue.depth", slots.waiting + 1);
  const release = await slots.take(signal);
  metrics.set("queue.depth", slots.waiting);
  metrics.set("queue.running", slots.taken);
  return () => {
    release();
    metrics.set("queue.running", slots.taken);
  };
}

/** Runs one turn of the session, if it owes one now. @returns Whether there may be another. */
async function runNext(parts: HandlerParts, wakeKey: string, key: string, signal: AbortSignal): Promise<boolean> {
  const { sessions, engine, clock } = parts;
  const session = await sessions.open(key);
  try {
    await sessions.arrived(key);
    await sessions.refresh(key);
    await recoverDeliveries(parts, session);
    signal.throwIfAborted();
    const waiting =
      session.refusing.length === 0
        ? session.waiting
        : session.waiting.filter(({ id }) => !session.refusing.includes(id));
    const [oldest] = waiting;
    const rules = oldest ? parts.rules(oldest, session.settings) : NO_RULES;
    const { open, stoppedAt } = session;
    const next = decideNextTurn({ open, waiting, stoppedAt }, rules, clock.now());
    if (next.kind === "idle") return false;
    if (next.kind === "wait") {
      await engine.wake(wakeKey, new Date(next.untilMs));
      return false;
    }
    await runTurn(parts, session, next, signal).finally(() => sessions.claim(key, []));
    if (session.history.length % TRIM_STEP === 0) trim(parts, session);
    return true;
  } finally {
    sessions.release(key);
  }
}

const NO_RULES: QueueRules = { mode: "collect", debounceMs: 0, cap: Infinity, overflow: "summarize" };

/** An `out` is durable before its delivery is asked for, so a crash between the two is mended here. */
async function recoverDeliveries({ sessions, outbox }: HandlerParts, session: Session): Promise<void> {
  for (const { record } of sessions.takeUnhanded(session.key)) {
    const pointer = { session: session.key, turn: record.turn };
    if (!record.target) continue;
    await outbox.enqueue(record.target, pointer).catch((error: unknown) => {
      sessions.addUnhanded(session.key, record.turn);
      throw error;
    });
  }
}

function trim({ sessions, keepHistoryTokens }: HandlerParts, session: Session): void {
  const { needs } = historyWindow(session.history, keepHistoryTokens);
  if (needs >= TRIM_STEP) sessions.trim(session, session.history.length - needs);
}
