import type { ContextOptions } from "./channel.ts";
import type { Attachment } from "./message.ts";
import type { JsonValue } from "./store/index.ts";

/** What `assistant.send()` and `assistant.stream()` take. */
export interface SendInput {
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
  readonly attachments?: readonly Attachment[];
  /** Options of this one call; they win over the assistant's `context`. */
  readonly context?: ContextOptions;
  /** Stops waiting, and the turn where nobody else waits for it. */
  readonly signal?: AbortSignal;
}

/** Tokens of one or several model calls, as the provider reported them. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
}

/** One tool call of a turn, as it ended. */
export interface ToolCallReport {
  readonly name: string;
  readonly input: JsonValue;
  readonly output?: JsonValue;
  readonly error?: { readonly code: string; readonly message: string };
  readonly durationMs: number;
}

/** A call that waits for the owner: `code` is what people type, `id` is the call's. */
export interface PendingApproval {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly input: JsonValue;
}

/** What came of a message. */
export interface Reply {
  readonly turnId: string;
  readonly sessionKey: string;
  /** What the person reads; empty when silent. */
  readonly text: string;
  /** True when the assistant decided not to answer. */
  readonly silent: boolean;
  readonly toolCalls: readonly ToolCallReport[];
  /** Calls that wait for the owner's approval. */
  readonly approvals: readonly PendingApproval[];
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
  readonly sessionKey: string;
  /** `reply`: what the assistant says to the outcome of an approval. `result`: the late result of a tool, which its next turn knows. */
  readonly kind: "reply" | "result";
  readonly text: string;
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
