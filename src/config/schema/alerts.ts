import {
  DEFAULT_COMPACTIONS_WITHOUT_FLUSH,
  DEFAULT_HANDLER_ERRORS_PER_MINUTE,
  DEFAULT_JOB_FAILURES,
} from "../../alerts/index.ts";
import { flag, section, whole } from "../../settings/index.ts";

export const alerts = section(
  {
    enabled: flag({ what: "Tell the owners when something is wrong that they can mend", default: true }),
    jobFailures: whole(1, {
      what: "Failed runs of one job in a row that the owners are told of",
      default: DEFAULT_JOB_FAILURES,
    }),
    handlerErrorsPerMinute: whole(1, {
      what: "Errors of event handlers in a minute; of more the owners are told",
      default: DEFAULT_HANDLER_ERRORS_PER_MINUTE,
    }),
    compactionsWithoutFlush: whole(1, {
      what: "Conversations put into summaries within 24 hours, of which memory kept nothing, that the owners are told of",
      default: DEFAULT_COMPACTIONS_WITHOUT_FLUSH,
    }),
  },
  {
    what: "What the owners are told of by itself",
    type: "alerts/options.ts#AlertOptions",
    inCode: "Source: docs/alerts.md.",
  },
);
