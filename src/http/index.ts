export { createApp } from "./app.ts";
export { SERVED } from "./served.ts";
export type { RateLimitOptions } from "./rate-limits.ts";
export type { Accepted, HttpParts, ServerToken } from "./parts.ts";
