import type { InRecord, QueueMode, Sequenced } from "./records.ts";
import type { Session } from "./session.ts";

/** Rules for messages that arrive while a turn runs. Source: docs/sessions.md, "While it is busy". */
export interface QueueRules {
  /**
   * `collect`: all waiting messages become one turn. `followup`: each becomes its own turn, in order.
   * `steer`: messages join the running turn before its next step. `interrupt`: as `steer`, and the
   * turn's current work is cut off.
   */
  readonly mode: QueueMode;
  /** Debounce: milliseconds to wait after the last message of a burst. A burst takes at most five times that. */
  readonly debounceMs: number;
  /** Most messages that wait in a session. */
  readonly cap: number;
  /**
   * What happens to messages over the cap. `summarize`: the next turn shows them as one line each. `old` or `new`:
   * the oldest or newest are refused with a reply.
   */
  readonly overflow: "summarize" | "old" | "new";
}

/** A burst is gathered for at most this many times `debounceMs`. */
const MAX_BURST_IN_DEBOUNCES = 5;

export type NextTurn =
  | { readonly kind: "idle" }
  | { readonly kind: "wait"; readonly untilMs: number }
  /** A turn has begun and has no reply yet. `stopped`: it must not go on. */
  | { readonly kind: "resume"; readonly stopped: boolean }
  /**
   * `summarized`: messages over the cap, shown in one line each; this turn answers them too. `stopped`:
   * the answer is no longer wanted.
   */
  | {
      readonly kind: "start";
      readonly batch: readonly Sequenced<InRecord>[];
      readonly summarized: readonly Sequenced<InRecord>[];
      readonly stopped: boolean;
    };

/** Decides what a session has to do next; pure. */
export function decideNextTurn(
  session: Pick<Session, "open" | "waiting" | "stoppedAt">,
  rules: QueueRules,
  nowMs: number,
): NextTurn {
  const { open, waiting, stoppedAt } = session;
  if (open) {
    const [first] = open.steps;
    return { kind: "resume", stopped: (first?.seen ?? first?.seq ?? Infinity) < stoppedAt };
  }
  const [first] = waiting;
  if (!first) return { kind: "idle" };
  const stopped = waiting.filter((message) => message.seq < stoppedAt || isWithdrawn(message));
  if (stopped.length > 0) return { kind: "start", batch: stopped, summarized: [], stopped: true };
  if (first.command !== undefined) return { kind: "start", batch: [first], summarized: [], stopped: false };

  const together = togetherWith(first, waiting);
  const excess = rules.overflow === "summarize" ? Math.max(0, together.length - rules.cap) : 0;
  const summarized = together.slice(0, excess);
  const rest = together.slice(excess);
  if (rules.mode === "followup") return { kind: "start", batch: rest.slice(0, 1), summarized, stopped: false };

  const debounceMs = rules.mode === "collect" ? rules.debounceMs : 0;
  const longestMs = MAX_BURST_IN_DEBOUNCES * debounceMs;
  const untilMs = Math.min((rest.at(-1)?.at ?? first.at) + debounceMs, first.at + longestMs);
  const othersWait = together.length < waiting.length;
  // After the clock was set back, the debounce must not last until the clock has caught up.
  const clockWasSetBack = nowMs < first.at || untilMs - nowMs > longestMs;
  const gathered = debounceMs === 0 || othersWait || clockWasSetBack || nowMs >= untilMs;
  return gathered ? { kind: "start", batch: rest, summarized, stopped: false } : { kind: "wait", untilMs };
}

/**
 * The leading run of waiting messages that one turn can answer together with `message`. A reply has one address, so a
 * message with another address waits for a turn of its own. So does a command, and work that no person wrote.
 */
export function togetherWith(
  message: InRecord,
  waiting: readonly Sequenced<InRecord>[],
): readonly Sequenced<InRecord>[] {
  let address: string | undefined;
  const end = waiting.findIndex(
    (other) =>
      other.command !== undefined ||
      (other !== message &&
        (isAlone(message) || isAlone(other) || addressOf(other) !== (address ??= addressOf(message)))),
  );
  return end === -1 ? waiting : waiting.slice(0, end);
}

/** Whether the writer deleted the message while it waited, so that no answer is wanted. */
export function isWithdrawn({ changed }: InRecord): boolean {
  return changed?.by.change === "deleted";
}

/** Whether the message needs a turn of its own: the result of a job's run belongs to that run. */
function isAlone({ origin }: InRecord): boolean {
  return origin !== undefined;
}

/** The address of a reply. Without a channel it goes to the caller, who is one person. */
function addressOf({ target, user }: InRecord): string {
  return target
    ? JSON.stringify([target.channel, target.account, target.chat, target.thread, target.replyTo])
    : JSON.stringify([user]);
}
