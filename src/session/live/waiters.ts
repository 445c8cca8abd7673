import { AssistantError } from "../../errors.ts";
import type { Platform } from "../../platform.ts";
import type { Reply, StreamEvent } from "../../reply.ts";
import type { OutRecord } from "../records.ts";
import { replyOf } from "../reply.ts";

type Listener = (event: StreamEvent) => void;
interface Waiter {
  resolve(reply: Reply): void;
  reject(reason: unknown): void;
}

/** Ends a turn early. */
interface Stoppable {
  abort(reason: unknown): void;
}

/**
 * Callers in this process that wait for, or watch, the answer to a message. The answer itself is in the log; a
 * waiter only learns when it is there.
 */
export type Waiters = ReturnType<typeof createWaiters>;

/** @param keepAlive Keeps the process alive while a caller waits. */
export function createWaiters(keepAlive: Platform["keepAlive"]) {
  const waiters = new Map<string, Set<Waiter>>();
  const watchers = new Map<string, Set<Listener>>();
  /**
   * Events of running turns so far, by the messages that they answer. Only for turns that
   * had a watcher when they began.
   */
  const told = new Map<string, StreamEvent[]>();
  /** Messages whose callers all left before an answer. */
  const left = new Set<string>();
  const running = new Map<string, { messageIds: readonly string[]; stop: Stoppable }>();
  let closed: AssistantError | undefined;

  /**
   * Waits for the reply to a message. When the last caller's signal aborts, the turn is stopped, unless another of
   * its messages still needs the reply. `cancel` stops waiting without stopping the turn.
   */
  function wait(messageId: string, signal: AbortSignal | undefined): { reply: Promise<Reply>; cancel(): void } {
    const entry = waiters.get(messageId) ?? new Set<Waiter>();
    let cancel = () => {};
    const reply = new Promise<Reply>((resolve, reject) => {
      // A retry is due only later, and its timer alone keeps no process alive.
      const release = keepAlive();
      const forget = () => {
        release();
        signal?.removeEventListener("abort", leave);
        entry.delete(waiter);
        if (entry.size === 0 && waiters.get(messageId) === entry) waiters.delete(messageId);
      };
      const waiter: Waiter = {
        resolve: (value) => (forget(), resolve(value)),
        reject: (reason) => (forget(), reject(reason)),
      };
      const leave = () => {
        waiter.reject(signal?.reason);
        if (entry.size > 0) return;
        left.add(messageId);
        const turn = running.get(messageId);
        if (turn && abandoned(turn.messageIds)) turn.stop.abort(new AssistantError("ABORTED", ABANDONED));
      };
      cancel = () => {
        forget();
        left.delete(messageId);
      };
      entry.add(waiter);
      waiters.set(messageId, entry);
      left.delete(messageId);
      signal?.addEventListener("abort", leave, { once: true });
      if (signal?.aborted) leave();
      // The message was still being appended when the other waiters were rejected.
      else if (closed) waiter.reject(closed);
    });
    return { reply, cancel };
  }

  /**
   * Calls `listener` with the events of the turn that answers a message, past events first.
   * @returns A function that stops it.
   */
  function watch(messageId: string, listener: Listener): () => void {
    for (const event of told.get(messageId) ?? []) listener(event);
    const entry = watchers.get(messageId) ?? new Set();
    entry.add(listener);
    watchers.set(messageId, entry);
    return () => {
      entry.delete(listener);
      if (entry.size === 0) watchers.delete(messageId);
    };
  }

  /** The listener for a turn's events; `undefined` if the turn has no watcher. */
  function listenerFor(messageIds: readonly string[]): Listener | undefined {
    if (watchers.size === 0 && told.size === 0) return undefined;
    if (!messageIds.some((id) => watchers.has(id) || told.has(id))) return undefined;
    const events = messageIds.map((id) => told.get(id)).find((one) => one !== undefined) ?? [];
    for (const id of messageIds) told.set(id, events);
    return (event) => {
      keep(events, event);
      for (const id of messageIds) for (const listener of watchers.get(id) ?? []) listener(event);
    };
  }

  /** Registers a running turn. It is aborted when the last caller of all its messages has left. */
  function begin(messageIds: readonly string[], stop: Stoppable): void {
    for (const id of messageIds) running.set(id, { messageIds, stop });
  }

  /** Whether every caller of these messages has left. */
  function abandoned(messageIds: readonly string[]): boolean {
    return left.size > 0 && messageIds.every((id) => left.has(id));
  }

  /** Resolves the waiters of the messages that a reply answers. */
  function settle(sessionKey: string, out: OutRecord): void {
    const reply = replyOf(sessionKey, out);
    for (const id of out.of.map((messageId) => waiterKey(sessionKey, messageId))) {
      running.delete(id);
      left.delete(id);
      told.delete(id);
      for (const waiter of [...(waiters.get(id) ?? [])]) waiter.resolve(reply);
    }
  }

  /** Rejects all waiters: no answer will come in this process. The messages stay in the log. */
  function close(reason: AssistantError): void {
    closed = reason;
    for (const entry of [...waiters.values()]) for (const waiter of [...entry]) waiter.reject(reason);
    told.clear();
  }

  return { wait, watch, listenerFor, begin, abandoned, settle, close };
}

/** Joins consecutive text into one event, because a long answer has many thousands of pieces. */
function keep(events: StreamEvent[], event: StreamEvent): void {
  const last = events.at(-1);
  if (last?.type === "text-delta" && event.type === "text-delta")
    events[events.length - 1] = { ...last, text: last.text + event.text };
  else events.push(event);
}

/** Key of a message's waiters. A message id is unique only within its session. */
export function waiterKey(sessionKey: string, messageId: string): string {
  return `${sessionKey}\n${messageId}`;
}

const ABANDONED = "The caller no longer waits for the answer";
