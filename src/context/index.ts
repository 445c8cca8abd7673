export { dataBoundary, noteBoundary, skillBoundary } from "./boundaries.ts";
export { DEFAULT_STRATEGY, buildContext, prepareContext } from "./context.ts";
export type { BuiltContext, ContextInput } from "./context.ts";
export type { Person } from "./options.ts";
export { estimateCall, estimatePrompt, promptFits } from "./estimate.ts";
export { DEFAULT_INJECTION_TOKENS, showInjections, withInjections } from "./injections.ts";
export { partSkills, showSkills, withSkills } from "./skills.ts";
export type { ShownSkills } from "./skills.ts";
export { mergePrompt } from "./merge-prompt.ts";
export { statementsPrompt } from "./statements-prompt.ts";
export type { ContextPart } from "./parts.ts";
export { fitsByLength } from "./tokens.ts";
export { cutText } from "./cut-text.ts";
export { createContextSources, hostSources } from "./sources.ts";
export type { ContextScope, ContextSource, ContextSources, HostPart } from "./sources.ts";
export { speakerName } from "./speakers.ts";
export {
  beginningOf,
  injectedMessage,
  isRefused,
  joinedMessages,
  stepMessages,
  turnMessages,
  undoneOf,
} from "./turn-messages.ts";
export type { PromptMessage, TurnInput } from "./turn-messages.ts";
export { DEFAULT_HISTORY_TOKENS, historyWindow, loadedHistoryTurns, mostHistoryTokens, turnTokens } from "./window.ts";
export { createCalibration } from "./calibration.ts";
export type { Calibration } from "./calibration.ts";
export {
  DEFAULT_KEEP_LAST_TURNS,
  DEFAULT_RESERVE_TOKENS,
  DEFAULT_SUMMARY_TOKENS,
  DEFAULT_TRIGGER_RATIO,
  composeSummary,
  extractiveProse,
  flushPrompt,
  mergeLedger,
  keptTurns,
  planCompaction,
  promptLimit,
  readFacts,
  summaryPrompt,
} from "./compaction/index.ts";
export type {
  CompactableMessage,
  CompactionOptions,
  CompactionPlan,
  Fact,
  Range,
  SpokenText,
} from "./compaction/index.ts";
export { shortenResults } from "./shorten-results.ts";
export { editedSummary } from "./edited-summary.ts";
export { peopleSources } from "./people-sources.ts";
export { DEFAULT_PERSONA_FILE_TOKENS, personaSources } from "./persona-sources.ts";
