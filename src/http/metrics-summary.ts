import * as v from "valibot";
import { type Labels, METRIC_BUCKETS, type MetricSeries, type MetricsSnapshot } from "../telemetry/index.ts";

const count = (description: string) => v.pipe(v.number(), v.description(description));
/** A share; `null` if there was nothing to count. */
const share = (description: string) => v.nullable(v.pipe(v.number(), v.description(description)));

const Outcome = v.strictObject({
  tasks: v.number(),
  successes: v.number(),
  success_rate: share("Share of successful tasks"),
});

/** `GET /api/v1/metrics/summary`: figures for a dashboard since the process started. */
export const MetricsSummaryJson = v.strictObject({
  since: v.pipe(v.string(), v.isoTimestamp(), v.description("When this process began counting")),
  days: count("How long this process has been counting, in days"),
  turns: v.strictObject({
    completed: v.number(),
    failed: v.number(),
    aborted: v.number(),
    seconds_p50: share("Median duration of a turn, in seconds, estimated"),
    seconds_p95: share("95th percentile of the duration of a turn, in seconds, estimated"),
    input_tokens: v.number(),
    output_tokens: v.number(),
    cost: v.number(),
    running: v.number(),
    waiting: v.number(),
  }),
  tools: v.strictObject({
    calls: v.number(),
    failed: v.number(),
    denied: v.number(),
    by_tool: v.pipe(
      v.array(v.strictObject({ tool: v.string(), calls: v.number(), failed: v.number() })),
      v.description("The ten most called tools"),
    ),
  }),
  recall: v.strictObject({
    recalls: v.number(),
    recalls_per_day: v.number(),
    injected: count("Memories that were added to prompts"),
    used: count("Injected memories whose words occur in the reply"),
    hit_rate: share("Share of injected memories that were used"),
    seconds_p95: share("95th percentile of the duration of a recall, in seconds, estimated"),
  }),
  notifications: v.strictObject({
    sent: v.number(),
    held: v.number(),
    digest: v.number(),
    dropped: v.number(),
    read: v.number(),
    by_rule: v.array(v.strictObject({ rule: v.string(), verdict: v.string(), count: v.number() })),
  }),
  patterns: v.strictObject({
    found: v.number(),
    accepted: v.number(),
    by_detector: v.array(v.strictObject({ detector: v.string(), found: v.number(), accepted: v.number() })),
  }),
  outcome: v.strictObject({
    proactive: Outcome,
    held_out: v.pipe(Outcome, v.description("Tasks that ran without proactive behaviour, for comparison")),
    difference: share("Success rate with proactive behaviour minus the rate without it"),
  }),
  jobs: v.strictObject({
    success: v.number(),
    failed: v.number(),
    skipped: v.number(),
    failing: v.pipe(
      v.array(v.strictObject({ job: v.string(), failures: v.number() })),
      v.description("The ten jobs with the most failed runs in a row"),
    ),
  }),
  memory: v.strictObject({
    compactions: v.number(),
    flushed: count("Entries saved before a compaction"),
    known: count("Entries that were already in memory at a compaction"),
    facts: v.number(),
    digests: v.number(),
  }),
  events: v.strictObject({
    published: v.number(),
    handler_errors: v.array(v.strictObject({ handler: v.string(), count: v.number() })),
  }),
  webhooks: v.strictObject({
    acknowledged: v.number(),
    seconds_p99: share("99th percentile of the time to acknowledge a webhook, in seconds, estimated"),
  }),
});

export type MetricsSummary = v.InferOutput<typeof MetricsSummaryJson>;

const DAY_MS = 86_400_000;
const MAX_SHOWN = 10;
/** Answers that accept a suggested pattern. */
const ACCEPTING = ["accepted", "yes"];
/** Outcomes of successful tasks. */
const SUCCEEDED = ["completed", "success"];

