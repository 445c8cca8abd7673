import type { McpHttpServer, McpServerOptions } from "../options.ts";

export type { McpHttpServer, McpServerBase, McpServerOptions, McpStdioServer } from "../options.ts";

/** How long a call may take when nothing else is said, in milliseconds. */
export const DEFAULT_MCP_TIMEOUT_MS = 60_000;

/** No double `_`: the names of tools are `mcp__<server>__<tool>`, and two servers must never share one. */
const SERVER_NAME = /^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*$/;
const MAX_SERVER_NAME = 32;

/** What is wrong with a server's name, or nothing. */
export function problemOfServerName(name: string): string | undefined {
  if (name.length <= MAX_SERVER_NAME && SERVER_NAME.test(name)) return undefined;
  return `expected a name of letters and digits with single "-" or "_" between them, ${MAX_SERVER_NAME} at most, got ${JSON.stringify(name)}`;
}

export function isHttpServer(options: McpServerOptions): options is McpHttpServer {
  return "url" in options && options.url !== undefined;
}
