// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** Settings for notices on one channel. */
export interface ChannelAttention {
  /**
   * Whether this channel takes notices; `false` drops everything that is no direct answer on this channel, requests
   * for approval included. Default true.
   */
  readonly enabled?: boolean;
  /** Number added to the priority of notices on this channel. Default 0. */
  readonly priorityBoost?: number;
}
