export { type TaskType, autoCapture, taskTypeOf, withGoal } from "./auto-capture.ts";
export { differsInSubstance } from "./differs.ts";
export { type DuplicateOptions, duplicateOf, idsIn, jaccard, mergeEntries } from "./duplicate.ts";
export {
  type FlushMessage,
  type FlushOptions,
  DEFAULT_DEDUPE_THRESHOLD,
  MAX_FLUSHED,
  extractFlush,
  flushDrafts,
  takeFresh,
} from "./flush.ts";
export { statementDraft, statements } from "./statements.ts";
export { type CapturedCall, type CapturedTurn, type Outcome, outcomeOf } from "./turn.ts";
export { type CapturesUnderWay, createCapturesUnderWay } from "./under-way.ts";
export { traceWith, workflowTrace } from "./workflow-trace.ts";
