import { flag, made, section } from "../../settings/index.ts";

const enabled = flag({
  what: "Send traces and metrics to OpenTelemetry where the program has registered it",
  default: true,
});
const facts = { what: "Traces and metrics for OpenTelemetry", inCode: "Source: docs/observability.md." };

/** What the file has. */
export const fileTelemetry = section({ enabled }, facts);

/** What code has besides. */
export const telemetry = section(
  {
    enabled,
    api: made(
      "Telemetry",
      { Telemetry: "telemetry-port.ts" },
      {
        can: ["startSpan", "collect"],
        what: "Where they go; found by itself outside of Workers",
        inCode: "There: `openTelemetry()` of `wakeful/telemetry/opentelemetry`.",
      },
    ),
  },
  facts,
);
