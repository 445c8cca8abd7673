import type { McpHttpServer, McpServerOptions } from "../options.ts";

export type { McpHttpServer, McpServerBase, McpServerOptions, McpStdioServer } from "../options.ts";

/** Longest duration of a call by default, in milliseconds. */
export const DEFAULT_MCP_TIMEOUT_MS = 60_000;

/** No double `_`: tools are named `mcp__<server>__<tool>`, and two servers must never share a name. */
const SERVER_NAME = /^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*$/;
const MAX_SERVER_NAME = 32;

/** Returns what is wrong with a server's name, if anything. */
export function problemOfServerName(name: string): string | undefined {
  if (name.length <= MAX_SERVER_NAME && SERVER_NAME.test(name)) return undefined;
  return `expected a name of letters and digits with single "-" or "_" between them, ${MAX_SERVER_NAME} at most, got ${JSON.stringify(name)}`;
}

export function isHttpServer(options: McpServerOptions): options is McpHttpServer {
  return "url" in options && options.url !== undefined;
}
