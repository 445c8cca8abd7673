import { DEFAULT_KEEP_DAYS } from "../../artifacts/index.ts";
import { KEPT_FOR_EVER } from "../../retention/index.ts";
import { section, whole } from "../../settings/index.ts";
import { DEFAULT_KEEP_SUBAGENTS_DAYS } from "../../subagents/index.ts";
import { DEFAULT_KEEP_RUNS_DAYS } from "../../workflow/index.ts";

export const retention = section(
  {
    audit: whole(0, { what: "Days that lines of the audit log are kept; 0: forever", default: KEPT_FOR_EVER }),
    runs: whole(0, { what: "Days that runs of jobs are kept; 0: forever", default: KEPT_FOR_EVER }),
    workflows: whole(0, {
      what: "Days that ended runs of workflows are kept; 0: forever",
      default: DEFAULT_KEEP_RUNS_DAYS,
    }),
    subagents: whole(0, {
      what: "Days that ended sub-agents are kept; 0: forever",
      default: DEFAULT_KEEP_SUBAGENTS_DAYS,
    }),
    sessions: whole(0, {
      what: "Days without a message after which a conversation is deleted, at least 8; 0: never",
      default: KEPT_FOR_EVER,
    }),
    artifacts: whole(0, {
      what: "Days that artifacts are kept, the same as `artifacts.keepDays`; 0: forever",
      default: DEFAULT_KEEP_DAYS,
    }),
  },
  {
    what: "How long data is kept",
    inCode: 'Source: docs/privacy.md, "How long things are kept".',
    type: "retention/options.ts#RetentionOptions",
  },
);
