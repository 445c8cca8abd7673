// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

import type { AlertOptions } from "../alerts/index.ts";
import type { ArtifactLimits } from "../artifacts/index.ts";
import type { AutomationOptions, RateLimitOptions, ServerToken } from "../http/index.ts";
import type { Binding, QueueOptions, SessionOptions } from "../session/index.ts";
import type { Budget, ModelPrice } from "../usage/index.ts";
import type { ChannelAccess, ContextOptions } from "../channel-options.ts";
import type { ChannelAttention } from "../attention/index.ts";
import type { CompactionSettings } from "../turn/index.ts";
import type { JobTrigger, WorkBudgetOptions } from "../work/index.ts";
import type { Person } from "../context/index.ts";
import type { RetentionOptions } from "../retention/index.ts";
import type { ToolProtocol } from "../agent/index.ts";

/** The options of a configuration file. Only the options that the file gives; defaults are in docs/config.md. */
export interface FileOptions {
  /** The version of this file's format. Default 1. */
  readonly version?: 1;
  /** Data folder: for the fs store, for files of other stores, and a default place of this file. Default `.wakeful`. */
  readonly data?: string;
  /** The model, then its fallbacks in order; default: the model that the environment names, else the offline model. */
  readonly models?: readonly ModelConfig[];
  /** Where all data is stored. */
  readonly store?: StoreConfig;
  /** The HTTP server. */
  readonly server?: ServerConfig;
  /** Channels on which people write; each is served at /webhooks/<name>. */
  readonly channels?: {
    /** A Telegram bot; without a public address too. */
    readonly telegram?: readonly TelegramConfig[];
    /** Any program that signs its messages, at /webhooks/webhook. */
    readonly webhook?: readonly WebhookConfig[];
  };
  /** Files that the assistant may read and write. */
  readonly workspace?: WorkspaceConfig;
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
  readonly agent?: Partial<AgentConfig>;
  /** Several agents; the first is the default. */
  readonly agents?: readonly AgentConfig[];
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
  readonly search?: SearchConfig;
  /** Tools of MCP servers. Source: docs/mcp.md. */
  readonly mcp?: {
    /** MCP servers by name; their tools are called mcp__<name>__<tool>. */
    readonly servers?: Readonly<Record<string, McpServerConfig>>;
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
  readonly workflow?: {
    /** Whether there are workflows; false: none runs, and there are no tools for them. Default true. */
    readonly enabled?: boolean;
    /** Maximum steps of one run that run in parallel. Default 2. */
    readonly maxParallel?: number;
  };
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
  /** Which tools may run for whom; default: the shipped profiles. */
  readonly policy?: {
    /** Path of the policy file, relative to this file's folder; read again when it changes. */
    readonly file: string;
  };
  /** Log lines on standard error. */
  readonly log?: {
    /** Lowest level that is written. Default `info`. */
    readonly level?: "debug" | "info" | "warning" | "error" | "off";
    /** auto: pretty on a terminal, JSON lines elsewhere. Default `auto`. */
    readonly format?: "auto" | "pretty" | "json";
  };
  /** What the assistant remembers and recalls. */
  readonly memory?: MemoryConfig;
  /** Skills and when they are used. */
  readonly skills?: SkillsConfig;
  /** Registries in which skills are found and from which they are installed. */
  readonly registries?: RegistriesConfig;
  /** How models call tools. */
  readonly tools?: {
    /**
     * How models call tools: with the provider's function calling, or in their text, for models without it. Default
     * `native`. Source: docs/models.md, "Models that cannot call tools".
     */
    readonly protocol?: ToolProtocol;
  };
  /** Traces and metrics for OpenTelemetry. Source: docs/observability.md. */
  readonly telemetry?: {
    /** Whether traces and metrics are sent to OpenTelemetry if the program has registered it. Default true. */
    readonly enabled?: boolean;
  };
  /** What the assistant does on its own. */
  readonly proactive?: {
    /** Patterns in what people say and do. */
    readonly patterns?: {
      /** Whether habits, failing tools and stale commitments are found, and people are told about them. Default true. */
      readonly enabled?: boolean;
    };
    /** What a message touches. */
    readonly initiative?: {
      /** Whether the model is told which goals, drives and open findings a message touches. Default true. */
      readonly enabled?: boolean;
    };
    /** Share of tasks that run without initiative, so that its effect can be measured. Default 0. */
    readonly holdout?: number;
  };
}

/** A model. */
export interface ModelConfig {
  /**
   * Provider of the model; openai-compatible: any server with OpenAI's chat completions; offline: built in, needs no
   * key.
   */
  readonly provider: "openai" | "openai-compatible" | "offline";
  /** The model's name at the provider. */
  readonly model?: string;
  /** The server's address; required for openai-compatible. */
  readonly baseUrl?: string;
  /** The key, if the server needs one. */
  readonly apiKey?: string;
  /** Tokens of prompt and answer together that this model accepts. Default: `context.contextWindow`. */
  readonly contextWindow?: number;
  /** Prices, in the currency of the budget; 0 for a model that costs nothing. */
  readonly price?: ModelPrice;
  /** Types of files that the model is shown (images, application/pdf); default: what its provider says. */
  readonly files?: readonly string[];
  /**
   * How models call tools: with the provider's function calling, or in their text, for models without it. Default
   * `native`. Source: docs/models.md, "Models that cannot call tools".
   */
  readonly protocol?: ToolProtocol;
}

/** Where all data is stored. */
export interface StoreConfig {
  /** Kind of store. Default `fs`. */
  readonly driver?: "fs" | "sqlite" | "redis" | "deno-kv" | "memory";
  /** fs: the folder; default: `data`. */
  readonly root?: string;
  /** sqlite and deno-kv: the file; default: a file in `data`. */
  readonly path?: string;
  /** redis: the server's address. */
  readonly url?: string;
  /** redis: prefix of every key, so that several assistants can share a server. */
  readonly prefix?: string;
}

/** The HTTP server. */
export interface ServerConfig {
  /** The port to listen on; 0: any free port. Default 8787. */
  readonly port?: number;
  /** The address to listen on; 0.0.0.0: all addresses. Default `127.0.0.1`. */
  readonly host?: string;
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
}

/** A Telegram bot; without a public address too. */
export interface TelegramConfig extends ChannelAccess {
  /** The bot's token, from @BotFather: 123456:ABC…. */
  readonly token: string;
  /** For webhooks: the secret that Telegram sends with each request; 1 to 256 letters, digits, _ and -. */
  readonly secret?: string;
  /**
   * How messages arrive; auto: by webhook if server.public_url is an https:// address and a secret is set, else by
   * polling. Default `auto`.
   */
  readonly receive?: "auto" | "poll" | "webhook";
  /** The Bot API's address; pacing is off for any address but Telegram's. Default `https://api.telegram.org`. */
  readonly apiBase?: string;
  /** The bot's name without @; default: Telegram is asked for it. */
  readonly botUsername?: string;
  /** Whether messages show previews of links. Default false. */
  readonly linkPreviews?: boolean;
}

/** Any program that signs its messages, at /webhooks/webhook. */
export interface WebhookConfig extends ChannelAccess {
  /** Secret that signs requests and replies. */
  readonly secret: string;
  /** Address for replies to messages that name none. */
  readonly replyUrl?: string;
  /** Further origins, besides that of `reply_url`, that a message's own `reply_url` may have. */
  readonly replyOrigins?: readonly string[];
}

/** Files that the assistant may read and write. */
export interface WorkspaceConfig {
  /** Folder of the file tools; default: files are kept in the store. */
  readonly root?: string;
  /** How commands run. */
  readonly exec?: {
    /**
     * How commands run: in an interpreter that starts no program of the host, in the system's sandbox, on the host, or
     * not at all. Default `simulated`.
     */
    readonly mode?: "simulated" | "sandboxed" | "host" | "off";
    /** For host: whether the system's sandbox is used if there is one. Default `auto`. */
    readonly sandbox?: "auto" | "none";
    /**
     * For sandboxed and host: whether commands may use the network, including the ports of this machine. Default
     * false.
     */
    readonly network?: boolean;
    /** For sandboxed and host: paths that commands may read besides the workspace and the system's programs. */
    readonly readable?: readonly string[];
    /** Limits of one command; simulated takes only `disk_bytes` and `seconds`. */
    readonly limits?: {
      /** Largest file that a command may write, in bytes. Default 268_435_456. */
      readonly fileBytes?: number;
      /** Bytes that a command may add to the workspace in total; 67108864 when simulated. Default 1_073_741_824. */
      readonly diskBytes?: number;
      /** Memory of all processes of a command together, in bytes. Default 2_147_483_648. */
      readonly memoryBytes?: number;
      /** Maximum processes of a command at once. Default 512. */
      readonly processes?: number;
      /** Longest time that a command may ask for, in seconds. Default 600. */
      readonly seconds?: number;
    };
  };
}

/** An agent. */
export interface AgentConfig {
  /**
   * The agent's id, which is part of session keys. Letters, digits, `_` and `-`. Do not change it: sessions are
   * found by it.
   */
  readonly id: string;
  /** Name that the agent uses for itself. */
  readonly name?: string;
  /** Instructions for the agent; default: the shipped ones. They come first in the prompt. Source: docs/context.md. */
  readonly instructions?: string;
  /** The agent's own workspace; default: the assistant's. */
  readonly workspace?: WorkspaceConfig;
  /** Skills that this agent has; default: all. */
  readonly skills?: readonly string[];
  /** Maximum model calls of one turn. Default 20. The last call is made without tools. */
  readonly maxSteps?: number;
  /** Longest turn, in seconds. Default 300. */
  readonly maxTurnSeconds?: number;
  /** The agent's model, then its fallbacks in order; default: the assistant's. */
  readonly models?: readonly ModelConfig[];
}

/**
 * Search engines for `web_search`; without one the tool does not exist. They are asked in the order of these
 * options.
 */
export interface SearchConfig {
  /** Perplexity's Search API, asked first. */
  readonly perplexity?: {
    /** The key, from https://www.perplexity.ai/settings/api. */
    readonly apiKey?: string;
    /** Whether it is asked; default: if it has a key. */
    readonly enabled?: boolean;
    /** The API's address. Default `https://api.perplexity.ai`. */
    readonly baseUrl?: string;
  };
  /** Brave's Web Search API, asked next. */
  readonly brave?: {
    /** The key, from https://api-dashboard.search.brave.com. */
    readonly apiKey?: string;
    /** Whether it is asked; default: if it has a key. */
    readonly enabled?: boolean;
    /** The API's address. Default `https://api.search.brave.com`. */
    readonly baseUrl?: string;
  };
  /** DuckDuckGo, asked last. */
  readonly duckduckgo?: {
    /** Whether its HTML page is read; it has no API and may refuse. Default false. */
    readonly enabled?: boolean;
    /** The page's address. Default `https://html.duckduckgo.com`. */
    readonly baseUrl?: string;
  };
}

/** An MCP server, by url or by command. */
export interface McpServerConfig {
  /** Address of the server, for a server over HTTP. */
  readonly url?: string;
  /** Headers of every request to the server; sent nowhere else. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether `url` may be on this machine or in a private network. Default false. */
  readonly allowPrivate?: boolean;
  /** Instead of url: the program that is the server; no shell reads it. */
  readonly command?: string;
  /** The program's arguments. */
  readonly args?: readonly string[];
  /**
   * Environment variables of the program, besides HOME, LOGNAME, PATH, SHELL, TERM and USER. Nothing else of the
   * assistant's environment is passed on.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** The program's working directory; default: the assistant's. */
  readonly cwd?: string;
  /** Groups of its tools for policy rules, besides mcp. */
  readonly groups?: readonly string[];
  /** Tools that are offered; default: all. */
  readonly tools?: readonly string[];
  /**
   * Which tools ask the owner before each call: all, none, or these. Default true. What a server says about its own
   * tools is not trusted.
   */
  readonly dangerous?: boolean | readonly string[];
  /**
   * Whether tools that the server adds later are offered without asking the owner. Default false. The owner is asked
   * about a changed tool in any case.
   */
  readonly trustNewTools?: boolean;
  /** Whether the server is trusted about which of its tools may run again after a crash. Default false. */
  readonly trustAnnotations?: boolean;
  /** Longest call, in milliseconds. Default 60_000. */
  readonly timeoutMs?: number;
}

/** What the assistant remembers and recalls. */
export interface MemoryConfig {
  /** Whether there is a memory; false: no tools, no recall, no capture. Default true. */
  readonly enabled?: boolean;
  /** Whether matching memories are recalled before each turn. Default true. */
  readonly autoRecall?: boolean;
  /** Whether what turns did and what people stated is stored. Default true. */
  readonly autoCapture?: boolean;
  /** Recall before a turn. */
  readonly recall?: {
    /** Maximum memories recalled before a turn. Default 5. */
    readonly limit?: number;
    /** Maximum tokens of these memories in the prompt. Default 1000. */
    readonly maxTokens?: number;
    /** Longest wait for the embedding of a query, in milliseconds; then only words decide. Default 200. */
    readonly timeoutMs?: number;
  };
  /** Recall within long turns. */
  readonly refresh?: {
    /** Model calls within one turn after which memory is searched again, for what the tools found; 0: never. Default 3. */
    readonly interval?: number;
    /** Maximum tokens that one such recall adds. Default 500. */
    readonly maxTokens?: number;
  };
  /**
   * How results by words and by meaning are combined if there is an embedding model. Default `scores`. Source:
   * docs/recall.md.
   */
  readonly fusion?: "scores" | "rrf";
  /** Weight of meaning; scores: relative to 1 for words (default 0.3); rrf: share of the whole (default 0.6). */
  readonly alpha?: number;
  /** The constant k of rrf. Default 60. */
  readonly k?: number;
  /** Cosine similarity below which meaning counts as nothing; default: computed from the entries. */
  readonly minSimilarity?: number;
  /** Days that entries stored before a compaction are recalled; then they move to the archive. Default 90. */
  readonly autoCaptureDays?: number;
  /** Share of common words above which an entry that a compaction would store counts as known. Default 0.8. */
  readonly dedupeThreshold?: number;
  /** How statements are found. */
  readonly capture?: {
    /**
     * Name of one of the models; it classifies sentences about the speaker that no rule could read, at most once in
     * ten messages.
     */
    readonly model?: string;
  };
  /** Embedding model, which adds recall by meaning. */
  readonly embedder?: EmbedderConfig;
}

/** Embedding model, which adds recall by meaning. */
export interface EmbedderConfig {
  /** Provider of the embedding model; openai-compatible: any server with OpenAI's embeddings. */
  readonly provider: "openai" | "openai-compatible";
  /** The model's name at the provider. */
  readonly model: string;
  /** The server's address; required for openai-compatible. */
  readonly baseUrl?: string;
  /** The key, if the server needs one. */
  readonly apiKey?: string;
}

/** Skills and when they are used. */
export interface SkillsConfig {
  /** Whether there are skills; false: none is activated or listed, and there are no tools for them. Default true. */
  readonly enabled?: boolean;
  /** Whether the skills that ship with Wakeful are offered. Default true. */
  readonly builtIn?: boolean;
  /** Automatic activation of skills. */
  readonly autoActivation?: {
    /** Whether skills that match a message are activated automatically. Default true. */
    readonly enabled?: boolean;
    /** Maximum skills activated in one turn. Default 3. */
    readonly maxActivated?: number;
    /** Maximum tokens of the skills of one turn, in addition to context.injectionTokens. Default 4000. */
    readonly tokenBudget?: number;
    /** Whether prompts list every skill in one line, so that the model can read one itself. Default true. */
    readonly fallbackToIndex?: boolean;
  };
  /** Skills without triggers. */
  readonly recommender?: {
    /** Whether the prompt names skills without triggers that may fit the message. Default false. */
    readonly enabled?: boolean;
  };
  /** Whether work that a person repeats is suggested to them as a skill. Default true. */
  readonly learning?: boolean;
  /** Whether replies that used a skill have buttons to say if it helped, on channels with buttons. Default false. */
  readonly feedbackButtons?: boolean;
  /** Whether skills in ~/.wakeful/skills, which all programs of a person share, are offered. Default true. */
  readonly global?: boolean;
  /** Further folders that skills come from. */
  readonly sources?: readonly string[];
}

/** Registries in which skills are found and from which they are installed. */
export interface RegistriesConfig {
  /** ClawHub, a public registry in which anyone may publish. */
  readonly clawhub?: {
    /** Whether ClawHub is asked for skills; it needs no key. Default false. */
    readonly enabled?: boolean;
    /** The registry's address. Default `https://clawhub.ai`. */
    readonly baseUrl?: string;
    /** A token of ClawHub, for higher rate limits. */
    readonly token?: string;
  };
  /** A folder on this machine. */
  readonly folder?: {
    /** A folder with an archive <slug>.zip for each skill. */
    readonly root: string;
  };
}
