export { DEFAULT_SUMMARY_TOKENS, composeSummary, isUsableProse, readEditedSummary } from "./compose-summary.ts";
export type { CompactionSummary } from "./compose-summary.ts";
export { extractiveProse } from "./extractive.ts";
export { flushPrompt } from "./flush-prompt.ts";
export type { Fact, SpokenText } from "./fact.ts";
export { mergeLedger } from "./merge-ledger.ts";
export type { Ledger } from "./merge-ledger.ts";
export {
  DEFAULT_KEEP_LAST_TURNS,
  DEFAULT_RESERVE_TOKENS,
  DEFAULT_TRIGGER_RATIO,
  keptTurns,
  planCompaction,
  promptLimit,
  turnStarts,
} from "./plan.ts";
export type { CompactableMessage, CompactionOptions, CompactionPlan, Range } from "./plan.ts";
export { readFacts } from "./read-facts.ts";
export { summaryPrompt } from "./summary-prompt.ts";
