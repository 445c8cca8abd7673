/**
 * A workspace whose files are documents of a store: `virtualWorkspace()`.
 *
 * @module
 */
export { virtualWorkspace } from "../../../entry.host.ts";
export type { Workspace } from "../../../mod.ts";
export type {
  CommandRunner,
  SimulatedShell,
  VirtualWorkspaceOptions,
  WorkspaceEntry,
  WorkspaceFile,
} from "../../../kit.ts";
