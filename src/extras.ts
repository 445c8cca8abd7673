import { type TextProtocol, textProtocol } from "./agent/index.ts";
import type { BuiltInToolsParts } from "./built-in-tools.ts";
import { messageOf } from "./errors.ts";
import { type ApiRoutes, apiRoutes } from "./http/index.ts";
import { type AnyTool, execTools, fileTools, searchTools, virtualWorkspace, webTools } from "./tools/index.ts";

type Tools = Readonly<Record<string, AnyTool>>;

/**
 * What an assistant can do besides talking, remembering and keeping to its policy. `createAssistant` has all of it; a bundle for Workers what it is given.
 * What it holds is for the assistant alone.
 *
 * Source: docs/deploy.md, "Smaller Workers".
 */
export interface Extra {
  readonly name: "workspaceExtra" | "webExtra" | "apiExtra" | "textExtra";
  tools?(parts: BuiltInToolsParts): Promise<Tools> | Tools;
  readonly apiRoutes?: ApiRoutes;
  readonly textProtocol?: TextProtocol;
}

/** Files, search in them and commands on them: `file_read` and its like, `grep`, `find`, `bash`, `code_execute`. None when the option `workspace` is false. */
export const workspaceExtra: Extra = {
  name: "workspaceExtra",
  async tools({ options, store, workspaceOf, logger }) {
    if (options.workspace === false) return {};
    const { patterns, workspace = virtualWorkspace({ store }) } = options;
    const workspaceFor = ({ agentId }: { readonly agentId: string }) => workspaceOf(agentId) ?? workspace;
    const own = (options.agents ?? [options.agent ?? {}]).flatMap((agent) => agent.workspace ?? []);
    return {
      ...fileTools({ workspaceFor }),
      ...searchTools({ workspaceFor, ...(patterns && { patterns }) }),
      ...(await execTools({ workspaceFor, workspaces: [workspace, ...own], logger })),
    };
  },
};

/** `web_fetch`, and `web_search` where the option `search` names a search engine. */
export const webExtra: Extra = {
  name: "webExtra",
  tools({ options: { fetch, lookup, pageReader, search }, clock, logger }) {
    return webTools({
      clock,
      ...(fetch && { fetch }),
      ...(lookup && { lookup }),
      ...(pageReader && { pageReader }),
      ...(search && { search }),
      onSearchFailure: (provider, error) =>
        logger.warn("A search engine failed", { provider, error: messageOf(error) }),
    });
  },
};

/** The HTTP API for those who run the assistant, which the page and the commands use too: sessions, artifacts, approvals, access, audit, usage, `/mcp`. */
export const apiExtra: Extra = { name: "apiExtra", apiRoutes };

/** Models that cannot call functions: `modelInfo` with the protocol `text`. */
export const textExtra: Extra = { name: "textExtra", textProtocol };

export const ALL_EXTRAS: readonly Extra[] = [workspaceExtra, webExtra, apiExtra, textExtra];
