/** The other side of a conversation: one person, a group, or a broadcast channel of a platform. */
export interface Peer {
  /** `channel` is a broadcast of few to many. Every kind but `direct` has several readers. */
  readonly kind: "direct" | "group" | "channel";
  /** The platform's stable id. Never a display name, since strangers choose those. */
  readonly id: string;
}

/** The author of a message, according to the platform. */
export interface Sender {
  /** The platform's stable id of the person. */
  readonly id: string;
  /** For display only; no decision reads it. */
  readonly name?: string;
  /** Set by the runtime from its own configuration. A channel never sets it. */
  readonly roles?: readonly string[];
}

/** A file that came with a message. Source: docs/artifacts.md, "Attachments". */
export interface Attachment {
  /** The sender's name for it. */
  readonly name?: string;
  /** Media type from the platform or the sender, such as `image/png`; not checked against the content. */
  readonly mediaType: string;
  /** Address to fetch it from: `https:`, `data:`, or one of the channel's own, such as `telegram-file:…`. */
  readonly url?: string;
  /** Size according to the platform; absent when it gives none. */
  readonly sizeBytes?: number;
  /** The id of the artifact that keeps it, in the session of the message. Set by the runtime. */
  readonly artifact?: string;
  /** Why it is not kept, or why no prompt shows it, as the model reads it. Set by the runtime. */
  readonly problem?: string;
  /** The model accepts such files, so prompts show it. Set by the runtime. */
  readonly shown?: true;
}

/**
 * A person's reaction under a message, such as a thumb. Contract: `mentioned` is true; platforms without reactions send
 * none.
 */
export interface Reaction {
  /** The platform's id of the message with the reaction, as returned by `send`. */
  readonly to: string;
  /** `none`: the sender removed an earlier reaction, or the reaction says neither. */
  readonly verdict: "positive" | "negative" | "none";
}

/** A message that another one replies to. */
export interface Quoted {
  /** Its original text, which anyone may have written. */
  readonly text: string;
  /** Its author. Default: the assistant. */
  readonly sender?: Sender;
}

/** One message as a channel parsed it, before access, routing and the journal. */
export interface InboundMessage {
  /** The channel's name, such as `telegram`. */
  readonly channel: string;
  /** Which of several accounts of that channel; `default` when left out. */
  readonly account?: string;
  /** The platform's event id: the same event delivered twice has the same id. */
  readonly id: string;
  /**
   * The platform's id of the message in its chat. For the kinds `edit` and `deletion`, which require it: the id of the
   * changed message. Default: the message has no id, so its changes cannot be followed.
   */
  readonly messageId?: string;
  /** The chat that it was written in, and that receives the answer. */
  readonly peer: Peer;
  /** The channel of a thread, where the platform has threads inside channels. */
  readonly parentPeer?: Peer;
  /** The platform's id of the server that the chat is in, such as a Discord guild. */
  readonly guild?: string;
  /** The platform's id of the workspace that the chat is in, such as a Slack team. */
  readonly team?: string;
  /** The platform's id of the thread or topic; absent outside of threads. */
  readonly thread?: string;
  /** The author. */
  readonly sender: Sender;
  /** Text of the sender; empty for a message of attachments alone. */
  readonly text: string;
  /** Files that came with it, not yet downloaded. Default none. */
  readonly attachments?: readonly Attachment[];
  /**
   * The message that the sender replies to, if the platform shows it to people. The model sees it as data. Default: no
   * reply.
   */
  readonly quoted?: Quoted;
  /** Whether the assistant is addressed: by name, by a reply to it, or by a command. Always true in a direct chat. */
  readonly mentioned?: boolean;
  /** Milliseconds since the epoch, according to the platform. For the kinds `edit` and `deletion`: the time of the change. */
  readonly sentAtMs?: number;
  /** Destination of the answer to this one message, if not the chat (a webhook's `reply_url`). */
  readonly replyTo?: string;
  /**
   * `edit`: the sender changed the message `messageId` of the chat, which now reads `text`. `deletion`: the sender
   * removed it, and `text` is empty. Neither gets an answer; a message that still waits is answered in its current
   * form. `note`: context for the next turn (a join), without an answer. `press`: the sender pressed a button, whose id
   * is `text`; never shown to the model. `reaction`: see `reaction`; never shown to the model, without an answer.
   * Default `message`.
   */
  readonly kind?: "message" | "note" | "press" | "reaction" | "edit" | "deletion";
  /**
   * For the kind `reaction`: the sender's current verdict, by a reaction under a message of the chat. Its `text` is the
   * emoji, empty when it was removed.
   */
  readonly reaction?: Reaction;
  /** The platform's original data, for debugging; never stored. */
  readonly raw?: unknown;
}

/** What begins a turn: a person's message, or work without a current request. */
export type Origin = "message" | "job" | "workflow" | "heartbeat" | "subagent" | "hook";

/** Whether a turn began without a conversation. The work of a workflow or a sub-agent may be for either. */
export function isUnattended(origin: Origin | undefined): boolean {
  return origin === "job" || origin === "heartbeat" || origin === "hook";
}

/** The account of a message that names none. */
export const DEFAULT_ACCOUNT = "default";
