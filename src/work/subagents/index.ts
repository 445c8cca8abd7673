export { createLiveSubagents } from "./live-subagents.ts";
export { createSubagentNews } from "./subagent-news.ts";
export { createSubagentRuns } from "./subagent-runs.ts";
export {
  DEFAULT_MAX_DEPTH,
  DEFAULT_MAX_SECONDS,
  DEFAULT_MAX_TOKENS,
  DEFAULT_WAIT_SECONDS,
  createSubagentService,
} from "./subagent-service.ts";
