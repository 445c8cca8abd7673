import type { Attachment, InboundMessage } from "./message.ts";
import type { ChannelAccess } from "./channel-options.ts";

export type { ChannelAccess, ContextOptions, DirectAccess, GroupAccess } from "./channel-options.ts";

/** Limits of a platform for one message out; sources in docs/channels.md. */
export interface ChannelLimits {
  /** Longest text of one message, in `unit`s. `Infinity` when there is none. */
  readonly maxTextLength: number;
  /** `chars`: UTF-16 code units. `bytes`: UTF-8. */
  readonly unit: "chars" | "bytes";
  /** Messages a second to one chat; absent = no pacing. */
  readonly perChatPerSecond?: number;
  /** Messages a second of the whole account; absent = no pacing. */
  readonly perSecond?: number;
}

/** Where a message goes. */
export interface Target {
  /** The channel's name, as `telegram`. */
  readonly channel: string;
  /** Which of several accounts of that channel; `default` for the only one. */
  readonly account: string;
  /** The platform's id of the chat: of the person in a direct chat, of the group otherwise. */
  readonly chat: string;
  /** The platform's id of the thread or topic in the chat; absent outside of threads. */
  readonly thread?: string;
  /** Where this one answer goes instead of the chat (a webhook's `reply_url`). */
  readonly replyTo?: string;
}

/** One message to be sent, or one part of a reply. */
export interface OutboundMessage {
  /** Markdown; the channel turns it into the platform's own. Already split to fit `limits`. */
  readonly text: string;
  /** Files to be sent with it. Delivery sets none: replies are texts. */
  readonly attachments?: readonly Attachment[];
  /** Choices under the message. A press comes back as a message of the kind `press` with the `id` as its text. */
  readonly buttons?: readonly { readonly id: string; readonly label: string }[];
  /** The platform's id of the message that this one answers. */
  readonly inReplyTo?: string;
  /** Sent as the header `Idempotency-Key` (`<turn>.<part>`): the same for a re-sent message, so that a receiver can drop it. */
  readonly idempotencyKey?: string;
}

/** What one webhook request held. A platform may batch several messages, or want an answer of its own (a handshake). */
export interface Receipt {
  /** In the order of the platform; empty when there is nothing to answer. */
  readonly messages: readonly InboundMessage[];
  /** Sent instead of the empty 200 once the messages are stored. */
  readonly response?: Response;
  /** True when the sender wants the reply in the response of this request (`?wait=true` of the generic webhook). */
  readonly wait?: boolean;
}

/** A file of a message, as its platform gave it. */
export interface DownloadedFile {
  /** The content; a stream is read once. */
  readonly bytes: Uint8Array | ReadableStream<Uint8Array>;
  /** What the platform says that it is, when it says so. */
  readonly mediaType?: string;
  /** For an attachment that came without a name. */
  readonly name?: string;
}

/**
 * Takes messages that came over the platform's own connection, in order. Contract: resolved = every one of them is durably journaled, or was turned away for good;
 * rejects when one could not be stored, and then none of those after it may be confirmed to the platform either.
 */
export type Deliver = (messages: readonly InboundMessage[]) => Promise<void>;

