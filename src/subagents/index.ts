export { createSubagentErasure } from "./erasure.ts";
export { DEFAULT_KEEP_SUBAGENTS_DAYS, createOldSubagents } from "./old-subagents.ts";
export { SUBAGENTS_FORMAT } from "./subagent.ts";
export type { Subagent } from "./subagent.ts";
export { DEFAULT_MAX_RUNNING, SUBAGENT_DOCUMENTS, createSubagents } from "./subagents.ts";
export type { Subagents } from "./subagents.ts";
