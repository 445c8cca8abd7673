import type { Attachment, InboundMessage } from "./message.ts";
import type { ChannelAccess } from "./channel-options.ts";

export type { ChannelAccess, ContextOptions, DirectAccess, GroupAccess } from "./channel-options.ts";

/** Limits of a platform for one outgoing message; sources in docs/channels.md. */
export interface ChannelLimits {
  /** Longest text of one message, in `unit`s. `Infinity` when there is no limit. */
  readonly maxTextLength: number;
  /** `chars`: UTF-16 code units. `bytes`: UTF-8. */
  readonly unit: "chars" | "bytes";
  /** Messages a second to one chat; absent = no pacing. */
  readonly perChatPerSecond?: number;
  /** Messages a second of the whole account; absent = no pacing. */
  readonly perSecond?: number;
}

/** The destination of a message. */
export interface Target {
  /** The channel's name, such as `telegram`. */
  readonly channel: string;
  /** Which of several accounts of that channel; `default` for the only one. */
  readonly account: string;
  /** The platform's id of the chat: of the person in a direct chat, of the group otherwise. */
  readonly chat: string;
  /** The platform's id of the thread or topic in the chat; absent outside of threads. */
  readonly thread?: string;
  /** Destination of this one answer instead of the chat (a webhook's `reply_url`). */
  readonly replyTo?: string;
}

/** One message to send, or one part of a reply. */
export interface OutboundMessage {
  /** Markdown; the channel converts it to the platform's format. Already split to fit `limits`. */
  readonly text: string;
  /** Files to send with it. Delivery sets none: replies are texts. */
  readonly attachments?: readonly Attachment[];
  /** Choices under the message. A press comes back as a message of the kind `press` with the `id` as its text. */
  readonly buttons?: readonly { readonly id: string; readonly label: string }[];
  /** The platform's id of the message that this one answers. */
  readonly inReplyTo?: string;
  /**
   * Sent as the header `Idempotency-Key` (`<turn>.<part>`). A message that is sent again has the same key, so that a
   * receiver can drop it.
   */
  readonly idempotencyKey?: string;
}

/**
 * The content of one webhook request. A platform may batch several messages, or require an answer of its own (a
 * handshake).
 */
export interface Receipt {
  /** In the order of the platform; empty when there is nothing to answer. */
  readonly messages: readonly InboundMessage[];
  /** Sent instead of the empty 200 once the messages are stored. */
  readonly response?: Response;
  /** True when the sender wants the reply in the response of this request (`?wait=true` of the generic webhook). */
  readonly wait?: boolean;
}

/** A file of a message, as the platform returned it. */
export interface DownloadedFile {
  /** The content; a stream is read once. */
  readonly bytes: Uint8Array | ReadableStream<Uint8Array>;
  /** The platform's media type, if it gives one. */
  readonly mediaType?: string;
  /** Name for an attachment that came without one. */
  readonly name?: string;
}

/**
 * Accepts messages from the platform's own connection, in order. Contract: resolved = every one of them is durably
 * journaled, or was rejected for good; rejects when one could not be stored, and then none of those after it may be
 * confirmed to the platform either.
 */
export type Deliver = (messages: readonly InboundMessage[]) => Promise<void>;

