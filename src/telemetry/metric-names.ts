import { docs } from "#docs";

/** What a metric counts, for `# HELP` and docs/metrics.md, and the labels that it may carry, in their order. */
export interface MetricDefinition {
  readonly type: "counter" | "gauge" | "histogram";
  /** Not in bundles for Workers. */
  readonly help: string | undefined;
  readonly labels: readonly string[];
}

/** Every metric there is. A name that is not here cannot be counted. In Prometheus dots become `_`. Source: docs/metrics.md. */
export const METRICS = {
  "access.answer_total": { type: "counter", help: docs("Answers to requests to be let in."), labels: ["answer"] },
  "access.refused_total": {
    type: "counter",
    help: docs("Messages whose sender may not write here."),
    labels: ["channel"],
  },
  "access.request_total": {
    type: "counter",
    help: docs("Messages of strangers who may ask to be let in, by what became of them."),
    labels: ["channel", "outcome"],
  },
  "approval.answer_total": { type: "counter", help: docs("Answers to requests for approval."), labels: ["answer"] },
  "approval.end_total": {
    type: "counter",
    help: docs("Requests for approval, by what became of them."),
    labels: ["verdict"],
  },
  "approval.refused_total": { type: "counter", help: docs("Answers of people who may not answer."), labels: [] },
  "approval.request_total": { type: "counter", help: docs("Calls that asked the owner."), labels: ["tool"] },
  "audit.failure_total": { type: "counter", help: docs("Audit lines that could not be written."), labels: [] },
  "compaction.flush_turn_total": {
    type: "counter",
    help: docs(
      "Silent turns in which the model could write to the memory before turns went into a summary, by what came of them.",
    ),
    labels: ["outcome"],
  },
  "compaction.run_total": {
    type: "counter",
    help: docs("Conversations whose older turns were put into a summary, by why, and by who wrote it."),
    labels: ["reason", "outcome"],
  },
  "context.cut_total": {
    type: "counter",
    help: docs("Parts of prompts of which something was left out, once a turn."),
    labels: ["part"],
  },
  "engine.failure_total": {
    type: "counter",
    help: docs("Handlers of woken keys that threw, by the kind of key."),
    labels: ["kind"],
  },
  "event.bus.handler_error_total": {
    type: "counter",
    help: docs("Event handlers that threw or ran out of time."),
    labels: ["handler_name"],
  },
  "event.bus.handler_latency_seconds": {
    type: "histogram",
    help: docs("How long event handlers took."),
    labels: ["handler_name"],
  },
  "event.bus.handler_skipped_total": {
    type: "counter",
    help: docs("Events that a handler did not get because it was over its rate."),
    labels: ["handler_name"],
  },
  "event.bus.publish_total": { type: "counter", help: docs("Events that were published."), labels: ["event_type"] },
  "http.rate_limited_total": {
    type: "counter",
    help: docs("Requests that were answered 429, by the limit: source or token."),
    labels: ["limit"],
  },
  "inbox.message_total": {
    type: "counter",
    help: docs("Messages that were let in, accepted or known already."),
    labels: ["channel", "outcome"],
  },
  "mcp.connection.failure_total": {
    type: "counter",
    help: docs("Attempts to reach an MCP server that failed, and connections that were lost."),
    labels: ["server"],
  },
  "mcp.drift_total": {
    type: "counter",
    help: docs("Tools of MCP servers that were held back as new or changed."),
    labels: ["server"],
  },
  "mcp.server.connected": { type: "gauge", help: docs("Is an MCP server connected? 1 is yes."), labels: ["server"] },
  "memory.daily_summary.generated_total": {
    type: "counter",
    help: docs("Digests of days that were written, or written anew since something changed."),
    labels: [],
  },
  "memory.damaged_total": {
    type: "counter",
    help: docs("Files of memories that were found damaged and left out."),
    labels: [],
  },
  "memory.flush.saved_total": {
    type: "counter",
    help: docs("Entries that were kept before a conversation was compacted."),
    labels: [],
  },
  "memory.flush.skipped_dedup_total": {
    type: "counter",
    help: docs("Entries that memory had already when a conversation was compacted."),
    labels: [],
  },
  "memory.longterm.facts_count": {
    type: "gauge",
    help: docs("Lines of the MEMORY.md files that were looked at since the start."),
    labels: [],
  },
  "memory.semantic.failed_total": {
    type: "counter",
    help: docs("Embeddings that failed or came too late; words alone decided."),
    labels: [],
  },
  "model.cooldown_total": {
    type: "counter",
    help: docs("Times that a model was put behind the others for a while, since it failed."),
    labels: ["model"],
  },
  "model.failure_total": { type: "counter", help: docs("Model calls that failed."), labels: ["model"] },
  "outbox.delivery_total": {
    type: "counter",
    help: docs("Parts of replies, by what became of them."),
    labels: ["channel", "outcome"],
  },
  "queue.depth": { type: "gauge", help: docs("Turns that wait for a free slot."), labels: [] },
  "queue.running": { type: "gauge", help: docs("Turns that run."), labels: [] },
  "tool.call_total": { type: "counter", help: docs("Tool calls that ran."), labels: ["tool", "status"] },
  "tool.guard.refused_total": { type: "counter", help: docs("Tool calls that a guard refused."), labels: ["tool"] },
  "tool.policy.denied_total": { type: "counter", help: docs("Tool calls that were refused."), labels: [] },
  "tool.policy.profile_selected": {
    type: "counter",
    help: docs("Decisions on tool calls, by the profile that holds for the caller."),
    labels: ["profile"],
  },
  "turn.cost_total": { type: "counter", help: docs("What models with a price cost, in its currency."), labels: [] },
  "turn.run_total": { type: "counter", help: docs("Turns that ended."), labels: ["status"] },
  "turn.seconds": { type: "histogram", help: docs("How long turns took."), labels: [] },
  "turn.tokens_total": { type: "counter", help: docs("Tokens that models reported."), labels: ["kind"] },
  "webhook.ack.latency_seconds": {
    type: "histogram",
    help: docs("From a webhook's arrival to its acknowledgement."),
    labels: ["channel"],
  },
  "webhook.ack_total": {
    type: "counter",
    help: docs("Webhooks, by how they were answered."),
    labels: ["channel", "outcome"],
  },
} as const;

export type MetricName = keyof typeof METRICS;
type NameOf<Type extends MetricDefinition["type"]> = {
  [Name in MetricName]: (typeof METRICS)[Name]["type"] extends Type ? Name : never;
}[MetricName];
export type CounterName = NameOf<"counter">;
export type GaugeName = NameOf<"gauge">;
export type HistogramName = NameOf<"histogram">;
/** The labels of one metric: all of them, nothing else. */
export type LabelsOf<Name extends MetricName> = {
  readonly [Label in (typeof METRICS)[Name]["labels"][number]]: string;
};
