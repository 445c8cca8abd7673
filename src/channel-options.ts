// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** What goes into the prompt. Source: docs/context.md. */
export interface ContextOptions {
  /**
   * How much goes into the prompt: everything (full), the minimum for quick replies (lite), or chosen parts
   * (custom). Default `full`. `lite`: instructions, time, message and the last 4 turns.
   */
  readonly strategy?: "full" | "lite" | "custom";
  /** Maximum tokens of earlier turns in the prompt; older turns stay in the log. Default 16_000. */
  readonly historyTokens?: number;
  /** Maximum tokens that hooks may add at one place in the prompt; 0: none. Default 2000. */
  readonly injectionTokens?: number;
  /** For custom: parts of Wakeful and of your program that go into the prompt; default: all. */
  readonly includeParts?: readonly string[];
  /**
   * For custom: whether memory goes into the prompt. Default true. This is MEMORY.md, digests, context files and
   * recalled memories.
   */
  readonly includeMemory?: boolean;
  /** For custom: whether the block with time, channel and peer goes into the prompt. Default true. */
  readonly includeRuntime?: boolean;
  /** Tools left out of the prompt; a name that ends in `*` is a prefix. */
  readonly excludeTools?: readonly string[];
  /** For custom: skills that may be activated and listed; default: all. */
  readonly includeSkills?: readonly string[];
}

/**
 * Options that all channels share: who may write, and how their messages are queued. The configuration file has
 * the same names in snake_case.
 */
export interface ChannelAccess {
  /**
   * Who may write in a direct chat; pairing: the owner, people in `allow`, and people whose pairing code the owner
   * accepted. Default `pairing`.
   */
  readonly dm?: DirectAccess;
  /** When the assistant answers in a group. Default `mention`. */
  readonly groups?: GroupAccess;
  /** People, besides the owner, who may write. Stable ids, compared exactly. */
  readonly allow?: readonly string[];
  /** Name of this account when a channel has several (then give a list). Default `default`. */
  readonly account?: string;
  /** Queue settings that differ on this channel. */
  readonly queue?: {
    /**
     * What happens to messages that arrive during a turn: they form one next turn, each gets a turn of its own, they
     * join the turn before its next step, or they interrupt it at once. Default `collect`.
     */
    readonly mode?: "collect" | "followup" | "steer" | "interrupt";
    /**
     * Milliseconds without a message that end a burst, so that its turn starts; default: 1000 on chat platforms, 0
     * elsewhere. A burst lasts at most five times as long.
     */
    readonly debounceMs?: number;
    /** Maximum messages that may wait in a session. Default 20. */
    readonly cap?: number;
    /**
     * What happens above the cap: the oldest are listed in one line each, the oldest are dropped, or new ones are
     * refused. Default `summarize`.
     */
    readonly overflow?: "summarize" | "old" | "new";
  };
  /** Context settings that differ on this channel. Source: docs/context.md. */
  readonly context?: ContextOptions;
}

/**
 * Who may write in a direct chat; pairing: the owner, people in `allow`, and people whose pairing code the owner
 * accepted. Default `pairing`.
 */
export type DirectAccess = "open" | "allowlist" | "pairing" | "disabled";

/** When the assistant answers in a group. Default `mention`. */
export type GroupAccess = "mention" | "always" | "disabled";
