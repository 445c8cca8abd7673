export { createHmac, type HmacSigner } from "./hmac.ts";
export {
  type Address,
  type Network,
  hostNameOf,
  isInNetwork,
  networkOf,
  parseAddress,
  parseNetwork,
  withoutAddresses,
} from "./network.ts";
export { withoutMarkers } from "./markers.ts";
export { guardPath } from "./paths.ts";
export type { GuardPathOptions, GuardedPath } from "./paths.ts";
export { type RateCounter, createRateCounter } from "./rate-counter.ts";
export { parseJsonBody, readBody } from "./read-body.ts";
export { createSharedRateCounter } from "./shared-rate-counter.ts";
export { timingSafeEqual } from "./timing-safe.ts";
export { createGuardedFetch, mediaType } from "./guarded-fetch.ts";
export type { FetchLimits, GuardedFetch, GuardedFetchOptions, GuardedInit } from "./guarded-fetch.ts";
export { guardUrl } from "./url.ts";
export type { GuardUrlOptions, GuardedUrl, Lookup } from "./url.ts";
