import type { Clock } from "../../clock.ts";
import { AssistantError } from "../../errors.ts";
import type { Platform } from "../../platform.ts";
import type { McpCheck } from "./check-server.ts";
import type { ConnectorDeps } from "./connect.ts";
import type { McpManager, McpManagerDeps } from "./mcp.ts";
import type { McpServerOptions } from "./options.ts";

/**
 * Creates the manager of the MCP servers. Loads its code only if there is a server.
 *
 * @throws {AssistantError} `OPTION_INVALID` for an invalid server name.
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
 * Connects to a server once, lists its tools and disconnects, to check a configuration before it is used. Starts the
 * server's program, if it is one.
 *
 * @returns The server's own names of its tools, or the problem and its remedy. Never throws.
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