/** A messaging platform. One object is one account of it. */
export interface Channel {
  /** The platform's, as `telegram`: part of session keys and user ids, so it never changes. */
  readonly name: string;
  /** Who may write to it, in direct chats and in groups. */
  readonly access: ChannelAccess;
  /** How long a message may be, and how fast messages may follow one another. */
  readonly limits: ChannelLimits;
  /** Its tokens and keys, taken out of logs, audit lines, errors and what tools give. Contract: never changes. Default none. */
  readonly secrets?: readonly string[];
  /** The platform tells capital letters apart in ids; session keys then escape them instead of lower-casing. Default false. */
  readonly caseSensitiveIds?: boolean;
  /**
   * Requests to the platform go through the option `fetch` of the assistant from now on. Contract: before anything else is called; a `fetch` that the channel
   * was made with stays. Absent: the channel asks as it was made.
   */
  useFetch?(fetch: typeof globalThis.fetch): void;
  /**
   * Verifies and parses one webhook: raw bytes, size, signature in constant time, then JSON. Contract: touches nothing but the request and
   * the clock; throws `AssistantError` `CHANNEL_REJECTED` when it is not genuine (answered 401), `BODY_TOO_LARGE` (413), `OPTION_INVALID` when it is genuine but
   * malformed (400). Absent for channels without a webhook (`cli`, `web`, `sdk`), or whose options rule it out.
   */
  receive?(request: Request): Promise<Receipt>;
  /**
   * Holds the platform's own connection and hands on what comes over it, so that no public address is needed. Contract: confirms a message to the platform only
   * after `deliver` resolved for it; gives a message the id that it has by webhook; ends soon after the signal aborts; throws when the connection breaks, and
   * `ChannelSendError` with `retryable: false` when the platform refuses the account. The caller connects again, with back-off, and never twice at a time.
   * Absent: the platform has no such connection, or the options of the channel rule it out.
   *
   * @param log Takes what the operator should know, a sentence.
   */
  listen?(signal: AbortSignal, deliver: Deliver, log: (sentence: string) => void): Promise<void>;
  /**
   * Makes the platform send to where messages are taken: registers the webhook of that address, or, without one, takes away a webhook that keeps `listen` from
   * working. Contract: changes only what is not as it should be, and drops no message that waits there; tries once, and throws as `listen`.
   *
   * @returns What it changed, a sentence each.
   */
  setUp?(options: { readonly webhookUrl?: string; readonly signal: AbortSignal }): Promise<readonly string[]>;
  /**
   * Sends one message. Contract: tries once. Throws `ChannelSendError` and says whether a retry can help; any other throw counts as retryable.
   * @returns The platform's id of the message.
   */
  send(target: Target, message: OutboundMessage, signal: AbortSignal): Promise<{ id: string }>;
  /** Replaces the text of a sent message. Contract: as `send`. */
  edit?(target: Target, id: string, message: OutboundMessage, signal: AbortSignal): Promise<void>;
  /**
   * Fetches a file that came with a message, by its `url`. Contract: tries once and follows no redirect; throws `ChannelSendError` and says whether a retry
   * can help; no token is in what it gives or throws. The caller counts the bytes and lets go of a stream that it does not want to the end. Absent: only `http:`
   * and `https:` addresses are fetched, without the channel.
   */
  download?(attachment: Attachment, signal: AbortSignal): Promise<DownloadedFile>;
  /** Contract: best effort; errors are ignored by the caller. */
  startTyping?(target: Target, signal: AbortSignal): Promise<void>;
  /** For `wakeful doctor`: is the account reachable, does its webhook point here, or without `webhookUrl`, can it listen? Contract: changes nothing at the platform. */
  verifySetup?(options: { webhookUrl?: string; signal: AbortSignal }): Promise<
    readonly {
      readonly ok: boolean;
      readonly what: string;
      readonly remedy?: string;
      /** Messages come and go all the same: a warning. Default false. */
      readonly isMinor?: boolean;
    }[]
  >;
}

/** A message that the platform did not take, a file that it did not give, or a connection that it ended. */
export class ChannelSendError extends Error {
  override readonly name = "ChannelSendError";
  /** False: the platform will never take this message or give this file (blocked, chat gone, malformed, too large), or refuses the account. */
  readonly retryable: boolean;
  /** How long the platform asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: { retryable: boolean; retryAfterMs?: number | undefined; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** No platform is waited for longer than this at a time. */
const MAX_RETRY_AFTER_MS = 86_400_000;

/** @returns What a failure of a channel says of a retry; any throw that does not say otherwise may be gone at the next try. */
export function sendFailure(error: unknown): { retryable: boolean; retryAfterMs: number | undefined } {
  // By name as well, for an adapter that brought another copy of this package.
  const known = error instanceof ChannelSendError || (error instanceof Error && error.name === "ChannelSendError");
  if (!known) return { retryable: true, retryAfterMs: undefined };
  const { retryable, retryAfterMs } = error as ChannelSendError;
  const isTime = typeof retryAfterMs === "number" && retryAfterMs >= 0;
  return { retryable, retryAfterMs: isTime ? Math.min(retryAfterMs, MAX_RETRY_AFTER_MS) : undefined };
}

/** Longest webhook body that a channel reads, in bytes, counted as they arrive. */
export const MAX_WEBHOOK_BYTES = 1_048_576;
