export { captureCursorKey, createCaptureErasure, createCaptureRenaming } from "./capture.ts";
export { createMemoryMerges } from "./merges.ts";
export { createRemembering } from "./remembering.ts";
export { memorySources } from "./sources.ts";
export type { MemoryFlowOptions, MemoryFlowParts } from "./parts.ts";
