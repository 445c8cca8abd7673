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

/** An assistant. Created by `createAssistant`, driven by the host program, by HTTP, or both. */
export interface Assistant {
  /**
   * Starts to work: recovers what the last process left, then serves. From then on the process stays alive until
   * `stop()`. `send`, `stream`, `fetch` and `tools.run` start the assistant by themselves, without keeping the process
   * alive. Calling it twice is harmless.
   *
   * @param options.listen Also connects the channels with their platforms: registers webhooks at `server.publicUrl`,
   *   and listens where there is none. Default false; `serve()` and `wakeful serve` set it. Source: docs/channels.md,
   *   "Without a public address".
   */
  start(options?: { readonly listen?: boolean }): Promise<void>;
  /**
   * Stops: accepts nothing new, lets running turns finish for `graceMs` (default 5000), leaves the rest in the log for
   * the next start, closes the store.
   */
  stop(options?: { readonly graceMs?: number }): Promise<void>;
  /**
   * Stores the message durably, then answers it. In a tool that sends into its own conversation, the message is
   * answered after this turn: do not await it there.
   * @throws {AssistantError} `STOPPED` when the assistant stops before the answer; the message is answered after the
   *   next start.
   */
  send(input: SendInput): Promise<Reply>;
  /** Like `send`, with events while the turn runs. Leaving the loop early ends the events, not the turn. */
  stream(input: SendInput): AsyncIterable<StreamEvent>;
  /** The HTTP entry point: webhooks, API, page. Works as the `fetch` of Bun, Deno, Node and Workers. */
  fetch(request: Request, env?: unknown, context?: unknown): Promise<Response>;
  /** The Hono instance behind `fetch`, to mount or extend. */
  readonly app: Hono;
  /** Events of the assistant, for listeners (docs/events.md). */
  readonly events: EventBus;
  /** Hooks take part in turns: they add context for the model, and get the outcome (docs/hooks.md). */
  readonly hooks: HookRegistry;
  /** Conversations: list, read, export, configure, remove. Source: docs/sessions.md. */
  readonly sessions: SessionsApi;
  /** Runs, lists and adds tools. A call has the rights of the user that it names. Source: docs/tools.md. */
  readonly tools: ToolsApi;
  /** Decides which tool may run for which user. Source: docs/policy.md. */
  readonly policy: Pick<Policy, "current" | "profileFor" | "replace">;
  /** Memories of people. Source: docs/memory.md. */
  readonly memory: MemoryPart;
  /** Artifacts: what conversations keep besides their messages. Source: docs/artifacts.md. */
  readonly artifacts: ArtifactsApi;
  /** Jobs: work at a later time, once or repeatedly. Source: docs/jobs.md. */
  readonly jobs: JobsApi;
  /** Workflows: long work in steps, which resumes where it stopped. Source: docs/workflows.md. */
  readonly workflows: WorkflowsApi;
  /** Skills: list, match, write, install, judge. Source: docs/skills.md. */
  readonly skills: SkillsApi;
  /** Goals of people. Source: docs/goals.md. */
  readonly goals: GoalsApi;
  /**
   * Unasked messages: lists, mutes and explains them, and sends those of the host program. Source:
   * docs/attention-program.md.
   */
  readonly attention: AttentionApi;
  /** Patterns found in what people do repeatedly, and people's answers to them. Source: docs/patterns.md, "Answering". */
  readonly proactive: ProactiveApi;
  /** Calls that wait for the owner. Source: docs/approvals.md. */
  readonly approvals: ApprovalsApi;
  /** People with access besides those in the configuration, and requests for access. Source: docs/access.md. */
  readonly access: AccessApi;
  /** Builds the next prompt of a session, without sending it. */
  explainContext(input: {
    readonly session: string;
    readonly text?: string;
  }): Promise<{ readonly parts: readonly ContextPart[]; readonly totalTokens: number }>;
}
