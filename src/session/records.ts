import type { Target } from "../channel.ts";
import type { ActivatedSkill, Injection } from "../events/index.ts";
import type { Attachment, Origin, Peer, Quoted, Sender } from "../message.ts";
import type { Home } from "../notice.ts";
import type { PendingApproval, SendInput, ToolCallReport, Usage } from "../reply.ts";
import type { CallerLink, Speaker } from "../speaker.ts";
import type { JsonValue } from "../store/index.ts";

/** Format version of session records. A newer format is refused; an older one is migrated when read. */
export const SESSION_FORMAT = 1;

interface RecordBase {
  readonly v: typeof SESSION_FORMAT;
  /** When it was appended, milliseconds since the epoch. */
  readonly at: number;
}

/** The end of a call that waited for the owner's approval. */
export interface ApprovalEnd {
  /** The request's id. */
  readonly id: string;
  readonly verdict: "done" | "failed" | "denied" | "expired" | "interrupted";
  /** Why it was denied, in the person's words, or the code of the error. */
  readonly reason?: string;
}

/** Limits of a turn in a session that work has for itself. */
export interface TurnBounds {
  /** Names of the tools that the turn may call, at most; `*` patterns are allowed. */
  readonly tools?: readonly string[];
  /** Names of tools that it may not call. */
  readonly withoutTools?: readonly string[];
  /** The agent's model that is asked first. */
  readonly model?: string;
  readonly maxTokens?: number;
  readonly maxToolCalls?: number;
  /** Replaces the agent's `maxTurnSeconds`. */
  readonly maxSeconds?: number;
  /** The caller that started the turn. A turn may never do more than its starter. */
  readonly startedBy?: CallerLink;
  /** All people that the turn was started for, if there are others besides its speaker. */
  readonly speakers?: readonly string[];
  /** A job began the work, and no conversation asked for it: it spends the budget of jobs. */
  readonly unattended?: true;
  /** Milliseconds that the owner has to answer the turn's requests. Default: as for all requests. */
  readonly askForMs?: number;
}

/** An accepted message, which is answered exactly once. Durable before the sender gets its receipt. */
export interface InRecord extends RecordBase {
  readonly type: "in";
  /** `<channel>:<account>:<event id>`. A redelivered event has the same id. */
  readonly id: string;
  /** The platform's id of the message in its chat. Edits and deletions name it. */
  readonly messageId?: string;
  /** The turn that answers the message, unless it is gathered into the turn of an earlier message. */
  readonly turn: string;
  readonly text: string;
  /** The speaker, as `channel:id`. */
  readonly user: string;
  readonly channel: string;
  readonly account: string;
  readonly peer: Peer;
  readonly sender: Sender;
  readonly thread?: string;
  readonly mentioned?: boolean;
  readonly attachments?: readonly Attachment[];
  /** The message that it replies to. */
  readonly quoted?: Quoted;
  /** Where the reply goes. Absent: to the caller only (`sdk`, `cli`, `web`). */
  readonly target?: Target;
  /** Roles that the runtime gave the speaker when the message was accepted. */
  readonly roles: readonly string[];
  /**
   * Origin of the text, such as `approval K7QD2M`, if the text is data that the turn was
   * begun for and not a person's words.
   */
  readonly source?: string;
  /**
   * Kind of work, if no person wrote the message: it is done for the speaker, and `source` names it. Absent: a
   * person's message, or the outcome of a request.
   */
  readonly origin?: Exclude<Origin, "message">;
  /** Session that the work is for: it receives the outcomes of requests and late results. Only with `origin`. */
  readonly home?: Home;
  /** Limits set by what started the turn. Only with `origin`. */
  readonly bounds?: TurnBounds;
  /** How a call that waited for the owner ended, if the text is its outcome. */
  readonly approval?: ApprovalEnd;
  /** Set if the text is a command. The runtime executes it in a turn of its own, without a model. */
  readonly command?: "compact";
  /** The turn to answer again. That turn leaves the prompt. */
  readonly retries?: string;
  /** Options of this call that its turn also needs after a crash. */
  readonly options?: SendInput["context"];
  /** The last change of a waiting message, and the message before it. Made by the fold, never stored. */
  readonly changed?: { readonly by: Sequenced<ChangeRecord>; readonly before: Sequenced<InRecord> };
}

/** A message was edited or deleted on its platform. It gets no answer. */
export interface ChangeRecord extends RecordBase {
  readonly type: "change";
  /** The id of the event, formed as that of a message. */
  readonly id: string;
  /** `InRecord.messageId` of the changed message. Identifies it together with the chat and the writer. */
  readonly messageId: string;
  readonly change: "edited" | "deleted";
  /** The new text if `edited`, else empty. */
  readonly text: string;
  /** The user who changed it, as `channel:id`. Only its writer can change a message. */
  readonly user: string;
  readonly roles: readonly string[];
  readonly channel: string;
  readonly account: string;
  readonly peer: Peer;
  readonly sender: Sender;
  /** Whether the new text addresses the assistant. */
  readonly mentioned?: boolean;
  /** Time of the change according to the platform. Deliveries can arrive out of order. */
  readonly changedAtMs?: number;
}

