import type { Target } from "../channel.ts";
import type { ActivatedSkill, Injection } from "../events/index.ts";
import type { Attachment, Origin, Peer, Quoted, Sender } from "../message.ts";
import type { Home } from "../notice.ts";
import type { PendingApproval, SendInput, ToolCallReport, Usage } from "../reply.ts";
import type { CallerLink, Speaker } from "../speaker.ts";
import type { JsonValue } from "../store/index.ts";

/** Format version of session records. A newer one is refused, an older one is migrated when read. */
export const SESSION_FORMAT = 1;

interface RecordBase {
  readonly v: typeof SESSION_FORMAT;
  /** When it was appended, milliseconds since the epoch. */
  readonly at: number;
}

/** How a call ended that waited for the owner. */
export interface ApprovalEnd {
  /** The request's id. */
  readonly id: string;
  readonly verdict: "done" | "failed" | "denied" | "expired" | "interrupted";
  /** Why it was denied, as the person wrote it, or the code of what went wrong. */
  readonly reason?: string;
}

/** What bounds a turn of work that has a session of its own. */
export interface TurnBounds {
  /** Names of the tools that it may call, at most, `*` patterns too. */
  readonly tools?: readonly string[];
  /** Tools that it may not call: names. */
  readonly withoutTools?: readonly string[];
  /** One of the agent's models, which is asked first. */
  readonly model?: string;
  readonly maxTokens?: number;
  readonly maxToolCalls?: number;
  /** Takes the place of the agent's `maxTurnSeconds`. */
  readonly maxSeconds?: number;
  /** What started it: nobody may do more than whoever started them. */
  readonly startedBy?: CallerLink;
  /** Everybody for whom it was started, when that is not its speaker alone. */
  readonly speakers?: readonly string[];
  /** A job began what it is for, and no conversation: it spends what jobs may spend. */
  readonly unattended?: true;
  /** How long the owner has to answer what it asks for, milliseconds. Default: as for all requests. */
  readonly askForMs?: number;
}

/** A message that was accepted: it will be answered once. Durable before its sender hears that it arrived. */
export interface InRecord extends RecordBase {
  readonly type: "in";
  /** `<channel>:<account>:<event id>`: the same for an event that is delivered again. */
  readonly id: string;
  /** The platform's id of the message in its chat, by which it is named when it is edited or deleted. */
  readonly messageId?: string;
  /** The turn that answers it, unless it is gathered into the turn of an earlier message. */
  readonly turn: string;
  readonly text: string;
  /** Who speaks, as `channel:id`. */
  readonly user: string;
  readonly channel: string;
  readonly account: string;
  readonly peer: Peer;
  readonly sender: Sender;
  readonly thread?: string;
  readonly mentioned?: boolean;
  readonly attachments?: readonly Attachment[];
  /** What it replies to. */
  readonly quoted?: Quoted;
  /** Where the reply goes. Absent: to the caller only (`sdk`, `cli`, `web`). */
  readonly target?: Target;
  /** Roles that the runtime gave the speaker when the message was accepted. */
  readonly roles: readonly string[];
  /** Set when the text is not what a person says, but data that the turn was begun for: where it comes from, as `approval K7QD2M`. */
  readonly source?: string;
  /** Set when nobody wrote it: work that is done for the speaker, with `source` saying which. Absent: a person's message, or the outcome of a request. */
  readonly origin?: Exclude<Origin, "message">;
  /** Set with `origin` where the work is for a conversation: the outcomes of requests and late results go there. */
  readonly home?: Home;
  /** Set with `origin` where the turn is bounded by what started it. */
  readonly bounds?: TurnBounds;
  /** Set when the text is the outcome of a call that waited for the owner: how it ended, besides what the text says. */
  readonly approval?: ApprovalEnd;
  /** Set when the text is a command that the runtime obeys in a turn of its own, without asking a model. */
  readonly command?: "compact";
  /** The turn that this message asks to be answered again: that turn leaves the prompt. */
  readonly retries?: string;
  /** Options of this one call that its turn must know after a crash too. */
  readonly options?: SendInput["context"];
  /** Of a message that waits: what changed it last, and how it read before. Made by the fold, never stored. */
  readonly changed?: { readonly by: Sequenced<ChangeRecord>; readonly before: Sequenced<InRecord> };
}

