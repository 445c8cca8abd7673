import type { Engine } from "../engine/index.ts";
import { historyWindow } from "../context/index.ts";
import { type InRecord, type QueueRules, type Session, decideNextTurn, isDelivered } from "../session/index.ts";
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
  rules(message: InRecord): QueueRules;
}

/** Turns beyond the window are dropped from memory in steps of so many, so that it is not measured at every turn. */
const TRIM_STEP = 32;

/**
 * The handler of `session:` keys: reads the log, runs what it owes, turn after turn, and asks to be woken for what is not due yet.
 * Replies that a crash left undelivered are handed to the outbox again.
 */
export async function handleSession(parts: HandlerParts, wakeKey: string, signal: AbortSignal): Promise<void> {
  const { sessions, engine, slots, clock, metrics } = parts;
  const key = wakeKey.slice(PREFIX.length);
  const session = await sessions.open(key);
  try {
    await sessions.arrived(key);
    await sessions.refresh(key);
    await recoverDeliveries(parts, session);
    for (;;) {
      metrics.set("queue.depth", slots.waiting + 1);
      const release = await slots.take(signal);
      metrics.set("queue.depth", slots.waiting);
      metrics.set("queue.running", slots.taken);
      try {
        signal.throwIfAborted();
        // Decided only now: what arrived while this waited for its place is gathered too.
        const [oldest] = session.waiting;
        const next = decideNextTurn(session, oldest ? parts.rules(oldest) : NO_RULES, clock.now());
        if (next.kind === "idle") return;
        if (next.kind === "wait") {
          await engine.wake(wakeKey, new Date(next.untilMs));
          return;
        }
        await runTurn(parts, session, next, signal).finally(() => sessions.claim(key, []));
        if (session.history.length % TRIM_STEP === 0) trim(parts, session);
      } finally {
        release();
        metrics.set("queue.running", slots.taken);
      }
    }
  } finally {
    sessions.release(key);
  }
}

const NO_RULES: QueueRules = { mode: "collect", debounceMs: 0, cap: Infinity, overflow: "summarize" };

/** An `out` is durable before its delivery is asked for, so a crash between the two is mended here. */
async function recoverDeliveries({ outbox }: HandlerParts, session: Session): Promise<void> {
  for (const [turn, delivery] of session.deliveries) {
    const { target } = delivery.record;
    if (target && !isDelivered(delivery)) await outbox.enqueue(target, { session: session.key, turn });
  }
}

function trim({ sessions, keepHistoryTokens }: HandlerParts, session: Session): void {
  const { from } = historyWindow(session.history, keepHistoryTokens);
  if (from >= TRIM_STEP) sessions.trim(session, session.history.length - from + 1);
}
