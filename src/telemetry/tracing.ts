import { messageOf } from "../errors.ts";
import type { MetricsSource, SpanAttributes, Telemetry, TelemetrySpan } from "../telemetry-port.ts";
import type { Logger } from "./logger.ts";
import { METRIC_HELP } from "./metric-help.ts";
import { METRICS, type MetricDefinition, type MetricName } from "./metric-names.ts";
import { METRIC_BUCKETS, type Metrics } from "./metrics.ts";

/** Describes a span. */
export interface SpanAbout {
  readonly name: string;
  readonly kind: "client" | "internal";
  readonly attributes: SpanAttributes;
  /** Key by which other spans find this one as a parent while it is open. */
  readonly key?: string;
  /** Keys of possible parents; the first open one is used. */
  readonly below?: readonly string[];
}

/** How the traced work ended. */
export interface SpanOutcome {
  readonly attributes?: SpanAttributes;
  /** Kind of error, as a word. */
  readonly error?: string | undefined;
}

/** Creates the spans of the assistant's work. */
export type Tracing = ReturnType<typeof createTracing>;

export interface TracingDeps {
  /**
   * Returns the telemetry of this process, if there is one. Contract: cheap, because it is called at each turn until
   * it returns one.
   */
  find(): Telemetry | Promise<Telemetry> | undefined;
  readonly metrics: Pick<Metrics, "snapshot" | "watch">;
  readonly logger: Pick<Logger, "warn">;
}

export function createTracing({ find, metrics, logger }: TracingDeps) {
  let telemetry: Telemetry | undefined;
  let opening: Promise<void> | undefined;
  let isBroken = false;
  const open = new Map<string, TelemetrySpan>();
  let source: MetricsSource | undefined;

  function use(found: Telemetry): void {
    telemetry = found;
    telemetry.collect((source ??= sourceOf(metrics)));
  }

  async function load(found: Promise<Telemetry>): Promise<void> {
    try {
      use(await found);
    } catch (error) {
      isBroken = true;
      logger.warn("Traces and metrics are not sent: OpenTelemetry is registered, but its API cannot be loaded", {
        error: messageOf(error),
        remedy: "npm install @opentelemetry/api",
      });
    } finally {
      opening = undefined;
    }
  }

  return {
    /** Checks whether telemetry is available now. @returns A promise while its library is loading. */
    look(): Promise<void> | undefined {
      if (telemetry !== undefined) use(telemetry);
      else if (!isBroken && opening === undefined) {
        const found = find();
        if (found instanceof Promise) opening = load(found);
        else if (found !== undefined) use(found);
      }
      return opening;
    },
    isOn: (): boolean => telemetry !== undefined,
    /** Runs work in a span. Contract: rejects with the error of the work. */
    async within<T>(
      { name, kind, attributes, key, below = [] }: SpanAbout,
      work: () => Promise<T>,
      outcomeOf: (result: T) => SpanOutcome,
    ): Promise<T> {
      if (telemetry === undefined) return work();
      const parent = below.map((one) => open.get(one)).find((one) => one !== undefined);
      const span = telemetry.startSpan(name, { kind, attributes, parent });
      if (key !== undefined) open.set(key, span);
      try {
        const result = await span.run(work);
        const outcome = outcomeOf(result);
        if (outcome.attributes) span.set(outcome.attributes);
        span.end(outcome.error);
        return result;
      } catch (error) {
        span.end(wordOf(error));
        throw error;
      } finally {
        if (key !== undefined) open.delete(key);
      }
    },
  };
}

function sourceOf({ snapshot, watch }: TracingDeps["metrics"]): MetricsSource {
  const definitions = Object.entries<MetricDefinition>(METRICS).map(([name, { type }]) => ({
    name: name as MetricName, // a key of the table
    type,
    help: METRIC_HELP[name as MetricName] ?? "",
  }));
  return { snapshot, watch, buckets: METRIC_BUCKETS, definitions };
}

/** Returns an error's code or name, because its message may contain text of people. */
function wordOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "_OTHER";
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  if (typeof code === "string") return code;
  return typeof name === "string" ? name : "_OTHER";
}
