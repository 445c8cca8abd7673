/**
 * ClawHub as a registry of skills, over its public HTTP API.
 *
 * @module
 */
export { clawhub } from "./clawhub.ts";
export type { ClawHubOptions } from "./clawhub.ts";
