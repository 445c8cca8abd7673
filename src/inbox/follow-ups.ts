import { type Approvals, homeOfRequest } from "../approvals/index.ts";
import { AssistantError, messageOf } from "../errors.ts";
import type { Reply, StreamEvent } from "../reply.ts";
import { createEventQueue } from "./event-queue.ts";
import { type Waiters, waiterKey } from "../session/index.ts";
import { outcomeId } from "./approval-outcomes.ts";
import type { Arrivals } from "./arrivals.ts";

/** What the outcomes of requests lead to, told to whoever answered them. */
export interface FollowUps {
  /** To be called before the answer: the turn may begin at once. What happens is kept until it is known whether the answer counts. */
  watch(id: string): Promise<{
    /** The answer counts: its turn may be told. */
    confirm(): void;
    drop(): void;
  }>;
  /** To be read once all answers are given: what happens in the turns of those that count, their replies, and `end`. A turn that answers several is told once. */
  readonly events: AsyncIterableIterator<StreamEvent>;
}

export interface ApprovalFollowUpsDeps {
  readonly approvals: Pick<Approvals, "of">;
  readonly arrivals: Pick<Arrivals, "replyTo">;
  readonly waiters: Pick<Waiters, "watch">;
}

/** What comes of answers: the turns that the outcomes of requests begin. */
export function createApprovalFollowUps({ approvals, arrivals, waiters }: ApprovalFollowUpsDeps) {
  /** Waits for the turn that the outcome of a request begins. `null`: it has no outcome yet, or none that begins a turn. @throws {AssistantError} `NOT_FOUND`. */
  async function followUp(id: string, signal?: AbortSignal): Promise<Reply | null> {
    const record = await approvals.of(id);
    if (!record) throw new AssistantError("NOT_FOUND", `There is no request ${JSON.stringify(id)}`);
    if (record.state !== "ended" || record.turnless) return null;
    return arrivals.replyTo(homeOfRequest(record.caller).sessionKey, outcomeId(id), signal);
  }

  return {
    followUp,
    /** For who answers requests and wants to see what comes of it. */
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
  /** Under which name waiters hear of a request's outcome. `undefined`: there is no such request. */
  keyOf(id: string): Promise<string | undefined>;
  /** Waits for the reply to an outcome. `null`: none comes yet. */
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

  /** A turn that answers two messages tells each event to both. */
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
