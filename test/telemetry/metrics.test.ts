import { describe, expect, it } from "vitest";
import { METRICS, createMetrics } from "../../src/telemetry/index.ts";
import { METRIC_HELP } from "../../src/telemetry/metric-help.ts";
import type { MetricDefinition } from "../../src/telemetry/index.ts";

const definitions: [string, MetricDefinition][] = Object.entries(METRICS);

/** Bundles for Workers go without these lines. */
const help = (line: string) => (METRIC_HELP["webhook.ack_total"] === undefined ? [] : [line]);

describe("createMetrics()", () => {
  it("writes counters in Prometheus' text format", () => {
    const metrics = createMetrics();
    const kept = metrics.counter("webhook.ack_total", { channel: "telegram", outcome: "accepted" });
    kept.increment();
    kept.increment(2);
    metrics.increment("webhook.ack_total", { channel: "telegram", outcome: "accepted" });
    metrics.increment("tool.policy.denied_total");
    expect(metrics.text()).toBe(
      [
        ...help("# HELP tool_policy_denied_total Tool calls denied by policy."),
        "# TYPE tool_policy_denied_total counter",
        "tool_policy_denied_total 1",
        ...help("# HELP webhook_ack_total Webhooks, by how they were answered."),
        "# TYPE webhook_ack_total counter",
        'webhook_ack_total{channel="telegram",outcome="accepted"} 4',
        "",
      ].join("\n"),
    );
  });

  it("writes gauges as they were set last", () => {
    const metrics = createMetrics();
    metrics.gauge("queue.depth").set(7);
    metrics.set("queue.depth", 3);
    expect(metrics.text()).toContain("# TYPE queue_depth gauge\nqueue_depth 3\n");
  });

  it("writes histograms with cumulative buckets, sum and count", () => {
    const metrics = createMetrics();
    for (const seconds of [0.001, 0.004, 0.004, 7, 1000]) metrics.observe("turn.seconds", seconds);
    const text = metrics.text();
    expect(text).toContain('turn_seconds_bucket{le="0.001"} 1\nturn_seconds_bucket{le="0.005"} 3\n');
    expect(text).toContain('turn_seconds_bucket{le="5"} 3\nturn_seconds_bucket{le="10"} 4\n');
    expect(text).toContain('turn_seconds_bucket{le="300"} 4\nturn_seconds_bucket{le="+Inf"} 5\n');
    expect(text).toContain("turn_seconds_count 5\n");
    expect(Number(/turn_seconds_sum (.*)/.exec(text)?.[1])).toBeCloseTo(1007.009, 6);
  });

  it("puts le behind the labels of a histogram", () => {
    const metrics = createMetrics();
    metrics.observe("webhook.ack.latency_seconds", 0.002, { channel: "telegram" });
    expect(metrics.text()).toContain('webhook_ack_latency_seconds_bucket{channel="telegram",le="0.005"} 1');
  });

  it("escapes quotes, backslashes and line ends in label values", () => {
    const metrics = createMetrics();
    metrics.increment("model.failure_total", { model: 'a"b\\c\nd' });
    expect(metrics.text()).toContain('model_failure_total{model="a\\"b\\\\c\\nd"} 1\n');
  });

  it("counts label sets beyond the first 200 as other, so that input cannot fill the memory", () => {
    const metrics = createMetrics();
    for (let index = 0; index < 1000; index++) metrics.increment("model.failure_total", { model: `model-${index}` });
    const lines = metrics.text().split("\n");
    expect(lines.filter((line) => line.startsWith("model_failure_total{")).length).toBe(201);
    expect(lines).toContain('model_failure_total{model="other"} 800');
  });

  it("keeps the highest of a gauge with a series for each job, and none that is 0", () => {
    const metrics = createMetrics();
    const failed = (job: number, value: number) =>
      metrics.set("scheduler.job.consec_failures", value, { job_id: `job-${job}` });
    for (let job = 1; job <= 150; job += 1) failed(job, job);
    const lines = () =>
      metrics
        .text()
        .split("\n")
        .filter((line) => line.startsWith("scheduler_job_consec_failures{"));
    expect(lines()).toHaveLength(100);
    expect(lines()).toContain('scheduler_job_consec_failures{job_id="job-51"} 51');
    expect(lines()).not.toContain('scheduler_job_consec_failures{job_id="job-50"} 50');
    failed(150, 0);
    failed(7, 0);
    expect(lines()).toHaveLength(99);
    failed(1, 200);
    expect(lines()).toContain('scheduler_job_consec_failures{job_id="job-1"} 200');
    metrics.gauge("scheduler.job.consec_failures", { job_id: "job-1" }).set(0);
    expect(lines()).toHaveLength(99);
  });

  it("gives everything as values", () => {
    const metrics = createMetrics();
    metrics.increment("model.failure_total", { model: "a" }, 2);
    metrics.increment("model.failure_total", { model: "b" });
    metrics.observe("turn.seconds", 0.004);
    metrics.observe("turn.seconds", 7);
    expect(metrics.snapshot()).toEqual([
      {
        name: "model.failure_total",
        type: "counter",
        series: [
          { labels: { model: "a" }, value: 2, count: 0, buckets: [] },
          { labels: { model: "b" }, value: 1, count: 0, buckets: [] },
        ],
      },
      {
        name: "turn.seconds",
        type: "histogram",
        series: [{ labels: {}, value: 7.004, count: 2, buckets: [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] }],
      },
    ]);
    expect(metrics.sum("model.failure_total")).toBe(3);
    expect(metrics.sum("queue.depth")).toBe(0);
  });

  it("tells those that watch a metric of each change, until they stop", () => {
    const metrics = createMetrics();
    const seen: unknown[] = [];
    const before = metrics.counter("model.failure_total", { model: "a" });
    const stop = metrics.watch("model.failure_total", (value, labels) => seen.push([value, labels]));
    const stopSecond = metrics.watch("model.failure_total", () => seen.push("second"));
    before.increment(2);
    stopSecond();
    metrics.increment("model.failure_total", { model: "b" });
    stop();
    before.increment();
    metrics.increment("tool.policy.denied_total");
    expect(seen).toEqual([[2, { model: "a" }], "second", [1, { model: "b" }]]);
  });

  it("is empty before anything was counted", () => {
    expect(createMetrics().text()).toBe("");
  });

  it("takes only names of the table", () => {
    const metrics = createMetrics();
    // @ts-expect-error such a metric is not in the table
    expect(() => metrics.increment("no.such_total")).toThrow(TypeError);
  });
});

/** Counters whose names are older than the rule: dashboards expect them as they are. */
const OLDER = ["memory.daily_summary.generated", "tool.policy.profile_selected"];

describe("METRICS", () => {
  it.each(definitions)("%s has a name and labels that Prometheus takes", (name, { type, labels }) => {
    expect(name).toMatch(/^[a-z]+([._][a-z]+)*$/);
    expect(name.endsWith("_total")).toBe(type === "counter" && !OLDER.includes(name));
    if (type === "histogram") expect(name).toMatch(/seconds$/);
    for (const label of labels) expect(label).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });

  it("is in alphabetical order", () => {
    const names = definitions.map(([name]) => name);
    expect(names).toEqual(names.toSorted());
  });
});
