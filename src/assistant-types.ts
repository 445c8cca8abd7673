import type { Hono } from "hono";
import type { AccessApi } from "./access/index.ts";
import type { ApprovalsApi } from "./approvals/index.ts";
import type { ArtifactsApi } from "./artifacts/index.ts";
import type { ContextPart } from "./context/index.ts";
import type { EventBus } from "./events/index.ts";
import type { MemoryPart } from "./memory/index.ts";
import type { AttentionApi } from "./notify/index.ts";
import type { GoalsApi, HookRegistry, ProactiveApi } from "./proactive/index.ts";
import type { Policy } from "./policy/index.ts";
import type { Reply, SendInput, StreamEvent } from "./reply.ts";
import type { SessionsApi } from "./session/index.ts";
import type { SkillsApi } from "./skills/index.ts";
import type { ToolsApi } from "./tools/index.ts";
import type { JobsApi } from "./work/index.ts";
import type { WorkflowsApi } from "./workflow/index.ts";

/** An assistant: made by `createAssistant`, driven by the host program, by HTTP, or both. */
export interface Assistant {
  /**
   * Begins to work: recovers what the last process left, then serves. From then on the process lives until `stop()`. `send`, `stream`, `fetch` and
   * `tools.run` begin by themselves when it was not called, and that keeps no process alive. Calling it twice is harmless.
   *
   * @param options.listen Also connects the channels with their platforms: registers webhooks at `server.publicUrl`, and listens where there is none. Default
   * false; `serve()` and `wakeful serve` give it. Source: docs/channels.md, "Without a public address".
   */
  start(options?: { readonly listen?: boolean }): Promise<void>;
  /** Ends: takes nothing new, lets running turns finish for `graceMs` (default 5000), leaves the rest in the log for the next start, closes the store. */
  stop(options?: { readonly graceMs?: number }): Promise<void>;
  /** The message is durable first, then answered; in a tool, into its own conversation, after this turn: do not await it there. @throws {AssistantError} `STOPPED` when the assistant stops before the answer; the message is answered after the next start. */
  send(input: SendInput): Promise<Reply>;
  /** As `send`, told while it happens. Leaving the loop early stops watching, not the turn. */
  stream(input: SendInput): AsyncIterable<StreamEvent>;
  /** The HTTP door: webhooks, API, page. Works as the `fetch` of Bun, Deno, Node and Workers. */
  fetch(request: Request, env?: unknown, context?: unknown): Promise<Response>;
  /** The Hono instance behind `fetch`, to mount or extend. */
  readonly app: Hono;
  /** What happens, for listeners (docs/events.md). */
  readonly events: EventBus;
  /** What takes part in turns: says what the model should know, and hears what became of it (docs/hooks.md). */
  readonly hooks: HookRegistry;
  /** Conversations: list, read, export, configure, remove. Source: docs/sessions.md. */
  readonly sessions: SessionsApi;
  /** Runs, lists and adds tools. A call has the rights of the user that it names. Source: docs/tools.md. */
  readonly tools: ToolsApi;
  /** Which tool may run for whom. Source: docs/policy.md. */
  readonly policy: Pick<Policy, "current" | "profileFor" | "replace">;
  /** What is remembered. Source: docs/memory.md. */
  readonly memory: MemoryPart;
  /** What conversations keep besides their messages. Source: docs/artifacts.md. */
  readonly artifacts: ArtifactsApi;
  /** What is done later, once or again and again. Source: docs/jobs.md. */
  readonly jobs: JobsApi;
  /** Long work in steps, which goes on where it stopped. Source: docs/workflows.md. */
  readonly workflows: WorkflowsApi;
  /** Skills: list, match, write, install, judge. Source: docs/skills.md. */
  readonly skills: SkillsApi;
  /** What people work towards. Source: docs/goals.md. */
  readonly goals: GoalsApi;
  /** What is said unasked: looked at, muted, explained, and said by the host program. Source: docs/attention-program.md. */
  readonly attention: AttentionApi;
  /** What was found in what people do again and again, and what they said to it. Source: docs/patterns.md, "Answering". */
  readonly proactive: ProactiveApi;
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
