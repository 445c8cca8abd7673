import type { Clock } from "../clock.ts";
import { type EventBus, type Injection, publishForInjections } from "../events/index.ts";
import type { InRecord, OutRecord, SessionLife } from "../session/index.ts";
import { type Tracing, turnSpan, usageAttributes } from "../telemetry/index.ts";
import { statusOf } from "./replies.ts";
import type { Turn } from "./turn-at-work.ts";
import { REMOVED } from "./turn-stop.ts";

export interface AnnouncementsDeps {
  readonly events: EventBus;
  readonly life: Pick<SessionLife, "begin" | "rest">;
  readonly tracing: Pick<Tracing, "look" | "isOn" | "within">;
  readonly clock: Clock;
}

/** Publishes turns on the bus and traces them. */
export type Announcements = ReturnType<typeof createAnnouncements>;

export function createAnnouncements({ events, life, tracing, clock }: AnnouncementsDeps) {
  /** Does a turn's work, inside a span if tracing is on. */
  async function traced(turn: Turn, work: () => Promise<OutRecord>): Promise<OutRecord> {
    const looking = tracing.look();
    if (looking) await looking;
    if (!tracing.isOn()) return work();
    const { id, agent, session, audience } = turn;
    const about = turnSpan({ id, agent, sessionKey: session.key, source: sourceOf(audience.newest) });
    return tracing.within(about, work, ({ usage, error }) => ({
      attributes: usageAttributes(usage),
      error: error?.code,
    }));
  }

  /**
   * Publishes the beginning of a turn. A resumed turn was published before, and its
   * journal has what was injected then.
   * @returns What hooks injected.
   */
  async function started({ id, session, audience: { messages, newest } }: Turn): Promise<readonly Injection[]> {
    const { user, channel, peer, roles, account, text } = newest;
    await life.begin(session, messages[0] ?? newest);
    if (session.open || !events.has("task.started")) return [];
    return publishForInjections(events, (inject) => ({
      type: "task.started",
      sessionId: session.key,
      timestamp: clock.now(),
      payload: {
        taskId: id,
        text,
        user,
        channel,
        peer,
        roles,
        account,
        source: sourceOf(newest),
        inject,
      },
    }));
  }

  /**
   * Publishes the next step, counted from 0.
   * @returns What hooks injected before it.
   */
  async function iteration({ id, session }: Turn, step: number): Promise<readonly Injection[]> {
    if (!events.has("iteration.started")) return [];
    return publishForInjections(events, (inject) => ({
      type: "iteration.started",
      sessionId: session.key,
      timestamp: clock.now(),
      payload: { taskId: id, step: step + 1, inject },
    }));
  }

  /** Publishes the end of a turn. Listeners run after the reply and never delay it. */
  function completed({ id, session, stop, audience: { newest } }: Turn, out: OutRecord): void {
    if (stop.signal.reason === REMOVED) return;
    life.rest(session.key, newest);
    if (!events.has("task.completed")) return;
    const { user, channel, peer, roles, account } = newest;
    const payload = {
      taskId: id,
      status: statusOf(out),
      toolCalls: out.toolCalls.length,
      usage: out.usage,
      user,
      channel,
      peer,
      roles,
      account,
      text: out.text,
      source: sourceOf(newest),
    };
    events.publishAsync({ type: "task.completed", sessionId: session.key, timestamp: clock.now(), payload });
  }

  return { traced, started, iteration, completed };
}

function sourceOf({ origin, source }: InRecord): string {
  return origin ?? (source === undefined ? "message" : "approval");
}
