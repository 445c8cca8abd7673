import { metrics, trace } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { describe, expect, it, onTestFinished } from "vitest";
import { openTelemetry } from "../../adapters/telemetry/opentelemetry/index.ts";
import type { TelemetrySpan } from "../../src/telemetry-port.ts";
import { createMetrics, createTracing } from "../../src/telemetry/index.ts";
import { testAssistant } from "../support/assistant.ts";

describe("openTelemetry() as the option telemetry.api", () => {
  it("gives spans to whatever provider the program registered", async () => {
    const exporter = new InMemorySpanExporter();
    trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
    onTestFinished(() => trace.disable());
    const t = await testAssistant({ telemetry: { api: openTelemetry() } });
    await t.say("hello");
    const [chat, turn] = exporter.getFinishedSpans();
    expect([chat?.name, turn?.name]).toEqual(["chat scripted", "invoke_agent main"]);
    expect(chat?.parentSpanContext?.spanId).toBe(turn?.spanContext().spanId);
    expect(chat?.attributes["gen_ai.usage.input_tokens"]).toBe(10);
  });

  it("does no harm where nothing is registered", async () => {
    const t = await testAssistant({ telemetry: { api: openTelemetry() } });
    expect(await t.say("hello")).toBe("ok");
    expect(metrics.getMeterProvider().getMeter("x")).toBeDefined();
  });
});

describe("createTracing()", () => {
  const NOBODY = { warn: () => {} };

  /** Telemetry that writes down what it is told. */
  function recording() {
    const told: string[] = [];
    let sources = 0;
    const names = new WeakMap<TelemetrySpan, string>();
    return {
      told,
      sources: () => sources,
      startSpan(name: string, { parent }: { readonly parent?: TelemetrySpan | undefined }) {
        const above = parent && names.get(parent);
        const span: TelemetrySpan = {
          set: (attributes) => void told.push(`${name} ${JSON.stringify(attributes)}`),
          run: (work) => work(),
          end: (error) => void told.push(`${name} ended${error === undefined ? "" : `: ${error}`}`),
        };
        names.set(span, name);
        told.push(above === undefined ? name : `${name} below ${above}`);
        return span;
      },
      collect: () => void (sources += 1),
    };
  }

  const about = (name: string, more: { readonly key?: string; readonly below?: readonly string[] } = {}) =>
    ({ name, kind: "internal", attributes: {}, ...more }) as const;

  it("finds parents by their keys while they go on", async () => {
    const telemetry = recording();
    const tracing = createTracing({ find: () => telemetry, metrics: createMetrics(), logger: NOBODY });
    expect(tracing.isOn()).toBe(false);
    expect(tracing.look()).toBe(undefined);
    expect(tracing.isOn()).toBe(true);
    const child = (name: string) =>
      tracing.within(
        about(name, { below: ["none", "t1"] }),
        async () => 1,
        () => ({}),
      );
    await tracing.within(
      about("turn", { key: "t1" }),
      () => child("step"),
      () => ({ attributes: { steps: 1 } }),
    );
    await child("late");
    expect(telemetry.told).toEqual([
      "turn",
      "step below turn",
      "step ended",
      'turn {"steps":1}',
      "turn ended",
      "late",
      "late ended",
    ]);
  });

  it("ends a span with the code or the name of what was thrown, never with its message", async () => {
    const telemetry = recording();
    const tracing = createTracing({ find: () => telemetry, metrics: createMetrics(), logger: NOBODY });
    void tracing.look();
    const errors = [
      Object.assign(new Error("secret"), { code: "NO_SUCH" }),
      new TypeError("secret"),
      new DOMException("secret", "AbortError"),
      "secret",
    ];
    for (const error of errors)
      await expect(
        tracing.within(
          about("a"),
          () => Promise.reject(error),
          () => ({}),
        ),
      ).rejects.toBe(error);
    expect(telemetry.told.filter((line) => line !== "a")).toEqual([
      "a ended: NO_SUCH",
      "a ended: TypeError",
      "a ended: AbortError",
      "a ended: _OTHER",
    ]);
  });

  it("asks until there is telemetry, loads it once, and offers metrics at each look", async () => {
    const telemetry = recording();
    let asked = 0;
    const tracing = createTracing({
      find: () => ((asked += 1) < 3 ? undefined : Promise.resolve(telemetry)),
      metrics: createMetrics(),
      logger: NOBODY,
    });
    expect([tracing.look(), tracing.look()]).toEqual([undefined, undefined]);
    await Promise.all([tracing.look(), tracing.look()]);
    expect([tracing.look(), tracing.look()]).toEqual([undefined, undefined]);
    expect([asked, telemetry.sources()]).toEqual([3, 3]);
  });

  it("says once that what is registered cannot be used, and goes on without", async () => {
    const warnings: string[] = [];
    const tracing = createTracing({
      find: () => Promise.reject(new Error("Cannot find package")),
      metrics: createMetrics(),
      logger: { warn: (message) => void warnings.push(message) },
    });
    await tracing.look();
    await tracing.look();
    expect(warnings).toHaveLength(1);
    expect(
      await tracing.within(
        about("a"),
        async () => 7,
        () => ({}),
      ),
    ).toBe(7);
  });
});
