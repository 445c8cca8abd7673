// The parts of the MCP server library that are used; `@modelcontextprotocol/server` fits.
import type { Caller } from "./auth.ts";
import type { HttpParts } from "./parts.ts";

/** What a client is told of a tool. */
export interface McpToolDescription {
  name: string;
  description: string;
  inputSchema: { type: "object"; [member: string]: unknown };
  outputSchema?: { type: "object"; [member: string]: unknown };
  annotations?: {
    readOnlyHint?: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
  };
}

export interface McpToolResult {
  content: { type: "text"; text: string }[];
  structuredContent?: { [member: string]: unknown };
  isError?: boolean;
}

export interface McpProtocolServer {
  setRequestHandler(method: "tools/list", handler: () => Promise<{ tools: McpToolDescription[] }>): void;
  setRequestHandler(
    method: "tools/call",
    handler: (request: {
      params: { name: string; arguments?: Record<string, unknown> | undefined };
    }) => Promise<McpToolResult>,
  ): void;
}

/** Answers one request to `/mcp` whose body was read. */
export type McpEndpoint = (request: Request, caller: Caller) => Promise<Response>;

/** `@modelcontextprotocol/server`. */
export interface McpServerLibrary {
  /** What stands between the library and the assistant. Default: it is loaded on demand, which Workers do not. */
  readonly createEndpoint?: (parts: HttpParts, library: McpServerLibrary) => McpEndpoint;
  Server: new (
    info: { name: string; version: string },
    options: { capabilities: { tools: Record<string, never> }; instructions: string },
  ) => McpProtocolServer;
  createMcpHandler(
    /** `() => McpProtocolServer`: the library asks for its own class by name, which ours cannot say without naming the library. */
    make: never,
    options: { responseMode: "sse"; maxSubscriptions: number; onerror(error: Error): void },
  ): { fetch(request: Request): Promise<Response> };
}
