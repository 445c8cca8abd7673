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
 * What `createAssistant` takes. Every option but `model` has a default; docs/config.md lists them with their names
 * in the configuration file.
 */
export interface AssistantOptions {
  /**
   * An AI SDK model, or a list of them: the first, then the ones to fall back to. A string is refused: the AI SDK
   * would send it to a gateway.
   */
  readonly model?: ModelObject | readonly ModelObject[];
  /**
   * What is known of models, by `provider/modelId`. The name is as the AI SDK's object says it
   * (`openai.responses/gpt-5`), the same without what follows the provider's first dot (`openai/gpt-5`), or the
   * model's id alone. The first of these that is there counts.
   */
  readonly modelInfo?: ModelInfo;
  /**
   * Where everything is kept. From `wakeful/storage/…`, or any unstorage `Storage`. Default: memory, which forgets
   * everything when the process ends.
   */
  readonly store?: Store | UnstorageStorage | UnstorageDriver;
  /** What wakes sessions; in this process when left out. Default: the embedded engine, on the same store. */
  readonly engine?: Engine;
  /** Where people write from. Source: docs/channels.md. */
  readonly channels?: readonly Channel[];
  /** Your own tools. The key names the tool. A built-in of the same name is replaced. */
  readonly tools?: Readonly<Record<string, AnyTool>>;
  /**
   * The engine of grep's regular expressions; found by itself outside of Workers. There: `re2()` of
   * `wakeful/patterns/re2`.
   */
  readonly patterns?: PatternEngine;
  /**
   * Which tool may run for whom: the text of a policy file, or an object; the shipped profiles when left out. The
   * object may be what `parsePolicy` gave. Source: docs/policy.md.
   */
  readonly policy?: PolicySource;
  /**
   * Your own hooks, which say what the model should know. They take part in turns from the start; `assistant.hooks`
   * adds and removes more.
   */
  readonly hooks?: readonly ProactiveHook[];
  /** Files that the assistant may read and write. Default: a virtual workspace in the store. `false`: no file tools. */
  readonly workspace?: Workspace | false;
  /** Where the time comes from. */
  readonly clock?: Clock;
  /** Where log lines go. Default: errors on the console, one line each. */
  readonly logger?: Logger;
  /**
   * What a runtime lends, where it shall be another than the runtime's own. Each member that is given takes the
   * place of the runtime's own. Source: docs/deploy.md, "What a runtime lends".
   */
  readonly platform?: Partial<Platform>;
  /**
   * Values that must never appear in log or audit lines. They come to those of secret options, channels, search
   * engines and tools. Source: docs/redaction.md.
   */
  readonly secrets?: readonly string[];
  /** Traces and metrics for OpenTelemetry. Source: docs/observability.md. */
  readonly telemetry?: {
    /** Send traces and metrics to OpenTelemetry where the program has registered it. Default true. */
    readonly enabled?: boolean;
    /**
     * Where they go; found by itself outside of Workers. There: `openTelemetry()` of
     * `wakeful/telemetry/opentelemetry`.
     */
    readonly api?: Telemetry;
  };
  /**
   * Your own way out: for channels, and for what tools fetch, whose address is checked before each request. Default:
   * connections to the checked address, where the runtime can; else the global `fetch`.
   */
  readonly fetch?: typeof fetch;
  /**
   * Resolves a host name to addresses; the machine's resolver when left out, none on Workers. Throws when the name
   * does not exist.
   */
  readonly lookup?: Lookup;
  /**
   * Makes text of pages, for `web_fetch`. Default: the article in Markdown; on Workers plain text. Source:
   * docs/web.md.
   */
  readonly pageReader?: PageReader;
  /**
   * Takes what is said unasked to people who are reached through the SDK. That is what the assistant says to the
   * outcome of an approval, and late results of tools. The same `id` may come again after a crash; what throws is
   * tried again, as messages of channels are. Default: they wait in `GET /api/v1/notifications`.
   */
  readonly deliver?: (message: HostMessage) => Promise<{ readonly id: string }>;
  /**
   * Where skills are found and installed from; without any, the tools `find_skills` and `install_skill` are not
   * there. From `wakeful/registries/…`, or your own. Source: docs/skills-install.md.
   */
  readonly registries?: readonly SkillRegistry[];
  /** The time zone of people who have none of their own; when left out, the machine's (in code: UTC). */
  readonly timezone?: string;
  /** Whose assistant this is. */
  readonly owner?: {
    /**
     * The owner's accounts; the owner may use every tool and shares one session over all of them. `sdk` is `send` and
     * `tools.run` without a user.
     */
    readonly ids?: readonly string[];
  };
  /** Roles that tools can ask for, and who has them; `owner` and `user` are built in. */
  readonly roles?: Readonly<Record<string, readonly string[]>>;
  /** What is known of people, by their `channel:id`. It stands in the prompt when they speak. */
  readonly users?: Readonly<Record<string, Person>>;
  /** The one agent; short for `agents` with one entry. */
  readonly agent?: Partial<AgentOptions>;
  /** Several agents; the first is the default one. */
  readonly agents?: readonly AgentOptions[];
  /** Which messages go to which agent; the others go to the first. */
  readonly bindings?: readonly Binding[];
  /** Who shares a conversation. */
  readonly session?: SessionOptions & {
    /** Minutes of silence that end a session; 0 is never. Default 60. */
    readonly idleMinutes?: number;
  };
  /**
   * What happens to messages that arrive faster than they are answered. A channel may have its own. Source:
   * docs/sessions.md, "While it is busy".
   */
  readonly queue?: QueueOptions;
  /** What goes into the prompt. */
  readonly context?: ContextOptions & {
    /** Tokens that a model takes in all, prompt and answer, where nothing else is known of it. Default 32_768. */
    readonly contextWindow?: number;
    /** Parts of your own: `{ name, text, tokens, data }`. Source: docs/context.md, "Parts". */
    readonly parts?: readonly HostPart[];
  };
  /** The files that say who the assistant is. Source: docs/persona.md. */
  readonly persona?: {
    /** Tokens that each persona file may have in a prompt; a longer one is cut. Default 2000. */
    readonly fileTokens?: number;
  };
  /** Summaries of long conversations. Source: docs/compaction.md. */
  readonly compaction?: CompactionSettings;
  /** Long results and files that conversations keep. Source: docs/artifacts.md. */
  readonly artifacts?: ArtifactLimits & {
    /**
     * Results of tools with more bytes are kept as an artifact, and the model is shown their beginning and end.
     * Default 16_384.
     */
    readonly thresholdBytes?: number;
  };
  /**
   * Which built-in tools there are: all, none, or these groups, names and beginnings with a *. Default true. As
   * `["web", "time", "memory_*"]`. Source: docs/tools.md, "The built-in tools".
   */
  readonly builtins?: boolean | readonly string[];
  /**
   * Search engines for `web_search`; without any there is no such tool. They are asked in the order in which they
   * stand here.
   */
  readonly search?: SearchOptions;
  /** Tools of MCP servers. Source: docs/mcp.md. */
  readonly mcp?: McpOptions & {
    /** mcpEndpoint of wakeful/mcp/server, where nothing is loaded on demand (Workers). */
    readonly endpoint?: McpServerLibrary;
  };
  /** Asking the owner before a dangerous tool runs. */
  readonly approvals?: {
    /** Minutes after which a request that nobody answered is denied. Default 60. */
    readonly timeoutMinutes?: number;
  };
  /** Jobs and their times. Source: docs/jobs.md. */
  readonly scheduler?: {
    /** Whether jobs run; false: none does, and there are no tools for them. Default true. */
    readonly enabled?: boolean;
    /** Milliseconds that must lie between two times of a job. Default 60_000. */
    readonly minIntervalMs?: number;
    /** Failed runs in a row after which a job is paused and its person told. Default 3. */
    readonly maxConsecFailures?: number;
    /** What unattended work may spend; conversations are never stopped by it. */
    readonly budget?: WorkBudgetOptions;
    /** Jobs that stand here; one that is taken out is gone at the next start. */
    readonly triggers?: readonly JobTrigger[];
  };
  /** How long things are kept. Source: docs/privacy.md, "How long things are kept". */
  readonly retention?: RetentionOptions;
  /**
   * What the assistant looks after by itself; nothing as long as HEARTBEAT.md says nothing. Source: docs/jobs.md,
   * "Heartbeat".
   */
  readonly heartbeat?: {
    /** How often what HEARTBEAT.md says is looked after. Default `30m`. */
    readonly every?: "5m" | "10m" | "15m" | "20m" | "30m" | "1h" | "2h" | "3h" | "4h" | "6h" | "8h" | "12h";
    /** From which hour to which, as [8, 22]; when left out from 8 to 22. */
    readonly active?: readonly number[];
  };
  /** When the assistant may speak unasked; in the file read again when it changes. Source: docs/attention.md. */
  readonly attention?: {
    /** Whether limits hold for what nobody asked for; false: it is said at once. Default true. */
    readonly enabled?: boolean;
    /** Messages that a person gets unasked on one day of their zone; the rest is joined in a digest. Default 5. */
    readonly maxDailyNotifications?: number;
    /** What lies between two messages of one type. Default `30m`. */
    readonly minInterval?: string;
    /** From which hour to which nothing is said unasked, as [22, 8], which is the default; equal hours: none. */
    readonly quietHours?: readonly number[];
    /** What matters less than this is dropped. Default 0.6. */
    readonly priorityThreshold?: number;
    /** By the name of a channel. */
    readonly channels?: Readonly<Record<string, ChannelAttention>>;
    /** Says how much a notice matters; when left out, what made it says so. */
    readonly scorer?: Scorer;
  };
  /** What the owners are told of by itself. Source: docs/alerts.md. */
  readonly alerts?: AlertOptions;
  /** What people work towards. Source: docs/goals.md. */
  readonly goals?: {
    /** Whether people have goals; false: no tools, no reviews, nothing in prompts. Default true. */
    readonly enabled?: boolean;
    /** Tokens that goals may take before a message. Default 200. */
    readonly maxTokens?: number;
  };
  /** Work in several steps. Source: docs/workflows.md. */
  readonly workflow?: WorkflowOptions;
  /** Tasks that a turn hands on to sessions of their own. Source: docs/subagents.md. */
  readonly subagents?: {
    /** Whether turns may hand tasks on; false: there are no tools for it. Default true. */
    readonly enabled?: boolean;
    /** Sub-agents of one conversation that run at one time. Default 4. */
    readonly maxRunning?: number;
    /** How deep sub-agents may start one another. Default 2. */
    readonly maxDepth?: number;
    /** Tokens that one may use, and all that it starts together once more. Default 100_000. */
    readonly maxTokens?: number;
    /** Seconds that one may take. Default 900. */
    readonly maxSeconds?: number;
    /** Seconds that a call waits for a result before the work goes on in the background. Default 120. */
    readonly waitSeconds?: number;
  };
  /**
   * How much models may be used; over it no model is asked until the day or the month is over. Source:
   * docs/models-failures.md, "Budgets".
   */
  readonly budget?: Budget;
  /** Milliseconds that one answer of one model may take before the next model is tried. Default 120_000. */
  readonly modelTimeoutMs?: number;
  /** What is remembered and recalled. Source: docs/memory.md. */
  readonly memory?: MemoryOptions;
  /** Skills and when they are used. A list is short for `sources`. Source: docs/skills.md. */
  readonly skills?: SkillsOptions | readonly (string | SkillSource)[];
  /** What the assistant does of itself. Source: docs/patterns.md. */
  readonly proactive?: ProactiveOptions;
  /** Who may call the HTTP API. Without any token every API route answers 401. */
  readonly server?: {
    /** Bearer token of the owner for the API and the page; when left out, one is printed at start. */
    readonly token?: string;
    /** More bearer tokens. */
    readonly tokens?: readonly ServerToken[];
    /**
     * Automations that wake the assistant or give it something to do; when left out, only an owner's token opens these
     * routes. Source: docs/automations.md.
     */
    readonly hooks?: AutomationOptions;
    /**
     * Where platforms and browsers reach this server: doctor compares webhooks with it, and the page answers to its
     * name.
     */
    readonly publicUrl?: string;
    /**
     * More names of this server: the page and its cookie answer to these, public_url, localhost and IP addresses,
     * others get 421; for a program that mounts the assistant, the only names of page and API. Without a port. Under
     * `serve()` the page and calls by its cookie are answered under these, the name in `publicUrl`, loopback names
     * and IP addresses. Mounted in a program, and on Workers, the API and the page are answered under these alone.
     * Default: none under `serve()`, else any.
     */
    readonly hosts?: readonly string[];
    /**
     * How often the API and the page may be asked; over it requests are answered 429. Source: docs/http-limits.md,
     * "Limits".
     */
    readonly rateLimit?: RateLimitOptions;
    /** Proxies in front of the server: behind them the client's address is the last one that is not theirs. */
    readonly trustedProxies?: readonly string[];
  };
}