/** What became of a message on its platform: it reads otherwise now, or is gone. Nobody answers it. */
export interface ChangeRecord extends RecordBase {
  readonly type: "change";
  /** Of the event, as of a message. */
  readonly id: string;
  /** Of the message that was changed, as `InRecord.messageId`; with the chat and the writer it names that one alone. */
  readonly messageId: string;
  readonly change: "edited" | "deleted";
  /** Of `edited`: how it reads now. Else empty. */
  readonly text: string;
  /** Who changed it, as `channel:id`: a message is its writer's to change. */
  readonly user: string;
  readonly roles: readonly string[];
  readonly channel: string;
  readonly account: string;
  readonly peer: Peer;
  readonly sender: Sender;
  /** Does it address the assistant, as it reads now? */
  readonly mentioned?: boolean;
  /** When it was changed, as the platform says: deliveries may overtake one another. */
  readonly changedAtMs?: number;
}

/** Who speaks in a message of a session's log. */
export function speakerOf(
  message: Pick<InRecord, "user" | "roles" | "channel" | "account" | "peer">,
  sessionKey: string,
  agentId: string,
): Speaker {
  const { user, roles, channel, account, peer } = message;
  return { user, roles, channel, account, peer, sessionKey, agentId };
}

/** What became of a message's files once they were fetched: these are its attachments from here on. Written before a prompt shows the message. */
export interface FilesRecord extends RecordBase {
  readonly type: "files";
  readonly id: string;
  /** The id of the message. */
  readonly of: string;
  readonly attachments: readonly Attachment[];
}

/** Something the model should know at the next turn, but that nobody waits to be answered: an edit, a late result, an interruption. */
export interface NoteRecord extends RecordBase {
  readonly type: "note";
  readonly id?: string;
  readonly text: string;
  /** Where it comes from, shown in its boundary: `edit`, `tool:…`, `runtime`. */
  readonly source: string;
}

/** A message of a group that was not meant for the assistant: kept as context of the next turn, answered by nobody. */
export interface HeardRecord extends RecordBase {
  readonly type: "heard";
  readonly id: string;
  /** As `InRecord.messageId`. */
  readonly messageId?: string;
  readonly text: string;
  /** Who wrote it, as `channel:id`. */
  readonly user: string;
  readonly sender: Sender;
}

/** What a session has of its own instead of the assistant's defaults. A value of `null` takes it back. */
export interface SessionSettings {
  /** What becomes of messages that arrive during a turn. */
  readonly queueMode?: QueueMode | null;
  /** `provider/model` of the model that is asked first. */
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
  /** Who asked for it, as `channel:id`. */
  readonly by: string;
}

/** `/stop`: the turn that runs ends, and so does every message that waited when this was written. */
export interface StopRecord extends RecordBase {
  readonly type: "stop";
  readonly id?: string;
  readonly by: string;
}

/** `/new`: what came before is not part of the conversation any more. It stays in the log. */
export interface ResetRecord extends RecordBase {
  readonly type: "reset";
  readonly id?: string;
  readonly by: string;
}

/** Older turns, told in a summary from here on. They stay in the log. Source: docs/compaction.md. */
export interface CompactRecord extends RecordBase {
  readonly type: "compact";
  /** What the prompt shows instead of the turns. */
  readonly summary: string;
  /** The part of it that a model wrote, which the next summary folds in. */
  readonly prose: string;
  /** What the summary keeps word for word, so that the next one can keep it too. */
  readonly facts: readonly JsonValue[];
  /** Turns whose reply lies in `from` (inclusive) to `to` (exclusive) are in the summary, besides those of the summaries before it. */
  readonly range: { readonly from: number; readonly to: number };
  /** The first record that a turn which stays in the prompt needs: a session is loaded back to here. */
  readonly readFrom: number;
  /** Turns that are in the summary, with those of the summaries before it. */
  readonly turns: number;
  /** Estimated tokens of the history before and after, the summary included. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** `window`, `history`: it was full. `overflow`: the provider said so. `command`: a person asked. `edit`: a person wrote this summary. */
  readonly reason: "window" | "history" | "overflow" | "command" | "edit";
  /** Why no model wrote it, if none did. */
  readonly problem?: string;
  /** Of `edit`: who wrote it, as `channel:id`. */
  readonly by?: string;
}

