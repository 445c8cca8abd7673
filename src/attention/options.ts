// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** What is said unasked on one channel. */
export interface ChannelAttention {
  /** Whether anything is said unasked there. Default true. */
  readonly enabled?: boolean;
  /** Is added to how much something matters that is said there. Default 0. */
  readonly priorityBoost?: number;
}
