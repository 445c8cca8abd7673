export { createApp } from "./app.ts";
export { SERVED } from "./served.ts";
export type { RateLimitOptions, ServerToken } from "./options.ts";
export type { Accepted, HttpParts } from "./parts.ts";
