// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** Summaries of long conversations. Source: docs/compaction.md. */
export interface CompactionSettings {
  /** Whether older turns are summarized; false: turns that do not fit leave the prompt silently. Default true. */
  readonly enabled?: boolean;
  /** Share of the model's window that a prompt may fill. Default 0.85. */
  readonly triggerRatio?: number;
  /** Tokens of the window reserved for the answer. Default 2000. */
  readonly reserveTokens?: number;
  /** Newest turns that are kept as they are. Default 8. */
  readonly keepLastTurns?: number;
  /** Longest summary, in tokens; never more than a quarter of the window. Default 4000. */
  readonly summaryTokens?: number;
  /** Whether important facts are stored in memory before a summary is made. Default true. */
  readonly flush?: boolean;
  /**
   * Whether the model may itself write to memory before that, in one or two calls; never the offline model. Default
   * true.
   */
  readonly flushTurn?: boolean;
}
