import type { Peer } from "./message.ts";

/** One link of the chain of callers, as the policy sees it: no caller may do more than the caller that started it. */
export interface CallerLink {
  readonly channel: string;
  readonly roles: readonly string[];
  readonly sessionKey: string;
  readonly startedBy?: CallerLink;
}

/**
 * Who speaks, where, and in which conversation. Created where a message or a call of the host enters, and passed on
 * whole. Decisions read nothing else of a message.
 */
export interface Speaker {
  /** The person as `channel:id`; `sdk` for the host program itself. */
  readonly user: string;
  /** The roles that the configuration gives them. In a turn for several people: those that all of them have. */
  readonly roles: readonly string[];
  /** The channel's name, such as `telegram`. */
  readonly channel: string;
  /** Which of several accounts of that channel. */
  readonly account: string;
  /** The chat: one person, a group, or a broadcast channel. */
  readonly peer: Peer;
  /** The key of the conversation. */
  readonly sessionKey: string;
  /** The agent that answers there, by its id in the configuration. */
  readonly agentId: string;
}
