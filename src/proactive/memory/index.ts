export { captureCursorKey, createCaptureErasure, createCaptureRenaming, createMemoryCapture } from "./capture.ts";
export { subscribeMemoryFlush } from "./flush.ts";
export { createMemoryMerges } from "./merges.ts";
export { RECALL_OPTIONS, memoryRecall } from "./recall.ts";
export { REFRESH_OPTIONS, iterationRefresh } from "./refresh.ts";
export { createRemembering } from "./remembering.ts";
export { createSecondLook } from "./second-look.ts";
export { memorySources } from "./sources.ts";
export {
  DEFAULT_CAPTURE_DAYS,
  DEFAULT_RECALL_TOKENS,
  DEFAULT_REFRESH_INTERVAL,
  DEFAULT_REFRESH_TOKENS,
  type MemoryFlowOptions,
} from "./options.ts";