/** An agent. */
export interface AgentOptions {
  /** Names the agent in session keys. Letters, digits, `_`, `-`. Keep it: sessions are found by it. */
  readonly id: string;
  /** What the agent calls itself. */
  readonly name?: string;
  /**
   * How the agent should behave; the shipped instructions when left out. It is told them before everything else.
   * Source: docs/context.md.
   */
  readonly instructions?: string;
  /** The model of this agent, where it is not the assistant's. */
  readonly model?: ModelObject | readonly ModelObject[];
  /** The workspace of this agent, where it is not the assistant's. */
  readonly workspace?: Workspace;
  /** Skills of this agent; all when left out. */
  readonly skills?: readonly string[];
  /** Model calls a turn may take. Default 20. The last one is asked without tools. */
  readonly maxSteps?: number;
  /** Seconds a turn may take. Default 300. */
  readonly maxTurnSeconds?: number;
}

/** What the assistant does of itself. Source: docs/patterns.md. */
export interface ProactiveOptions {
  /** What is found in what people say and do. */
  readonly patterns?: {
    /** Whether habits, failing tools and stale commitments are found, and people told of them. Default true. */
    readonly enabled?: boolean;
    /** Your own detectors, besides those that come with Wakeful. */
    readonly detectors?: readonly PatternDetector[];
  };
  /** What a message touches. */
  readonly initiative?: {
    /** Whether the model is told what a message touches of goals, drives and open findings. Default true. */
    readonly enabled?: boolean;
  };
  /** Share of tasks that run without initiative, so that its worth can be measured. Default 0. */
  readonly holdout?: number;
}
