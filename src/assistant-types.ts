import type { Hono } from "hono";
import type { AccessApi } from "./access/index.ts";
import type { AllowRuleView, AnswerInput, ApprovalResult, ApprovalView } from "./approvals/index.ts";
import type { ArtifactsApi } from "./artifacts/index.ts";
import type { ContextPart } from "./context/index.ts";
import type { EventBus } from "./events/index.ts";
import type { SessionsApi } from "./http/index.ts";
import type { MemoryPart } from "./memory/index.ts";
import type { HookRegistry } from "./proactive/index.ts";
import type { Policy } from "./policy/index.ts";
import type { Reply, SendInput, StreamEvent } from "./reply.ts";
import type { JsonValue } from "./store/index.ts";
import type { AnyTool, LateResult } from "./tools/index.ts";

/** An assistant: made by `createAssistant`, driven by the host program, by HTTP, or both. */
export interface Assistant {
  /**
   * Begins to work: recovers what the last process left, then serves. From then on the process lives until `stop()`. `send`, `stream`, `fetch` and
   * `tools.run` begin by themselves when it was not called, and that keeps no process alive. Calling it twice is harmless.
   */
  start(): Promise<void>;
  /** Ends: takes nothing new, lets running turns finish for `graceMs` (default 5000), leaves the rest in the log for the next start, closes the store. */
  stop(options?: { readonly graceMs?: number }): Promise<void>;
  /** The message is durable first, then answered. @throws {AssistantError} `STOPPED` when the assistant stops before the answer; the message is answered after the next start. */
  send(input: SendInput): Promise<Reply>;
  /** As `send`, told while it happens. Leaving the loop early stops watching, not the turn. */
  stream(input: SendInput): AsyncIterable<StreamEvent>;
  /** The HTTP door: webhooks, API, page. Works as the `fetch` of Bun, Deno, Node and Workers. */
  fetch(request: Request, env?: unknown, context?: unknown): Promise<Response>;
  /** The Hono instance behind `fetch`, to mount or extend. */
  readonly app: Hono;
  readonly events: EventBus;
  /** What takes part in turns: says what the model should know, and hears what became of it (docs/hooks.md). */
  readonly hooks: HookRegistry;
  readonly sessions: SessionsApi;
  readonly tools: {
    /** The one dispatch point, for the host: never throws for a refusal or a failing tool. */
    run(name: string, input: unknown, who?: ToolUse): Promise<ToolRunResult>;
    /** What the model would see. */
    list(who?: ToolUse): readonly {
      readonly name: string;
      readonly description: string;
      readonly groups: readonly string[];
      readonly dangerous: boolean;
    }[];
    /**
     * Adds a tool while the program runs. A static tool of the same name stays in its place, and the clash is logged.
     * @returns Takes it away again. @throws {RangeError} For a bad name.
     */
    register(name: string, tool: AnyTool): () => void;
    /** Hands over the result of a call that was under way (`toolOutcome({ pending: "elsewhere" })`): a note in its session. @throws {AssistantError} `NOT_FOUND`. */
    complete(callId: string, result: LateResult): Promise<void>;
  };
  /** Which tool may run for whom. Source: docs/policy.md. */
  readonly policy: Pick<Policy, "current" | "profileFor" | "replace">;
  /** What is remembered. Source: docs/memory.md. */
  readonly memory: MemoryPart;
  /** What conversations keep besides their messages. Source: docs/artifacts.md. */
  readonly artifacts: ArtifactsApi;
  /** Calls that wait for the owner. Source: docs/approvals.md. */
  readonly approvals: ApprovalsApi;
  /** Who is let in besides those whom the configuration names, and who asks to be. Source: docs/access.md. */
  readonly access: AccessApi;
  /** What the next prompt of a session would hold, without sending it. */
  explainContext(input: {
    readonly session: string;
    readonly text?: string;
  }): Promise<{ readonly parts: readonly ContextPart[]; readonly totalTokens: number }>;
}

/** Requests for the owner's consent, and what was allowed for good. */
export interface ApprovalsApi {
  /** Requests that wait, oldest first; with `all` also those that ended, for 30 days. */
  list(options?: { readonly all?: boolean }): Promise<readonly ApprovalView[]>;
  /**
   * Answers a request, by its id or its code, and waits for the call when it may run. Where its tool is not, the request stays `approved` and the result's error is
   * `WAITS_FOR_TOOL`: the first process that has the tool runs the call, and until then `deny` takes it back.
   * @throws {AssistantError} `NOT_FOUND`; `FORBIDDEN` when `user` may not answer; `CONFLICT` when it was answered before; `GONE` when it is too old.
   */
  answer(idOrCode: string, answer: AnswerInput): Promise<ApprovalResult>;
  /** What needs no approval any more, by answers `always`. */
  rules(): Promise<readonly AllowRuleView[]>;
  /** @throws {AssistantError} `NOT_FOUND`. */
  removeRule(id: string): Promise<void>;
}

/** For whom a tool is run or listed. Default: `sdk`, who is the owner only if `owner.ids` names it. */
export interface ToolUse {
  readonly user?: string;
  readonly channel?: string;
  readonly session?: string;
  readonly turnId?: string;
  readonly signal?: AbortSignal;
}

export type ToolRunResult =
  | { readonly ok: true; readonly output: JsonValue }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } }
  /** Nothing ran: the owner was asked. `assistant.approvals.answer()` runs it. */
  | { readonly ok: false; readonly approval: { readonly id: string; readonly code: string } };
