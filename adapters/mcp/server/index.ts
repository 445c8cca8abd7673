/**
 * The library behind the endpoint `/mcp`, for bundles in which nothing is loaded on demand (Cloudflare Workers). Elsewhere it is found by itself
 * once `@modelcontextprotocol/server` is installed.
 *
 * @example
 * ```ts
 * import { mcpEndpoint } from "wakeful/mcp/server";
 *
 * createAssistant({ model, mcp: { endpoint: mcpEndpoint }, server: { token } });
 * ```
 *
 * @module
 */
import { Server, createMcpHandler } from "@modelcontextprotocol/server";
import type { McpServerLibrary } from "../../../kit.ts";

/** For the option `mcp.endpoint`. */
export const mcpEndpoint: McpServerLibrary = { Server, createMcpHandler };
