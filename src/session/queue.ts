import type { InRecord, QueueMode, Sequenced } from "./records.ts";
import type { Session } from "./session.ts";

/** What happens to messages that arrive while a turn runs. Source: docs/sessions.md, "While it is busy". */
export interface QueueRules {
  /**
   * `collect`: what waits becomes one turn. `followup`: each its own turn, in order. `steer`: what arrives joins the turn that runs, before its next
   * step. `interrupt`: as `steer`, and what the turn is doing right then is cut off.
   */
  readonly mode: QueueMode;
  /** How long a burst may take to gather, in milliseconds after its last message; five times that at most. */
  readonly debounceMs: number;
  /** Most messages that wait in one session. */
  readonly cap: number;
  /** What becomes of those over the cap: a list of one line each in the next turn; the oldest or the newest are refused and told so. */
  readonly overflow: "summarize" | "old" | "new";
}

/** A burst is gathered for this many times `debounceMs` at most. */
const MAX_BURST_IN_DEBOUNCES = 5;

export type NextTurn =
  | { readonly kind: "idle" }
  | { readonly kind: "wait"; readonly untilMs: number }
  /** A turn was begun before and has no reply yet. `stopped`: it is not to be gone on with. */
  | { readonly kind: "resume"; readonly stopped: boolean }
  /** `summarized`: those over the cap, told in one line each; they count as answered by this turn. `stopped`: nobody wants the answer any more. */
  | {
      readonly kind: "start";
      readonly batch: readonly Sequenced<InRecord>[];
      readonly summarized: readonly Sequenced<InRecord>[];
      readonly stopped: boolean;
    };

/** What a session owes next; pure. */
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
  // A clock that was set back must not hold anybody up for as long as it was wrong.
  const clockWasSetBack = nowMs < first.at || untilMs - nowMs > longestMs;
  const gathered = debounceMs === 0 || othersWait || clockWasSetBack || nowMs >= untilMs;
  return gathered ? { kind: "start", batch: rest, summarized, stopped: false } : { kind: "wait", untilMs };
}

/**
 * The messages that wait, from the first on, as long as they can be answered together with `message`. One reply has one address: those that want theirs
 * elsewhere wait for a turn of their own, and so do a command and work that nobody wrote.
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

/** Its writer deleted it while it waited: nobody wants an answer any more. */
export function isWithdrawn({ changed }: InRecord): boolean {
  return changed?.by.change === "deleted";
}

/** What comes of a job's run is that run's alone. */
function isAlone({ origin }: InRecord): boolean {
  return origin !== undefined;
}

/** Where a reply goes; without a channel to the caller, who is one person. */
function addressOf({ target, user }: InRecord): string {
  return target
    ? JSON.stringify([target.channel, target.account, target.chat, target.thread, target.replyTo])
    : JSON.stringify([user]);
}
