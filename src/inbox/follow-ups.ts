import { type Approvals, homeOfRequest } from "../approvals/index.ts";
import { AssistantError, messageOf } from "../errors.ts";
import type { Reply, StreamEvent } from "../reply.ts";
import { createEventQueue } from "./event-queue.ts";
import { type Waiters, waiterKey } from "../session/index.ts";
import { outcomeId } from "./approval-outcomes.ts";
import type { Arrivals } from "./arrivals.ts";

/** Events of the turns that outcomes of requests begin, for the person who answered the requests. */
export interface FollowUps {
  /**
   * Called before the answer is given, because the turn can begin at once. Events are buffered until it is
   * known whether the answer counts.
   */
  watch(id: string): Promise<{
    /** The answer counts: its turn's events may be read. */
    confirm(): void;
    drop(): void;
  }>;
  /**
   * Read after all answers are given: the events of turns whose answers count, their replies, and `end`. A turn that
   * answers several requests is reported once.
   */
  readonly events: AsyncIterableIterator<StreamEvent>;
}

export interface ApprovalFollowUpsDeps {
  readonly approvals: Pick<Approvals, "of">;
  readonly arrivals: Pick<Arrivals, "replyTo">;
  readonly waiters: Pick<Waiters, "watch">;
}

/** Follows the turns that outcomes of requests begin. */
export function createApprovalFollowUps({ approvals, arrivals, waiters }: ApprovalFollowUpsDeps) {
  /**
   * Waits for the turn that the outcome of a request begins. `null`: there is no outcome yet, or it begins no turn.
   * @throws {AssistantError} `NOT_FOUND`.
   */
  async function followUp(id: string, signal?: AbortSignal): Promise<Reply | null> {
    const record = await approvals.of(id);
    if (!record) throw new AssistantError("NOT_FOUND", `There is no request ${JSON.stringify(id)}`);
    if (record.state !== "ended" || record.turnless) return null;
    return arrivals.replyTo(homeOfRequest(record.caller).sessionKey, outcomeId(id), signal);
  }

  return {
    followUp,
    /** For callers that answer requests and want to watch the resulting turns. */
    followUps: (): FollowUps =>
      createFollowUps({
        waiters,
        async keyOf(id) {
          const record = await approvals.of(id);
          return record ? waiterKey(homeOfRequest(record.caller).sessionKey, outcomeId(record.id)) : undefined;
        },
        reply: followUp,
      }),
  };
}

export interface FollowUpsDeps {
  readonly waiters: Pick<Waiters, "watch">;
  /** Waiter key of a request's outcome; `undefined` if the request does not exist. */
  keyOf(id: string): Promise<string | undefined>;
  /** Waits for the reply to an outcome. `null`: none is coming yet. */
  reply(id: string): Promise<Reply | null>;
}

export function createFollowUps({ waiters, keyOf, reply }: FollowUpsDeps): FollowUps {
  const confirmed: string[] = [];
  const stops = new Set<() => void>();
  const told = new WeakSet<StreamEvent>();
  const events = createEventQueue<StreamEvent>({
    onStart: () => void tellReplies().then(events.end, events.fail),
    onEnd: () => stops.forEach((stop) => stop()),
  });

  /** A turn that answers two messages emits each event for both, so repeats are skipped. */
  function tell(event: StreamEvent): void {
    if (told.has(event)) return;
    told.add(event);
    events.push(event);
  }

  async function tellReplies(): Promise<void> {
    const turns = new Set<string>();
    for (const id of confirmed) {
      try {
        const found = await reply(id);
        if (!found || turns.has(found.turnId)) continue;
        turns.add(found.turnId);
        if (found.error) events.push({ type: "error", ...found.error });
        events.push({ type: "reply", reply: found });
      } catch (error) {
        const code = AssistantError.is(error) ? error.code : "ABORTED";
        events.push({ type: "error", code, message: messageOf(error) });
      }
    }
    events.push({ type: "end" });
  }

  return {
    async watch(id) {
      const key = await keyOf(id);
      let kept: StreamEvent[] | undefined = [];
      const stop =
        key === undefined ? () => {} : waiters.watch(key, (event) => void (kept ? kept.push(event) : tell(event)));
      stops.add(stop);
      return {
        confirm() {
          confirmed.push(id);
          const waiting = kept ?? [];
          kept = undefined;
          waiting.forEach(tell);
        },
        drop() {
          stops.delete(stop);
          stop();
        },
      };
    },
    events,
  };
}
