import { METRIC_HELP } from "./metric-help.ts";
import { METRICS } from "./metric-names.ts";
import type { CounterName, GaugeName, HistogramName, LabelsOf, MetricDefinition, MetricName } from "./metric-names.ts";

export interface Counter {
  /** Adds `by`. Default 1. Allocates nothing. */
  increment(by?: number): void;
}

export interface Gauge {
  set(value: number): void;
}

export interface Histogram {
  observe(value: number): void;
}

/** Labels are an argument only if the metric has labels. */
type LabelArguments<Name extends MetricName> = keyof LabelsOf<Name> extends never ? [] : [labels: LabelsOf<Name>];

/** Counters, gauges and histograms by the names of docs/metrics.md. Contract: never throws. */
export interface Metrics {
  /** Returns a counter for frequent use: the lookup happens once, then each increment costs one addition. */
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
   * Returns all metrics in Prometheus' text format, version 0.0.4.
   * Source: https://prometheus.io/docs/instrumenting/exposition_formats/
   */
  text(): string;
  /** Returns all metrics as values, in the order of their names. */
  snapshot(): MetricsSnapshot;
  /** Returns the sum of a counter or gauge over all labels. 0 if nothing was counted. */
  sum(name: CounterName | GaugeName): number;
  /**
   * Calls back at each change of a metric: with a counter's increment, a gauge's new value, or a histogram's observed
   * value.
   * Contract: the callback returns at once and never throws. A metric without watchers has no extra cost.
   * @returns A function that stops watching.
   */
  watch(name: MetricName, changed: MetricWatcher): () => void;
}

/** Receives one change of a metric. */
export type MetricWatcher = (value: number, labels: Labels) => void;

/** One metric with one set of labels, and its current values. */
export interface MetricSeries {
  /** Labels of the series; empty for a metric without labels. */
  readonly labels: Labels;
  /** The value; for a histogram the sum of all observed values. */
  readonly value: number;
  /** For a histogram: the number of observed values. */
  readonly count: number;
  /** For a histogram: the number of values in each of `METRIC_BUCKETS`, and above the last. */
  readonly buckets: readonly number[];
}

/** All metrics that have been counted, each with its series. */
export type MetricsSnapshot = readonly {
  readonly name: MetricName;
  readonly type: MetricDefinition["type"];
  readonly series: readonly MetricSeries[];
}[];

/** Upper bounds of the histograms' buckets, in seconds. */
export const METRIC_BUCKETS: readonly number[] = [
  0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
];
/**
 * Maximum number of label sets per metric; further ones count as `other`, so that input from outside cannot fill the
 * memory.
 */
const MAX_SERIES = 200;

/** Label values by label name. */
export interface Labels {
  readonly [label: string]: string;
}

/** One metric with one set of labels. Counters and gauges use `value`; histograms `buckets`, `value` (the sum) and `count`. */
interface Series extends Counter, Gauge, Histogram {
  readonly labelText: string;
  readonly labels: Labels;
  value: number;
  count: number;
  readonly buckets: number[];
  changed: MetricWatcher | undefined;
}

