export {
  type MemoryCapture,
  captureCursorKey,
  createCaptureErasure,
  createCaptureRenaming,
  createMemoryCapture,
  endCapture,
} from "./capture.ts";
export { subscribeMemoryFlush } from "./flush.ts";
export type { MemoryFlowOptions, MemoryFlowParts } from "./parts.ts";
export { RECALL_OPTIONS, memoryRecall } from "./recall.ts";
export { REFRESH_OPTIONS, iterationRefresh } from "./refresh.ts";
