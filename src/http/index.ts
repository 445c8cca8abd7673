export { createApp } from "./app.ts";
export type { McpProtocolServer, McpServerLibrary, McpToolDescription, McpToolResult } from "./mcp-library.ts";
export type { RateLimitOptions } from "./rate-limits.ts";
export type { Accepted, HttpParts, ServerToken, SessionSummary, SessionsApi, TranscriptEntry } from "./parts.ts";
