// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** What goes into the prompt. Source: docs/context.md. */
export interface ContextOptions {
  /**
   * How much goes into the prompt: everything, the least for quick replies, or the parts named here. Default `full`.
   * `lite`: instructions, time, message and the last 4 turns.
   */
  readonly strategy?: "full" | "lite" | "custom";
  /** Tokens of earlier turns in the prompt; older turns stay in the log. Default 16_000. */
  readonly historyTokens?: number;
  /** Tokens that hooks may add at one place of the prompt; 0 is none. Default 2000. */
  readonly injectionTokens?: number;
  /** For custom: the parts of rooms and of the host that go in; all when left out. */
  readonly includeParts?: readonly string[];
  /**
   * For custom: whether what is remembered goes in. Default true. That is MEMORY.md, digests, context files and what
   * is recalled.
   */
  readonly includeMemory?: boolean;
  /** For custom: the block with time, channel and peer. Default true. */
  readonly includeRuntime?: boolean;
  /** Tools left out of the prompt; `*` at the end means all that begin so. */
  readonly excludeTools?: readonly string[];
  /** For custom: the skills that may come and are named; all when left out. */
  readonly includeSkills?: readonly string[];
}

/**
 * Who may write, and how their messages are queued. What the options of every channel share, with the same names
 * in snake_case in the configuration file.
 */
export interface ChannelAccess {
  /**
   * Who may write in a direct chat; pairing lets in the owner, `allow`, and whom the owner lets in by a code.
   * Default `pairing`.
   */
  readonly dm?: DirectAccess;
  /** When the assistant answers in a group. Default `mention`. */
  readonly groups?: GroupAccess;
  /** People who may write besides the owner. Stable ids, compared exactly. */
  readonly allow?: readonly string[];
  /** Names this account, where a channel has several (then give a list). Default `default`. */
  readonly account?: string;
  /** Other queue settings for this channel. */
  readonly queue?: {
    /**
     * What becomes of messages that arrive during a turn: joined into one next turn, each a turn of its own, taken
     * into the turn before its next step, or at once by cutting off what it does. Default `collect`.
     */
    readonly mode?: "collect" | "followup" | "steer" | "interrupt";
    /**
     * Milliseconds of quiet that end a burst of messages before its turn starts; when left out 1000 on chat platforms
     * and 0 elsewhere. A burst ends after five times that at most.
     */
    readonly debounceMs?: number;
    /** Waiting messages a session may have. Default 20. */
    readonly cap?: number;
    /**
     * What happens over the cap: the oldest are listed in one line each, the oldest are dropped, or new ones are
     * turned away. Default `summarize`.
     */
    readonly overflow?: "summarize" | "old" | "new";
  };
  /** Other context settings for this channel. Source: docs/context.md. */
  readonly context?: ContextOptions;
}

/**
 * Who may write in a direct chat; pairing lets in the owner, `allow`, and whom the owner lets in by a code.
 * Default `pairing`.
 */
export type DirectAccess = "open" | "allowlist" | "pairing" | "disabled";

/** When the assistant answers in a group. Default `mention`. */
export type GroupAccess = "mention" | "always" | "disabled";