/** Computes dashboard figures from metrics. A missing count is 0, and a share of zero is `null`. */
export function summariseMetrics(snapshot: MetricsSnapshot, sinceMs: number, now: number): MetricsSummary {
  const found = new Map<string, readonly MetricSeries[]>(snapshot.map(({ name, series }) => [name, series]));
  const seriesOf = (name: string): readonly MetricSeries[] => found.get(name) ?? [];
  const sum = (name: string, only: Labels = {}) => total(seriesOf(name).filter(({ labels }) => has(labels, only)));
  const by = (name: string, label: string) => [...new Set(seriesOf(name).map(({ labels }) => labels[label] ?? ""))];
  const quantile = (name: string, share: number) => quantileOf(seriesOf(name), share);

  const days = Math.max(0, now - sinceMs) / DAY_MS;
  const recalls = seriesOf("memory.recall.latency_seconds").reduce((all, { count }) => all + count, 0);
  const injected = sum("memory.recall.injected_total");
  const used = sum("memory.recall.used_total");
  const accepted = (only: Labels = {}) =>
    ACCEPTING.reduce((all, answer) => all + sum("proactive.pattern.answer_total", { ...only, answer }), 0);
  const outcome = (isHeldOut: boolean) => {
    const held_out = String(isHeldOut);
    const tasks = sum("proactive.task_total", { held_out });
    const successes = SUCCEEDED.reduce((all, one) => all + sum("proactive.task_total", { held_out, outcome: one }), 0);
    return { tasks, successes, success_rate: ratio(successes, tasks) };
  };
  const [proactive, heldOut] = [outcome(false), outcome(true)];
  const notified = (verdict: string) => sum("proactive.notification_total", { verdict });

  return {
    since: new Date(sinceMs).toISOString(),
    days,
    turns: {
      completed: sum("turn.run_total", { status: "completed" }),
      failed: sum("turn.run_total", { status: "failed" }),
      aborted: sum("turn.run_total", { status: "aborted" }),
      seconds_p50: quantile("turn.seconds", 0.5),
      seconds_p95: quantile("turn.seconds", 0.95),
      input_tokens: sum("turn.tokens_total", { kind: "input" }),
      output_tokens: sum("turn.tokens_total", { kind: "output" }),
      cost: sum("turn.cost_total"),
      running: sum("queue.running"),
      waiting: sum("queue.depth"),
    },
    tools: {
      calls: sum("tool.call_total"),
      failed: sum("tool.call_total", { status: "error" }),
      denied: sum("tool.policy.denied_total"),
      by_tool: by("tool.call_total", "tool")
        .map((tool) => ({
          tool,
          calls: sum("tool.call_total", { tool }),
          failed: sum("tool.call_total", { tool, status: "error" }),
        }))
        .toSorted((one, other) => other.calls - one.calls)
        .slice(0, MAX_SHOWN),
    },
    recall: {
      recalls,
      // Divides by at least one day, so that the first hours are not extrapolated.
      recalls_per_day: recalls / Math.max(1, days),
      injected,
      used,
      hit_rate: ratio(used, injected),
      seconds_p95: quantile("memory.recall.latency_seconds", 0.95),
    },
    notifications: {
      sent: notified("send"),
      held: notified("hold"),
      digest: notified("digest"),
      dropped: notified("drop"),
      read: sum("proactive.notification.read_total"),
      by_rule: seriesOf("proactive.notification_total").map(({ labels: { rule = "", verdict = "" }, value }) => ({
        rule,
        verdict,
        count: value,
      })),
    },
    patterns: {
      found: sum("proactive.pattern.found_total"),
      accepted: accepted(),
      by_detector: by("proactive.pattern.found_total", "detector").map((detector) => ({
        detector,
        found: sum("proactive.pattern.found_total", { detector }),
        accepted: accepted({ detector }),
      })),
    },
    outcome: {
      proactive,
      held_out: heldOut,
      difference:
        proactive.success_rate === null || heldOut.success_rate === null
          ? null
          : proactive.success_rate - heldOut.success_rate,
    },
    jobs: {
      success: sum("scheduler.job.run_total", { status: "success" }),
      failed: sum("scheduler.job.run_total", { status: "failed" }),
      skipped: sum("scheduler.job.run_total", { status: "skipped" }),
      failing: seriesOf("scheduler.job.consec_failures")
        .map(({ labels, value }) => ({ job: labels["job_id"] ?? "", failures: value }))
        .toSorted((one, other) => other.failures - one.failures)
        .slice(0, MAX_SHOWN),
    },
    memory: {
      compactions: sum("compaction.run_total"),
      flushed: sum("memory.flush.saved_total"),
      known: sum("memory.flush.skipped_dedup_total"),
      facts: sum("memory.longterm.facts_count"),
      digests: sum("memory.daily_summary.generated"),
    },
    events: {
      published: sum("event.bus.publish_total"),
      handler_errors: seriesOf("event.bus.handler_error_total").map(({ labels, value }) => ({
        handler: labels["handler_name"] ?? "",
        count: value,
      })),
    },
    webhooks: {
      acknowledged: sum("webhook.ack_total"),
      seconds_p99: quantile("webhook.ack.latency_seconds", 0.99),
    },
  };
}

const total = (series: readonly MetricSeries[]) => series.reduce((sum, { value }) => sum + value, 0);
const ratio = (part: number, whole: number) => (whole === 0 ? null : part / whole);
const has = (labels: Labels, only: Labels) => Object.entries(only).every(([name, value]) => labels[name] === value);

/**
 * Estimates a quantile of a histogram by linear interpolation within its bucket, as Prometheus does. Above the last
 * bound it returns that bound.
 */
function quantileOf(series: readonly MetricSeries[], share: number): number | null {
  const all = series.reduce((sum, one) => sum + one.count, 0);
  if (all === 0) return null;
  const rank = share * all;
  let below = 0;
  let from = 0;
  for (const [index, bound] of METRIC_BUCKETS.entries()) {
    const inside = series.reduce((sum, { buckets }) => sum + (buckets[index] ?? 0), 0);
    if (below + inside >= rank && inside > 0) return from + (bound - from) * ((rank - below) / inside);
    below += inside;
    from = bound;
  }
  return from;
}
