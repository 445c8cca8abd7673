import type { ChannelAccess } from "../channel.ts";
import type { ConfigWarning } from "../settings/index.ts";
import type { ExecLimits } from "../tools/index.ts";

/** A model by data; see docs/config.md, "models". */
export interface ModelConfig {
  readonly provider: "openai" | "openai-compatible" | "offline";
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly contextWindow?: number;
  readonly price?: { readonly input: number; readonly output: number; readonly cachedInput?: number };
  /** Default: `tools.protocol`. */
  readonly protocol?: "native" | "text";
  /** Types of files that it is shown. */
  readonly files?: readonly string[];
}

/** What may be used in a day or a month. */
export interface BudgetLimitConfig {
  readonly tokens?: number;
  readonly cost?: number;
}

/** What keeps the data; see docs/config.md, "store". */
export interface StoreConfig {
  readonly driver?: "fs" | "sqlite" | "redis" | "deno-kv" | "memory";
  readonly root?: string;
  readonly path?: string;
  readonly url?: string;
  readonly prefix?: string;
}

export interface TokenConfig {
  readonly token: string;
  readonly role: "owner" | "user" | "metrics";
  readonly user?: string;
}

export interface ServerConfig {
  readonly port?: number;
  readonly host?: string;
  readonly publicUrl?: string;
  readonly token?: string;
  readonly tokens?: readonly TokenConfig[];
  readonly hosts?: readonly string[];
  readonly rateLimit?: { readonly enabled?: boolean; readonly perSource?: number; readonly perToken?: number };
  readonly trustedProxies?: readonly string[];
}

/** An MCP server; exactly one of `url` and `command` is given. */
export interface McpServerConfig {
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly allowPrivate?: boolean;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly groups?: readonly string[];
  readonly tools?: readonly string[];
  readonly dangerous?: boolean | readonly string[];
  readonly trustNewTools?: boolean;
  readonly trustAnnotations?: boolean;
  readonly timeoutMs?: number;
}

export interface QueueConfig {
  readonly mode?: "collect" | "followup" | "steer" | "interrupt";
  readonly debounceMs?: number;
  readonly cap?: number;
  readonly overflow?: "summarize" | "old" | "new";
  readonly maxConcurrent?: number;
}

export interface ContextConfig {
  readonly strategy?: "full" | "lite" | "custom";
  readonly historyTokens?: number;
  readonly injectionTokens?: number;
  readonly contextWindow?: number;
  readonly includeParts?: readonly string[];
  readonly includeMemory?: boolean;
  readonly includeRuntime?: boolean;
  readonly excludeTools?: readonly string[];
}

export interface CompactionConfig {
  readonly enabled?: boolean;
  readonly triggerRatio?: number;
  readonly reserveTokens?: number;
  readonly keepLastTurns?: number;
  readonly summaryTokens?: number;
  readonly flush?: boolean;
}

/** An embedding model by data; see docs/config.md, "memory". */
export interface EmbedderConfig {
  readonly provider: "openai" | "openai-compatible";
  readonly model: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
}

export interface MemoryConfig {
  readonly enabled?: boolean;
  readonly autoRecall?: boolean;
  readonly autoCapture?: boolean;
  readonly recall?: { readonly limit?: number; readonly maxTokens?: number; readonly timeoutMs?: number };
  readonly refresh?: { readonly interval?: number; readonly maxTokens?: number };
  readonly fusion?: "scores" | "rrf";
  readonly alpha?: number;
  readonly k?: number;
  readonly minSimilarity?: number;
  readonly autoCaptureDays?: number;
  readonly dedupeThreshold?: number;
  readonly embedder?: EmbedderConfig;
}

export interface AgentConfig {
  readonly id: string;
  readonly name?: string;
  readonly instructions?: string;
  readonly maxSteps?: number;
  readonly maxTurnSeconds?: number;
  readonly models?: readonly ModelConfig[];
  readonly workspace?: WorkspaceConfig;
}

