export { createApp } from "./app.ts";
export type { Accepted, HttpParts, ServerToken, SessionSummary, SessionsApi, TranscriptEntry } from "./parts.ts";
