export { explainHooks } from "./explain-hooks.ts";
export type { ExplainedTask } from "./explain-hooks.ts";
export { createHookRegistry } from "./hook-registry.ts";
export type { HookOptions, HookRegistry, RegisteredHook } from "./hook-registry.ts";
export type { HookContext, HookIteration, HookTask, HookTool, Injections, ProactiveHook } from "./hook.ts";
export {
  type MemoryCapture,
  type MemoryFlowOptions,
  type MemoryFlowParts,
  RECALL_OPTIONS,
  REFRESH_OPTIONS,
  captureCursorKey,
  createCaptureErasure,
  createCaptureRenaming,
  createMemoryCapture,
  endCapture,
  iterationRefresh,
  memoryRecall,
  subscribeMemoryFlush,
} from "./memory/index.ts";
export { type DailySummary, type DailySummaryParts, createDailySummary, dayWakeKey } from "./days/index.ts";
