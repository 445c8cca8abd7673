export { type DueHeap, createDueHeap } from "./due-heap.ts";
export { createArrivals } from "./arrivals.ts";
export { wakeBackoffMs } from "./backoff.ts";
export { createDefaultEngine } from "./default-engine.ts";
export { embeddedEngine } from "./embedded.ts";
export type { EmbeddedEngineOptions } from "./embedded.ts";
export type { Engine } from "./port.ts";
