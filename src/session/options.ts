// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** Sends messages that match to an agent. */
export interface Binding {
  /** The agent that answers. */
  readonly agentId: string;
  /** What must hold; the most specific binding wins. */
  readonly match: {
    /** The channel's name. */
    readonly channel: string;
    /** One account of it; `*` is every account; left out, the default account. */
    readonly account?: string;
    /** One person, group or channel. */
    readonly peer?: {
      /** What the peer is. */
      readonly kind: "direct" | "group" | "channel";
      /** Its id on the platform. */
      readonly id: string;
    };
    /** One guild of the platform. */
    readonly guild?: string;
    /** One team of the platform. */
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
  /** The owner's direct chats on all channels are one conversation. Default true. */
  readonly ownerMain?: boolean;
  /** Are the threads of a group conversations of their own? Default `apart`. */
  readonly threads?: "apart" | "together";
}

/**
 * Which direct chats share a conversation. Default `per-channel-peer`. Source: docs/sessions.md, "Who shares a
 * conversation".
 */
export type DirectScope = "main" | "per-peer" | "per-channel-peer" | "per-account-channel-peer";

/**
 * What happens to messages that arrive faster than they are answered. A channel may have its own. Source:
 * docs/sessions.md, "While it is busy".
 */
export interface QueueOptions {
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
  /** Turns that run at once, over all sessions; 0 is no limit. Default 4. */
  readonly maxConcurrent?: number;
}
