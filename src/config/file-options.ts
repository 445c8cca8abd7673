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

/** What a configuration file may say. Only what it gives; defaults are in docs/config.md. */
export interface FileOptions {
  /** The version of this file's format. Default 1. */
  readonly version?: 1;
  /**
   * The folder of the fs store, of this file's default place and of what other stores keep in files. Default
   * `.wakeful`.
   */
  readonly data?: string;
  /** The model, and the ones to fall back to; when left out, what the environment says, else the offline model. */
  readonly models?: readonly ModelConfig[];
  /** Where everything is kept. */
  readonly store?: StoreConfig;
  /** The HTTP server. */
  readonly server?: ServerConfig;
  /** Where people write from; each is served at /webhooks/<name>. */
  readonly channels?: {
    /** A Telegram bot; without a public address too. */
    readonly telegram?: readonly TelegramConfig[];
    /** Any program that signs its messages, at /webhooks/webhook. */
    readonly webhook?: readonly WebhookConfig[];
  };
  /** Files that the assistant may read and write. */
  readonly workspace?: WorkspaceConfig;
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
  readonly agent?: Partial<AgentConfig>;
  /** Several agents; the first is the default one. */
  readonly agents?: readonly AgentConfig[];
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
  readonly search?: SearchConfig;
  /** Tools of MCP servers. Source: docs/mcp.md. */
  readonly mcp?: {
    /** MCP servers by a name, which their tools bear: mcp__<name>__<tool>. */
    readonly servers?: Readonly<Record<string, McpServerConfig>>;
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
  readonly workflow?: {
    /** Whether there are workflows; false: none runs, and there are no tools for them. Default true. */
    readonly enabled?: boolean;
    /** Steps of one run that are done side by side. Default 2. */
    readonly maxParallel?: number;
  };
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
  /** Which tool may run for whom; the shipped profiles when left out. */
  readonly policy?: {
    /** The policy file, beside this file if its path is relative; read again when it changes. */
    readonly file: string;
  };
  /** What is written to standard error. */
  readonly log?: {
    /** The least that is written. Default `info`. */
    readonly level?: "debug" | "info" | "warning" | "error" | "off";
    /** auto: pretty on a terminal, JSON lines elsewhere. Default `auto`. */
    readonly format?: "auto" | "pretty" | "json";
  };
  /** What is remembered and recalled. */
  readonly memory?: MemoryConfig;
  /** Skills and when they are used. */
  readonly skills?: SkillsConfig;
  /** Where skills are found and installed from. */
  readonly registries?: RegistriesConfig;
  /** How tools are called. */
  readonly tools?: {
    /**
     * How models call tools: by the provider's function calling, or in their text, for models without it. Default
     * `native`. Source: docs/models.md, "Models that cannot call tools".
     */
    readonly protocol?: ToolProtocol;
  };
  /** Traces and metrics for OpenTelemetry. Source: docs/observability.md. */
  readonly telemetry?: {
    /** Send traces and metrics to OpenTelemetry where the program has registered it. Default true. */
    readonly enabled?: boolean;
  };
  /** What the assistant does of itself. */
  readonly proactive?: {
    /** What is found in what people say and do. */
    readonly patterns?: {
      /** Whether habits, failing tools and stale commitments are found, and people told of them. Default true. */
      readonly enabled?: boolean;
    };
    /** What a message touches. */
    readonly initiative?: {
      /** Whether the model is told what a message touches of goals, drives and open findings. Default true. */
      readonly enabled?: boolean;
    };
    /** Share of tasks that run without initiative, so that its worth can be measured. Default 0. */
    readonly holdout?: number;
  };
}

/** A model by data. */
export interface ModelConfig {
  /**
   * Whose model; any server that speaks OpenAI's chat completions is openai-compatible; offline is built in and
   * needs no key.
   */
  readonly provider: "openai" | "openai-compatible" | "offline";
  /** The model's name at the provider. */
  readonly model?: string;
  /** The server's address; required for openai-compatible. */
  readonly baseUrl?: string;
  /** The key, if the server wants one. */
  readonly apiKey?: string;
  /** Tokens that this model takes in all. Default: `context.contextWindow`. */
  readonly contextWindow?: number;
  /** What it costs, in the currency of the budget; 0 for a model that costs nothing. */
  readonly price?: ModelPrice;
  /** Types of files that it is shown (images, application/pdf); what its provider says when left out. */
  readonly files?: readonly string[];
  /**
   * How models call tools: by the provider's function calling, or in their text, for models without it. Default
   * `native`. Source: docs/models.md, "Models that cannot call tools".
   */
  readonly protocol?: ToolProtocol;
}

/** Where everything is kept. */
export interface StoreConfig {
  /** What keeps the data. Default `fs`. */
  readonly driver?: "fs" | "sqlite" | "redis" | "deno-kv" | "memory";
  /** fs: the folder; `data` when left out. */
  readonly root?: string;
  /** sqlite and deno-kv: the file; in `data` when left out. */
  readonly path?: string;
  /** redis: the server. */
  readonly url?: string;
  /** redis: what every key starts with, so that several assistants can share a server. */
  readonly prefix?: string;
}

/** The HTTP server. */
export interface ServerConfig {
  /** The port to listen on; 0 is any free one. Default 8787. */
  readonly port?: number;
  /** The address to listen on; 0.0.0.0 is every one. Default `127.0.0.1`. */
  readonly host?: string;
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
}

/** A Telegram bot; without a public address too. */
export interface TelegramConfig extends ChannelAccess {
  /** The bot's token, from @BotFather: 123456:ABC…. */
  readonly token: string;
  /** For webhooks: what Telegram sends with each one; 1 to 256 letters, digits, _ and -. */
  readonly secret?: string;
  /**
   * How messages come in: by a webhook at server.public_url where that is an https:// address and there is a secret,
   * else asked for; always asked for; always by webhook. Default `auto`.
   */
  readonly receive?: "auto" | "poll" | "webhook";
  /** The Bot API's address; against any but Telegram's, pacing is off. Default `https://api.telegram.org`. */
  readonly apiBase?: string;
  /** The bot's name without @; asked of Telegram when left out. */
  readonly botUsername?: string;
  /** Show previews of links. Default false. */
  readonly linkPreviews?: boolean;
}

/** Any program that signs its messages, at /webhooks/webhook. */
export interface WebhookConfig extends ChannelAccess {
  /** Signs requests and replies. */
  readonly secret: string;
  /** Where replies are posted, when the message names no address. */
  readonly replyUrl?: string;
  /** Origins, besides that of `reply_url`, that a message's own `reply_url` may have. */
  readonly replyOrigins?: readonly string[];
}

/** Files that the assistant may read and write. */
export interface WorkspaceConfig {
  /** The folder that file tools see; when left out, files are kept in the store. */
  readonly root?: string;
  /** Running commands. */
  readonly exec?: {
    /**
     * How commands run: in an interpreter without any program of the host, in the system's sandbox, on the host, or
     * not at all. Default `simulated`.
     */
    readonly mode?: "simulated" | "sandboxed" | "host" | "off";
    /** For host: whether the system's sandbox is used where there is one. Default `auto`. */
    readonly sandbox?: "auto" | "none";
    /** For sandboxed and host: whether commands may use the network, the ports of this machine too. Default false. */
    readonly network?: boolean;
    /** For sandboxed and host: what commands may read besides the workspace and the system's programs. */
    readonly readable?: readonly string[];
    /** How much one command may use; simulated takes `disk_bytes` and `seconds` only. */
    readonly limits?: {
      /** Bytes of the largest file that a command may write. Default 268_435_456. */
      readonly fileBytes?: number;
      /** Bytes that a command may add to the workspace altogether; 67108864 when simulated. Default 1_073_741_824. */
      readonly diskBytes?: number;
      /** Bytes of memory of all processes of a command together. Default 2_147_483_648. */
      readonly memoryBytes?: number;
      /** Processes of a command at once. Default 512. */
      readonly processes?: number;
      /** Longest time that a command may ask for. Default 600. */
      readonly seconds?: number;
    };
  };
}

/** An agent. */
export interface AgentConfig {
  /** Names the agent in session keys. Letters, digits, `_`, `-`. Keep it: sessions are found by it. */
  readonly id: string;
  /** What the agent calls itself. */
  readonly name?: string;
  /**
   * How the agent should behave; the shipped instructions when left out. It is told them before everything else.
   * Source: docs/context.md.
   */
  readonly instructions?: string;
  /** The agent's own workspace; when left out, the assistant's. */
  readonly workspace?: WorkspaceConfig;
  /** Skills of this agent; all when left out. */
  readonly skills?: readonly string[];
  /** Model calls a turn may take. Default 20. The last one is asked without tools. */
  readonly maxSteps?: number;
  /** Seconds a turn may take. Default 300. */
  readonly maxTurnSeconds?: number;
  /** The agent's model, and the ones to fall back to; when left out, the assistant's. */
  readonly models?: readonly ModelConfig[];
}

/**
 * Search engines for `web_search`; without any there is no such tool. They are asked in the order in which they
 * stand here.
 */
export interface SearchConfig {
  /** Perplexity's Search API, asked first. */
  readonly perplexity?: {
    /** The key, from https://www.perplexity.ai/settings/api. */
    readonly apiKey?: string;
    /** Whether it is asked; when left out, if it has a key. */
    readonly enabled?: boolean;
    /** The API's address. Default `https://api.perplexity.ai`. */
    readonly baseUrl?: string;
  };
  /** Brave's Web Search API, asked next. */
  readonly brave?: {
    /** The key, from https://api-dashboard.search.brave.com. */
    readonly apiKey?: string;
    /** Whether it is asked; when left out, if it has a key. */
    readonly enabled?: boolean;
    /** The API's address. Default `https://api.search.brave.com`. */
    readonly baseUrl?: string;
  };
  /** DuckDuckGo, asked last. */
  readonly duckduckgo?: {
    /** Whether its page for people is read; it has no API and may refuse. Default false. */
    readonly enabled?: boolean;
    /** The page's address. Default `https://html.duckduckgo.com`. */
    readonly baseUrl?: string;
  };
}

/** A server, by url or by command. */
export interface McpServerConfig {
  /** Where the server is, over HTTP. */
  readonly url?: string;
  /** Sent with every request to the server, and nowhere else. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The url is on this machine or in a private network, and that is meant. Default false. */
  readonly allowPrivate?: boolean;
  /** Instead of url: a program that is the server; read by no shell. */
  readonly command?: string;
  /** The program's arguments. */
  readonly args?: readonly string[];
  /**
   * What the program finds in its environment besides HOME, LOGNAME, PATH, SHELL, TERM and USER. Nothing else of the
   * assistant's environment is passed on.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder in which the program runs; when left out, the assistant's. */
  readonly cwd?: string;
  /** Groups of its tools for policy rules, besides mcp. */
  readonly groups?: readonly string[];
  /** Only these tools; when left out, all. */
  readonly tools?: readonly string[];
  /**
   * Which tools ask the owner before each call: all, none, or these. Default true. What a server says of itself is
   * not believed.
   */
  readonly dangerous?: boolean | readonly string[];
  /**
   * Tools that the server adds later are offered without asking the owner. Default false. A changed tool is asked
   * for all the same.
   */
  readonly trustNewTools?: boolean;
  /** Believe the server which of its tools may be run again after a crash. Default false. */
  readonly trustAnnotations?: boolean;
  /** Longest call, in milliseconds. Default 60_000. */
  readonly timeoutMs?: number;
}

/** What is remembered and recalled. */
export interface MemoryConfig {
  /** Whether anything is remembered; false: no tools, no recall, no capture. Default true. */
  readonly enabled?: boolean;
  /** Whether what fits is recalled before each turn. Default true. */
  readonly autoRecall?: boolean;
  /** Whether what turns did and people stated is kept. Default true. */
  readonly autoCapture?: boolean;
  /** What is recalled before a turn. */
  readonly recall?: {
    /** Memories that are recalled before a turn. Default 5. */
    readonly limit?: number;
    /** Tokens that they may take in the prompt. Default 1000. */
    readonly maxTokens?: number;
    /** Milliseconds that the embedding of a question may take; then words alone decide. Default 200. */
    readonly timeoutMs?: number;
  };
  /** Recall within long turns. */
  readonly refresh?: {
    /** Model calls of one turn between two recalls with what its tools found; 0 is never. Default 3. */
    readonly interval?: number;
    /** Tokens that one such recall may add. Default 500. */
    readonly maxTokens?: number;
  };
  /** How words and meaning are joined where there is an embedding model. Default `scores`. Source: docs/recall.md. */
  readonly fusion?: "scores" | "rrf";
  /** Weight of meaning: against words at 1 for scores (0.3), of the whole for rrf (0.6). */
  readonly alpha?: number;
  /** The constant of rrf. Default 60. */
  readonly k?: number;
  /** Cosine below which meaning counts for nothing; found from the entries themselves when left out. */
  readonly minSimilarity?: number;
  /** Days that what was kept before a compaction is recalled; then it goes to the archive. Default 90. */
  readonly autoCaptureDays?: number;
  /** Share of common words from which what a compaction would keep counts as known. Default 0.8. */
  readonly dedupeThreshold?: number;
  /** How statements are found. */
  readonly capture?: {
    /**
     * The name of one of the models, which looks at sentences about oneself that no rule could read, at most once in
     * ten messages.
     */
    readonly model?: string;
  };
  /** An embedding model, for recall by meaning too. */
  readonly embedder?: EmbedderConfig;
}

/** An embedding model, for recall by meaning too. */
export interface EmbedderConfig {
  /** Whose embedding model; any server that speaks OpenAI's embeddings is openai-compatible. */
  readonly provider: "openai" | "openai-compatible";
  /** The model's name at the provider. */
  readonly model: string;
  /** The server's address; required for openai-compatible. */
  readonly baseUrl?: string;
  /** The key, if the server wants one. */
  readonly apiKey?: string;
}

/** Skills and when they are used. */
export interface SkillsConfig {
  /** Whether there are skills; false: none comes, none is named, no tools for them. Default true. */
  readonly enabled?: boolean;
  /** Whether the skills that Wakeful brings are offered. Default true. */
  readonly builtIn?: boolean;
  /** Skills that come by themselves. */
  readonly autoActivation?: {
    /** Whether skills that fit a message come by themselves. Default true. */
    readonly enabled?: boolean;
    /** Skills that may come into one turn. Default 3. */
    readonly maxActivated?: number;
    /** Tokens that the skills of one turn may take, besides those of context.injectionTokens. Default 4000. */
    readonly tokenBudget?: number;
    /** Whether prompts name every skill in one line, so that the model can read one by itself. Default true. */
    readonly fallbackToIndex?: boolean;
  };
  /** Skills without triggers. */
  readonly recommender?: {
    /** Whether skills without triggers that may fit a message are named with it. Default false. */
    readonly enabled?: boolean;
  };
  /** Whether work that somebody does again and again is suggested to them as a skill. Default true. */
  readonly learning?: boolean;
  /**
   * Whether replies for which a skill came have buttons to say if it helped, where the channel has buttons. Default
   * false.
   */
  readonly feedbackButtons?: boolean;
  /** Whether skills of ~/.wakeful/skills are offered, which all programs of a person share. Default true. */
  readonly global?: boolean;
  /** More folders that skills come from. */
  readonly sources?: readonly string[];
}

/** Where skills are found and installed from. */
export interface RegistriesConfig {
  /** ClawHub, a public registry in which anybody may publish. */
  readonly clawhub?: {
    /** Whether it is asked; it needs no key. Default false. */
    readonly enabled?: boolean;
    /** The registry's address. Default `https://clawhub.ai`. */
    readonly baseUrl?: string;
    /** A token of ClawHub, for higher rate limits. */
    readonly token?: string;
  };
  /** A folder of this machine. */
  readonly folder?: {
    /** A folder with an archive <slug>.zip for each skill. */
    readonly root: string;
  };
}
