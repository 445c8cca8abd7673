/** Type of a metric, and its labels in order. */
export interface MetricDefinition {
  /** A counter only rises, a gauge is set to a value, a histogram counts values by size. */
  readonly type: "counter" | "gauge" | "histogram";
  /** Names of its labels. */
  readonly labels: readonly string[];
  /**
   * For a gauge: only this many series are kept, those with the highest values, and none with 0. Default: all series.
   */
  readonly highest?: number;
}

/** All metrics. A name that is not listed cannot be counted. In Prometheus dots become `_`. Source: docs/metrics.md. */
export const METRICS = {
  "access.answer_total": { type: "counter", labels: ["answer"] },
  "access.refused_total": { type: "counter", labels: ["channel"] },
  "access.request_total": { type: "counter", labels: ["channel", "outcome"] },
  "approval.answer_total": { type: "counter", labels: ["answer"] },
  "approval.end_total": { type: "counter", labels: ["verdict"] },
  "approval.refused_total": { type: "counter", labels: [] },
  "approval.request_total": { type: "counter", labels: ["tool"] },
  "audit.failure_total": { type: "counter", labels: [] },
  "compaction.flush_turn_total": { type: "counter", labels: ["outcome"] },
  "compaction.run_total": { type: "counter", labels: ["reason", "outcome"] },
  "context.cut_total": { type: "counter", labels: ["part"] },
  "engine.failure_total": { type: "counter", labels: ["kind"] },
  "event.bus.handler_error_total": { type: "counter", labels: ["handler_name"] },
  "event.bus.handler_latency_seconds": { type: "histogram", labels: ["handler_name"] },
  "event.bus.handler_skipped_total": { type: "counter", labels: ["handler_name"] },
  "event.bus.publish_total": { type: "counter", labels: ["event_type"] },
  "http.rate_limited_total": { type: "counter", labels: ["limit"] },
  "inbox.message_total": { type: "counter", labels: ["channel", "outcome"] },
  "inbox.press_total": { type: "counter", labels: ["outcome"] },
  "mcp.connection.failure_total": { type: "counter", labels: ["server"] },
  "mcp.drift_total": { type: "counter", labels: ["server"] },
  "mcp.server.connected": { type: "gauge", labels: ["server"] },
  "memory.daily_summary.generated": { type: "counter", labels: [] },
  "memory.damaged_total": { type: "counter", labels: [] },
  "memory.flush.saved_total": { type: "counter", labels: [] },
  "memory.flush.skipped_dedup_total": { type: "counter", labels: [] },
  "memory.longterm.facts_count": { type: "gauge", labels: [] },
  "memory.recall.injected_total": { type: "counter", labels: [] },
  "memory.recall.latency_seconds": { type: "histogram", labels: [] },
  "memory.recall.used_total": { type: "counter", labels: [] },
  "memory.semantic.failed_total": { type: "counter", labels: [] },
  "model.cooldown_total": { type: "counter", labels: ["model"] },
  "model.failure_total": { type: "counter", labels: ["model"] },
  "outbox.delivery_total": { type: "counter", labels: ["channel", "outcome"] },
  "proactive.notification.read_total": { type: "counter", labels: [] },
  "proactive.notification_total": { type: "counter", labels: ["verdict", "rule"] },
  "proactive.pattern.answer_total": { type: "counter", labels: ["detector", "answer"] },
  "proactive.pattern.found_total": { type: "counter", labels: ["detector"] },
  "proactive.task_total": { type: "counter", labels: ["held_out", "outcome"] },
  "queue.depth": { type: "gauge", labels: [] },
  "queue.running": { type: "gauge", labels: [] },
  "scheduler.job.consec_failures": { type: "gauge", labels: ["job_id"], highest: 100 },
  "scheduler.job.run_total": { type: "counter", labels: ["status"] },
  "skill.activation_total": { type: "counter", labels: ["activated_by"] },
  "skill.feedback_total": { type: "counter", labels: ["verdict"] },
  "skill.install_total": { type: "counter", labels: ["outcome"] },
  "skill.suggestion_total": { type: "counter", labels: ["state"] },
  "subagent.run_total": { type: "counter", labels: ["status"] },
  "tool.call_total": { type: "counter", labels: ["tool", "status"] },
  "tool.guard.refused_total": { type: "counter", labels: ["tool"] },
  "tool.policy.denied_total": { type: "counter", labels: [] },
  "tool.policy.profile_selected": { type: "counter", labels: ["profile"] },
  "turn.cost_total": { type: "counter", labels: [] },
  "turn.run_total": { type: "counter", labels: ["status"] },
  "turn.seconds": { type: "histogram", labels: [] },
  "turn.tokens_total": { type: "counter", labels: ["kind"] },
  "webhook.ack.latency_seconds": { type: "histogram", labels: ["channel"] },
  "webhook.ack_total": { type: "counter", labels: ["channel", "outcome"] },
  "workflow.run_total": { type: "counter", labels: ["status"] },
  "workflow.started_total": { type: "counter", labels: [] },
  "workflow.step_total": { type: "counter", labels: ["kind", "status"] },
} as const;

/** Name of a metric, with dots. */
export type MetricName = keyof typeof METRICS;
type NameOf<Type extends MetricDefinition["type"]> = {
  [Name in MetricName]: (typeof METRICS)[Name]["type"] extends Type ? Name : never;
}[MetricName];
export type CounterName = NameOf<"counter">;
export type GaugeName = NameOf<"gauge">;
export type HistogramName = NameOf<"histogram">;
/** The labels of one metric, all required. */
export type LabelsOf<Name extends MetricName> = {
  readonly [Label in (typeof METRICS)[Name]["labels"][number]]: string;
};
