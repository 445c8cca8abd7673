// OpenTelemetry, once a program has registered a provider of traces or metrics: its API is loaded then, and not before.
import type { Telemetry } from "../../kit.ts";

/** Where every copy of the API finds what was registered. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

let loaded: Promise<Telemetry> | undefined;

export function telemetry(): Promise<Telemetry> | undefined {
  const { trace, metrics } =
    (globalThis as { readonly [REGISTERED]?: { trace?: unknown; metrics?: unknown } })[REGISTERED] ?? {};
  if (trace === undefined && metrics === undefined) return undefined;
  return (loaded ??= import("../telemetry/opentelemetry/index.ts").then(({ openTelemetry }) => openTelemetry()));
}
