/**
 * The library behind the endpoint `/mcp`, for bundles that load nothing on demand (Cloudflare Workers). On other runtimes
 * the assistant finds `@modelcontextprotocol/server` by itself once it is installed.
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
