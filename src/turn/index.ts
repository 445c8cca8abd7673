export { readAgents } from "./agents.ts";
export { createAnnouncements } from "./announcements.ts";
export { createAudiences } from "./audiences.ts";
export { createBackgroundModel } from "./background-model.ts";
export { createBeginnings } from "./beginnings.ts";
export { DEFAULT_SUMMARY_TOKENS, createCompaction } from "./compaction.ts";
export { createDescribeSession } from "./describe-session.ts";
export { createFailures } from "./failures.ts";
export { type MessageFiles, createMessageFiles } from "./files.ts";
export { createFlush } from "./flush.ts";
export { createFlushTurn } from "./flush-turn.ts";
export { createSessionHandler } from "./handler.ts";
export {
  DEFAULT_MAX_STEPS,
  DEFAULT_MAX_TURN_SECONDS,
  type ModelCalls,
  type TurnAgent,
  createModelCalls,
} from "./model-calls.ts";
export type { CompactionSettings } from "./options.ts";
export { createPresence } from "./presence.ts";
export { createPrompts } from "./prompts.ts";
export { createReplies } from "./replies.ts";
export { createSteps } from "./steps.ts";
export { createSummaryWriter } from "./summary-writer.ts";
export { createTidyHistory } from "./tidy-history.ts";
export { createToolCalls } from "./tool-calls.ts";
export { createTurns } from "./turn.ts";
export { createStopRemoved } from "./turn-stop.ts";
export { createTyping } from "./typing.ts";
