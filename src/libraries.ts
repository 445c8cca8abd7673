import type { parse as parseShell, forEachChild } from "unbash";
import type * as yaml from "yaml";

// The shapes of the libraries that only some programs need: what is used of each, so that a test or another build of it can stand in.

/** What is used of `yaml`. */
export type YamlLibrary = Pick<
  typeof yaml,
  "LineCounter" | "isAlias" | "isMap" | "isScalar" | "isSeq" | "parseAllDocuments"
>;

/** What is used of `unbash`: the grammar of shell commands. */
export interface ShellParser {
  readonly parse: typeof parseShell;
  readonly forEachChild: typeof forEachChild;
}

/** What is used of `re2js`. */
export interface Re2Library {
  readonly RE2JS: { compile(pattern: string): { test(text: string): boolean } };
}

/** What is used of `unstorage`. */
export interface UnstorageLibrary {
  createStorage(options: { driver: never }): unknown;
}

/** What makes readable text of a web page: `@mozilla/readability`, `linkedom`, `turndown`, as their packages export them. */
export interface PageLibraries {
  /** `Readability` of `@mozilla/readability`. */
  readonly Readability: new (
    document: never,
    options: {
      readonly maxElemsToParse: number;
      readonly charThreshold: number;
      readonly serializer: (node: unknown) => unknown;
    },
  ) => { parse(): { readonly title?: string | null | undefined; readonly content?: unknown } | null };
  /** `parseHTML` of `linkedom/worker`. */
  readonly parseHTML: (html: string) => { readonly document: unknown };
  /** The default export of `turndown/lib/turndown.browser.es.js`: the other builds bring a second HTML parser. */
  readonly Turndown: new (options: {
    readonly headingStyle: "atx";
    readonly bulletListMarker: "-";
    readonly codeBlockStyle: "fenced";
  }) => {
    remove(filter: never): unknown;
    addRule(key: string, rule: { readonly filter: never; readonly replacement: (content: string) => string }): unknown;
    turndown(node: never): string;
  };
}

/** What is used of `just-bash`. */
export interface ShellLibrary {
  readonly Bash: new (options: never) => {
    exec(
      command: string,
      options?: {
        cwd?: string;
        env?: Record<string, string>;
        stdin?: string;
        rawScript?: boolean;
        signal?: AbortSignal;
      },
    ): Promise<{ readonly stdout: string; readonly stderr: string; readonly exitCode: number }>;
  };
  readonly InMemoryFs: new (
    files?: Readonly<Record<string, string>>,
    options?: { readonly maxTotalBytes?: number },
  ) => {
    mkdir(path: string, options?: { recursive?: boolean }): Promise<void>;
    writeFile(path: string, content: string): Promise<void>;
  };
  readonly MountableFs: new (options: never) => object;
  /** Names of the commands that the library can do. */
  getCommandNames(): readonly string[];
}

/** The library, and whether it can run JavaScript behind a boundary here: QuickJS in a worker thread, which only Node has in the way it needs. */
export interface SimulatedShell {
  readonly library: ShellLibrary;
  /** Default false. */
  readonly javascript?: boolean;
}

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

/** What is used of `@ai-sdk/mcp`. */
export interface McpClientLibrary {
  createMCPClient(config: McpClientConfig): Promise<McpClient>;
}

/** What is used of `@ai-sdk/mcp/mcp-stdio`. */
export interface McpStdioLibrary {
  StdioMCPTransport: new (config: {
    command: string;
    args?: string[];
    env?: Record<string, string>;
    cwd?: string;
    stderr?: "pipe";
  }) => McpTransport;
}

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

/** What is used of `@modelcontextprotocol/server`. */
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
