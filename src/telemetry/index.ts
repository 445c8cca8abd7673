export { createAudit } from "./audit.ts";
export type { Audit, AuditEntry, AuditLine, AuditOptions } from "./audit.ts";
export { createOldAudit } from "./old-audit.ts";
export { createAuditErasure } from "./audit-erasure.ts";
export { errorLogger, leftOut, redactingLogger, silentLogger } from "./logger.ts";
export type { LogFields, Logger } from "./logger.ts";
export { METRICS } from "./metric-names.ts";
export type { CounterName, GaugeName, HistogramName, LabelsOf, MetricDefinition, MetricName } from "./metric-names.ts";
export { METRIC_BUCKETS, createMetrics } from "./metrics.ts";
export type {
  Counter,
  Gauge,
  Histogram,
  Labels,
  MetricSeries,
  MetricWatcher,
  Metrics,
  MetricsSnapshot,
} from "./metrics.ts";
export { createModelRedactor, createRedactor, createStreamRedactor } from "./redact.ts";
export type { ModelRedactor, Redactor, StreamRedactor } from "./redact.ts";
export { createRedaction, secretsOfObjects } from "./redaction.ts";
export { createTracing } from "./tracing.ts";
export type { SpanAbout, SpanOutcome, Tracing, TracingDeps } from "./tracing.ts";
export { chatOutcome, chatSpan, toolSpan, turnSpan, usageAttributes } from "./gen-ai.ts";
