import type { Target } from "./channel.ts";
import type { JsonValue } from "./store/index.ts";

/** The conversation that work belongs to. It receives the results of the work's calls after the work has ended. */
export interface Home {
  readonly sessionKey: string;
  /** Its chat; absent where no channel reaches it. */
  readonly target?: Target;
}

/** The destination of a notice. */
export interface NoticeAddress {
  /** The recipient, as `channel:id`. */
  readonly user: string;
  /** Default: the channel of the person. */
  readonly channel?: string;
  /** Which of the channel's accounts. Default `default`. */
  readonly account?: string;
  /** Default: the direct chat of the person. */
  readonly chat?: string;
  /** Default: none. */
  readonly thread?: string;
  /** As in `Target`. */
  readonly replyTo?: string;
}

/** The address of a chat: a direct chat has the id of its person. */
export function noticeAddress(target: Target): NoticeAddress & { readonly channel: string } {
  return { ...target, user: `${target.channel}:${target.chat}` };
}

/** The subject of a notice. Limits count by it. A host program can use its own names. */
export type NoticeType =
  | "job"
  | "heartbeat"
  | "late"
  | "note"
  | "alert"
  | "pattern"
  | "approval"
  | "pairing"
  | "message"
  | "feedback"
  | "workflow"
  | "background"
  | "digest"
  | (string & Record<never, never>);

/** A question with buttons under a notice. */
export interface NoticeOffer {
  /** The room that handles the answer, such as `pattern`. */
  readonly kind: string;
  /** A plain "yes" means the first one. */
  readonly choices: readonly { readonly id: string; readonly label: string }[];
  /** The room's data to handle the answer. */
  readonly data: JsonValue;
  /** Language of the outcome's text. Default English. */
  readonly language?: "en" | "zh";
  /** In a digest: the type of the notice that asks. Default: the notice's own type. */
  readonly noticeType?: NoticeType;
}

/** A message that is sent without a request. */
export interface Notice extends NoticeAddress {
  /** Stays the same when a notice is sent again after a crash. */
  readonly id: string;
  /** What it is about. */
  readonly type: NoticeType;
  /** Text for the person, in Markdown. */
  readonly text: string;
  /** The conversation that it belongs to. */
  readonly sessionKey: string;
  /** The notice comes from a host program, with a type of any name: the conversation does not know about it yet. */
  readonly isOfProgram?: true;
  /** The person asked for it, so quiet hours and limits do not apply. */
  readonly requested?: boolean;
  /** It cannot wait, so quiet hours and limits do not apply. */
  readonly urgent?: boolean;
  /** Its importance, 0 to 1. Default 0.7. */
  readonly priority?: number;
  /** When it becomes worthless, milliseconds since the epoch. Default: a week after it was created. */
  readonly expiresAtMs?: number;
  /** Key of its content: a notice with the same key within a day, or while one is still held, is sent once. */
  readonly dedupeKey?: string;
  /** Buttons of the room that asks; each stands for a command. */
  readonly buttons?: readonly { readonly id: string; readonly label: string }[];
  /** A question under it. */
  readonly offer?: NoticeOffer;
}

/** Whether it passes quiet hours and limits. */
export function isAsked({ requested, urgent }: Pick<Notice, "requested" | "urgent">): boolean {
  return requested === true || urgent === true;
}

/**
 * The only way to send something unasked. Contract: resolved = durable; the same id is said once. Source:
 * docs/attention.md.
 */
export type Notify = (notice: Notice) => Promise<NoticeVerdict | void>;

/** Sent now, held until a time, kept for the next day's digest, or dropped. */
export type NoticeVerdict = "send" | "hold" | "digest" | "drop";
