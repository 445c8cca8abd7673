import type { Clock } from "../clock.ts";
import type { Engine } from "../engine/index.ts";
import type { Reply } from "../reply.ts";
import {
  type InRecord,
  type QueueRules,
  type RunningTurns,
  type Session,
  type SessionSettings,
  type Sessions,
  type Waiters,
  asItArrives,
  replyOf,
  sessionWakeKey,
  waiterKey,
} from "../session/index.ts";
import type { Metrics } from "../telemetry/index.ts";
import type { createOverflow } from "./overflow.ts";

/** A message before it is appended. */
export type NewMessage = Omit<InRecord, "v" | "at">;

/** A message that was accepted. */
export interface Arrived {
  readonly outcome: "accepted" | "duplicate";
  readonly sessionKey: string;
  readonly turnId: string;
  reply(signal?: AbortSignal): Promise<Reply>;
}

export interface ArrivalsDeps {
  readonly sessions: Pick<Sessions, "load" | "append" | "findReply">;
  readonly engine: Pick<Engine, "wake">;
  readonly waiters: Pick<Waiters, "wait">;
  readonly running: RunningTurns;
  rules(message: InRecord, settings: SessionSettings): QueueRules;
  /** Stores the content of `data:` URLs, so that the log only refers to it. */
  detachFiles(session: Session, message: NewMessage): Promise<NewMessage>;
  readonly refuseExcess: ReturnType<typeof createOverflow>;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** Accepts messages: appends them to the log and wakes the session's handler. */
export type Arrivals = ReturnType<typeof createArrivals>;

export function createArrivals(deps: ArrivalsDeps) {
  const { sessions, engine, waiters, running, rules, detachFiles, refuseExcess, clock, metrics } = deps;

  /**
   * Appends a message.
   * @param rest Further messages that belong to the first. The first one's id identifies all: they are
   * accepted together or not at all.
   */
  async function append(sessionKey: string, message: NewMessage, rest: readonly NewMessage[] = []): Promise<Arrived> {
    const session = await sessions.load(sessionKey);
    const given = [message, ...rest].map((one) => asItArrives(session.changes, one));
    const records = given.some(({ attachments }) => attachments)
      ? await Promise.all(given.map((one) => detachFiles(session, one)))
      : given;
    const { mode, debounceMs, overflow, cap } = rules({ ...message, v: 1, at: 0 }, session.settings);
    const gathers = mode === "collect" && debounceMs > 0;
    // Issued in one tick, so that a store with a shared log makes both durable at once. A duplicate wakes the session
    // too, because the first delivery can have failed between the two.
    const [appended] = await Promise.all([
      sessions.append(sessionKey, records, { id: message.id }),
      engine.wake(sessionWakeKey(sessionKey), gathers ? new Date(clock.now() + debounceMs) : undefined),
    ]);
    const outcome = appended.duplicate ? "duplicate" : "accepted";
    metrics.increment("inbox.message_total", { channel: message.channel, outcome });
    if (mode === "interrupt" && !appended.duplicate) running.of(sessionKey)?.interrupt();
    if (!appended.duplicate && overflow !== "summarize") await refuseExcess(sessionKey, cap, overflow);
    return {
      outcome,
      sessionKey,
      turnId: appended.duplicate ? await turnOf(sessionKey, message) : message.turn,
      reply: (signal) => replyTo(sessionKey, message.id, signal),
    };
  }

  async function turnOf(sessionKey: string, message: NewMessage): Promise<string> {
    const session = await sessions.load(sessionKey);
    const first = [...session.waiting, ...(session.open?.inputs ?? [])].find(
      (input) => input.type === "in" && input.id === message.id,
    );
    if (first?.type === "in") return first.turn;
    return (await sessions.findReply(sessionKey, message.id))?.turn ?? message.turn;
  }

  /** Reads the reply to a logged message, or waits for it. */
  async function replyTo(sessionKey: string, messageId: string, signal: AbortSignal | undefined): Promise<Reply> {
    const waiting = waiters.wait(waiterKey(sessionKey, messageId), signal);
    waiting.reply.catch(() => undefined); // awaited below, unless the log has the reply or fails
    const out = await sessions.findReply(sessionKey, messageId).catch((error: unknown) => {
      waiting.cancel();
      throw error;
    });
    // Not cancelled here: a caller that left is the reason why the turn need not run.
    if (!out) return waiting.reply;
    waiting.cancel();
    return replyOf(sessionKey, out);
  }

  return { append, replyTo };
}
