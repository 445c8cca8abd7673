import {
  DEFAULT_COMPACTIONS_WITHOUT_FLUSH,
  DEFAULT_HANDLER_ERRORS_PER_MINUTE,
  DEFAULT_JOB_FAILURES,
} from "../../alerts/index.ts";
import { flag, section, whole } from "../../settings/index.ts";

export const alerts = section(
  {
    enabled: flag({ what: "Whether the owners are told about problems that they can fix", default: true }),
    jobFailures: whole(1, {
      what: "Consecutive failed runs of one job after which the owners are alerted",
      default: DEFAULT_JOB_FAILURES,
    }),
    handlerErrorsPerMinute: whole(1, {
      what: "Errors of event handlers per minute above which the owners are alerted",
      default: DEFAULT_HANDLER_ERRORS_PER_MINUTE,
    }),
    compactionsWithoutFlush: whole(1, {
      what: "Compactions within 24 hours from which memory stored nothing, after which the owners are alerted",
      default: DEFAULT_COMPACTIONS_WITHOUT_FLUSH,
    }),
  },
  {
    what: "Alerts to the owners when something is wrong",
    type: "alerts/options.ts#AlertOptions",
    inCode: "Source: docs/alerts.md.",
  },
);
