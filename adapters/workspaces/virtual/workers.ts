/**
 * As `index.ts`, for Cloudflare Workers.
 *
 * @module
 */
export { virtualWorkspace } from "../../../entry.workers.ts";
export type { Workspace } from "../../../mod.ts";
export type {
  CommandRunner,
  SimulatedShell,
  VirtualWorkspaceOptions,
  WorkspaceEntry,
  WorkspaceFile,
} from "../../../kit.ts";
