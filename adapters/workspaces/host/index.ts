/**
 * A workspace in a folder of the host's disk, for Node, Bun and Deno: `hostWorkspace()`.
 *
 * @module
 */
export { hostWorkspace } from "./host-workspace.ts";
export type { HostWorkspaceOptions } from "./host-workspace.ts";
export type { Workspace, WorkspaceEntry, WorkspaceExec, WorkspaceFile } from "../../../mod.ts";
