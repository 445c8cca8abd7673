/**
 * The client library for MCP servers, for bundles that load nothing on demand (Cloudflare Workers). On other runtimes
 * the assistant finds `@ai-sdk/mcp` by itself once it is installed.
 *
 * @example
 * ```ts
 * import { mcpClient } from "wakeful/mcp";
 *
 * createAssistant({ model, mcp: { client: mcpClient, servers: { docs: { url: "https://mcp.example/mcp" } } } });
 * ```
 *
 * @module
 */
import { createMCPClient } from "@ai-sdk/mcp";
import type { McpClientLibrary } from "../../kit.ts";

/** For the option `mcp.client`. */
export const mcpClient: McpClientLibrary = { createMCPClient };
