// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

import type { CaptureModel } from "./capture-model.ts";
import type { Embedder } from "./embedder.ts";
import type { MemoryStore } from "./memory-store.ts";

/** What the assistant remembers and recalls. Source: docs/memory.md. */
export interface MemoryOptions {
  /** Whether there is a memory; false: no tools, no recall, no capture. Default true. */
  readonly enabled?: boolean;
  /** Whether matching memories are recalled before each turn. Default true. */
  readonly autoRecall?: boolean;
  /** Whether what turns did and what people stated is stored. Default true. */
  readonly autoCapture?: boolean;
  /** Recall before a turn. */
  readonly recall?: {
    /** Maximum memories recalled before a turn. Default 5. */
    readonly limit?: number;
    /** Maximum tokens of these memories in the prompt. Default 1000. */
    readonly maxTokens?: number;
    /** Longest wait for the embedding of a query, in milliseconds; then only words decide. Default 200. */
    readonly timeoutMs?: number;
  };
  /** Recall within long turns. */
  readonly refresh?: {
    /** Model calls within one turn after which memory is searched again, for what the tools found; 0: never. Default 3. */
    readonly interval?: number;
    /** Maximum tokens that one such recall adds. Default 500. */
    readonly maxTokens?: number;
  };
  /**
   * How results by words and by meaning are combined if there is an embedding model. Default `scores`. Source:
   * docs/recall.md.
   */
  readonly fusion?: "scores" | "rrf";
  /** Weight of meaning; scores: relative to 1 for words (default 0.3); rrf: share of the whole (default 0.6). */
  readonly alpha?: number;
  /** The constant k of rrf. Default 60. */
  readonly k?: number;
  /** Cosine similarity below which meaning counts as nothing; default: computed from the entries. */
  readonly minSimilarity?: number;
  /** Days that entries stored before a compaction are recalled; then they move to the archive. Default 90. */
  readonly autoCaptureDays?: number;
  /** Share of common words above which an entry that a compaction would store counts as known. Default 0.8. */
  readonly dedupeThreshold?: number;
  /** How statements are found. */
  readonly capture?: {
    /**
     * A model that classifies sentences about the speaker that no rule could read, at most once in ten messages: an AI
     * SDK model, or the name of one of the assistant's. Default: none, and only rules decide.
     */
    readonly model?: CaptureModel | string;
  };
  /** A `MemoryStore` that keeps the entries. Default: files in the store. */
  readonly store?: MemoryStore;
  /** An AI SDK embedding model, which adds recall by meaning. Default: none, and only words decide. */
  readonly embedder?: Embedder;
}
