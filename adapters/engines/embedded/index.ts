/**
 * The engine that runs in one process and keeps its wakes in the store: `embeddedEngine({ store, clock })`. The
 * default.
 *
 * @module
 */
export { embeddedEngine } from "../../../mod.ts";
export type { EmbeddedEngineOptions } from "../../../kit.ts";
