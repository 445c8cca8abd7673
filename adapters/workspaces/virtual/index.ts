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
  WorkspaceEntry,
  WorkspaceFile,
  Workspace,
} from "../../../kit.ts";
