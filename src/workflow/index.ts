export type { RunOptions, WorkflowRunView, WorkflowStepView, WorkflowSummary, WorkflowsApi } from "./api.ts";
export { BUILT_IN_WORKFLOWS } from "./built-in-workflows.ts";
export { isMet, parseCondition } from "./condition.ts";
export {
  DEFAULT_APPROVAL_SECONDS,
  DEFAULT_BUDGET,
  DEFAULT_KEEP_RUNS_DAYS,
  DEFAULT_MAX_PARALLEL,
  INPUT_TYPES,
  STEP_KINDS,
} from "./definition.ts";
export type { Budget, StepDefinition, WorkflowDefinition } from "./definition.ts";
export { workflowJsonSchema } from "./definition-schema.ts";
export { WrongInputsError, createDefinitions, readInputs, summaryOf } from "./definitions.ts";
export type { Definitions, KnownDefinition } from "./definitions.ts";
export {
  afterFailure,
  budgetUsedUp,
  dependentsOf,
  gathered,
  itemsGiven,
  placesOf,
  planRun,
  stateOf,
  stepOf,
} from "./plan.ts";
export type { Plan, StepPlace } from "./plan.ts";
export { checkBudget, checkWorkflow, fileOf, jsonOf, parseForEach, readWorkflow } from "./read-workflow.ts";
export { asText, fillIn, fillKnown, fillText, valueAt } from "./references.ts";
export type { Lookup, Reference } from "./references.ts";
export { PENDING, isEnded, isOver } from "./run.ts";
export type { AskedApproval, RunPlace, Spent, StepError, StepState, StepStatus, StepWait, WorkflowRun } from "./run.ts";
export { createWorkflowErasure } from "./erasure.ts";
export type { WorkflowOptions } from "./options.ts";
export { createOldWorkflowRuns } from "./old-runs.ts";
export { createRuns } from "./runs.ts";
export type { Runs } from "./runs.ts";
export { waitExpects } from "./wait-values.ts";
