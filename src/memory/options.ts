// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

import type { CaptureModel } from "./capture-model.ts";
import type { Embedder } from "./embedder.ts";
import type { MemoryStore } from "./memory-store.ts";

/** What is remembered and recalled. Source: docs/memory.md. */
export interface MemoryOptions {
  /** Whether anything is remembered; false: no tools, no recall, no capture. Default true. */
  readonly enabled?: boolean;
  /** Whether what fits is recalled before each turn. Default true. */
  readonly autoRecall?: boolean;
  /** Whether what turns did and people stated is kept. Default true. */
  readonly autoCapture?: boolean;
  /** What is recalled before a turn. */
  readonly recall?: {
    /** Memories that are recalled before a turn. Default 5. */
    readonly limit?: number;
    /** Tokens that they may take in the prompt. Default 1000. */
    readonly maxTokens?: number;
    /** Milliseconds that the embedding of a question may take; then words alone decide. Default 200. */
    readonly timeoutMs?: number;
  };
  /** Recall within long turns. */
  readonly refresh?: {
    /** Model calls of one turn between two recalls with what its tools found; 0 is never. Default 3. */
    readonly interval?: number;
    /** Tokens that one such recall may add. Default 500. */
    readonly maxTokens?: number;
  };
  /** How words and meaning are joined where there is an embedding model. Default `scores`. Source: docs/recall.md. */
  readonly fusion?: "scores" | "rrf";
  /** Weight of meaning: against words at 1 for scores (0.3), of the whole for rrf (0.6). */
  readonly alpha?: number;
  /** The constant of rrf. Default 60. */
  readonly k?: number;
  /** Cosine below which meaning counts for nothing; found from the entries themselves when left out. */
  readonly minSimilarity?: number;
  /** Days that what was kept before a compaction is recalled; then it goes to the archive. Default 90. */
  readonly autoCaptureDays?: number;
  /** Share of common words from which what a compaction would keep counts as known. Default 0.8. */
  readonly dedupeThreshold?: number;
  /** How statements are found. */
  readonly capture?: {
    /**
     * A model that looks at sentences about oneself which no rule could read, at most once in ten messages: an AI SDK
     * model, or the name of one of the assistant's. Default: none, and rules alone decide.
     */
    readonly model?: CaptureModel | string;
  };
  /** What keeps entries, where it is not the store: a `MemoryStore`. Default: files in the store. */
  readonly store?: MemoryStore;
  /** An AI SDK embedding model, for recall by meaning too. Default: none, and words alone decide. */
  readonly embedder?: Embedder;
}
