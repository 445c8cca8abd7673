import type { parse as parseShell, forEachChild } from "unbash";
import type * as yaml from "yaml";

// The used parts of libraries that only some programs need, so that a test or another build can replace them.

/** The used part of `yaml`. */
export type YamlLibrary = Pick<
  typeof yaml,
  "LineCounter" | "isAlias" | "isMap" | "isScalar" | "isSeq" | "parseAllDocuments"
>;

/** The used part of `unbash`: the grammar of shell commands. */
export interface ShellParser {
  /** Parses a script into its syntax tree, without running it. */
  readonly parse: typeof parseShell;
  /** Calls a function for each direct child of a node of the tree. */
  readonly forEachChild: typeof forEachChild;
}

/** The used part of `re2js`. */
export interface Re2Library {
  /** Compiles a pattern of RE2, and throws for syntax that RE2 does not have. Matching takes time linear in the text. */
  readonly RE2JS: { compile(pattern: string): { test(text: string): boolean } };
}

/** The used part of `unstorage`. */
export interface UnstorageLibrary {
  /** Creates a storage over one driver. */
  createStorage(options: { driver: never }): unknown;
}

/**
 * Libraries that convert a web page to readable text: `@mozilla/readability`, `linkedom`, `turndown`, as their packages
 * export them.
 */
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
  /** The default export of `turndown/lib/turndown.browser.es.js`: the other builds include a second HTML parser. */
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

/** The used part of `just-bash`. */
export interface ShellLibrary {
  /** An interpreter with its own files. `exec` runs a script and resolves with its output, whatever the exit code. */
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
  /** A file system in memory. `maxTotalBytes` limits what it holds. */
  readonly InMemoryFs: new (
    files?: Readonly<Record<string, string>>,
    options?: { readonly maxTotalBytes?: number },
  ) => {
    mkdir(path: string, options?: { recursive?: boolean }): Promise<void>;
    writeFile(path: string, content: string): Promise<void>;
  };
  /** A file system with others mounted at folders. */
  readonly MountableFs: new (options: never) => object;
  /** Names of the commands that the library implements. */
  getCommandNames(): readonly string[];
}

/** The library, and whether it can run JavaScript in isolation here: QuickJS in a worker thread, which works only on Node. */
export interface SimulatedShell {
  /** The imported module `just-bash`. */
  readonly library: ShellLibrary;
  /** Default false. */
  readonly javascript?: boolean;
}

/** A tool as a server describes it. Strangers write the description, so nothing in it is trusted. */
export interface McpListedTool {
  /** The server's name for it, before Wakeful's prefix. */
  readonly name: string;
  /** For the model, in the server's words. */
  readonly description?: string | undefined;
  /** JSON Schema of its arguments, unchecked. */
  readonly inputSchema: unknown;
  /** Hints such as `readOnlyHint`, unchecked; no decision trusts them. */
  readonly annotations?: unknown;
}

/** Options of one request to a server. */
export interface McpRequestOptions {
  /** Cancels the request. */
  signal?: AbortSignal;
}

/** An open connection to one server. */
export interface McpClient {
  /** One page of the server's tools. `nextCursor` requests the next page, and is absent on the last. */
  listTools(request?: {
    params?: { cursor?: string };
    options?: McpRequestOptions;
  }): Promise<{ readonly tools: readonly McpListedTool[]; readonly nextCursor?: string | undefined }>;
  /**
   * Calls a tool by the server's name for it. Resolves also when the tool failed (`isError`); rejects when the request
   * failed.
   */
  callTool(request: {
    name: string;
    arguments?: Record<string, unknown>;
    options?: McpRequestOptions;
  }): Promise<unknown>;
  /** Ends the session and, for a program, the process. */
  close(): Promise<void>;
}

/** The used part of a JSON-RPC message. */
export interface McpMessage {
  readonly method?: string;
  readonly id?: string | number;
}

