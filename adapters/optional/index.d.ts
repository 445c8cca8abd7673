/** `null`: not installed, or not in this bundle. */
export function loadJustBash(): Promise<typeof import("just-bash") | null>;

/** Whether `loadJustBash` would give it, without loading it, and whether its JavaScript runs on this runtime. */
export function findJustBash(): Promise<{ readonly javascript: boolean } | null>;

/** Regular expressions in linear time. `null`: not in this bundle. */
export function loadRe2(): Promise<typeof import("re2js") | null>;

/** `null`: not installed, or not in this bundle. */
export function loadMcpClient(): Promise<typeof import("@ai-sdk/mcp") | null>;

/** Speaks MCP with a program of this machine. `null`: not installed, or no processes here (Workers). */
export function loadMcpStdio(): Promise<typeof import("@ai-sdk/mcp/mcp-stdio") | null>;

/** `null`: not installed, or not in this bundle. */
export function loadMcpServer(): Promise<typeof import("@modelcontextprotocol/server") | null>;

/** What makes readable text of a web page. `null`: not in this bundle. */
export function loadPageLibraries(): Promise<{
  readonly Readability: typeof import("@mozilla/readability").Readability;
  readonly parseHTML: (html: string) => { readonly document: unknown };
  readonly Turndown: typeof import("turndown");
} | null>;

/** Resolving names, and requests that go to an address that was checked. `null`: the runtime has neither (Workers). */
export function loadNetwork(): Promise<{
  /** Throws when the name does not exist. */
  lookup(host: string): Promise<readonly string[]>;
  /** One request, no redirects followed, to one of `addresses`; the body is unpacked. */
  pinnedFetch(
    url: URL,
    init: {
      readonly method?: string;
      readonly headers?: Headers;
      readonly body?: string | Uint8Array<ArrayBuffer>;
      readonly signal?: AbortSignal;
    },
    addresses: readonly string[],
  ): Promise<Response>;
} | null>;

/** `null`: not in this bundle, which takes a storage instead of a driver. */
export function loadUnstorage(): Promise<typeof import("unstorage") | null>;

/** Whether a tracer of this process listens to the AI SDK's calls right now (`node:diagnostics_channel`). */
export function isTracingModelCalls(): boolean;

/** The timer goes on, and keeps no process from ending. Nothing happens where there is no process (Workers). */
export function unref(timer: ReturnType<typeof setTimeout>): void;

/** Keeps the process from ending until the function that it returns is called. Nothing happens where there is no process (Workers). */
export function keepAlive(): () => void;
