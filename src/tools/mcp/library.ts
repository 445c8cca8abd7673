// The parts of the MCP client library that are used. `@ai-sdk/mcp` fits; so does anything with the same few calls.
import type { McpManager, McpManagerParts } from "./mcp.ts";

/** A tool as a server describes it. Written by strangers: nothing of it is believed. */
export interface McpListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly annotations?: unknown;
}

export interface McpRequestOptions {
  signal?: AbortSignal;
}

/** An open connection to one server. */
export interface McpClient {
  listTools(request?: {
    params?: { cursor?: string };
    options?: McpRequestOptions;
  }): Promise<{ readonly tools: readonly McpListedTool[]; readonly nextCursor?: string | undefined }>;
  callTool(request: {
    name: string;
    arguments?: Record<string, unknown>;
    options?: McpRequestOptions;
  }): Promise<unknown>;
  close(): Promise<void>;
}

/** One JSON-RPC message, as far as it is looked at. */
export interface McpMessage {
  readonly method?: string;
  readonly id?: string | number;
}

/** What carries messages to a server that is a program. */
export interface McpTransport {
  supportsProtocolVersionDiscovery?: boolean;
  start(): Promise<void>;
  send(message: unknown, options?: { signal?: AbortSignal }): Promise<void>;
  close(): Promise<void>;
  onclose?(): void;
  onerror?(error: Error): void;
  onmessage?(message: unknown): void;
}

export interface McpClientConfig {
  transport:
    | {
        type: "http";
        url: string;
        headers: Record<string, string>;
        terminateSessionOnClose: boolean;
        fetch: typeof globalThis.fetch;
      }
    | McpTransport;
  clientName: string;
  version: string;
  initializationOptions: McpRequestOptions;
  onUncaughtError: (error: unknown) => void;
}

/** `@ai-sdk/mcp`. */
export interface McpClientLibrary {
  /** What keeps the connections of the library. Default: it is loaded on demand, which Workers do not. */
  readonly createManager?: (parts: McpManagerParts) => McpManager;
  createMCPClient(config: McpClientConfig): Promise<McpClient>;
}

/** `@ai-sdk/mcp/mcp-stdio`. */
export interface McpStdioLibrary {
  StdioMCPTransport: new (config: {
    command: string;
    args?: string[];
    env?: Record<string, string>;
    cwd?: string;
    stderr?: "pipe";
  }) => McpTransport;
}
