/** Maximum tokens of recalled memories in the prompt, estimated. */
export const DEFAULT_RECALL_TOKENS = 1000;
/** Model calls between two recalls within a turn. */
export const DEFAULT_REFRESH_INTERVAL = 3;
/** Maximum tokens that one such recall adds, estimated. */
export const DEFAULT_REFRESH_TOKENS = 500;
/** Days for which entries stored before a compaction are recalled. */
export const DEFAULT_CAPTURE_DAYS = 90;

/** Limits for what flows into prompts and out of turns. Source: docs/capture.md. */
export interface MemoryFlowOptions {
  /** Maximum memories before a message. Default `DEFAULT_RECALL_LIMIT`. */
  readonly recallLimit?: number | undefined;
  /** Maximum tokens of those memories, estimated. Default `DEFAULT_RECALL_TOKENS`. */
  readonly recallTokens?: number | undefined;
  /** Maximum tokens of history in prompts. Decides what the model still sees of a conversation. Default 16 000. */
  readonly historyTokens?: number | undefined;
  /** Model calls between two recalls within a turn; 0: none. Default `DEFAULT_REFRESH_INTERVAL`. */
  readonly refreshInterval?: number | undefined;
  /** Maximum tokens that one such recall adds, estimated. Default `DEFAULT_REFRESH_TOKENS`. */
  readonly refreshTokens?: number | undefined;
  /** Days for which entries stored before a compaction are recalled. Default `DEFAULT_CAPTURE_DAYS`. */
  readonly autoCaptureDays?: number | undefined;
  /** Share of common words from which a statement counts as a duplicate. Default `DEFAULT_DEDUPE_THRESHOLD`. */
  readonly dedupeThreshold?: number | undefined;
}
