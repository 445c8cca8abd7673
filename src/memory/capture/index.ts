export { type TaskType, autoCapture, taskTypeOf, withGoal } from "./auto-capture.ts";
export { differsInSubstance } from "./differs.ts";
export { DUPLICATE_JACCARD, type DuplicateOptions, duplicateOf, idsIn, jaccard, mergeEntries } from "./duplicate.ts";
export { type FlushMessage, type FlushOptions, DEFAULT_DEDUPE_THRESHOLD, extractFlush, skipKnown } from "./flush.ts";
export type { StatementKind } from "./statement-phrases.ts";
export { type StatementOptions, statements } from "./statements.ts";
export { type CapturedCall, type CapturedTurn, type Outcome, outcomeOf } from "./turn.ts";
export { traceWith, workflowTrace } from "./workflow-trace.ts";
