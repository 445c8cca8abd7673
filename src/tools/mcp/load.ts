import type { Clock } from "../../clock.ts";
import { AssistantError } from "../../errors.ts";
import type { McpCheck } from "./check-server.ts";
import type * as Late from "./mcp.ts";
import type { McpManager, McpManagerParts } from "./mcp.ts";
import type { McpServerOptions } from "./options.ts";

const REMEDY = "give the option mcp.client, which is mcpClient from wakeful/mcp";

/**
 * Makes the manager of the MCP servers, and loads what it needs only when there is a server.
 *
 * @throws {AssistantError} `OPTION_INVALID` for a name that a server cannot have, and where nothing is loaded on demand and `client` brings no manager.
 */
export async function loadMcpManager(parts: McpManagerParts): Promise<McpManager> {
  if (Object.keys(parts.servers ?? {}).length === 0) return NO_SERVERS;
  const create = parts.client?.createManager ?? (await late()).createMcpManager;
  if (create) return create(parts);
  throw new AssistantError(
    "OPTION_INVALID",
    `Cannot use the option mcp.servers as nothing is loaded on demand here: ${REMEDY}`,
  );
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
): Promise<McpCheck> {
  const check = (await late()).checkServer;
  return check
    ? check(name, server, options)
    : { ok: false, problem: "nothing is loaded on demand here", remedy: REMEDY };
}

/** Empty where nothing is loaded on demand (Workers). */
function late(): Promise<Partial<typeof Late>> {
  return import("#late/tools/mcp/mcp");
}

const NO_SERVERS: McpManager = {
  start() {},
  async close() {},
  status: () => [],
  async accept({ server }) {
    throw new AssistantError("NOT_FOUND", `There is no MCP server ${JSON.stringify(server)} in the configuration`);
  },
};
