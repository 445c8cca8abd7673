/**
 * A folder of this machine as a registry of skills: `<slug>.zip` for each. Needs files, so it is not for Workers.
 *
 * @module
 */
export { folder } from "./folder.ts";
export type { FolderOptions } from "./folder.ts";
