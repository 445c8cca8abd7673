import { flag, section, whole } from "../../settings/index.ts";
import { DEFAULT_MAX_RUNNING } from "../../subagents/index.ts";
import { DEFAULT_MAX_DEPTH, DEFAULT_MAX_SECONDS, DEFAULT_MAX_TOKENS, DEFAULT_WAIT_SECONDS } from "../../work/index.ts";

export const subagents = section(
  {
    enabled: flag({ what: "Whether turns may hand tasks on; false: there are no tools for it", default: true }),
    maxRunning: whole(1, {
      what: "Sub-agents of one conversation that run at one time",
      default: DEFAULT_MAX_RUNNING,
      max: 50,
    }),
    maxDepth: whole(1, { what: "How deep sub-agents may start one another", default: DEFAULT_MAX_DEPTH, max: 5 }),
    maxTokens: whole(1000, {
      what: "Tokens that one may use, and all that it starts together once more",
      default: DEFAULT_MAX_TOKENS,
    }),
    maxSeconds: whole(1, { what: "Seconds that one may take", default: DEFAULT_MAX_SECONDS }),
    waitSeconds: whole(0, {
      what: "Seconds that a call waits for a result before the work goes on in the background",
      default: DEFAULT_WAIT_SECONDS,
    }),
  },
  { what: "Tasks that a turn hands on to sessions of their own", inCode: "Source: docs/subagents.md." },
);
