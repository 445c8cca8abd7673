import { AssistantError } from "../../errors.ts";
import type { Platform } from "../../platform.ts";
import { problemOfServerName } from "./options.ts";
import { type LinkParts, type McpServerStatus, createServerLink } from "./server-link.ts";
import type { McpOptions } from "../options.ts";

export type { McpOptions } from "../options.ts";

export type McpManagerParts = McpOptions &
  Omit<LinkParts, "loadClient" | "loadStdio" | "network"> & { readonly platform: Pick<Platform, "load" | "network"> };

export interface McpManager {
  /** Begins to connect to every server and returns: one that cannot be reached delays nobody. */
  start(): void;
  /** Ends the sessions and the programs, and takes the tools away. Contract: never throws; takes some seconds at most. */
  close(): Promise<void>;
  status(): readonly McpServerStatus[];
  /**
   * Accepts a tool's definition, after the owner said yes.
   *
   * @returns `offered`: whether the server has the tool in this form now; if not, the yes counts for when it has.
   * @throws {AssistantError} `NOT_FOUND` for a server that is not configured.
   */
  accept(what: {
    readonly server: string;
    readonly tool: string;
    readonly fingerprint: string;
  }): Promise<{ readonly offered: boolean }>;
}

/**
 * The tools of MCP servers, in the registry's level `mcp`.
 *
 * Source: docs/mcp.md.
 *
 * @throws {AssistantError} `OPTION_INVALID` for a name that a server cannot have.
 */
export function createMcpManager(parts: McpManagerParts): McpManager {
  const { servers = {}, client, platform } = parts;
  const libraries = {
    network: platform.network,
    loadClient: async () => client ?? platform.load("@ai-sdk/mcp"),
    loadStdio: () => platform.load("@ai-sdk/mcp/mcp-stdio"),
  };
  const links = new Map(
    Object.entries(servers).map(([name, options]) => {
      const problem = problemOfServerName(name);
      if (problem !== undefined) throw new AssistantError("OPTION_INVALID", `Invalid option mcp.servers: ${problem}`);
      return [name, createServerLink(name, options, { ...parts, ...libraries })];
    }),
  );
  return {
    start() {
      for (const link of links.values()) link.start();
    },
    async close() {
      await Promise.all([...links.values()].map((link) => link.close()));
    },
    status: () => [...links.values()].map((link) => link.status()),
    async accept({ server, tool, fingerprint }) {
      const link = links.get(server);
      if (!link)
        throw new AssistantError("NOT_FOUND", `There is no MCP server ${JSON.stringify(server)} in the configuration`);
      return { offered: await link.accept(tool, fingerprint) };
    },
  };
}
