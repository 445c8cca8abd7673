import type { Clock } from "../../clock.ts";
import type { EventBus } from "../../events/index.ts";
import type { Subagent } from "../../subagents/index.ts";
import type { Audit, Metrics } from "../../telemetry/index.ts";

export interface SubagentNewsDeps {
  readonly events: Pick<EventBus, "has" | "publishAsync">;
  readonly audit: Pick<Audit, "write">;
  readonly metrics: Pick<Metrics, "increment">;
  readonly clock: Pick<Clock, "now">;
}

/** Publishes events, audit lines and metrics of sub-agents. */
export type SubagentNews = ReturnType<typeof createSubagentNews>;

export function createSubagentNews({ events, audit, metrics, clock }: SubagentNewsDeps) {
  function write(one: Subagent, what: string, verdict: "ok" | "failed", reason?: string): void {
    const { id, person, parent, depth, tokens } = one;
    const line = { who: person.user, what, target: id, verdict, sessionKey: parent, depth };
    audit.write({ ...line, ...(reason !== undefined && { reason }), ...(what === "subagent.ended" && { tokens }) });
  }

  return {
    started(one: Subagent): void {
      write(one, "subagent.started", "ok");
      if (!events.has("subagent.started")) return;
      const { id, task, person, parent, sessionKey, depth, awaited } = one;
      const payload = { id, task, user: person.user, sessionKey, depth, background: !awaited };
      events.publishAsync({ type: "subagent.started", sessionId: parent, timestamp: clock.now(), payload });
    },
    /** To be called only by the writer that changed the state from running to ended, so that it happens once. */
    ended(one: Subagent): void {
      const { id, person, parent, state, tokens, error, startedAt, endedAt = startedAt } = one;
      metrics.increment("subagent.run_total", { status: state });
      write(one, "subagent.ended", state === "done" ? "ok" : "failed", error?.message);
      if (!events.has("subagent.ended") || state === "running") return;
      const common = { id, user: person.user, status: state, tokens, durationMs: endedAt - startedAt };
      const payload = { ...common, ...(error && { reason: error.message }) };
      events.publishAsync({ type: "subagent.ended", sessionId: parent, timestamp: clock.now(), payload });
    },
  };
}
