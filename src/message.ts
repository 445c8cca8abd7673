/** Who or what a conversation is with: one person, a group, or a broadcast channel of a platform. */
export interface Peer {
  readonly kind: "direct" | "group" | "channel";
  /** The platform's stable id. Never a display name: strangers choose those. */
  readonly id: string;
}

export interface Sender {
  /** The platform's stable id of the person. */
  readonly id: string;
  /** For display only; no decision reads it. */
  readonly name?: string;
  /** Filled by the runtime from its own configuration. A channel never sets it. */
  readonly roles?: readonly string[];
}

/** A file that came with a message. Source: docs/artifacts.md, "Attachments". */
export interface Attachment {
  /** As the sender called it. */
  readonly name?: string;
  readonly mediaType: string;
  /** Where it can be fetched: `https:`, `data:`, or an address of the channel's own, as `telegram-file:…`. */
  readonly url?: string;
  readonly sizeBytes?: number;
  /** The id of the artifact that keeps it, in the session of the message. Filled by the runtime. */
  readonly artifact?: string;
  /** Why nothing keeps it, or why no prompt shows what is kept, as the model is told. Filled by the runtime. */
  readonly problem?: string;
  /** The model takes such files, so prompts show it. Filled by the runtime. */
  readonly shown?: true;
}

/** One message as a channel understood it, before access, routing and the journal. */
export interface InboundMessage {
  /** The channel's name, as `telegram`. */
  readonly channel: string;
  /** Which of several accounts of that channel; `default` when left out. */
  readonly account?: string;
  /** The platform's event id: the same event delivered twice has the same id. */
  readonly id: string;
  readonly peer: Peer;
  /** A thread's channel, where the platform has threads inside channels. */
  readonly parentPeer?: Peer;
  readonly guild?: string;
  readonly team?: string;
  readonly thread?: string;
  readonly sender: Sender;
  readonly text: string;
  readonly attachments?: readonly Attachment[];
  /** Was the assistant addressed: by name, by a reply to it, by a command? Always true in a direct chat. */
  readonly mentioned?: boolean;
  /** Milliseconds since the epoch, as the platform says. */
  readonly sentAtMs?: number;
  /** Where the answer of this one message goes when not to the chat (a webhook's `reply_url`). */
  readonly replyTo?: string;
  /**
   * `note`: context for the next turn (an edit, a join), answered by nobody. `press`: the sender pressed a button, whose id is `text`; never shown to the
   * model. Default `message`.
   */
  readonly kind?: "message" | "note" | "press";
  /** What the platform sent, for debugging; never stored. */
  readonly raw?: unknown;
}

/** The account a message without one belongs to. */
export const DEFAULT_ACCOUNT = "default";
