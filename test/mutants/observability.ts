import { type Mutant, planted } from "./mutant.ts";

const ALERTS = "src/alerts";

/** What is told and shown of the assistant at work. */
export const OBSERVABILITY: readonly Mutant[] = [
  ...planted({ threat: 13, promise: "an alert goes to owners alone", test: "test/alerts/alerts.test.ts" }, [
    [ALERTS, "createAlerts.tell", "= owner.user();", '= "memory:7";'],
  ]),
  ...planted(
    { threat: 6, promise: "what was just told is not told again", test: "test/alerts/decide-alerts.test.ts" },
    [[ALERTS, "jobFailures", "job.isPaused ||", ""]],
  ),
];