/** A messaging platform. One object is one account. */
export interface Channel {
  /** The platform's name, such as `telegram`. It is part of session keys and user ids, so it never changes. */
  readonly name: string;
  /** Who may write, in direct chats and in groups. */
  readonly access: ChannelAccess;
  /** Limits on the length and the rate of messages. */
  readonly limits: ChannelLimits;
  /**
   * Its tokens and keys, which are redacted in logs, audit lines, errors and tool results. Contract: never changes.
   * Default none.
   */
  readonly secrets?: readonly string[];
  /**
   * Whether the platform's ids are case-sensitive; session keys then escape capital letters instead of lower-casing
   * them. Default false.
   */
  readonly caseSensitiveIds?: boolean;
  /**
   * Sends all further requests to the platform through the assistant's option `fetch`. Contract: called before anything
   * else; a `fetch` that the channel was created with stays. Absent: the channel keeps its own way.
   */
  useFetch?(fetch: typeof globalThis.fetch): void;
  /**
   * Verifies and parses one webhook: raw bytes, size, signature in constant time, then JSON. Contract: uses only the
   * request and the clock; throws `AssistantError` `CHANNEL_REJECTED` when it is not genuine (answered 401),
   * `BODY_TOO_LARGE` (413), `OPTION_INVALID` when it is genuine but malformed (400). Absent for channels without a
   * webhook (`cli`, `web`, `sdk`), or whose options rule it out.
   */
  receive?(request: Request): Promise<Receipt>;
  /**
   * Holds the platform's own connection and delivers its messages, so that no public address is needed. Contract:
   * confirms a message to the platform only after `deliver` resolved for it; gives a message the same id as by webhook;
   * ends soon after the signal aborts; throws when the connection breaks, and `ChannelSendError` with `retryable:
   * false` when the platform refuses the account. The caller reconnects with back-off, and never holds two connections
   * at once. Absent: the platform has no such connection, or the options of the channel rule it out.
   *
   * @param log Takes what the operator should know, a sentence.
   */
  listen?(signal: AbortSignal, deliver: Deliver, log: (sentence: string) => void): Promise<void>;
  /**
   * Configures where the platform sends messages: registers the webhook of that address or, without an address, removes
   * a webhook that prevents `listen`. Contract: changes only what is wrong, and drops no message that waits there;
   * tries once, and throws as `listen`.
   *
   * @returns What it changed, a sentence each.
   */
  setUp?(options: { readonly webhookUrl?: string; readonly signal: AbortSignal }): Promise<readonly string[]>;
  /**
   * Sends one message. Contract: tries once. Throws `ChannelSendError` and says whether a retry can help; any other
   * error counts as retryable.
   * @returns The platform's id of the message.
   */
  send(target: Target, message: OutboundMessage, signal: AbortSignal): Promise<{ id: string }>;
  /** Replaces the text of a sent message. Contract: as `send`. */
  edit?(target: Target, id: string, message: OutboundMessage, signal: AbortSignal): Promise<void>;
  /**
   * Downloads a file that came with a message, by its `url`. Contract: tries once and follows no redirect; throws
   * `ChannelSendError` and says whether a retry can help; neither its result nor its error contains a token. The caller
   * counts the bytes and cancels a stream that it does not read to the end. Absent: only `http:` and `https:` addresses
   * are fetched, without the channel.
   */
  download?(attachment: Attachment, signal: AbortSignal): Promise<DownloadedFile>;
  /** Contract: best effort; errors are ignored by the caller. */
  startTyping?(target: Target, signal: AbortSignal): Promise<void>;
  /**
   * For `wakeful doctor`: checks whether the account is reachable, and whether its webhook points here or, without
   * `webhookUrl`, whether it can listen. Contract: changes nothing at the platform.
   */
  verifySetup?(options: { webhookUrl?: string; signal: AbortSignal }): Promise<
    readonly {
      readonly ok: boolean;
      readonly what: string;
      readonly remedy?: string;
      /** A warning: messages are still sent and received. Default false. */
      readonly isMinor?: boolean;
    }[]
  >;
}

/** The platform refused a message, did not return a file, or ended a connection. */
export class ChannelSendError extends Error {
  override readonly name = "ChannelSendError";
  /**
   * False: the platform will never accept this message or return this file (blocked, chat gone, malformed, too large),
   * or refuses the account.
   */
  readonly retryable: boolean;
  /** Milliseconds that the platform asks to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: { retryable: boolean; retryAfterMs?: number | undefined; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Longest wait that a platform can ask for, in milliseconds: one day. */
const MAX_RETRY_AFTER_MS = 86_400_000;

/**
 * @returns Whether and when to retry after a failure of a channel. An error that does not say otherwise counts as
 *   retryable.
 */
export function sendFailure(error: unknown): { retryable: boolean; retryAfterMs: number | undefined } {
  // By name as well, since an adapter may use another copy of this package.
  const known = error instanceof ChannelSendError || (error instanceof Error && error.name === "ChannelSendError");
  if (!known) return { retryable: true, retryAfterMs: undefined };
  const { retryable, retryAfterMs } = error as ChannelSendError;
  const isTime = typeof retryAfterMs === "number" && retryAfterMs >= 0;
  return { retryable, retryAfterMs: isTime ? Math.min(retryAfterMs, MAX_RETRY_AFTER_MS) : undefined };
}

/** Longest webhook body that a channel reads, in bytes, counted on arrival. */
export const MAX_WEBHOOK_BYTES = 1_048_576;
