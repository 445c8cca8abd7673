import { type Mutant, planted } from "./mutant.ts";

const ALERTS = "src/alerts";
const TELEMETRY = "src/telemetry";
const TOOLS = "src/tools";
const TURN = "src/turn";

/** What is told and shown of the assistant at work. */
export const OBSERVABILITY: readonly Mutant[] = [
  ...planted({ threat: 13, promise: "an alert goes to owners alone", test: "test/alerts/alerts.test.ts" }, [
    [ALERTS, "createAlerts.tell", "= owner.user();", '= "memory:7";'],
  ]),
  ...planted(
    { threat: 6, promise: "what was just told is not told again", test: "test/alerts/decide-alerts.test.ts" },
    [[ALERTS, "jobFailures", "job.isPaused ||", ""]],
  ),
  ...planted(
    { threat: 13, promise: "no span holds a word of anybody", test: "test/telemetry/opentelemetry.host.test.ts" },
    [
      [TOOLS, "createDispatch.run", "registry.find(name)?.name", "name"],
      [TOOLS, "createCallEvents.traced", "error: result.error?.code", "error: JSON.stringify(result.error)"],
      [TURN, "createAnnouncements.traced", "error: error?.code", "error: error?.message"],
    ],
  ),
  ...planted(
    { threat: 13, promise: "no span holds a word of anybody", test: "test/telemetry/telemetry-in-code.test.ts" },
    [[TELEMETRY, "wordOf", 'typeof name === "string" ? name : "_OTHER"', "String(error)"]],
  ),
];
