// Sends spans and metrics to the API of OpenTelemetry, whichever copy of it a program has.
import type * as api from "@opentelemetry/api";
import type { Histogram, Meter, MeterProvider, Observable, Span } from "@opentelemetry/api";
import type { MetricsSource, SpanAttributes, Telemetry, TelemetrySpan } from "../../kit.ts";
import { VERSION } from "../../mod.ts";

const SCOPE = "wakeful";
/** Histogram bounds that the conventions define for model calls. */
const CALL_SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const CALL_TOKENS = [
  1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
];

type Api = typeof api;

export function telemetryOver({ SpanKind, SpanStatusCode, context, metrics, trace }: Api): Telemetry {
  const spans = new WeakMap<TelemetrySpan, Span>();
  const calls = createCallMetrics(metrics);
  /** The providers that each program's metrics were offered to. */
  const offered = new WeakMap<MetricsSource, Offer>();

  return {
    startSpan(name, { kind, attributes, parent }) {
      const above = parent && spans.get(parent);
      const around = above ? trace.setSpan(context.active(), above) : context.active();
      const options = { kind: kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes: known(attributes) };
      const span = trace.getTracer(SCOPE, VERSION).startSpan(name, options, around);
      const call = attributes["gen_ai.operation.name"] === "chat" ? calls.begin(attributes) : undefined;
      const made: TelemetrySpan = {
        set(more) {
          span.setAttributes(known(more));
          call?.set(more);
        },
        run: (work) => context.with(trace.setSpan(around, span), work),
        end(error) {
          if (error !== undefined) {
            span.setAttribute("error.type", error);
            span.setStatus({ code: SpanStatusCode.ERROR });
          }
          span.end();
          call?.end(error);
        },
      };
      spans.set(made, span);
      return made;
    },
    collect(source) {
      const provider = metrics.getMeterProvider();
      const before = offered.get(source);
      if (before?.provider === provider) return;
      before?.stop();
      offered.set(source, { provider, stop: offer(source, provider.getMeter(SCOPE, VERSION)) });
    },
  };
}

interface Offer {
  readonly provider: MeterProvider;
  stop(): void;
}

/** Counters and gauges are read at collection; histograms receive each value. */
function offer(source: MetricsSource, meter: Meter): () => void {
  const observed = new Map<string, Observable>();
  const stops: (() => void)[] = [];
  for (const { name, type, help: description } of source.definitions) {
    if (type === "counter") observed.set(name, meter.createObservableCounter(name, { description }));
    else if (type === "gauge") observed.set(name, meter.createObservableGauge(name, { description }));
    else {
      const advice = { explicitBucketBoundaries: [...source.buckets] };
      const histogram = meter.createHistogram(name, { description, unit: "s", advice });
      stops.push(source.watch(name, (value, labels) => histogram.record(value, { ...labels })));
    }
  }
  const instruments = [...observed.values()];
  // The last values are collected after the assistant has stopped. A weak reference, so that a discarded assistant is
  // not kept alive.
  const kept = new WeakRef(source);
  const read: Parameters<Meter["addBatchObservableCallback"]>[0] = (result) => {
    const now = kept.deref();
    if (now === undefined) return meter.removeBatchObservableCallback(read, instruments);
    for (const { name, series } of now.snapshot()) {
      const instrument = observed.get(name);
      if (instrument === undefined) continue;
      for (const { labels, value } of series) result.observe(instrument, value, { ...labels });
    }
  };
  meter.addBatchObservableCallback(read, instruments);
  stops.push(() => meter.removeBatchObservableCallback(read, instruments));
  return () => {
    for (const stop of stops) stop();
  };
}

/** The two histograms that the conventions define for model calls. */
function createCallMetrics(metrics: Api["metrics"]) {
  let made: { readonly provider: MeterProvider; readonly seconds: Histogram; readonly tokens: Histogram } | undefined;

  function instruments() {
    const provider = metrics.getMeterProvider();
    if (made?.provider === provider) return made;
    const meter = provider.getMeter(SCOPE, VERSION);
    made = {
      provider,
      seconds: meter.createHistogram("gen_ai.client.operation.duration", {
        description: "How long model calls took.",
        unit: "s",
        advice: { explicitBucketBoundaries: CALL_SECONDS },
      }),
      tokens: meter.createHistogram("gen_ai.client.token.usage", {
        description: "Tokens of model calls.",
        unit: "{token}",
        advice: { explicitBucketBoundaries: CALL_TOKENS },
      }),
    };
    return made;
  }

  return {
    begin(attributes: SpanAttributes) {
      const startedMs = performance.now();
      const about: Record<string, SpanAttributes[string]> = {};
      let all = attributes;
      return {
        set(more: SpanAttributes) {
          all = { ...all, ...more };
        },
        end(error: string | undefined) {
          const { seconds, tokens } = instruments();
          for (const name of CALL_LABELS) about[name] = all[name];
          const labels = known(about);
          seconds.record((performance.now() - startedMs) / 1000, {
            ...labels,
            ...(error !== undefined && { "error.type": error }),
          });
          for (const type of ["input", "output"] as const) {
            const used = all[`gen_ai.usage.${type}_tokens`];
            if (typeof used === "number") tokens.record(used, { ...labels, "gen_ai.token.type": type });
          }
        },
      };
    },
  };
}

const CALL_LABELS = ["gen_ai.operation.name", "gen_ai.provider.name", "gen_ai.request.model", "gen_ai.response.model"];

/** The attributes with a value, in the API's form. */
function known(attributes: SpanAttributes): Record<string, string | number | boolean | string[]> {
  const found: Record<string, string | number | boolean | string[]> = {};
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) found[name] = typeof value === "object" ? [...value] : value;
  return found;
}
