// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

import type { AlertOptions } from "../alerts/index.ts";
import type { AnyTool, McpOptions, PageReader, PatternEngine, SearchOptions, Workspace } from "../tools/index.ts";
import type { ArtifactLimits } from "../artifacts/index.ts";
import type { AutomationOptions, RateLimitOptions, ServerToken } from "../http/index.ts";
import type { Binding, QueueOptions, SessionOptions } from "../session/index.ts";
import type { Budget } from "../usage/index.ts";
import type { Channel } from "../channel.ts";
import type { ChannelAttention } from "../attention/index.ts";
import type { Clock } from "../clock.ts";
import type { CompactionSettings } from "../turn/index.ts";
import type { ContextOptions } from "../channel-options.ts";
import type { Engine } from "../engine/index.ts";
import type { HostMessage } from "../reply.ts";
import type { HostPart, Person } from "../context/index.ts";
import type { JobTrigger, WorkBudgetOptions } from "../work/index.ts";
import type { Logger } from "../telemetry/index.ts";
import type { Lookup } from "../guard/index.ts";
import type { McpServerLibrary } from "../libraries.ts";
import type { MemoryOptions } from "../memory/index.ts";
import type { ModelInfo, ModelObject } from "../agent/index.ts";
import type { PatternDetector, ProactiveHook } from "../proactive/index.ts";
import type { Platform } from "../platform.ts";
import type { PolicySource } from "../policy/index.ts";
import type { RetentionOptions } from "../retention/index.ts";
import type { Scorer } from "../notify/index.ts";
import type { SkillRegistry, SkillSource, SkillsOptions } from "../skills/index.ts";
import type { Store, UnstorageDriver, UnstorageStorage } from "../store/index.ts";
import type { Telemetry } from "../telemetry-port.ts";
import type { WorkflowOptions } from "../workflow/index.ts";

/**
 * The options of `createAssistant`. Every option but `model` has a default; docs/config.md lists them with their
 * names in the configuration file.
 */
