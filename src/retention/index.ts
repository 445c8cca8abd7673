export { KEPT_FOR_EVER } from "./kept.ts";
export type { RetentionOptions } from "./options.ts";
export { createRetention } from "./retention.ts";
