/**
 * Like `index.ts`, for Cloudflare Workers.
 *
 * @module
 */
export { virtualWorkspace } from "../../../entry.workers.ts";
export type {
  CommandRunner,
  SimulatedShell,
  VirtualWorkspaceOptions,
  WorkspaceEntry,
  WorkspaceFile,
  Workspace,
} from "../../../kit.ts";
