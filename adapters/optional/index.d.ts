/** `null`: not installed, or not in this bundle. */
export function loadJustBash(): Promise<typeof import("just-bash") | null>;

/** Regular expressions in linear time. `null`: not in this bundle. */
export function loadRe2(): Promise<typeof import("re2js") | null>;

/** `null`: not installed, or not in this bundle. */
export function loadMcpClient(): Promise<typeof import("@ai-sdk/mcp") | null>;

/** What makes readable text of a web page. `null`: not in this bundle. */
export function loadPageLibraries(): Promise<{
  readonly Readability: typeof import("@mozilla/readability").Readability;
  readonly parseHTML: (html: string) => { readonly document: unknown };
  readonly Turndown: typeof import("turndown");
} | null>;
