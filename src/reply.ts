import type { ContextOptions } from "./channel.ts";
import type { Attachment } from "./message.ts";
import type { JsonValue } from "./store/index.ts";

/** Input of `assistant.send()` and `assistant.stream()`. */
export interface SendInput {
  /** The person's text; may be empty when there are attachments. */
  readonly text: string;
  /**
   * The speaker, as `channel:id`. A name without a colon is the only person of the channel of that name, such as `sdk`,
   * which is the default. Roles come from the configuration, never from here.
   */
  readonly user?: string;
  /** Names a conversation: `agent:<agent>:sdk:direct:<session>`. Default: the user's direct chat. */
  readonly session?: string;
  /** The channel that the call stands for: `sdk` (default), `cli` or `web`. */
  readonly channel?: string;
  /** A second call with the same id gets the first one's reply; nothing runs twice. Default: a new id. */
  readonly id?: string;
  /** Files that belong to the message. Default none. */
  readonly attachments?: readonly Attachment[];
  /** Options of this one call. They override the assistant's `context`. */
  readonly context?: ContextOptions;
  /** Stops waiting, and stops the turn if no other caller waits for it. */
  readonly signal?: AbortSignal;
}

/** Tokens of one or several model calls, as the provider reported them. */
export interface Usage {
  /** Tokens of prompts, including those from a cache. */
  readonly inputTokens: number;
  /** Tokens of answers, including reasoning. */
  readonly outputTokens: number;
  /** Input tokens from the provider's cache. Absent when the provider does not report them. */
  readonly cachedInputTokens?: number;
}

/** One ended tool call of a turn. */
export interface ToolCallReport {
  /** Full name of the tool. */
  readonly name: string;
  /** The arguments, as the model gave them. */
  readonly input: JsonValue;
  /** The output that the model read; absent when the call failed. */
  readonly output?: JsonValue;
  /** Why it was refused or failed, as the model read it; absent when it succeeded. */
  readonly error?: { readonly code: string; readonly message: string };
  /** Milliseconds from its start to its end; 0 when it did not run. */
  readonly durationMs: number;
}

/** A call that waits for the owner: people type `code`; `id` is the call's. */
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

/** The result of a message. */
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
  /** Usage of all model calls of the turn together. */
  readonly usage: Usage;
  /** Model calls that the turn took. */
  readonly steps: number;
  /**
   * Set when no model could answer the turn: `MODEL_UNAVAILABLE`, `TURN_TIMEOUT`, `ABORTED`, `QUEUE_FULL`. `text` then
   * explains it to people.
   */
  readonly error?: { readonly code: string; readonly message: string };
}

/**
 * An unasked message to a person who is reached through the host program. Source: docs/sessions.md, "What is said
 * unasked".
 */
export interface HostMessage {
  /** Stays the same for a message that is handed over again. */
  readonly id: string;
  /** As `channel:id`; `sdk` when none was given. */
  readonly user: string;
  /** The session that it belongs to. */
  readonly sessionKey: string;
  /**
   * `reply`: the assistant's words on the outcome of an approval. `result`: the late result of a tool, which its next
   * turn knows. `notice`: a message of a job.
   */
  readonly kind: "reply" | "result" | "notice";
  /** What the person should read. */
  readonly text: string;
  /** Answers to choose from, for `assistant.attention.press`. Default: no question. */
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
