import { DEFAULT_KEEP_DAYS } from "../../artifacts/index.ts";
import { KEPT_FOR_EVER } from "../../retention/index.ts";
import { section, whole } from "../../settings/index.ts";
import { DEFAULT_KEEP_SUBAGENTS_DAYS } from "../../subagents/index.ts";
import { DEFAULT_KEEP_RUNS_DAYS } from "../../workflow/index.ts";

export const retention = section(
  {
    audit: whole(0, { what: "Days that lines of the audit log are kept; 0: for ever", default: KEPT_FOR_EVER }),
    runs: whole(0, { what: "Days that runs of jobs are kept; 0: for ever", default: KEPT_FOR_EVER }),
    workflows: whole(0, {
      what: "Days that runs of workflows are kept which have ended; 0: for ever",
      default: DEFAULT_KEEP_RUNS_DAYS,
    }),
    subagents: whole(0, {
      what: "Days that sub-agents are kept which have ended; 0: for ever",
      default: DEFAULT_KEEP_SUBAGENTS_DAYS,
    }),
    sessions: whole(0, {
      what: "Days after which a conversation goes in which nothing was said, no less than 8; 0: never",
      default: KEPT_FOR_EVER,
    }),
    artifacts: whole(0, {
      what: "Days that artifacts are kept, as `artifacts.keepDays` says too; 0: for ever",
      default: DEFAULT_KEEP_DAYS,
    }),
  },
  {
    what: "How long things are kept",
    inCode: 'Source: docs/privacy.md, "How long things are kept".',
    type: "retention/options.ts#RetentionOptions",
  },
);
