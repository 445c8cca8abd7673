/**
 * A workspace in a folder of the host's disk, for Node, Bun and Deno: `hostWorkspace()`.
 *
 * @module
 */
export { hostWorkspace } from "./host-workspace.ts";
export type { HostExecOptions, HostWorkspaceOptions } from "./host-workspace.ts";
export type { HostCommandOptions } from "./command-runner.ts";
export { findSandbox } from "./sandbox.ts";
export type { FoundSandbox, Sandbox, SandboxPlace } from "./sandbox.ts";
export type { CommandRunner, SimulatedShell, WorkspaceEntry, WorkspaceFile, Workspace } from "../../../kit.ts";
