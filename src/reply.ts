import type { ContextOptions } from "./channel.ts";
import type { Attachment } from "./message.ts";
import type { JsonValue } from "./store/index.ts";

/** What `assistant.send()` and `assistant.stream()` take. */
export interface SendInput {
  /** What the person says; may be empty when there are attachments. */
  readonly text: string;
  /**
   * Who speaks, as `channel:id`. A name without a colon is the one person of a channel that is called so, as `sdk`, which is the default. Roles come from the
   * configuration, never from here.
   */
  readonly user?: string;
  /** Names a conversation: `agent:<agent>:sdk:direct:<session>`. Default: the user's direct chat. */
  readonly session?: string;
  /** The channel that the call stands for: `sdk` (default), `cli` or `web`. */
  readonly channel?: string;
  /** A second call with the same id gets the first one's reply; nothing runs twice. Default: a new id. */
  readonly id?: string;
  /** Files that come with the message. Default none. */
  readonly attachments?: readonly Attachment[];
  /** Options of this one call; they win over the assistant's `context`. */
  readonly context?: ContextOptions;
  /** Stops waiting, and the turn where nobody else waits for it. */
  readonly signal?: AbortSignal;
}

/** Tokens of one or several model calls, as the provider reported them. */
export interface Usage {
  /** Tokens of prompts, those from a cache too. */
  readonly inputTokens: number;
  /** Tokens of answers, with what the model thought. */
  readonly outputTokens: number;
  /** Of the input: what the provider had in its cache. Absent when it does not say. */
  readonly cachedInputTokens?: number;
}

/** One tool call of a turn, as it ended. */
export interface ToolCallReport {
  /** Full name of the tool. */
  readonly name: string;
  /** The arguments, as the model gave them. */
  readonly input: JsonValue;
  /** What the model read of it; absent when it failed. */
  readonly output?: JsonValue;
  /** Why it was refused or failed, as the model read it; absent when it did not. */
  readonly error?: { readonly code: string; readonly message: string };
  /** From its start to its end; 0 when it did not run. */
  readonly durationMs: number;
}

/** A call that waits for the owner: `code` is what people type, `id` is the call's. */
export interface PendingApproval {
  /** The id of the call, which `assistant.approvals.answer` takes. */
  readonly id: string;
  /** What the owner types to answer. */
  readonly code: string;
  /** Full name of the tool. */
  readonly name: string;
  /** The arguments that the tool will be run with. */
  readonly input: JsonValue;
}

/** What came of a message. */
export interface Reply {
  /** The turn that answered; several messages may have the same. */
  readonly turnId: string;
  /** The session that the message belongs to. */
  readonly sessionKey: string;
  /** What the person reads; empty when silent. */
  readonly text: string;
  /** True when the assistant decided not to answer. */
  readonly silent: boolean;
  /** In the order of the calls; empty when there was none. */
  readonly toolCalls: readonly ToolCallReport[];
  /** Calls that wait for the owner's approval. */
  readonly approvals: readonly PendingApproval[];
  /** Of all model calls of the turn together. */
  readonly usage: Usage;
  /** Model calls that the turn took. */
  readonly steps: number;
  /** Set when the turn could not be answered by any model: `MODEL_UNAVAILABLE`, `TURN_TIMEOUT`, `ABORTED`, `QUEUE_FULL`. `text` then says it for people. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** Something that is said unasked to a person who is reached through the host program. Source: docs/sessions.md, "What is said unasked". */
export interface HostMessage {
  /** The same for a message that is handed over again. */
  readonly id: string;
  /** As `channel:id`; `sdk` when none was given. */
  readonly user: string;
  /** The session that it belongs to. */
  readonly sessionKey: string;
  /** `reply`: what the assistant says to the outcome of an approval. `result`: the late result of a tool, which its next turn knows. `notice`: what a job says. */
  readonly kind: "reply" | "result" | "notice";
  /** What the person should read. */
  readonly text: string;
  /** Answers to choose from, for `assistant.attention.press`. Default: it asks nothing. */
  readonly buttons?: readonly { readonly id: string; readonly label: string }[];
}

/** What `assistant.stream()` yields, in order; always ends with `end`. */
export type StreamEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "tool-start"; readonly callId: string; readonly name: string; readonly input: JsonValue }
  | {
      readonly type: "tool-end";
      readonly callId: string;
      readonly name: string;
      readonly output?: JsonValue;
      readonly error?: { readonly code: string; readonly message: string };
      readonly durationMs: number;
    }
  | {
      readonly type: "approval";
      readonly id: string;
      readonly code: string;
      readonly name: string;
      readonly input: JsonValue;
    }
  | { readonly type: "reply"; readonly reply: Reply }
  | { readonly type: "error"; readonly code: string; readonly message: string }
  | { readonly type: "end" };
