import { METRIC_HELP } from "./metric-help.ts";
import { METRICS } from "./metric-names.ts";
import type { CounterName, GaugeName, HistogramName, LabelsOf, MetricDefinition, MetricName } from "./metric-names.ts";

export interface Counter {
  /** Adds `by`, 1 when left out. Allocates nothing. */
  increment(by?: number): void;
}

export interface Gauge {
  set(value: number): void;
}

export interface Histogram {
  observe(value: number): void;
}

/** Labels are an argument only where the metric has some. */
type LabelArguments<Name extends MetricName> = keyof LabelsOf<Name> extends never ? [] : [labels: LabelsOf<Name>];

/** Counters, gauges and histograms by the names of docs/metrics.md. Contract: never throws. */
export interface Metrics {
  /** A counter to keep where counting is frequent: it is found once, then adding costs an addition. */
  counter<Name extends CounterName>(name: Name, ...labels: LabelArguments<Name>): Counter;
  gauge<Name extends GaugeName>(name: Name, ...labels: LabelArguments<Name>): Gauge;
  histogram<Name extends HistogramName>(name: Name, ...labels: LabelArguments<Name>): Histogram;
  /** `counter(name, labels).increment(by)`. */
  increment<Name extends CounterName>(name: Name, labels?: LabelsOf<Name>, by?: number): void;
  /** `gauge(name, labels).set(value)`. */
  set<Name extends GaugeName>(name: Name, value: number, labels?: LabelsOf<Name>): void;
  /** `histogram(name, labels).observe(value)`. */
  observe<Name extends HistogramName>(name: Name, value: number, labels?: LabelsOf<Name>): void;
  /**
   * Everything counted so far in Prometheus' text format, version 0.0.4.
   * Source: https://prometheus.io/docs/instrumenting/exposition_formats/
   */
  text(): string;
}

/** Upper bounds of the histograms' buckets, in seconds. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;
/** So many different label sets are kept of one metric; the rest count as `other`, so that nobody's input fills the memory. */
const MAX_SERIES = 200;

type Labels = { readonly [label: string]: string };

/** One metric with one set of labels. Counters and gauges use `value`; histograms `buckets`, `value` (the sum) and `count`. */
interface Series extends Counter, Gauge, Histogram {
  readonly labels: string;
  value: number;
  count: number;
  readonly buckets: number[];
}

export function createMetrics(): Metrics {
  const metrics = new Map<MetricName, Map<string, Series>>();

  function series(name: MetricName, labels: Labels | undefined): Series {
    let found = metrics.get(name);
    if (found === undefined) metrics.set(name, (found = new Map()));
    const definition: MetricDefinition = METRICS[name];
    const key = definition.labels.length === 0 ? "" : labelText(definition.labels, labels ?? {});
    let one = found.get(key);
    if (one !== undefined) return one;
    if (found.size >= MAX_SERIES) {
      const other = labelText(
        definition.labels,
        Object.fromEntries(definition.labels.map((label) => [label, "other"])),
      );
      one = found.get(other);
      if (one !== undefined) return one;
      found.set(other, (one = createSeries(other)));
      return one;
    }
    found.set(key, (one = createSeries(key)));
    return one;
  }

  return {
    counter: (name, ...[labels]) => series(name, labels),
    gauge: (name, ...[labels]) => series(name, labels),
    histogram: (name, ...[labels]) => series(name, labels),
    increment: (name, labels, by) => series(name, labels).increment(by),
    set: (name, value, labels) => series(name, labels).set(value),
    observe: (name, value, labels) => series(name, labels).observe(value),
    text() {
      let text = "";
      for (const [name, found] of [...metrics].toSorted(([a], [b]) => (a < b ? -1 : 1)))
        text += metricText(name, found.values());
      return text;
    },
  };
}

function createSeries(labels: string): Series {
  const one: Series = {
    labels,
    value: 0,
    count: 0,
    buckets: [],
    increment(by = 1) {
      one.value += by;
    },
    set(value) {
      one.value = value;
    },
    observe(value) {
      one.value += value;
      one.count++;
      let bucket = 0;
      while (bucket < BUCKETS.length && value > (BUCKETS[bucket] ?? Infinity)) bucket++;
      one.buckets[bucket] = (one.buckets[bucket] ?? 0) + 1;
    },
  };
  return one;
}

function labelText(names: readonly string[], labels: Labels): string {
  let text = "";
  for (const name of names) text += `${text === "" ? "" : ","}${name}="${escapeLabel(labels[name] ?? "")}"`;
  return text;
}

const ESCAPED = /[\\\n"]/;

function escapeLabel(value: string): string {
  if (!ESCAPED.test(value)) return value;
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

function metricText(name: MetricName, all: Iterable<Series>): string {
  const { type }: MetricDefinition = METRICS[name];
  const help = METRIC_HELP[name];
  const metric = name.replaceAll(".", "_");
  const told = help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  let text = `# HELP ${metric} ${told}\n# TYPE ${metric} ${type}\n`;
  for (const one of all)
    text += type === "histogram" ? histogramText(metric, one) : `${metric}${braces(one.labels)} ${one.value}\n`;
  return text;
}

function histogramText(metric: string, { labels, buckets, value, count }: Series): string {
  let text = "";
  let below = 0;
  for (const [index, bound] of BUCKETS.entries()) {
    below += buckets[index] ?? 0;
    text += `${metric}_bucket${braces(joined(labels, `le="${bound}"`))} ${below}\n`;
  }
  text += `${metric}_bucket${braces(joined(labels, 'le="+Inf"'))} ${count}\n`;
  return `${text}${metric}_sum${braces(labels)} ${value}\n${metric}_count${braces(labels)} ${count}\n`;
}

const braces = (labels: string): string => (labels === "" ? "" : `{${labels}}`);
const joined = (labels: string, more: string): string => (labels === "" ? more : `${labels},${more}`);
