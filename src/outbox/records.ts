import type { Target } from "../channel.ts";
import type { Notice } from "../notice.ts";
import { type LogRecord, refuseNewer } from "../store/index.ts";

/** Format version of outbox records. A newer one is refused. */
export const OUTBOX_FORMAT = 1;

/** A reply that is in a session's log: the `out` of this turn. */
export interface ReplyPointer {
  readonly session: string;
  readonly turn: string;
}

/** A message that is in no session's log: to another chat than the session's own, a notice. */
export interface OutboxMessage {
  /** Unique among all messages and turns; the beginning of its idempotency keys. Queued a second time under one id, it is sent once. */
  readonly id: string;
  /** Markdown of any length; split when it is sent. */
  readonly text: string;
  /** Stand under the last part. A channel without buttons leaves them out, so the text has to do without them. */
  readonly buttons?: readonly { readonly id: string; readonly label: string }[];
  /** When it was written, if that was before it was queued, in milliseconds since the epoch: a late message says so. */
  readonly writtenAt?: number;
  /** Nobody asked for it: the notice without its text. A restart that it has waited through may have to hold it again. */
  readonly unasked?: Omit<Notice, "text">;
}

/** The delivery state of one part; the newest mark of a part holds. */
export interface PartMark {
  /** Counts from 0. */
  readonly part: number;
  readonly delivery: "pending" | "sent" | "unknown" | "dead";
  readonly platformId?: string;
  /** Tries so far that count. */
  readonly attempt?: number;
  /** Of `pending`: not before this time. */
  readonly nextAt?: number;
  readonly error?: string;
  /** When it was written, milliseconds since the epoch. */
  readonly at: number;
}

/** Something to send, with what is known of its delivery. */
export type QueuedEntry =
  | {
      readonly type: "reply";
      readonly seq: number;
      readonly at: number;
      readonly session: string;
      readonly turn: string;
    }
  | QueuedMessage;

/** A message that is in no session's log, with what is known of its delivery. */
export interface QueuedMessage {
  readonly type: "message";
  readonly seq: number;
  readonly at: number;
  readonly id: string;
  readonly text: string;
  readonly buttons?: OutboxMessage["buttons"];
  readonly writtenAt?: number;
  readonly unasked?: OutboxMessage["unasked"];
  readonly target: Target;
  readonly marks: readonly PartMark[];
}

/** A part of a reply or message that was given up. */
export interface DeadLetter {
  /** When it was given up, milliseconds since the epoch. */
  readonly at: number;
  /** When the reply or message was written; absent for what an earlier version gave up. */
  readonly writtenAt?: number;
  /** Where it should have gone. */
  readonly target: Target;
  /** The turn or the message that it is a part of. */
  readonly id: string;
  /** The session of the reply; absent for a message that no turn wrote. */
  readonly session?: string;
  /** Which part of the reply or message, from 0. */
  readonly part: number;
  /** The part as it should have been sent. */
  readonly text: string;
  /** Why the last attempt failed. */
  readonly error: string;
  /** How often it was tried. */
  readonly attempts: number;
}

/** The name of a letter in its log: each part is there once. */
export function letterName({ id, part }: Pick<DeadLetter, "id" | "part">): string {
  return `${id}.${part}`;
}

/** Is it as `bury` wrote it? */
export function isLetter(record: LogRecord): record is LogRecord & DeadLetter {
  return record["type"] === undefined && typeof record["id"] === "string" && typeof record["part"] === "number";
}

/** What became of a letter. */
export type LetterMark =
  /** Somebody asked that it go out again. */
  | { readonly v: number; readonly type: "again"; readonly letter: string; readonly at: number }
  /** Its message is in the outbox. */
  | { readonly v: number; readonly type: "queued"; readonly letter: string; readonly at: number };

/** The id with which a mark is appended: each is there once. */
export function markId({ type, letter }: Pick<LetterMark, "type" | "letter">): string {
  return `${type} ${letter}`;
}

export function isLetterMark(record: LogRecord): record is LogRecord & LetterMark {
  return (record["type"] === "again" || record["type"] === "queued") && typeof record["letter"] === "string";
}

export type OutboxRecord =
  | ({ readonly v: number; readonly type: "reply"; readonly at: number } & ReplyPointer)
  | ({ readonly v: number; readonly type: "message"; readonly at: number; readonly target: Target } & OutboxMessage)
  /** `of`: the seq of the message. */
  | ({ readonly v: number; readonly type: "mark"; readonly of: number } & PartMark)
  /** Everything up to this seq is sent or given up. */
  | { readonly v: number; readonly type: "settled"; readonly at: number; readonly upTo: number };

/** The record as it was appended. @throws {AssistantError} `FORMAT_TOO_NEW`. */
export function parseOutboxRecord(record: LogRecord, log: string): OutboxRecord {
  refuseNewer(record["v"], OUTBOX_FORMAT, log);
  return record as unknown as OutboxRecord; // written by this room alone
}