export function createMetrics(): Metrics {
  const metrics = new Map<MetricName, Map<string, Series>>();
  const watchers = new Map<MetricName, readonly MetricWatcher[]>();

  function seriesOf(name: MetricName): Map<string, Series> {
    let found = metrics.get(name);
    if (found === undefined) metrics.set(name, (found = new Map()));
    return found;
  }

  function series(name: MetricName, labels: Labels = {}): Series {
    const found = seriesOf(name);
    const definition: MetricDefinition = METRICS[name];
    const key = definition.labels.length === 0 ? "" : labelText(definition.labels, labels);
    const one = found.get(key);
    if (one !== undefined) return one;
    if (found.size >= MAX_SERIES) {
      const other = Object.fromEntries(definition.labels.map((label) => [label, "other"]));
      const otherKey = labelText(definition.labels, other);
      return found.get(otherKey) ?? add(name, otherKey, other);
    }
    return add(name, key, labels);
  }

  function add(name: MetricName, key: string, labels: Labels): Series {
    const one = createSeries(key, labels, watcherOf(name));
    seriesOf(name).set(key, one);
    return one;
  }

  function watcherOf(name: MetricName): MetricWatcher | undefined {
    const all = watchers.get(name);
    if (all === undefined || all.length <= 1) return all?.[0];
    return (value, labels) => {
      for (const changed of all) changed(value, labels);
    };
  }

  function watchWith(name: MetricName, all: readonly MetricWatcher[]): void {
    watchers.set(name, all);
    const changed = watcherOf(name);
    for (const one of metrics.get(name)?.values() ?? []) one.changed = changed;
  }

  /** Sets a gauge that keeps only its highest values. */
  function setHighest(name: GaugeName, value: number, labels: Labels, most: number): void {
    const found = seriesOf(name);
    const key = labelText(METRICS[name].labels, labels);
    if (value === 0) {
      found.get(key)?.set(0);
      found.delete(key);
      return;
    }
    let one = found.get(key);
    if (one === undefined && found.size >= most) {
      const lowest = [...found.values()].reduce((a, b) => (b.value < a.value ? b : a));
      if (lowest.value >= value) return;
      found.delete(lowest.labelText);
    }
    one ??= add(name, key, labels);
    one.set(value);
  }

  function set(name: GaugeName, value: number, labels: Labels = {}): void {
    const { highest }: MetricDefinition = METRICS[name];
    if (highest === undefined) series(name, labels).set(value);
    else setHighest(name, value, labels, highest);
  }

  const sorted = () => [...metrics].toSorted(([a], [b]) => (a < b ? -1 : 1));

  return {
    counter: (name, ...[labels]) => series(name, labels),
    gauge: (name, ...[labels]) => ({ set: (value) => set(name, value, labels) }),
    histogram: (name, ...[labels]) => series(name, labels),
    increment: (name, labels, by) => series(name, labels).increment(by),
    set,
    observe: (name, value, labels) => series(name, labels).observe(value),
    text() {
      let text = "";
      for (const [name, found] of sorted()) if (found.size > 0) text += metricText(name, found.values());
      return text;
    },
    snapshot: () =>
      sorted().map(([name, found]) => ({
        name,
        type: METRICS[name].type,
        series: [...found.values()].map(({ labels, value, count, buckets }) => ({
          labels,
          value,
          count,
          buckets: Array.from(buckets, (inside) => inside ?? 0),
        })),
      })),
    sum: (name) => [...(metrics.get(name)?.values() ?? [])].reduce((sum, { value }) => sum + value, 0),
    watch(name, changed) {
      watchWith(name, [...(watchers.get(name) ?? []), changed]);
      return () => watchWith(name, watchers.get(name)?.filter((one) => one !== changed) ?? []);
    },
  };
}

function createSeries(key: string, labels: Labels, changed: MetricWatcher | undefined): Series {
  const one: Series = {
    labelText: key,
    labels,
    value: 0,
    count: 0,
    buckets: [],
    changed,
    increment(by = 1) {
      one.value += by;
      one.changed?.(by, labels);
    },
    set(value) {
      one.value = value;
      one.changed?.(value, labels);
    },
    observe(value) {
      one.changed?.(value, labels);
      one.value += value;
      one.count++;
      let bucket = 0;
      while (bucket < METRIC_BUCKETS.length && value > (METRIC_BUCKETS[bucket] ?? Infinity)) bucket++;
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
    text += type === "histogram" ? histogramText(metric, one) : `${metric}${braces(one.labelText)} ${one.value}\n`;
  return text;
}

function histogramText(metric: string, { labelText: labels, buckets, value, count }: Series): string {
  let text = "";
  let below = 0;
  for (const [index, bound] of METRIC_BUCKETS.entries()) {
    below += buckets[index] ?? 0;
    text += `${metric}_bucket${braces(joined(labels, `le="${bound}"`))} ${below}\n`;
  }
  text += `${metric}_bucket${braces(joined(labels, 'le="+Inf"'))} ${count}\n`;
  return `${text}${metric}_sum${braces(labels)} ${value}\n${metric}_count${braces(labels)} ${count}\n`;
}

const braces = (labels: string): string => (labels === "" ? "" : `{${labels}}`);
const joined = (labels: string, more: string): string => (labels === "" ? more : `${labels},${more}`);
