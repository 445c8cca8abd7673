import type { Target } from "../channel.ts";
import type { Notice } from "../notice.ts";
import { type LogRecord, refuseNewer } from "../store/index.ts";

/** Format version of outbox records. A newer one is refused. */
export const OUTBOX_FORMAT = 1;

/** A reply in a session's log: the `out` of this turn. */
export interface ReplyPointer {
  readonly session: string;
  readonly turn: string;
}

/** A message in no session's log: a notice, or a message to another chat than the session's own. */
export interface OutboxMessage {
  /** Unique among all messages and turns; prefix of its idempotency keys. The same id is sent once. */
  readonly id: string;
  /** Markdown of any length; split when it is sent. */
  readonly text: string;
  /** Buttons under the last part. Channels without buttons omit them, so the text must work without them. */
  readonly buttons?: readonly { readonly id: string; readonly label: string }[];
  /** When it was written, if before it was queued, in milliseconds since the epoch: a late message says so. */
  readonly writtenAt?: number;
  /** For an unrequested message: the notice without its text. After a restart it may have to be held again. */
  readonly unasked?: Omit<Notice, "text">;
}

/** The delivery state of one part; the newest mark of a part counts. */
export interface PartMark {
  /** Counts from 0. */
  readonly part: number;
  readonly delivery: "pending" | "sent" | "unknown" | "dead";
  readonly platformId?: string;
  /** Number of tries that count. */
  readonly attempt?: number;
  /** For `pending`: the earliest time of the next try. */
  readonly nextAt?: number;
  readonly error?: string;
  /** When it was written, milliseconds since the epoch. */
  readonly at: number;
}

/** An entry to send, with its delivery. */
export type QueuedEntry =
  | {
      readonly type: "reply";
      readonly seq: number;
      readonly at: number;
      readonly session: string;
      readonly turn: string;
    }
  | QueuedMessage;

/** A message in no session's log, with its delivery. */
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

/** A dead letter: a part of a reply or message that was given up. */
export interface DeadLetter {
  /** When it was given up, milliseconds since the epoch. */
  readonly at: number;
  /** When the reply or message was written; absent in letters of earlier versions. */
  readonly writtenAt?: number;
  /** The intended target. */
  readonly target: Target;
  /** Id of its turn or message. */
  readonly id: string;
  /** The session of the reply; absent for a message that no turn wrote. */
  readonly session?: string;
  /** Index of the part, from 0. */
  readonly part: number;
  /** The text of the part. */
  readonly text: string;
  /** Error of the last try. */
  readonly error: string;
  /** Number of tries. */
  readonly attempts: number;
}

/** The name of a letter: each part is in the log once. */
export function letterName({ id, part }: Pick<DeadLetter, "id" | "part">): string {
  return `${id}.${part}`;
}

/** Whether `bury` wrote the record. */
export function isLetter(record: LogRecord): record is LogRecord & DeadLetter {
  return record["type"] === undefined && typeof record["id"] === "string" && typeof record["part"] === "number";
}

/** State of a letter. */
export type LetterMark =
  /** A resend was requested. */
  | { readonly v: number; readonly type: "again"; readonly letter: string; readonly at: number }
  /** Its message is in the outbox. */
  | { readonly v: number; readonly type: "queued"; readonly letter: string; readonly at: number };

/** The id with which a mark is appended: each is in the log once. */
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
  /** All entries up to this seq are sent or dead. */
  | { readonly v: number; readonly type: "settled"; readonly at: number; readonly upTo: number };

/** Reads a record. @throws {AssistantError} `FORMAT_TOO_NEW`. */
export function parseOutboxRecord(record: LogRecord, log: string): OutboxRecord {
  refuseNewer(record["v"], OUTBOX_FORMAT, log);
  return record as unknown as OutboxRecord; // only this room writes them
}
