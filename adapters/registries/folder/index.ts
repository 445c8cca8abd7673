/**
 * A folder of this machine as a registry of skills: `<slug>.zip` for each. Needs a file system, so it does not run on
 * Workers.
 *
 * @module
 */
export { folder } from "./folder.ts";
export type { FolderOptions } from "./folder.ts";
