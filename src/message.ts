/** Who or what a conversation is with: one person, a group, or a broadcast channel of a platform. */
export interface Peer {
  /** `channel` is a broadcast of few to many. What is not `direct` is read by several people. */
  readonly kind: "direct" | "group" | "channel";
  /** The platform's stable id. Never a display name: strangers choose those. */
  readonly id: string;
}

/** Who wrote a message, as the platform says. */
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
  /** As the platform or the sender says, as `image/png`; not checked against the content. */
  readonly mediaType: string;
  /** Where it can be fetched: `https:`, `data:`, or an address of the channel's own, as `telegram-file:…`. */
  readonly url?: string;
  /** As the platform says; absent when it does not. */
  readonly sizeBytes?: number;
  /** The id of the artifact that keeps it, in the session of the message. Filled by the runtime. */
  readonly artifact?: string;
  /** Why nothing keeps it, or why no prompt shows what is kept, as the model is told. Filled by the runtime. */
  readonly problem?: string;
  /** The model takes such files, so prompts show it. Filled by the runtime. */
  readonly shown?: true;
}

/** A sign that somebody put under a message, as a thumb. Contract: `mentioned` is true; platforms without reactions send none. */
export interface Reaction {
  /** The platform's id of the message that it stands under, as `send` gave it. */
  readonly to: string;
  /** `none`: the sender took away what they had said, or says neither. */
  readonly verdict: "positive" | "negative" | "none";
}

/** A message that another one answers. */
export interface Quoted {
  /** As it was written; anyone may have. */
  readonly text: string;
  /** Who wrote it. Default: the assistant. */
  readonly sender?: Sender;
}

/** One message as a channel understood it, before access, routing and the journal. */
export interface InboundMessage {
  /** The channel's name, as `telegram`. */
  readonly channel: string;
  /** Which of several accounts of that channel; `default` when left out. */
  readonly account?: string;
  /** The platform's event id: the same event delivered twice has the same id. */
  readonly id: string;
  /**
   * The platform's id of the message in its chat. Of the kinds `edit` and `deletion`: of the message that was changed, and required. Default: it cannot be named
   * again, so nothing hears of its changes.
   */
  readonly messageId?: string;
  /** The chat that it was written in, and where the answer goes. */
  readonly peer: Peer;
  /** A thread's channel, where the platform has threads inside channels. */
  readonly parentPeer?: Peer;
  /** The platform's id of the server that the chat is in, as a guild of Discord. */
  readonly guild?: string;
  /** The platform's id of the workspace that the chat is in, as a team of Slack. */
  readonly team?: string;
  /** The platform's id of the thread or topic; absent outside of threads. */
  readonly thread?: string;
  /** The person who wrote it. */
  readonly sender: Sender;
  /** As the sender wrote it; empty for a message of attachments alone. */
  readonly text: string;
  /** Files that came with it, not yet fetched. Default none. */
  readonly attachments?: readonly Attachment[];
  /** What the sender replies to, where the platform shows it to people. Shown to the model as data. Default: it answers none. */
  readonly quoted?: Quoted;
  /** Was the assistant addressed: by name, by a reply to it, by a command? Always true in a direct chat. */
  readonly mentioned?: boolean;
  /** Milliseconds since the epoch, as the platform says. Of the kinds `edit` and `deletion`: when it was changed. */
  readonly sentAtMs?: number;
  /** Where the answer of this one message goes when not to the chat (a webhook's `reply_url`). */
  readonly replyTo?: string;
  /**
   * `edit`: the sender changed the message `messageId` of the chat, which now reads `text`. `deletion`: they took it away, and `text` is empty. Nobody answers
   * either; a message that waits is answered as it reads now. `note`: context for the next turn (a join), answered by nobody. `press`: the sender pressed a button, whose id is `text`; never shown to the
   * model. `reaction`: see `reaction`; never shown to the model, and answered by nobody. Default `message`.
   */
  readonly kind?: "message" | "note" | "press" | "reaction" | "edit" | "deletion";
  /** Of the kind `reaction`: what the sender says now, by a sign under a message of the chat. Its `text` is the sign, empty when it was taken away. */
  readonly reaction?: Reaction;
  /** What the platform sent, for debugging; never stored. */
  readonly raw?: unknown;
}

/** Who begins a turn: a person who writes, or work that nobody asks for just then. */
export type Origin = "message" | "job" | "workflow" | "heartbeat" | "subagent" | "hook";

/** Did no conversation begin it? What a workflow or a sub-agent does may be for either. */
export function isUnattended(origin: Origin | undefined): boolean {
  return origin === "job" || origin === "heartbeat" || origin === "hook";
}

/** The account a message without one belongs to. */
export const DEFAULT_ACCOUNT = "default";
