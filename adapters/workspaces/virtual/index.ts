/**
 * A workspace whose files are documents of a store: `virtualWorkspace()`.
 *
 * @module
 */
export { virtualWorkspace } from "../../../mod.ts";
export type { VirtualWorkspaceOptions, Workspace, WorkspaceEntry, WorkspaceExec, WorkspaceFile } from "../../../mod.ts";
