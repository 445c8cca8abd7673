/** What every MCP server may be given, however it is reached. Names in the configuration file are the same in snake_case. */
export interface McpServerBase {
  /** More groups for its tools, besides `mcp`: policy rules name them (`browser` for a browser that comes this way). */
  readonly groups?: readonly string[];
  /** Only these tools of the server, by the names that it gives them. Default: all. */
  readonly tools?: readonly string[];
  /** Which tools ask the owner before each call: all (`true`), none, or those named. Default true; what a server says of itself is not believed. */
  readonly dangerous?: boolean | readonly string[];
  /** Tools that the server adds later are offered without asking. Default false; a changed tool is asked for all the same. */
  readonly trustNewTools?: boolean;
  /** Believe the server that a tool is read-only or idempotent, so that a call which a crash cut off is run again. Default false. */
  readonly trustAnnotations?: boolean;
  /** Longest call, in milliseconds. Default 60_000. */
  readonly timeoutMs?: number;
}

/** A server that is reached over HTTP ("streamable HTTP"). */
export interface McpHttpServer extends McpServerBase {
  readonly url: string;
  /** Sent with every request, to the origin of `url` only. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The server stands on this machine or in a private network: requests to the origin of `url` are let through. Default false. */
  readonly allowPrivate?: boolean;
}

/** A server that is a program of this machine, spoken to over its standard input and output. Where there are no processes (Workers) it cannot be used. */
export interface McpStdioServer extends McpServerBase {
  /** The program; no shell reads it. */
  readonly command: string;
  readonly args?: readonly string[];
  /** What it finds in its environment besides HOME, LOGNAME, PATH, SHELL, TERM and USER; nothing else of the assistant's environment is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where it runs. Default: where the assistant runs. */
  readonly cwd?: string;
}

export type McpServerOptions = McpHttpServer | McpStdioServer;

/** How long a call may take when nothing else is said, in milliseconds. */
export const DEFAULT_MCP_TIMEOUT_MS = 60_000;

/** No double `_`: the names of tools are `mcp__<server>__<tool>`, and two servers must never share one. */
const SERVER_NAME = /^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*$/;
const LONGEST_SERVER_NAME = 32;

/** What is wrong with a server's name, or nothing. */
export function problemOfServerName(name: string): string | undefined {
  if (name.length <= LONGEST_SERVER_NAME && SERVER_NAME.test(name)) return undefined;
  return `expected a name of letters and digits with single "-" or "_" between them, ${LONGEST_SERVER_NAME} at most, got ${JSON.stringify(name)}`;
}

export function isHttpServer(options: McpServerOptions): options is McpHttpServer {
  return "url" in options && options.url !== undefined;
}
