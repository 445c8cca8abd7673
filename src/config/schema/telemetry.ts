import { flag, made, section } from "../../settings/index.ts";

const enabled = flag({
  what: "Whether traces and metrics are sent to OpenTelemetry if the program has registered it",
  default: true,
});
const facts = { what: "Traces and metrics for OpenTelemetry", inCode: "Source: docs/observability.md." };

/** The telemetry options of the file. */
export const fileTelemetry = section({ enabled }, facts);

/** The telemetry options in code, which also have `api`. */
export const telemetry = section(
  {
    enabled,
    api: made(
      "Telemetry",
      { Telemetry: "telemetry-port.ts" },
      {
        can: ["startSpan", "collect"],
        what: "Receives traces and metrics; found automatically except on Workers",
        inCode: "On Workers: `openTelemetry()` of `wakeful/telemetry/opentelemetry`.",
      },
    ),
  },
  facts,
);
