import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { metrics, trace } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { onTestFinished } from "vitest";

/** As OTLP writes it in JSON. */
interface OtlpAttribute {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly intValue?: number | string;
    readonly doubleValue?: number;
    readonly arrayValue?: { readonly values: readonly OtlpAttribute["value"][] };
  };
}
interface OtlpSpan {
  readonly spanId: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status?: { readonly code?: number; readonly message?: string };
  readonly attributes: readonly OtlpAttribute[];
}
interface OtlpPoint {
  readonly attributes: readonly OtlpAttribute[];
  readonly asInt?: number | string;
  readonly asDouble?: number;
  readonly count?: number | string;
  readonly explicitBounds?: readonly number[];
}
interface OtlpMetric {
  readonly name: string;
  readonly unit?: string;
  readonly description?: string;
  readonly sum?: { readonly dataPoints: readonly OtlpPoint[]; readonly isMonotonic: boolean };
  readonly gauge?: { readonly dataPoints: readonly OtlpPoint[] };
  readonly histogram?: { readonly dataPoints: readonly OtlpPoint[] };
}
interface OtlpBody {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[] }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly OtlpMetric[] }[];
  }[];
}

/**
 * A collector on 127.0.0.1 that OpenTelemetry's own SDK exports to over OTLP/HTTP, registered as this process' provider of traces and metrics until the test
 * has ended.
 */
export async function otlpCollector({ traces = true }: { readonly traces?: boolean } = {}) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push(Buffer.concat(chunks).toString());
      response.setHeader("content-type", "application/json");
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces` });
  const tracers = new TracerProvider({ spanProcessors: [new BatchSpanProcessor({ exporter })] });
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url: `${url}/v1/metrics` }),
    exportIntervalMillis: 3_600_000,
    exportTimeoutMillis: 10_000,
  });
  const meters = new MeterProvider({ readers: [reader] });
  if (traces) trace.setGlobalTracerProvider(tracers);
  metrics.setGlobalMeterProvider(meters);
  onTestFinished(async () => {
    trace.disable();
    metrics.disable();
    await tracers.shutdown();
    await meters.shutdown();
    if ("closeAllConnections" in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const bodies = () => received.map((text) => JSON.parse(text) as OtlpBody);
  return {
    /** Everything that came, as it was sent. */
    received,
    /** Spans that have come by now. */
    async spans(): Promise<readonly OtlpSpan[]> {
      await tracers.forceFlush();
      return bodies().flatMap(({ resourceSpans = [] }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      );
    },
    /** What is measured right now, by its name. */
    async metrics(): Promise<ReadonlyMap<string, OtlpMetric>> {
      const before = received.length;
      await meters.forceFlush();
      const now = bodies().slice(before);
      const all = now.flatMap(({ resourceMetrics = [] }) =>
        resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics)),
      );
      return new Map(all.map((metric) => [metric.name, metric]));
    },
  };
}

/** Attributes as a plain object. */
export function attributesOf({
  attributes,
}: {
  readonly attributes: readonly OtlpAttribute[];
}): Record<string, unknown> {
  const read = ({ stringValue, intValue, doubleValue, arrayValue }: OtlpAttribute["value"]): unknown =>
    arrayValue
      ? arrayValue.values.map(read)
      : (stringValue ?? doubleValue ?? (intValue === undefined ? undefined : Number(intValue)));
  return Object.fromEntries(attributes.map(({ key, value }) => [key, read(value)]));
}
