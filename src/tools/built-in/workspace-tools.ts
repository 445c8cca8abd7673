import type { Platform } from "../../platform.ts";
import type { Store } from "../../store/index.ts";
import type { Logger } from "../../telemetry/index.ts";
import type { PatternEngine } from "../../patterns/index.ts";
import type { AnyTool } from "../tool.ts";
import { virtualWorkspace } from "../virtual-workspace.ts";
import type { Workspace } from "../workspace.ts";
import { execTools } from "./exec-tools.ts";
import { fileTools } from "./file-tools.ts";
import { searchTools } from "./search-tools.ts";

export interface WorkspaceToolsDeps {
  /** The workspace of agents without their own. Default: a virtual one in the store. `false`: no tools on files. */
  readonly workspace: Workspace | false | undefined;
  readonly agents: {
    /** The agent's own workspace, if it has one. */
    workspaceOf(agentId: string): Workspace | undefined;
    readonly workspaces: readonly Workspace[];
  };
  readonly patterns: PatternEngine | undefined;
  readonly store: Store;
  readonly platform: Pick<Platform, "load" | "probe" | "unref">;
  readonly logger: Logger;
}

/** The tools for files, for searching them and for commands on them. */
export async function workspaceTools({
  workspace,
  agents,
  patterns,
  store,
  platform,
  logger,
}: WorkspaceToolsDeps): Promise<Readonly<Record<string, AnyTool>>> {
  if (workspace === false) return {};
  const shared = workspace ?? virtualWorkspace({ store }, platform);
  const workspaceFor = ({ agentId }: { readonly agentId: string }) => agents.workspaceOf(agentId) ?? shared;
  return {
    ...fileTools({ workspaceFor }),
    ...searchTools({ workspaceFor, load: platform.load, ...(patterns && { patterns }) }),
    ...(await execTools({ workspaceFor, workspaces: [shared, ...agents.workspaces], logger })),
  };
}
