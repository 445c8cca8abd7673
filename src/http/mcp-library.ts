// The parts of the MCP server library that are used; `@modelcontextprotocol/server` fits.

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

/** `@modelcontextprotocol/server`. */
export interface McpServerLibrary {
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