export interface AssistantOptions {
  /**
   * An AI SDK model, or a list of them: the first, then its fallbacks in order. A string is refused: the AI SDK
   * would send it to a gateway.
   */
  readonly model?: ModelObject | readonly ModelObject[];
  /**
   * Facts about models, by `provider/modelId`. The name is that of the AI SDK's object (`openai.responses/gpt-5`),
   * the same without the part after the provider's first dot (`openai/gpt-5`), or the model's id alone. The first
   * of these that exists counts.
   */
  readonly modelInfo?: ModelInfo;
  /**
   * Where all data is stored. From `wakeful/storage/…`, or any unstorage `Storage`. Default: memory, which loses
   * everything when the process ends.
   */
  readonly store?: Store | UnstorageStorage | UnstorageDriver;
  /** The engine that wakes sessions. Default: the embedded engine, on the same store. */
  readonly engine?: Engine;
  /** Channels on which people write. Source: docs/channels.md. */
  readonly channels?: readonly Channel[];
  /** Your own tools. The key is the tool's name. A built-in tool of the same name is replaced. */
  readonly tools?: Readonly<Record<string, AnyTool>>;
  /**
   * The engine for grep's regular expressions; found automatically except on Workers. On Workers: `re2()` of
   * `wakeful/patterns/re2`.
   */
  readonly patterns?: PatternEngine;
  /**
   * Which tools may run for whom: the text of a policy file, or an object; default: the shipped profiles. The object
   * may come from `parsePolicy`. Source: docs/policy.md.
   */
  readonly policy?: PolicySource;
  /**
   * Your own hooks, which tell the model what it should know. They run in every turn from the start;
   * `assistant.hooks` adds and removes more.
   */
  readonly hooks?: readonly ProactiveHook[];
  /** Files that the assistant may read and write. Default: a virtual workspace in the store. `false`: no file tools. */
  readonly workspace?: Workspace | false;
  /** The source of the time. */
  readonly clock?: Clock;
  /** Receives log lines. Default: errors on the console, one line each. */
  readonly logger?: Logger;
  /**
   * Members of the platform that replace those of the runtime. The runtime provides all others. Source:
   * docs/deploy.md, "What a runtime lends".
   */
  readonly platform?: Partial<Platform>;
  /**
   * Values that must never appear in log or audit lines. They are added to those of secret options, channels, search
   * engines and tools. Source: docs/redaction.md.
   */
  readonly secrets?: readonly string[];
  /** Traces and metrics for OpenTelemetry. Source: docs/observability.md. */
  readonly telemetry?: {
    /** Whether traces and metrics are sent to OpenTelemetry if the program has registered it. Default true. */
    readonly enabled?: boolean;
    /**
     * Receives traces and metrics; found automatically except on Workers. On Workers: `openTelemetry()` of
     * `wakeful/telemetry/opentelemetry`.
     */
    readonly api?: Telemetry;
  };
  /**
   * Your own `fetch`, for channels and for tools, whose addresses are checked before each request. Default:
   * connections to the checked address if the runtime can make them, else the global `fetch`.
   */
  readonly fetch?: typeof fetch;
  /**
   * Resolves a host name to addresses; default: the machine's resolver, none on Workers. It throws if the name does
   * not exist.
   */
  readonly lookup?: Lookup;
  /**
   * Converts web pages to text, for `web_fetch`. Default: the article in Markdown; on Workers plain text. Source:
   * docs/web.md.
   */
  readonly pageReader?: PageReader;
  /**
   * Delivers unsolicited messages to people who are reached through the SDK. Examples are the reply to the outcome
   * of an approval and late results of tools. The same `id` may come again after a crash. If the function throws,
   * the message is tried again, as messages of channels are. Default: messages wait in `GET /api/v1/notifications`.
   */
  readonly deliver?: (message: HostMessage) => Promise<{ readonly id: string }>;
  /**
   * Registries in which skills are found and from which they are installed; without one, the tools `find_skills` and
   * `install_skill` do not exist. From `wakeful/registries/…`, or your own. Source: docs/skills-install.md.
   */
  readonly registries?: readonly SkillRegistry[];
  /** Time zone of people who have not set one; default: the machine's (in code: UTC). */
  readonly timezone?: string;
  /** The owner of this assistant. */
  readonly owner?: {
    /**
     * The owner's accounts; the owner may use every tool and has one session for all accounts. `sdk` stands for `send`
     * and `tools.run` without a user.
     */
    readonly ids?: readonly string[];
  };
  /** Roles that tools can require, and who has them; `owner` and `user` are built in. */
  readonly roles?: Readonly<Record<string, readonly string[]>>;
  /** Facts about people, by their `channel:id`. They are in the prompt when the person speaks. */
  readonly users?: Readonly<Record<string, Person>>;
  /** The one agent; short for `agents` with one entry. */
  readonly agent?: Partial<AgentOptions>;
  /** Several agents; the first is the default. */
  readonly agents?: readonly AgentOptions[];
  /** Rules that route messages to agents; other messages go to the first agent. */
  readonly bindings?: readonly Binding[];
  /** Who shares a conversation. */
  readonly session?: SessionOptions & {
    /** Minutes of silence that end a session; 0: never. Default 60. */
    readonly idleMinutes?: number;
  };
  /**
   * What happens to messages that arrive faster than they are answered. A channel can override it. Source:
   * docs/sessions.md, "While it is busy".
   */
  readonly queue?: QueueOptions;
  /** What goes into the prompt. */
  readonly context?: ContextOptions & {
    /** Tokens of prompt and answer together that a model accepts, if nothing else is known about it. Default 32_768. */
    readonly contextWindow?: number;
    /** Your own parts of the prompt: `{ name, text, tokens, data }`. Source: docs/context.md, "Parts". */
    readonly parts?: readonly HostPart[];
  };
  /** The files that describe who the assistant is. Source: docs/persona.md. */
  readonly persona?: {
    /** Maximum tokens of each persona file in a prompt; a longer file is cut. Default 2000. */
    readonly fileTokens?: number;
  };
  /** Summaries of long conversations. Source: docs/compaction.md. */
  readonly compaction?: CompactionSettings;
  /** Long tool results and files, stored per conversation. Source: docs/artifacts.md. */
  readonly artifacts?: ArtifactLimits & {
    /**
     * Bytes above which a tool's result is stored as an artifact; the model then sees its beginning and end. Default
     * 16_384.
     */
    readonly thresholdBytes?: number;
  };
  /**
   * Which built-in tools exist: all, none, or these groups, names and prefixes that end in *. Default true. Example:
   * `["web", "time", "memory_*"]`. Source: docs/tools.md, "The built-in tools".
   */
  readonly builtins?: boolean | readonly string[];
  /**
   * Search engines for `web_search`; without one the tool does not exist. They are asked in the order of these
   * options.
   */
  readonly search?: SearchOptions;
  /** Tools of MCP servers. Source: docs/mcp.md. */
  readonly mcp?: McpOptions & {
    /** mcpEndpoint of wakeful/mcp/server, for runtimes that load nothing on demand (Workers). */
    readonly endpoint?: McpServerLibrary;
  };
  /** Approval by the owner before a dangerous tool runs. */
  readonly approvals?: {
    /** Minutes after which an unanswered request is denied. Default 60. */
    readonly timeoutMinutes?: number;
  };
  /** Scheduled jobs. Source: docs/jobs.md. */
  readonly scheduler?: {
    /** Whether jobs run; false: none runs, and there are no tools for them. Default true. */
    readonly enabled?: boolean;
    /** Minimum milliseconds between two due times of a job. Default 60_000. */
    readonly minIntervalMs?: number;
    /** Consecutive failed runs after which a job is paused and its person told. Default 3. */
    readonly maxConsecFailures?: number;
    /** Token limits of unattended work; they never stop a conversation. */
    readonly budget?: WorkBudgetOptions;
    /** Jobs defined here; a removed one is gone at the next start. */
    readonly triggers?: readonly JobTrigger[];
  };
  /** How long data is kept. Source: docs/privacy.md, "How long things are kept". */
  readonly retention?: RetentionOptions;
  /**
   * Checks that the assistant makes on its own; none while HEARTBEAT.md asks for nothing. Source: docs/jobs.md,
   * "Heartbeat".
   */
  readonly heartbeat?: {
    /** How often the assistant checks what HEARTBEAT.md asks for. Default `30m`. */
    readonly every?: "5m" | "10m" | "15m" | "20m" | "30m" | "1h" | "2h" | "3h" | "4h" | "6h" | "8h" | "12h";
    /** Start and end hour of the checks; default [8, 22]. */
    readonly active?: readonly number[];
  };
  /**
   * Which unsolicited messages are sent, and when; changes in the file apply without a restart. Source:
   * docs/attention.md.
   */
  readonly attention?: {
    /** Whether limits apply to unsolicited messages; false: they are sent at once. Default true. */
    readonly enabled?: boolean;
    /**
     * Messages per person and day, in the person's time zone, above which unsolicited ones wait for the next day's
     * digest. Default 5.
     */
    readonly maxDailyNotifications?: number;
    /** Minimum time between two unsolicited messages of one type. Default `30m`. */
    readonly minInterval?: string;
    /** Start and end hour of the time without unsolicited messages; default [22, 8]; equal hours: none. */
    readonly quietHours?: readonly number[];
    /** Priority below which an unsolicited message is dropped. Default 0.6. */
    readonly priorityThreshold?: number;
    /** Settings per channel, by the channel's name. */
    readonly channels?: Readonly<Record<string, ChannelAttention>>;
    /** Computes the priority of unsolicited messages; default: the priority that their source gives. */
    readonly scorer?: Scorer;
  };
  /** Alerts to the owners when something is wrong. Source: docs/alerts.md. */
  readonly alerts?: AlertOptions;
  /** Goals of people. Source: docs/goals.md. */
  readonly goals?: {
    /** Whether people have goals; false: no tools, no reviews, nothing in prompts. Default true. */
    readonly enabled?: boolean;
    /** Maximum tokens of goals in the prompt, before a message. Default 200. */
    readonly maxTokens?: number;
  };
  /** Work in several steps. Source: docs/workflows.md. */
  readonly workflow?: WorkflowOptions;
  /** Tasks that a turn delegates to sessions of their own. Source: docs/subagents.md. */
  readonly subagents?: {
    /** Whether turns may delegate tasks; false: there are no tools for it. Default true. */
    readonly enabled?: boolean;
    /** Maximum sub-agents of one conversation that run at once. Default 4. */
    readonly maxRunning?: number;
    /** How deep sub-agents may start one another. Default 2. */
    readonly maxDepth?: number;
    /** Maximum tokens of one sub-agent; all that it starts together may use as many again. Default 100_000. */
    readonly maxTokens?: number;
    /** Longest run of one sub-agent, in seconds. Default 900. */
    readonly maxSeconds?: number;
    /** Seconds that a call waits for a result before the work goes on in the background. Default 120. */
    readonly waitSeconds?: number;
  };
  /**
   * Limits on the use of models; above them no model is called until the day or the month ends. Source:
   * docs/models-failures.md, "Budgets".
   */
  readonly budget?: Budget;
  /** Longest time for one answer of one model, in milliseconds; then the next model is tried. Default 120_000. */
  readonly modelTimeoutMs?: number;
  /** What the assistant remembers and recalls. Source: docs/memory.md. */
  readonly memory?: MemoryOptions;
  /** Skills and when they are used. A list is short for `sources`. Source: docs/skills.md. */
  readonly skills?: SkillsOptions | readonly (string | SkillSource)[];
  /** What the assistant does on its own. Source: docs/patterns.md. */
  readonly proactive?: ProactiveOptions;
  /** Who may call the HTTP API. Without any token every API route answers 401. */
  readonly server?: {
    /** Bearer token of the owner for the API and the page; if left out, one is printed at start. */
    readonly token?: string;
    /** More bearer tokens. */
    readonly tokens?: readonly ServerToken[];
    /**
     * Automations that wake the assistant or give it tasks; if left out, only an owner's token opens these routes.
     * Source: docs/automations.md.
     */
    readonly hooks?: AutomationOptions;
    /**
     * Address at which platforms and browsers reach this server: doctor compares webhooks with it, and the page
     * answers to its name.
     */
    readonly publicUrl?: string;
    /**
     * Further names of this server: the page and its cookie answer to these, public_url, localhost and IP addresses,
     * other names get 421; if a program mounts the assistant, page and API answer only to these. Without a port.
     * Under `serve()` the page and calls with its cookie are answered under these names, the name in `publicUrl`,
     * loopback names and IP addresses. Mounted in a program, and on Workers, the API and the page are answered only
     * under these names. Default: none under `serve()`, else any.
     */
    readonly hosts?: readonly string[];
    /** Limits on requests to the API and the page; requests above them get 429. Source: docs/http-limits.md, "Limits". */
    readonly rateLimit?: RateLimitOptions;
    /**
     * Proxies in front of the server; the client's address is the last one in X-Forwarded-For that is not a trusted
     * proxy's.
     */
    readonly trustedProxies?: readonly string[];
  };
}

