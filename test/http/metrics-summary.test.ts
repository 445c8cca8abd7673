import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { MetricsSummaryJson, summariseMetrics } from "../../src/http/metrics-summary.ts";
import { type MetricSeries, type MetricsSnapshot, createMetrics } from "../../src/telemetry/index.ts";
import { ADA, METRICS, OWNER, call, fakeAssistant } from "./support.ts";

const NOW = Date.UTC(2026, 0, 9);
const DAY = 86_400_000;

/** A counter of another room, which may not be here yet. */
function counted(name: string, ...series: readonly (readonly [MetricSeries["labels"], number])[]) {
  const all = series.map(([labels, value]) => ({ labels, value, count: 0, buckets: [] }));
  return { name, type: "counter", series: all } as unknown as MetricsSnapshot[number];
}

describe("summariseMetrics()", () => {
  it("is nothing of nothing, and takes no share of it", () => {
    const summary = summariseMetrics([], NOW, NOW);
    expect(v.is(MetricsSummaryJson, summary)).toBe(true);
    expect(summary).toMatchObject({
      since: "2026-01-09T00:00:00.000Z",
      days: 0,
      turns: { completed: 0, seconds_p50: null },
      recall: { recalls: 0, recalls_per_day: 0, hit_rate: null },
      outcome: { proactive: { tasks: 0, success_rate: null }, difference: null },
      jobs: { failing: [] },
    });
  });

  it("gives recalls a day and how many of them were of use", () => {
    const metrics = createMetrics();
    for (let count = 0; count < 40; count += 1) metrics.observe("memory.recall.latency_seconds", 0.002);
    metrics.increment("memory.recall.injected_total", undefined, 50);
    metrics.increment("memory.recall.used_total", undefined, 20);
    const { recall } = summariseMetrics(metrics.snapshot(), NOW - 4 * DAY, NOW);
    expect(recall).toMatchObject({ recalls: 40, recalls_per_day: 10, injected: 50, used: 20, hit_rate: 0.4 });
    expect(recall.seconds_p95).toBeCloseTo(0.0048, 6);
    expect(summariseMetrics(metrics.snapshot(), NOW - DAY / 2, NOW).recall.recalls_per_day).toBe(40);
  });

  it("estimates quantiles as Prometheus does, over all labels", () => {
    const metrics = createMetrics();
    for (const channel of ["a", "b"])
      for (const seconds of [0.02, 0.02, 0.2, 400])
        metrics.observe("webhook.ack.latency_seconds", seconds, { channel });
    for (const seconds of [0.02, 0.02, 0.2, 0.2]) metrics.observe("turn.seconds", seconds);
    const { turns, webhooks } = summariseMetrics(metrics.snapshot(), 0, NOW);
    expect(turns.seconds_p50).toBeCloseTo(0.025, 6);
    expect(turns.seconds_p95).toBeCloseTo(0.1 + 0.15 * 0.9, 6);
    expect(webhooks.seconds_p99).toBe(300);
  });

  it("shows sent against held, digested and dropped, with the rules", () => {
    const { notifications } = summariseMetrics(
      [
        counted(
          "proactive.notification_total",
          [{ verdict: "send", rule: "ok" }, 4],
          [{ verdict: "send", rule: "asked" }, 3],
          [{ verdict: "hold", rule: "quiet_hours" }, 2],
          [{ verdict: "digest", rule: "daily_cap" }, 1],
          [{ verdict: "drop", rule: "threshold" }, 5],
        ),
        counted("proactive.notification.read_total", [{}, 6]),
      ],
      0,
      NOW,
    );
    expect(notifications).toMatchObject({ sent: 7, held: 2, digest: 1, dropped: 5, read: 6 });
    expect(notifications.by_rule).toContainEqual({ rule: "quiet_hours", verdict: "hold", count: 2 });
  });

  it("compares patterns found and accepted, and outcomes with and without proactive behaviour", () => {
    const { patterns, outcome } = summariseMetrics(
      [
        counted("proactive.pattern.found_total", [{ detector: "time_routine" }, 3], [{ detector: "stale" }, 1]),
        counted(
          "proactive.pattern.answer_total",
          [{ detector: "time_routine", answer: "accepted" }, 2],
          [{ detector: "time_routine", answer: "declined" }, 1],
        ),
        counted(
          "proactive.task_total",
          [{ held_out: "false", outcome: "success" }, 9],
          [{ held_out: "false", outcome: "failure" }, 1],
          [{ held_out: "true", outcome: "success" }, 1],
          [{ held_out: "true", outcome: "failure" }, 1],
        ),
      ],
      0,
      NOW,
    );
    expect(patterns).toEqual({
      found: 4,
      accepted: 2,
      by_detector: [
        { detector: "time_routine", found: 3, accepted: 2 },
        { detector: "stale", found: 1, accepted: 0 },
      ],
    });
    expect(outcome.proactive).toEqual({ tasks: 10, successes: 9, success_rate: 0.9 });
    expect(outcome.held_out).toEqual({ tasks: 2, successes: 1, success_rate: 0.5 });
    expect(outcome.difference).toBeCloseTo(0.4, 6);
  });

  it("shows the ten tools that are called most and the ten jobs that fail most", () => {
    const metrics = createMetrics();
    for (let index = 1; index <= 12; index += 1) {
      metrics.increment("tool.call_total", { tool: `tool-${index}`, status: "ok" }, index);
      metrics.increment("tool.call_total", { tool: `tool-${index}`, status: "error" });
      metrics.set("scheduler.job.consec_failures", index, { job_id: `job-${index}` });
    }
    const { tools, jobs } = summariseMetrics(metrics.snapshot(), 0, NOW);
    expect(tools).toMatchObject({ calls: 90, failed: 12 });
    expect(tools.by_tool).toHaveLength(10);
    expect(tools.by_tool[0]).toEqual({ tool: "tool-12", calls: 13, failed: 1 });
    expect(jobs.failing.map(({ failures }) => failures)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  });
});

describe("GET /api/v1/metrics/summary", () => {
  it("answers an owner's and a metrics token, and nobody else, with figures and no text", async () => {
    const { app, parts } = fakeAssistant();
    parts.metrics.increment("turn.run_total", { status: "completed" });
    const path = "/api/v1/metrics/summary";
    const statuses = [METRICS, OWNER, ADA, null].map(
      async (token) => (await app.request(call(path, { token }))).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 403, 401]);
    const summary: unknown = await (await app.request(call(path, { token: METRICS }))).json();
    expect(v.parse(MetricsSummaryJson, summary).turns.completed).toBe(1);
  });
});
