import type { Target } from "./channel.ts";
import type { JsonValue } from "./store/index.ts";

/** The conversation that work is done for. What comes of the work's calls once it has ended goes there. */
export interface Home {
  readonly sessionKey: string;
  /** Its chat; absent where no channel reaches it. */
  readonly target?: Target;
}

/** Where a notice goes. */
export interface NoticeAddress {
  /** Who it is for, as `channel:id`. */
  readonly user: string;
  /** Default: the channel of the person. */
  readonly channel?: string;
  /** Which of the channel's accounts. Default `default`. */
  readonly account?: string;
  /** Default: the direct chat of the person. */
  readonly chat?: string;
  /** Default: none. */
  readonly thread?: string;
  /** As of `Target`. */
  readonly replyTo?: string;
}

/** The address of a chat: a direct chat has the id of its person. */
export function noticeAddress(target: Target): NoticeAddress & { readonly channel: string } {
  return { ...target, user: `${target.channel}:${target.chat}` };
}

/** What a notice is about. Limits are counted by it. A host program has names of its own. */
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
  /** Which room obeys the answer, as `pattern`. */
  readonly kind: string;
  /** The first one is what a plain "yes" means. */
  readonly choices: readonly { readonly id: string; readonly label: string }[];
  /** What the room needs to obey the answer. */
  readonly data: JsonValue;
  /** In which language the outcome is told. Default English. */
  readonly language?: "en" | "zh";
  /** In a digest: what the notice that asks is about. Default: as the notice. */
  readonly noticeType?: NoticeType;
}

/** Something that is said although nobody waits for it. */
export interface Notice extends NoticeAddress {
  /** The same for a notice that is said again, after a crash. */
  readonly id: string;
  /** What it is about. */
  readonly type: NoticeType;
  /** What its person reads, in Markdown. */
  readonly text: string;
  /** The conversation that it belongs to. */
  readonly sessionKey: string;
  /** A host program says it, under a type of any name: the conversation knows nothing of it yet. */
  readonly isOfProgram?: true;
  /** Its person asked for it: it keeps no quiet hours and no limits. */
  readonly requested?: boolean;
  /** It cannot wait: it keeps no quiet hours and no limits. */
  readonly urgent?: boolean;
  /** How much it matters, 0 to 1. Default 0.7. */
  readonly priority?: number;
  /** When it is worth nothing any more, milliseconds since the epoch. Default: a week after it was made. */
  readonly expiresAtMs?: number;
  /** What it is about: the same said within a day, or still held, is said once. */
  readonly dedupeKey?: string;
  /** Buttons of the room that asks, which stand for commands. */
  readonly buttons?: readonly { readonly id: string; readonly label: string }[];
  /** A question under it. */
  readonly offer?: NoticeOffer;
}

/** Does it pass quiet hours and limits? */
export function isAsked({ requested, urgent }: Pick<Notice, "requested" | "urgent">): boolean {
  return requested === true || urgent === true;
}

/** The one way to say something unasked. Contract: resolved = durable; the same id is said once. Source: docs/attention.md. */
export type Notify = (notice: Notice) => Promise<NoticeVerdict | void>;

/** Said now, held until a time, kept for the next day's digest, or dropped. */
export type NoticeVerdict = "send" | "hold" | "digest" | "drop";
