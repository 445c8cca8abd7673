// The port of a telemetry vendor. Apart from the platform port, since the ground rooms would otherwise depend on one another.

/** Data of a span besides its name: ids, names and counts, never texts of people or models. */
export interface SpanAttributes {
  readonly [name: string]: string | number | boolean | readonly string[] | undefined;
}

/** A started span. */
export interface TelemetrySpan {
  /** Adds attributes, or changes them. */
  set(attributes: SpanAttributes): void;
  /** Runs work under this span, so that spans of other libraries become its children. */
  run<T>(work: () => T): T;
  /** Ends the span. @param error The kind of error that it ended with, as a word. Absent: success. */
  end(error?: string): void;
}

/** The current state of one metric with one set of labels. */
export interface CollectedSeries {
  /** Its labels; an empty object for a metric without labels. */
  readonly labels: { readonly [label: string]: string };
  /** The value. For a histogram, the sum of all observed values. */
  readonly value: number;
  /** For a histogram: the number of observed values. */
  readonly count: number;
  /** For a histogram: the number of values in each bucket, and above the last. */
  readonly buckets: readonly number[];
}

/** All metrics, as a collector reads them. */
export interface MetricsSource {
  /** Every metric, counted yet or not. */
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
  /** Starts a span. Without `parent` it is a child of the active span, if there is one. Contract: never throws. */
  startSpan(
    name: string,
    options: {
      readonly kind: "client" | "internal";
      readonly attributes: SpanAttributes;
      readonly parent?: TelemetrySpan | undefined;
    },
  ): TelemetrySpan;
  /**
   * Offers metrics to a collector. Contract: called at every turn, and does nothing without a collector or when
   * repeated; never throws.
   */
  collect(source: MetricsSource): void;
}
