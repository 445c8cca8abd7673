// OpenTelemetry. Its API is loaded once a program has registered a provider of traces or metrics, and not before.
import type { Telemetry } from "../../kit.ts";

/** Where every copy of the API stores its registrations. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

let loaded: Promise<Telemetry> | undefined;

export function telemetry(): Promise<Telemetry> | undefined {
  const { trace, metrics } =
    (globalThis as { readonly [REGISTERED]?: { trace?: unknown; metrics?: unknown } })[REGISTERED] ?? {};
  if (trace === undefined && metrics === undefined) return undefined;
  return (loaded ??= load());
}

async function load(): Promise<Telemetry> {
  const { telemetryOver } = await import("./open-telemetry.ts");
  // In a `try`: bundlers refuse a missing package anywhere else.
  try {
    return telemetryOver(await import("@opentelemetry/api"));
  } catch (cause) {
    throw new TypeError("OpenTelemetry needs its API: npm install @opentelemetry/api", { cause });
  }
}
