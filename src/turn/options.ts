// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** Summaries of long conversations. Source: docs/compaction.md. */
export interface CompactionSettings {
  /**
   * Whether older turns are put into a summary; false: what does not fit leaves the prompt without a word. Default
   * true.
   */
  readonly enabled?: boolean;
  /** Part of the model's window that a prompt may fill. Default 0.85. */
  readonly triggerRatio?: number;
  /** Tokens of the window that stay free for the answer. Default 2000. */
  readonly reserveTokens?: number;
  /** Newest turns that stay as they are. Default 8. */
  readonly keepLastTurns?: number;
  /** Tokens that a summary may have; never more than a quarter of the window. Default 4000. */
  readonly summaryTokens?: number;
  /** Whether what matters is kept in the memory first. Default true. */
  readonly flush?: boolean;
  /**
   * Whether the model itself may write to the memory first, with a call or two; never the offline model. Default
   * true.
   */
  readonly flushTurn?: boolean;
}
