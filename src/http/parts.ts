import type { AccessPart } from "../access/index.ts";
import type { AllowRuleView, AnswerInput, ApprovalResult, ApprovalView } from "../approvals/index.ts";
import type { Artifacts } from "../artifacts/index.ts";
import type { Channel } from "../channel.ts";
import type { Clock } from "../clock.ts";
import type { InboundMessage } from "../message.ts";
import type { MemoryPart } from "../memory/index.ts";
import type { SessionsApi } from "../session/index.ts";
import type { Accepted, FollowUps, Submission } from "../inbox/index.ts";
import type { McpServerStatus, ToolResult } from "../tools/index.ts";
import type { McpServerLibrary } from "../libraries.ts";
import type { HostMessage, Reply, StreamEvent } from "../reply.ts";
import type { Store } from "../store/index.ts";
import type { UsageRecorder } from "../usage/index.ts";
import type { Audit, Logger, Metrics, Redactor } from "../telemetry/index.ts";
import type { RateLimitOptions, ServerToken } from "./options.ts";

export type { ServerToken } from "./options.ts";

export type { Accepted };

/** Requests for the owner's consent, as the API uses them. */
export interface ApprovalsPart {
  list(options: { readonly all: boolean }): Promise<readonly ApprovalView[]>;
  answer(idOrCode: string, answer: AnswerInput & { readonly asOwner?: boolean }): Promise<ApprovalResult>;
  /** What the assistant says to the outcome, in the session that asked. `null`: nothing yet. */
  followUp(id: string, signal?: AbortSignal): Promise<Reply | null>;
  /** What comes of answers, as it happens. */
  followUps(): FollowUps;
  rules(): Promise<readonly AllowRuleView[]>;
  removeRule(id: string): Promise<void>;
}

/** What the models used, as the API shows it. */
export type UsagePart = Pick<UsageRecorder, "summary" | "uses" | "check">;

/** What the HTTP door needs of the rest, ready made. */
export interface HttpParts {
  readonly channels: readonly Channel[];
  /** Access, route, journal, wake: resolves when the message is durable. */
  accept(channel: Channel, message: InboundMessage): Promise<Accepted>;
  send(input: Submission): Promise<Reply>;
  /** Makes the message durable and returns at once with the turn's id. */
  submit(input: Submission): Promise<{ readonly turnId: string; readonly sessionKey: string }>;
  stream(input: Submission): AsyncIterable<StreamEvent>;
  readonly sessions: SessionsApi;
  /** What sessions keep besides their messages, by the session's full key. */
  readonly artifacts: Pick<Artifacts, "list" | "read">;
  readonly approvals: ApprovalsPart;
  /** Who is let in besides those whom the configuration names. */
  readonly access: AccessPart;
  /** What is said unasked and waits to be read. Without it there are no such routes. */
  readonly notifications?: {
    list(of: { readonly user?: string | undefined }): Promise<readonly (HostMessage & { readonly createdAt: Date })[]>;
    /** @returns False when there is none, of that user. */
    remove(id: string, user?: string): Promise<boolean>;
  };
  /** What the next prompt of a session would hold, without sending it. */
  explainContext(input: { readonly session: string; readonly text?: string }): Promise<{
    readonly parts: readonly {
      readonly name: string;
      readonly tokens: number;
      readonly source: string;
      readonly cut?: string;
    }[];
    readonly totalTokens: number;
  }>;
  /** The key of the conversation that a caller of `channel` named: `agent:<default agent>:<channel>:direct:<name>`. Pure. */
  sessionKeyOf(channel: "sdk" | "web", name: string): string;
  readonly metrics: Metrics;
  readonly audit: Audit;
  /** What the models used. Without it there is no such route. */
  readonly usage?: UsagePart;
  /** What is remembered. Without it there are no such routes. */
  readonly memory?: MemoryPart;
  readonly logger: Logger;
  /** Takes secrets out of what callers are told of failures. Default: nothing is taken out. */
  readonly redact?: Redactor;
  readonly clock: Clock;
  readonly tokens: readonly ServerToken[];
  /** Is the store writable and the engine running? One line a check. */
  ready(): Promise<readonly { readonly ok: boolean; readonly name: string; readonly detail?: string }[]>;
  /** Title of the page and of the OpenAPI document. Default `Wakeful`. */
  readonly name?: string;
  readonly version: string;
  /** What speaks MCP at `/mcp`; `null` when it is not installed. Default: it is not. */
  readonly loadMcpServer?: () => Promise<McpServerLibrary | null>;
  /** The tool `memory_recall` at the one dispatch point, with the speaker's rights, for `/mcp`. Without it `recall` is not offered there. */
  readonly memoryRecall?: {
    run(
      input: { readonly query: string; readonly limit?: number | undefined },
      speaker: Submission,
    ): Promise<ToolResult>;
    /** Whether the speaker's model would be shown it. */
    isOffered(speaker: Submission): Promise<boolean>;
  };
  /** How the MCP servers of the configuration are. Default: there are none. */
  mcpStatus?(): readonly McpServerStatus[];
  /**
   * Host names (without port) that the page and the API answer to; a request to another name gets 421. Served by a runtime adapter, loopback names, IP addresses and
   * calls with a bearer token are let through besides. Default: any name, and none where it is served.
   */
  readonly hosts?: readonly string[];
  /** Where this server is reached from outside: one more of its names where it is served by a runtime adapter. */
  readonly publicUrl?: string;
  /** Default: limits are on, with the numbers of `RateLimitOptions`. */
  readonly rateLimit?: RateLimitOptions;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed. Default none. */
  readonly trustedProxies?: readonly string[];
  /** Where requests with one token are counted when its compare-and-set reaches every client (`caps.cas` is `global`). Default: in this process. */
  readonly store?: Pick<Store, "caps" | "get" | "put">;
}
