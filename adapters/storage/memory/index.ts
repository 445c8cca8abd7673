/**
 * An in-memory store, for tests and trials: `memoryStore()`.
 *
 * @module
 */
export { memoryStore } from "../../../mod.ts";
