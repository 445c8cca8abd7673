/**
 * Traces and metrics through the API of OpenTelemetry, to the SDK and exporter that the program registers there.
 *
 * @module
 */
import * as api from "@opentelemetry/api";
import type { Telemetry } from "../../../kit.ts";
import { telemetryOver } from "../../platform/open-telemetry.ts";

/**
 * Traces and metrics for OpenTelemetry. On Node, Bun and Deno the assistant finds it by itself once a provider is
 * registered. A Worker passes it in: `createAssistant({ telemetry: { api: openTelemetry() }, … })`.
 *
 * Source: docs/observability.md.
 */
export function openTelemetry(): Telemetry {
  return telemetryOver(api);
}
