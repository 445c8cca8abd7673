/**
 * A workspace whose files are documents of a store: `virtualWorkspace()`.
 *
 * @module
 */
export { virtualWorkspace } from "../../../entry.host.ts";
export type {
  CommandRunner,
  SimulatedShell,
  VirtualWorkspaceOptions,
  Workspace,
  WorkspaceEntry,
  WorkspaceFile,
} from "../../../mod.ts";