/** The connection to a server that is a program. */
export interface McpTransport {
  /** Whether the client may ask for the server's protocol versions before it initializes. Default: it does not. */
  supportsProtocolVersionDiscovery?: boolean;
  /** Starts the program. Rejects when it cannot be started. */
  start(): Promise<void>;
  /** Writes one JSON-RPC message. */
  send(message: unknown, options?: { signal?: AbortSignal }): Promise<void>;
  /** Ends the program and resolves when it is gone. */
  close(): Promise<void>;
  /** Set by the client: called when the connection has ended, for any reason. */
  onclose?(): void;
  /** Set by the client: called for a failure that does not end the connection. */
  onerror?(error: Error): void;
  /** Set by the client: called for each JSON-RPC message of the server. */
  onmessage?(message: unknown): void;
}

/** Parameters of `createMCPClient`. */
export interface McpClientConfig {
  /** Streamable HTTP with the given `fetch`, or a transport of this project. */
  transport:
    | {
        type: "http";
        url: string;
        headers: Record<string, string>;
        terminateSessionOnClose: boolean;
        fetch: typeof globalThis.fetch;
      }
    | McpTransport;
  /** The client's name, which the server receives. */
  clientName: string;
  /** The client's version, which the server receives too. */
  version: string;
  /** Options of the first exchange; its signal cancels connecting. */
  initializationOptions: McpRequestOptions;
  /** Gets errors that belong to no request. */
  onUncaughtError: (error: unknown) => void;
}

/** The used part of `@ai-sdk/mcp`. */
export interface McpClientLibrary {
  /** Connects and initializes. Rejects when either fails. */
  createMCPClient(config: McpClientConfig): Promise<McpClient>;
}

/** The used part of `@ai-sdk/mcp/mcp-stdio`. */
export interface McpStdioLibrary {
  /** A transport that starts a program and talks over its stdin and stdout. */
  StdioMCPTransport: new (config: {
    command: string;
    args?: string[];
    env?: Record<string, string>;
    cwd?: string;
    stderr?: "pipe";
  }) => McpTransport;
}

/** A tool as described to a client. */
export interface McpToolDescription {
  /** Full name of the tool, as used by `tools/call`. */
  name: string;
  /** What it does and when to use it, for the model of the client. */
  description: string;
  /** JSON Schema of its arguments. */
  inputSchema: { type: "object"; [member: string]: unknown };
  /** JSON Schema of `structuredContent`; absent when a result is text alone. */
  outputSchema?: { type: "object"; [member: string]: unknown };
  /** Hints by which a client decides what to ask its user. */
  annotations?: {
    /** Whether it changes nothing. */
    readOnlyHint?: boolean;
    /** Whether it may overwrite or remove something. */
    destructiveHint?: boolean;
    /** Whether a second call with the same arguments changes nothing more. */
    idempotentHint?: boolean;
    /** Whether it reaches systems outside, such as the web. */
    openWorldHint?: boolean;
  };
}

/** The result of a call for a client. */
export interface McpToolResult {
  /** The result as text, in one or several pieces. */
  content: { type: "text"; text: string }[];
  /** The result as an object, if the tool has an output schema. */
  structuredContent?: { [member: string]: unknown };
  /** True: the tool refused or failed, and `content` says why. Default false. */
  isError?: boolean;
}

/** The used part of the library's `Server`. */
export interface McpProtocolServer {
  /** Registers the one handler of a method. */
  setRequestHandler(method: "tools/list", handler: () => Promise<{ tools: McpToolDescription[] }>): void;
  /** Registers the one handler of a method. */
  setRequestHandler(
    method: "tools/call",
    handler: (request: {
      params: { name: string; arguments?: Record<string, unknown> | undefined };
    }) => Promise<McpToolResult>,
  ): void;
}

/** The used part of `@modelcontextprotocol/server`. */
export interface McpServerLibrary {
  /** A server of the protocol, without a transport. */
  Server: new (
    info: { name: string; version: string },
    options: { capabilities: { tools: Record<string, never> }; instructions: string },
  ) => McpProtocolServer;
  /** A `fetch` handler for Streamable HTTP, which calls `make` for its servers. */
  createMcpHandler(
    /**
     * `() => McpProtocolServer`: the library expects its own class by name, which this type cannot name without
     * importing the library.
     */
    make: never,
    options: { responseMode: "sse"; maxSubscriptions: number; onerror(error: Error): void },
  ): { fetch(request: Request): Promise<Response> };
}
