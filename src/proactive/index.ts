export { createExplainContext } from "./explain-context.ts";
export { explainHooks } from "./explain-hooks.ts";
export { createHookRegistry } from "./hook-registry.ts";
export type { HookOptions, HookRegistry, RegisteredHook } from "./hook-registry.ts";
export type { HookContext, HookIteration, HookTask, HookTool, Injections, ProactiveHook } from "./hook.ts";
export {
  DEFAULT_CAPTURE_DAYS,
  DEFAULT_RECALL_TOKENS,
  DEFAULT_REFRESH_INTERVAL,
  DEFAULT_REFRESH_TOKENS,
  type MemoryFlowOptions,
  captureCursorKey,
  createCaptureErasure,
  createCaptureRenaming,
  createMemoryCapture,
  createMemoryMerges,
  createSecondLook,
  RECALL_OPTIONS,
  REFRESH_OPTIONS,
  iterationRefresh,
  memoryRecall,
  subscribeMemoryFlush,
  createRemembering,
  memorySources,
} from "./memory/index.ts";
export { createDailySummary, dayWakeKey } from "./days/index.ts";
export {
  DEFAULT_GOAL_TOKENS,
  GOAL_CONTEXT_OPTIONS,
  type GoalsApi,
  brokenGoals,
  cadenceProblem,
  createHomes,
  createHostGoals,
  createReviewedGoals,
  goalContext,
} from "./goals/index.ts";
export { type Initiative, INITIATIVE_OPTIONS, evaluateInitiative, initiativeHook } from "./initiative/index.ts";
export {
  type Detection,
  type Finding,
  PATTERN_DETECTORS,
  PATTERN_OFFER,
  type PatternDetector,
  type PatternEntry,
  type ProactiveApi,
  createEvidence,
  createEvidenceRenaming,
  createFindings,
  createFindingsRenaming,
  createLookForPatterns,
  createNoteSaid,
  createPatternAnswers,
  createPatternPromises,
  createProactiveApi,
  createRecogniser,
  createTellFinding,
  detectPatterns,
  ownDetector,
} from "./patterns/index.ts";
export {
  SKILL_ACTIVATION_OPTIONS,
  createOfferedTo,
  skillActivation,
  skillSlots,
  skillCatalogue,
  SKILL_LEARNING_OPTIONS,
  activationRecorder,
  createFeedbackButtons,
  createLearningErasure,
  createLearningMove,
  createLearningRenaming,
  createSkillFeedback,
  createSkillLearning,
  skillsForTool,
} from "./skills/index.ts";
