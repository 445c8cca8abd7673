import type { Engine } from "../engine/index.ts";
import { DEFAULT_HISTORY_TOKENS, historyWindow } from "../context/index.ts";
import { messageOf } from "../errors.ts";
import {
  type InRecord,
  type NextTurn,
  type QueueRules,
  type Session,
  decideNextTurn,
  parseSessionKey,
} from "../session/index.ts";
import { compact, isOverBudget } from "./compaction.ts";
import type { TurnParts } from "./parts.ts";
import type { Slots } from "./slots.ts";
import { createTurnStop } from "./turn-stop.ts";
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
  const { sessions, engine } = parts;
  const session = await sessions.open(key);
  try {
    await sessions.arrived(key);
    await sessions.refresh(key);
    await recoverDeliveries(parts, session);
    signal.throwIfAborted();
    let next = nextTurn(parts, session);
    if (next.kind === "start" && !next.stopped) {
      // Also before: the last process may have stopped right after a reply.
      await tidyHistory(parts, session, next.batch[0], signal);
      // That may take its time: what was said meanwhile counts.
      next = nextTurn(parts, session);
    }
    if (next.kind === "idle") return false;
    if (next.kind === "wait") {
      await engine.wake(wakeKey, new Date(next.untilMs));
      return false;
    }
    await runTurn(parts, session, next, signal).finally(() => sessions.claim(key, []));
    await tidyHistory(parts, session, lastMessage(session), signal);
    if (session.history.length % TRIM_STEP === 0) trim(parts, session);
    return true;
  } finally {
    sessions.release(key);
  }
}

function nextTurn({ rules, clock }: HandlerParts, session: Session): NextTurn {
  const { open, stoppedAt, refusing } = session;
  const waiting = refusing.length === 0 ? session.waiting : session.waiting.filter(({ id }) => !refusing.includes(id));
  const [oldest] = waiting;
  return decideNextTurn({ open, waiting, stoppedAt }, oldest ? rules(oldest, session.settings) : NO_RULES, clock.now());
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

function lastMessage({ history }: Session): InRecord | undefined {
  return history.at(-1)?.inputs.findLast((input) => input.type === "in");
}

/** Turns that would leave the prompt are put into the session's summary first. It is nobody's turn, so what fails here fails nothing. */
async function tidyHistory(
  parts: HandlerParts,
  session: Session,
  message: InRecord | undefined,
  engineSignal: AbortSignal,
): Promise<void> {
  if (!message || session.open) return;
  const options = parts.contextOptions(message);
  const { historyTokens = DEFAULT_HISTORY_TOKENS } = options;
  if (!isOverBudget(parts, session, historyTokens)) return;
  const { logger, running, clock } = parts;
  const stop = createTurnStop(clock, engineSignal);
  // Whoever waits for it may end it, as they may end the turn that comes next.
  const end = running.begin(session.key, {
    beganAt: session.seq,
    users: () => session.waiting.map(({ user }) => user),
    stop: stop.abort,
    interrupt() {},
  });
  try {
    const agent = parts.agent(parseSessionKey(session.key)?.agentId ?? "");
    const { user, channel, peer, roles, account } = message;
    const asking = {
      id: `compaction of ${session.key}`,
      session,
      agent,
      user,
      channel,
      peer,
      roles,
      account,
      excludedTools: options.excludeTools ?? [],
      signal: stop.signal,
    };
    await compact(parts, asking, { reason: "history", budgetTokens: historyTokens });
  } catch (error) {
    engineSignal.throwIfAborted();
    logger.warn("A conversation could not be put into a summary", { session: session.key, error: messageOf(error) });
  } finally {
    end();
    stop.release();
  }
}

function trim({ sessions, keepHistoryTokens }: HandlerParts, session: Session): void {
  const { needs } = historyWindow(session.history, keepHistoryTokens);
  if (needs >= TRIM_STEP) sessions.trim(session, session.history.length - needs);
}
