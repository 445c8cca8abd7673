/**
 * Traces and metrics through the API of OpenTelemetry, to whatever SDK and exporter the program registers there.
 *
 * @module
 */
import * as api from "@opentelemetry/api";
import type { Telemetry } from "../../../kit.ts";
import { telemetryOver } from "../../platform/open-telemetry.ts";

/**
 * Traces and metrics for OpenTelemetry. On Node, Bun and Deno it is found by itself once a provider is registered; in a Worker the program gives it:
 * `createAssistant({ telemetry: { api: openTelemetry() }, … })`.
 *
 * Source: docs/observability.md.
 */
export function openTelemetry(): Telemetry {
  return telemetryOver(api);
}
