/**
 * True on one of the runtimes: what looks for rare coincidences, or for what grows, does so thoroughly there, and in short on the others, which run the same
 * code. Keeps the whole suite within its time.
 */
export const THOROUGH: boolean = globalThis.navigator?.userAgent?.startsWith("Node") ?? false;
