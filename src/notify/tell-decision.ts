import type { DecisionRecord } from "../attention/index.ts";
import type { Clock } from "../clock.ts";
import type { EventBus } from "../events/index.ts";
import type { Audit, Metrics } from "../telemetry/index.ts";

export interface TellDecisionDeps {
  readonly events: Pick<EventBus, "has" | "publishAsync">;
  readonly audit: Pick<Audit, "write">;
  readonly metrics: Pick<Metrics, "increment">;
  readonly clock: Pick<Clock, "now">;
}

/** Reports a decision to listeners, audit log and metrics. */
export function createTellDecision({ events, audit, metrics, clock }: TellDecisionDeps) {
  return function tell(userId: string, { text: _text, at: _at, until, ...decision }: DecisionRecord): void {
    const { id, type, verdict, rule } = decision;
    metrics.increment("proactive.notification_total", { verdict, rule });
    const isSaid = verdict === "send";
    audit.write({
      who: userId,
      what: "notification",
      target: `${type} ${id}`,
      verdict: isSaid ? "ok" : "refused",
      reason: `${verdict}: ${rule}`,
    });
    const event = isSaid ? "proactive.notification" : "proactive.notification.suppressed";
    if (!events.has(event)) return;
    const payload = { userId, ...decision, ...(until !== undefined && { untilMs: until }) };
    events.publishAsync({ type: event, sessionId: null, timestamp: clock.now(), payload });
  };
}
