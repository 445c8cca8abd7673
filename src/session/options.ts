// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** Routes matching messages to an agent. */
export interface Binding {
  /** The agent that answers. */
  readonly agentId: string;
  /** Conditions, all of which must hold; the most specific binding wins. */
  readonly match: {
    /** The channel's name. */
    readonly channel: string;
    /** Account of the channel; `*`: every account; default: the default account. */
    readonly account?: string;
    /** A person, group or channel on the platform. */
    readonly peer?: {
      /** Kind of peer. */
      readonly kind: "direct" | "group" | "channel";
      /** The peer's id on the platform. */
      readonly id: string;
    };
    /** A guild's id on the platform. */
    readonly guild?: string;
    /** A team's id on the platform. */
    readonly team?: string;
  };
}

/** Who shares a conversation. Source: docs/sessions.md. */
export interface SessionOptions {
  /**
   * Which direct chats share a conversation. Default `per-channel-peer`. Source: docs/sessions.md, "Who shares a
   * conversation".
   */
  readonly dmScope?: DirectScope;
  /** People with several accounts: they share one conversation. */
  readonly identityLinks?: Readonly<Record<string, readonly string[]>>;
  /** Whether the owner's direct chats on all channels are one conversation. Default true. */
  readonly ownerMain?: boolean;
  /** Whether each thread of a group is a conversation of its own. Default `apart`. */
  readonly threads?: "apart" | "together";
}

/**
 * Which direct chats share a conversation. Default `per-channel-peer`. Source: docs/sessions.md, "Who shares a
 * conversation".
 */
export type DirectScope = "main" | "per-peer" | "per-channel-peer" | "per-account-channel-peer";

/**
 * What happens to messages that arrive faster than they are answered. A channel can override it. Source:
 * docs/sessions.md, "While it is busy".
 */
export interface QueueOptions {
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
  /** Maximum turns that run at once, over all sessions; 0: no limit. Default 4. */
  readonly maxConcurrent?: number;
}
