/**
 * The client library for MCP servers, for bundles in which nothing is loaded on demand (Cloudflare Workers). Elsewhere it is found by itself
 * once `@ai-sdk/mcp` is installed.
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
