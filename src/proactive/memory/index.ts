export { captureCursorKey, createCaptureErasure, createCaptureRenaming } from "./capture.ts";
export { createMemoryMerges } from "./merges.ts";
export { createRemembering } from "./remembering.ts";
export { memorySources } from "./sources.ts";
export {
  DEFAULT_CAPTURE_DAYS,
  DEFAULT_RECALL_TOKENS,
  DEFAULT_REFRESH_INTERVAL,
  DEFAULT_REFRESH_TOKENS,
  type MemoryFlowOptions,
  type MemoryFlowParts,
} from "./parts.ts";