/** An agent. */
export interface AgentOptions {
  /**
   * The agent's id, which is part of session keys. Letters, digits, `_` and `-`. Do not change it: sessions are
   * found by it.
   */
  readonly id: string;
  /** Name that the agent uses for itself. */
  readonly name?: string;
  /** Instructions for the agent; default: the shipped ones. They come first in the prompt. Source: docs/context.md. */
  readonly instructions?: string;
  /** The agent's model; default: the assistant's. */
  readonly model?: ModelObject | readonly ModelObject[];
  /** The agent's workspace; default: the assistant's. */
  readonly workspace?: Workspace;
  /** Skills that this agent has; default: all. */
  readonly skills?: readonly string[];
  /** Maximum model calls of one turn. Default 20. The last call is made without tools. */
  readonly maxSteps?: number;
  /** Longest turn, in seconds. Default 300. */
  readonly maxTurnSeconds?: number;
}

/** What the assistant does on its own. Source: docs/patterns.md. */
export interface ProactiveOptions {
  /** Patterns in what people say and do. */
  readonly patterns?: {
    /** Whether habits, failing tools and stale commitments are found, and people are told about them. Default true. */
    readonly enabled?: boolean;
    /** Your own detectors, besides the built-in ones. */
    readonly detectors?: readonly PatternDetector[];
  };
  /** What a message touches. */
  readonly initiative?: {
    /** Whether the model is told which goals, drives and open findings a message touches. Default true. */
    readonly enabled?: boolean;
  };
  /** Share of tasks that run without initiative, so that its effect can be measured. Default 0. */
  readonly holdout?: number;
}
