import type { FusionMethod } from "./fuse.ts";

export const DEFAULT_FUSION: FusionMethod = "scores";
/** The constant of reciprocal rank fusion. */
export const DEFAULT_RRF_K = 60;
/** Most milliseconds to wait for the embedding of a question. */
export const DEFAULT_EMBEDDING_TIMEOUT_MS = 200;
