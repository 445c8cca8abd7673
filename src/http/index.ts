export { type HttpApi, httpApi } from "./api.ts";
export { createApp } from "./app.ts";
export type { ChatPage, PageRequest, SignInProblem } from "./chat-page.ts";
export type { McpProtocolServer, McpServerLibrary, McpToolDescription, McpToolResult } from "./mcp-library.ts";
export { type MemoryApiRoutes, loadMemoryRoutes } from "./memory-api.ts";
export { SERVED } from "./served.ts";
export type { RateLimitOptions } from "./rate-limits.ts";
export type { Accepted, HttpParts, ServerToken } from "./parts.ts";
