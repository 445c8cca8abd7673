// The port of a vendor of telemetry, beside what the runtime lends: rooms of the ground would need one another for it.

/** What a span says besides its name: ids, names and counts, never what people or models wrote. */
export interface SpanAttributes {
  readonly [name: string]: string | number | boolean | readonly string[] | undefined;
}

/** A span that has begun. */
export interface TelemetrySpan {
  /** Adds attributes, or changes them. */
  set(attributes: SpanAttributes): void;
  /** Does work under this span, so that spans of other libraries stand below it. */
  run<T>(work: () => T): T;
  /** Ends the span. @param error What kind of error it ended with, as a word. Absent: it ended well. */
  end(error?: string): void;
}

/** One metric with one set of labels, as it stands. */
export interface CollectedSeries {
  /** Its labels; of a metric without any an empty object. */
  readonly labels: { readonly [label: string]: string };
  /** Of a histogram the sum of all that was observed. */
  readonly value: number;
  /** Of a histogram: how many values were observed. */
  readonly count: number;
  /** Of a histogram: how many values fell into each bucket, and above the last. */
  readonly buckets: readonly number[];
}

/** All metrics there are, as a collector reads them. */
export interface MetricsSource {
  /** Every metric, whether it was counted yet or not. */
  readonly definitions: readonly {
    readonly name: string;
    readonly type: "counter" | "gauge" | "histogram";
    readonly help: string;
  }[];
  /** Upper bounds of the histograms' buckets, in seconds. */
  readonly buckets: readonly number[];
  /** Everything counted so far, as values, in the order of the names. */
  snapshot(): readonly { readonly name: string; readonly series: readonly CollectedSeries[] }[];
  /**
   * Calls back with each change of a metric of `definitions`. Contract: the callback returns at once and never throws.
   * @returns A function that stops watching.
   */
  watch(name: string, changed: (value: number, labels: CollectedSeries["labels"]) => void): () => void;
}

/**
 * Where traces and metrics go: one vendor's API.
 *
 * Source: docs/observability.md.
 */
export interface Telemetry {
  /** Begins a span. Without `parent` it stands below what is active, if anything is. Contract: never throws. */
  startSpan(
    name: string,
    options: {
      readonly kind: "client" | "internal";
      readonly attributes: SpanAttributes;
      readonly parent?: TelemetrySpan | undefined;
    },
  ): TelemetrySpan;
  /** Offers metrics to whoever collects them. Contract: called at every turn, and does nothing when nobody collects or it was done before; never throws. */
  collect(source: MetricsSource): void;
}
