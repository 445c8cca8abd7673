import type { Clock } from "../../clock.ts";
import { AssistantError } from "../../errors.ts";
import type { Platform } from "../../platform.ts";
import type { McpCheck } from "./check-server.ts";
import type { ConnectorDeps } from "./connect.ts";
import type { McpManager, McpManagerDeps } from "./mcp.ts";
import type { McpServerOptions } from "./options.ts";

/**
 * Makes the manager of the MCP servers, and loads what it needs only when there is a server.
 *
 * @throws {AssistantError} `OPTION_INVALID` for a name that a server cannot have.
 */
export async function loadMcpManager(
  servers: Readonly<Record<string, McpServerOptions>> = {},
  connector: ConnectorDeps,
  deps: Omit<McpManagerDeps, "connect">,
): Promise<McpManager> {
  if (Object.keys(servers).length === 0) return NO_SERVERS;
  const [{ createConnector }, { createMcpManager }] = await Promise.all([import("./connect.ts"), import("./mcp.ts")]);
  return createMcpManager(servers, { ...deps, connect: createConnector(connector) });
}

/**
 * Connects to a server once, asks for its tools and says goodbye: for a look at a configuration before it is used. A program is started for it.
 *
 * @returns The names that the server gives its tools, or what is wrong and how to mend it. Never throws.
 */
export async function checkMcpServer(
  name: string,
  server: McpServerOptions,
  options: { readonly clock: Clock; readonly version: string; readonly timeoutMs?: number },
  platform: Pick<Platform, "load" | "network">,
): Promise<McpCheck> {
  const { checkServer } = await import("./check-server.ts");
  return checkServer(name, server, options, platform);
}

const NO_SERVERS: McpManager = {
  async open() {},
  start() {},
  async close() {},
  status: () => [],
  whyAbsent: () => undefined,
  async accept({ server }) {
    throw new AssistantError("NOT_FOUND", `There is no MCP server ${JSON.stringify(server)} in the configuration`);
  },
};
