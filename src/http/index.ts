export { createApp } from "./app.ts";
export type { RateLimitOptions } from "./rate-limits.ts";
export type { Accepted, HttpParts, ServerToken, SessionSummary, SessionsApi, TranscriptEntry } from "./parts.ts";
