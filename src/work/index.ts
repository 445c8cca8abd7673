export { createClaims } from "./claims.ts";
export { createJobWork } from "./job-work.ts";
export { createJobLeave } from "./job-leave.ts";
export { createJobResults } from "./job-results.ts";
export { createJobRuns } from "./job-runs.ts";
export { createJobTurns } from "./job-turns.ts";
export { createRunSessionWakes, createRunSessions } from "./run-sessions.ts";
export { createScheduler } from "./scheduler.ts";
export {
  DEFAULT_DAILY_TOKENS,
  DEFAULT_MONTHLY_TOKENS,
  DEFAULT_PERSON_DAILY_TOKENS,
  createWorkBudget,
} from "./budget.ts";
export { createHeartbeat } from "./heartbeat.ts";
export { DEFAULT_HEARTBEAT_STEP, HEARTBEAT_JOB, HEARTBEAT_STEPS } from "./heartbeat-times.ts";
export { createStaticJobs } from "./static-jobs.ts";
export { createTriggers } from "./triggers.ts";
export type { JobTrigger, WorkBudgetOptions } from "./options.ts";
export { createOwnTurns } from "./own-turns.ts";
export {
  createChains,
  createStepModels,
  createHostWorkflows,
  type HostWorkflows,
  createLiveRuns,
  createPlaceFor,
  createProgress,
  createAdvance,
  createRunChildren,
  createRunEnds,
  createRunWork,
  createSpending,
  createStepTimes,
  createStepWork,
  createValues,
  createWaits,
  createWorkflowCalls,
  createWorkflowService,
  isWorkflowKey,
  runOfCalls,
} from "./workflow/index.ts";
export { createStopSession, createStopWork } from "./stop-session.ts";
export {
  DEFAULT_MAX_DEPTH,
  DEFAULT_MAX_SECONDS,
  DEFAULT_MAX_TOKENS,
  DEFAULT_WAIT_SECONDS,
  createLiveSubagents,
  createSubagentNews,
  createSubagentRuns,
  createSubagentService,
} from "./subagents/index.ts";
export { createHostJobs, placeOf } from "./host-jobs.ts";
export type { JobsApi } from "./host-jobs.ts";
export { createWorkApprovals } from "./work-approvals.ts";
