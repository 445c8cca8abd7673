import { type TextProtocol, textProtocol } from "./agent/index.ts";
import type { BuiltInToolsParts } from "./assembly/index.ts";
import { messageOf } from "./errors.ts";
import { createGuardedFetch } from "./guard/index.ts";
import { type HttpApi, httpApi } from "./http/index.ts";
import { type SessionExports, sessionExports } from "./session/index.ts";
import { type AnyTool, execTools, fileTools, searchTools, virtualWorkspace, webTools } from "./tools/index.ts";

type Tools = Readonly<Record<string, AnyTool>>;

/**
 * What an assistant can do besides talking, remembering and keeping to its policy. `createAssistant` has all of it; a bundle for Workers what it is given.
 *
 * Source: docs/deploy.md, "Smaller Workers".
 */
export interface Extra {
  readonly name: "workspaceExtra" | "webExtra" | "apiExtra" | "textExtra";
}

/** An extra with what it holds, which is for the assistant alone. */
export interface FullExtra extends Extra {
  tools?(parts: BuiltInToolsParts): Promise<Tools> | Tools;
  /** Fetches attachments that came as an address. */
  readonly guardedFetch?: typeof createGuardedFetch;
  readonly httpApi?: HttpApi;
  readonly sessionExports?: SessionExports;
  readonly textProtocol?: TextProtocol;
}

const workspace: FullExtra = {
  name: "workspaceExtra",
  async tools({ options, store, workspaceOf, logger }) {
    if (options.workspace === false) return {};
    const { patterns } = options;
    const shared = options.workspace ?? virtualWorkspace({ store });
    const workspaceFor = ({ agentId }: { readonly agentId: string }) => workspaceOf(agentId) ?? shared;
    const own = (options.agents ?? [options.agent ?? {}]).flatMap((agent) => agent.workspace ?? []);
    return {
      ...fileTools({ workspaceFor }),
      ...searchTools({ workspaceFor, ...(patterns && { patterns }) }),
      ...(await execTools({ workspaceFor, workspaces: [shared, ...own], logger })),
    };
  },
};

const web: FullExtra = {
  name: "webExtra",
  guardedFetch: createGuardedFetch,
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

const api: FullExtra = { name: "apiExtra", httpApi, sessionExports };
const text: FullExtra = { name: "textExtra", textProtocol };

/** Files, search in them and commands on them: `file_read` and its like, `grep`, `find`, `bash`, `code_execute`. None when the option `workspace` is false. */
export const workspaceExtra: Extra = workspace;

/** `web_fetch`, `web_search` where the option `search` names a search engine, and attachments that came as an address. */
export const webExtra: Extra = web;

/** The HTTP API but for messages and webhooks, and exports of sessions: sessions, artifacts, approvals, access, audit, usage, streams, `useChat`, the page, `/mcp`. */
export const apiExtra: Extra = api;

/** Models that cannot call functions: `modelInfo` with the protocol `text`. */
export const textExtra: Extra = text;

export const ALL_EXTRAS: readonly FullExtra[] = [workspace, web, api, text];
