/** Tokens that recalled memories may take in the prompt, estimated. */
export const DEFAULT_RECALL_TOKENS = 1000;
/** Model calls between two recalls within a turn. */
export const DEFAULT_REFRESH_INTERVAL = 3;
/** Tokens that one of them may add, estimated. */
export const DEFAULT_REFRESH_TOKENS = 500;
/** Days that what was kept before a compaction is recalled. */
export const DEFAULT_CAPTURE_DAYS = 90;

/** How much flows into prompts and out of turns. Source: docs/capture.md. */
export interface MemoryFlowOptions {
  /** Memories that are put before a message. Default `DEFAULT_RECALL_LIMIT`. */
  readonly recallLimit?: number | undefined;
  /** Tokens that they may take, estimated. Default `DEFAULT_RECALL_TOKENS`. */
  readonly recallTokens?: number | undefined;
  /** Tokens of history that prompts show, by which is known what a conversation still sees. Default 16 000. */
  readonly historyTokens?: number | undefined;
  /** Model calls between two recalls within a turn; 0: none. Default `DEFAULT_REFRESH_INTERVAL`. */
  readonly refreshInterval?: number | undefined;
  /** Tokens that one of them may add, estimated. Default `DEFAULT_REFRESH_TOKENS`. */
  readonly refreshTokens?: number | undefined;
  /** Days that what was kept before a compaction is recalled. Default `DEFAULT_CAPTURE_DAYS`. */
  readonly autoCaptureDays?: number | undefined;
  /** Share of common words from which it counts as known. Default `DEFAULT_DEDUPE_THRESHOLD`. */
  readonly dedupeThreshold?: number | undefined;
}
