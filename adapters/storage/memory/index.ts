/**
 * A store in memory, for tests and trials: `memoryStore()`.
 *
 * @module
 */
export { memoryStore } from "../../../mod.ts";