/** One call that the model asked for. */
export interface StepCall {
  /** The provider's id: not unique, kept only to pair call and result in the prompt. */
  readonly toolCallId: string;
  readonly name: string;
  readonly input: JsonValue;
  /** Why the call cannot run: an unknown tool or input that does not fit. */
  readonly invalid?: string;
}

/** One model call's answer; appended before any of its tools runs. */
export interface StepRecord extends RecordBase {
  readonly type: "step";
  readonly turn: string;
  /** Counts from 0. */
  readonly step: number;
  /** The ids of the messages that the turn answers; on the turn's first step only. */
  readonly of?: readonly string[];
  /** The last record that the turn's first prompt was built from: notes up to there belong to this turn; on its first step only. */
  readonly seen?: number;
  /** Those of `of` that the prompt told in one line each, since too many were waiting; on the first step only. */
  readonly summarized?: readonly string[];
  /** The block that stood before the newest user message, with what hooks injected there, as it was sent; on the turn's first step only. */
  readonly block?: string;
  /** The skills that the turn follows, as they were sent: a user message of its own before the newest one, in this turn alone; on its first step only. */
  readonly skills?: { readonly shown: string; readonly activated: readonly ActivatedSkill[] };
  /** The ids of messages that joined the turn before this step. */
  readonly joined?: readonly string[];
  /** They broke into what the turn did: it is not gone on with. */
  readonly brokeIn?: true;
  /** What hooks injected into this model call, as it was sent: a user message of its own before the answer. */
  readonly injected?: string;
  /** The assistant message, as the AI SDK gave it. */
  readonly message: JsonValue;
  readonly text: string;
  readonly calls: readonly StepCall[];
  readonly usage: Usage;
  readonly finish: string;
  readonly model: string;
}

/** A tool call's beginning (`started`) and end (`done`). Keyed by turn, step and index. */
export interface ToolRecord extends RecordBase {
  readonly type: "tool";
  readonly turn: string;
  readonly step: number;
  readonly index: number;
  readonly name: string;
  readonly state: "started" | "done";
  /** Of `done`: what the model reads. */
  readonly output?: JsonValue;
  /** Of `done`: the output was written by strangers, and the prompt shows it as data. */
  readonly untrusted?: true;
  /** Of `done`: calls that asked the owner, this one or those that its tool made. */
  readonly approvals?: readonly PendingApproval[];
  readonly error?: { readonly code: string; readonly message: string };
  readonly durationMs?: number;
  /** Of `done`: what hooks injected around the call, for the model call that comes next. */
  readonly injections?: readonly Injection[];
  /** Of `done`: the call ended the turn with this reply. */
  readonly reply?: string;
}

/** A turn's reply; appended before it is sent. */
export interface OutRecord extends RecordBase {
  readonly type: "out";
  readonly turn: string;
  /** The ids of the messages that it answers. */
  readonly of: readonly string[];
  /** The whole reply; empty when silent. */
  readonly text: string;
  readonly silent: boolean;
  /** The reply as it is sent, one platform message a part; empty when silent or when the caller alone gets it. */
  readonly parts: readonly string[];
  readonly target?: Target;
  readonly toolCalls: readonly ToolCallReport[];
  /** Calls that asked the owner. */
  readonly approvals?: readonly PendingApproval[];
  readonly usage: Usage;
  readonly steps: number;
  readonly error?: { readonly code: string; readonly message: string };
  /** The last record that the turn took in: notes up to there are not shown again. */
  readonly seen?: number;
  /** No message or note that was open when this was written lies before this record, nor the summary that held then: a session is loaded back to here. */
  readonly pending?: number;
  /** The session's settings when this was written, so that they are known however little of the log is read. */
  readonly settings?: SessionSettings;
  /** The record that set the last of them. */
  readonly settingsAt?: number;
}

/** The code of a reply that only says that too many messages are waiting. It is no turn: whoever writes a turn goes on beside it. */
export const QUEUE_FULL = "QUEUE_FULL";

/**
 * The delivery state of one part of an `out`. The newest mark of a part holds; a part without marks was never known to be sent.
 * `pending`: a try failed and another comes at `nextAt`. `unknown`: it may have been sent before a crash. `dead`: given up.
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

/** A record with its place in the log. */
export type Sequenced<R extends SessionRecord = SessionRecord> = R & { readonly seq: number };
