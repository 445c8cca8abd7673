export { createApp } from "./app.ts";
export { SERVED } from "./served.ts";
export { DEFAULT_PER_SOURCE, DEFAULT_PER_TOKEN } from "./rate-limits.ts";
export type { RateLimitOptions, ServerToken } from "./options.ts";
export type { Accepted, HttpParts } from "./parts.ts";
