export { createHmac, type HmacSigner } from "./hmac.ts";
export { guardPath } from "./paths.ts";
export type { GuardPathOptions, GuardedPath } from "./paths.ts";
export { parseJsonBody, readBody } from "./read-body.ts";
export { timingSafeEqual } from "./timing-safe.ts";