export interface WorkspaceConfig {
  readonly root?: string;
  readonly exec?: {
    readonly mode?: "simulated" | "sandboxed" | "host" | "off";
    readonly sandbox?: "auto" | "none";
    readonly network?: boolean;
    readonly readable?: readonly string[];
    readonly limits?: Partial<ExecLimits>;
  };
}

export interface BindingConfig {
  readonly agentId: string;
  readonly match: {
    readonly channel: string;
    readonly account?: string;
    readonly peer?: { readonly kind: "direct" | "group" | "channel"; readonly id: string };
    readonly guild?: string;
    readonly team?: string;
  };
}

export interface TelegramConfig extends ChannelAccess {
  readonly token: string;
  readonly secret: string;
  readonly apiBase?: string;
  readonly botUsername?: string;
  readonly linkPreviews?: boolean;
}

export interface WebhookConfig extends ChannelAccess {
  readonly secret: string;
  readonly replyUrl?: string;
  readonly replyOrigins?: readonly string[];
}

/** Search engines by data; see docs/config.md, "search". */
export interface SearchConfig {
  readonly perplexity?: { readonly apiKey?: string; readonly enabled?: boolean; readonly baseUrl?: string };
  readonly brave?: { readonly apiKey?: string; readonly enabled?: boolean; readonly baseUrl?: string };
  readonly duckduckgo?: { readonly enabled?: boolean; readonly baseUrl?: string };
}

/**
 * A configuration file, checked: the names of the SDK, only what the file gives (defaults are in docs/config.md), environment variables and
 * secrets filled in, and nothing that this version does not have.
 */
export interface Config {
  readonly version?: 1;
  readonly data?: string;
  readonly timezone?: string;
  readonly owner?: { readonly ids?: readonly string[] };
  readonly roles?: Readonly<Record<string, readonly string[]>>;
  readonly users?: Readonly<
    Record<string, { readonly name?: string; readonly timezone?: string; readonly language?: string }>
  >;
  readonly models?: readonly ModelConfig[];
  readonly store?: StoreConfig;
  readonly server?: ServerConfig;
  readonly session?: {
    readonly dmScope?: "main" | "per-peer" | "per-channel-peer" | "per-account-channel-peer";
    readonly identityLinks?: Readonly<Record<string, readonly string[]>>;
    readonly ownerMain?: boolean;
    readonly idleMinutes?: number;
    readonly threads?: "apart" | "together";
  };
  readonly queue?: QueueConfig;
  readonly context?: ContextConfig;
  readonly compaction?: CompactionConfig;
  readonly memory?: MemoryConfig;
  readonly artifacts?: {
    readonly thresholdBytes?: number;
    readonly maxBytes?: number;
    readonly maxTotalBytes?: number;
    readonly keepDays?: number;
  };
  readonly search?: SearchConfig;
  readonly approvals?: { readonly timeoutMinutes?: number };
  readonly mcp?: { readonly servers?: Readonly<Record<string, McpServerConfig>> };
  readonly budget?: { readonly daily?: BudgetLimitConfig; readonly monthly?: BudgetLimitConfig };
  readonly tools?: { readonly protocol?: "native" | "text" };
  readonly modelTimeoutMs?: number;
  readonly agent?: Partial<AgentConfig>;
  readonly agents?: readonly AgentConfig[];
  readonly bindings?: readonly BindingConfig[];
  /** Each a list: one entry an account. */
  readonly channels?: { readonly telegram?: readonly TelegramConfig[]; readonly webhook?: readonly WebhookConfig[] };
  readonly workspace?: WorkspaceConfig;
  readonly policy?: { readonly file: string };
  readonly log?: {
    readonly level?: "debug" | "info" | "warning" | "error" | "off";
    readonly format?: "auto" | "pretty" | "json";
  };
  /** What the file asks for that this version does not have. */
  readonly warnings: readonly ConfigWarning[];
  /** The values of all secrets, so that they can be kept out of logs. Not enumerable: it is not printed with the rest. */
  readonly secrets: readonly string[];
}