/** The speaker of a message in a session's log. */
export function speakerOf(
  message: Pick<InRecord, "user" | "roles" | "channel" | "account" | "peer">,
  sessionKey: string,
  agentId: string,
): Speaker {
  const { user, roles, channel, account, peer } = message;
  return { user, roles, channel, account, peer, sessionKey, agentId };
}

/** Replaces a message's attachments once its files are fetched. Written before a prompt shows the message. */
export interface FilesRecord extends RecordBase {
  readonly type: "files";
  readonly id: string;
  /** The id of the message. */
  readonly of: string;
  readonly attachments: readonly Attachment[];
}

/**
 * Something that the model should know in the next turn but does not answer: an edit, a late result, an interruption.
 */
export interface NoteRecord extends RecordBase {
  readonly type: "note";
  readonly id?: string;
  readonly text: string;
  /** Where it comes from, shown at the boundary of the note: `edit`, `tool:…`, `runtime`. */
  readonly source: string;
}

/** A group message that was not meant for the assistant. It is context for the next turn and gets no answer. */
export interface HeardRecord extends RecordBase {
  readonly type: "heard";
  readonly id: string;
  /** See `InRecord.messageId`. */
  readonly messageId?: string;
  readonly text: string;
  /** The writer, as `channel:id`. */
  readonly user: string;
  readonly sender: Sender;
}

/** A session's own settings, which override the assistant's. `null` removes one. */
export interface SessionSettings {
  /** Queue mode for messages that arrive during a turn. */
  readonly queueMode?: QueueMode | null;
  /** Model that is asked first, as `provider/model`. */
  readonly model?: string | null;
}

/** What happens to messages that arrive while a turn runs. Source: docs/sessions.md, "While it is busy". */
export const QUEUE_MODES = ["collect", "followup", "steer", "interrupt"] as const;
export type QueueMode = (typeof QUEUE_MODES)[number];

/** A change of the session's settings. */
export interface SettingRecord extends RecordBase {
  readonly type: "setting";
  readonly id?: string;
  readonly settings: SessionSettings;
  /** The user who asked for it, as `channel:id`. */
  readonly by: string;
}

/** `/stop`: the running turn ends, and so does every message that waited when this was written. */
export interface StopRecord extends RecordBase {
  readonly type: "stop";
  readonly id?: string;
  readonly by: string;
}

/** `/new`: earlier records are no longer part of the conversation. They stay in the log. */
export interface ResetRecord extends RecordBase {
  readonly type: "reset";
  readonly id?: string;
  readonly by: string;
}

/** A summary that replaces older turns in the prompt. The turns stay in the log. Source: docs/compaction.md. */
export interface CompactRecord extends RecordBase {
  readonly type: "compact";
  /** The text that the prompt shows in place of the turns. */
  readonly summary: string;
  /** The part of the summary that a model wrote. The next summary folds it in. */
  readonly prose: string;
  /** Facts that the summary keeps word for word, so that the next one can keep them too. */
  readonly facts: readonly JsonValue[];
  /**
   * Turns whose reply lies in `from` (inclusive) to `to` (exclusive) are in the summary, in addition
   * to those of earlier summaries.
   */
  readonly range: { readonly from: number; readonly to: number };
  /** The first record that a turn still in the prompt needs. A session is loaded back to here. */
  readonly readFrom: number;
  /** Number of turns in the summary, including those of earlier summaries. */
  readonly turns: number;
  /** Estimated tokens of the history before and after, including the summary. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /**
   * Why it was written. `window` and `history`: that limit was reached. `overflow`: the provider said that
   * the prompt was too long. `command`: a person asked. `edit`: a person wrote it.
   */
  readonly reason: "window" | "history" | "overflow" | "command" | "edit";
  /** Why no model wrote the summary, if none did. */
  readonly problem?: string;
  /** The writer of an `edit`, as `channel:id`. */
  readonly by?: string;
}

/** A call that the model asked for. */
export interface StepCall {
  /** The provider's id. It is not unique and only pairs a call with its result in the prompt. */
  readonly toolCallId: string;
  readonly name: string;
  readonly input: JsonValue;
  /** Why the call cannot run: an unknown tool, or invalid input. */
  readonly invalid?: string;
}

