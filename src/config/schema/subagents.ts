import { flag, section, whole } from "../../settings/index.ts";
import { DEFAULT_MAX_RUNNING } from "../../subagents/index.ts";
import { DEFAULT_MAX_DEPTH, DEFAULT_MAX_SECONDS, DEFAULT_MAX_TOKENS, DEFAULT_WAIT_SECONDS } from "../../work/index.ts";

export const subagents = section(
  {
    enabled: flag({ what: "Whether turns may delegate tasks; false: there are no tools for it", default: true }),
    maxRunning: whole(1, {
      what: "Maximum sub-agents of one conversation that run at once",
      default: DEFAULT_MAX_RUNNING,
      max: 50,
    }),
    maxDepth: whole(1, { what: "How deep sub-agents may start one another", default: DEFAULT_MAX_DEPTH, max: 5 }),
    maxTokens: whole(1000, {
      what: "Maximum tokens of one sub-agent; all that it starts together may use as many again",
      default: DEFAULT_MAX_TOKENS,
    }),
    maxSeconds: whole(1, { what: "Longest run of one sub-agent, in seconds", default: DEFAULT_MAX_SECONDS }),
    waitSeconds: whole(0, {
      what: "Seconds that a call waits for a result before the work goes on in the background",
      default: DEFAULT_WAIT_SECONDS,
    }),
  },
  { what: "Tasks that a turn delegates to sessions of their own", inCode: "Source: docs/subagents.md." },
);