/** The answer of one model call. Appended before any of its tools runs. */
export interface StepRecord extends RecordBase {
  readonly type: "step";
  readonly turn: string;
  /** Counts from 0. */
  readonly step: number;
  /** Ids of the messages that the turn answers. Only on its first step. */
  readonly of?: readonly string[];
  /**
   * The last record that the first prompt was built from. Notes up to it belong to this turn. Only on the first step.
   */
  readonly seen?: number;
  /** Those of `of` that the prompt showed in one line each, because too many were waiting. Only on the first step. */
  readonly summarized?: readonly string[];
  /**
   * The block before the newest user message as it was sent, including what hooks injected
   * there. Only on the first step.
   */
  readonly block?: string;
  /**
   * The skills that the turn follows, as they were sent: a user message of their own before the newest one, in this
   * turn only. Only on the first step.
   */
  readonly skills?: { readonly shown: string; readonly activated: readonly ActivatedSkill[] };
  /** Ids of messages that joined the turn before this step. */
  readonly joined?: readonly string[];
  /** The messages that joined interrupted the turn's current work, which is not continued. */
  readonly brokeIn?: true;
  /** What hooks injected into this model call, as it was sent: a user message of its own before the answer. */
  readonly injected?: string;
  /** The assistant message in the AI SDK's format. */
  readonly message: JsonValue;
  readonly text: string;
  readonly calls: readonly StepCall[];
  readonly usage: Usage;
  readonly finish: string;
  readonly model: string;
}

/** The beginning (`started`) or end (`done`) of a tool call. Keyed by turn, step and index. */
export interface ToolRecord extends RecordBase {
  readonly type: "tool";
  readonly turn: string;
  readonly step: number;
  readonly index: number;
  readonly name: string;
  readonly state: "started" | "done";
  /** The output for the model. Only if `done`. */
  readonly output?: JsonValue;
  /** Strangers wrote the output, so the prompt marks it as data. Only if `done`. */
  readonly untrusted?: true;
  /** Calls that asked the owner: this one, or calls that its tool made. Only if `done`. */
  readonly approvals?: readonly PendingApproval[];
  readonly error?: { readonly code: string; readonly message: string };
  readonly durationMs?: number;
  /** What hooks injected around the call, for the next model call. Only if `done`. */
  readonly injections?: readonly Injection[];
  /** The call ended the turn with this reply. Only if `done`. */
  readonly reply?: string;
}

/** A turn's reply. Appended before it is sent. */
export interface OutRecord extends RecordBase {
  readonly type: "out";
  readonly turn: string;
  /** Ids of the messages that it answers. */
  readonly of: readonly string[];
  /** The complete reply; empty if silent. */
  readonly text: string;
  readonly silent: boolean;
  /** The reply as it is sent, one part per platform message. Empty if silent or if only the caller gets it. */
  readonly parts: readonly string[];
  readonly target?: Target;
  readonly toolCalls: readonly ToolCallReport[];
  /** Calls that asked the owner for approval. */
  readonly approvals?: readonly PendingApproval[];
  readonly usage: Usage;
  readonly steps: number;
  readonly error?: { readonly code: string; readonly message: string };
  /** The last record that the turn took in. Notes up to it are not shown again. */
  readonly seen?: number;
  /**
   * When this was written, nothing open (messages, notes, the current summary) lay before this record. A
   * session is loaded back to here.
   */
  readonly pending?: number;
  /** The session's settings when this was written. They are known without reading more of the log. */
  readonly settings?: SessionSettings;
  /** The record that last changed the settings. */
  readonly settingsAt?: number;
}

/**
 * Error code of a reply that only says that too many messages are waiting. It belongs to no turn, so the
 * writer of a running turn continues.
 */
export const QUEUE_FULL = "QUEUE_FULL";

/**
 * Delivery state of one part of an `out`. The newest mark of a part holds. Without marks, nothing shows that the
 * part was sent. `pending`: a try failed and the next comes at `nextAt`. `unknown`: the part may have been sent
 * before a crash. `dead`: given up.
 */
export interface MarkRecord extends RecordBase {
  readonly type: "mark";
  /** The `seq` of the `out`. */
  readonly of: number;
  /** Counts from 0. */
  readonly part: number;
  readonly delivery: "pending" | "sent" | "unknown" | "dead";
  readonly platformId?: string;
  /** Tries so far. */
  readonly attempt?: number;
  readonly nextAt?: number;
  readonly error?: string;
}

export type SessionRecord =
  | InRecord
  | NoteRecord
  | HeardRecord
  | ChangeRecord
  | FilesRecord
  | StepRecord
  | ToolRecord
  | OutRecord
  | MarkRecord
  | CompactRecord
  | SettingRecord
  | StopRecord
  | ResetRecord;

/** A record with its sequence number in the log. */
export type Sequenced<R extends SessionRecord = SessionRecord> = R & { readonly seq: number };
