import type { ModelInfo, ModelObject } from "./agent/index.ts";
import type { ArtifactLimits } from "./artifacts/index.ts";
import type { Channel, ContextOptions } from "./channel.ts";
import type { Clock } from "./clock.ts";
import type { HostPart, Person } from "./context/index.ts";
import type { Engine } from "./engine/index.ts";
import type { RateLimitOptions, ServerToken } from "./http/index.ts";
import type { McpServerLibrary } from "./libraries.ts";
import type { Embedder, MemoryStore } from "./memory/index.ts";
import type { Platform } from "./platform.ts";
import type { PolicySource } from "./policy/index.ts";
import type { QueueOptions, Binding, SessionOptions } from "./session/index.ts";
import type { HostMessage } from "./reply.ts";
import type { Store, UnstorageDriver, UnstorageStorage } from "./store/index.ts";
import type { ProactiveHook } from "./proactive/index.ts";
import type { Logger } from "./telemetry/index.ts";
import type { Lookup } from "./guard/index.ts";
import type { AnyTool, McpOptions, PageReader, PatternEngine, SearchOptions, Workspace } from "./tools/index.ts";
import type { CompactionSettings } from "./turn/index.ts";
import type { Budget } from "./usage/index.ts";

/** One of several assistants behind the same channels. */
export interface AgentOptions {
  /** Letters, digits, `_`, `-`. Part of the session keys: keep it. */
  readonly id: string;
  readonly name?: string;
  /** What the agent is told before everything else. Default: steady, brief, finishes what it begins (docs/context.md). */
  readonly instructions?: string;
  /** Default: the assistant's. */
  readonly model?: ModelObject | readonly ModelObject[];
  readonly workspace?: Workspace;
  /** Most model calls in one turn; the last one is asked without tools. Default 20. */
  readonly maxSteps?: number;
  /** Longest turn, in seconds. Default 300. */
  readonly maxTurnSeconds?: number;
}

/** What is remembered and recalled. Source: docs/memory.md. */
export interface MemoryOptions {
  /** Default true. False: no memory tools, no recall, no capture. */
  readonly enabled?: boolean;
  /** Recall what fits before each turn. Default true. */
  readonly autoRecall?: boolean;
  /** Keep what turns did and what people stated. Default true. */
  readonly autoCapture?: boolean;
  readonly recall?: {
    /** Memories before a turn. 1 to 50; default 5. */
    readonly limit?: number;
    /** Tokens that they may take in the prompt, estimated. Default 1000. */
    readonly maxTokens?: number;
    /** Milliseconds that the embedding of a question may take; then words alone decide. Default 200. */
    readonly timeoutMs?: number;
  };
  /** Recall within long turns. */
  readonly refresh?: {
    /** Model calls between two of them; 0: never. Default 3. */
    readonly interval?: number;
    /** Default 500. */
    readonly maxTokens?: number;
  };
  /** What keeps entries. Default: files in the store. */
  readonly store?: MemoryStore;
  /** An AI SDK embedding model, for recall by meaning too. Default none: words alone. */
  readonly embedder?: Embedder;
  /** How words and meaning are joined. Default `scores`. Source: docs/recall.md. */
  readonly fusion?: "scores" | "rrf";
  /** Weight of meaning. Default 0.3 for `scores`, 0.6 for `rrf`. */
  readonly alpha?: number;
  /** The constant of `rrf`. Default 60. */
  readonly k?: number;
  /** Cosine below which meaning counts for nothing. Default: found from the entries themselves. */
  readonly minSimilarity?: number;
  /** Days that what was kept before a compaction is recalled. Default 90. */
  readonly autoCaptureDays?: number;
  /** Share of common words from which what a compaction would keep counts as known. Default 0.8. */
  readonly dedupeThreshold?: number;
}

/** What `createAssistant` takes. Every option but `model` has a default; docs/config.md lists them with their names in the configuration file. */
export interface AssistantOptions {
  /** An AI SDK language model, or several to be tried in order. A string is refused: the AI SDK would send it to a gateway. */
  readonly model?: ModelObject | readonly ModelObject[];
  /** What is known of models, by `provider/modelId`: windows, prices, models without function calling. Source: docs/models.md. */
  readonly modelInfo?: ModelInfo;
  /** How much models may be used in a day and a month. Default: without limit. Source: docs/models-failures.md, "Budgets". */
  readonly budget?: Budget;
  /** From `wakeful/storage/…`, or any unstorage `Storage`. Default: memory, which forgets everything when the process ends. */
  readonly store?: Store | UnstorageStorage | UnstorageDriver;
  /** Default: the embedded engine, on the same store. */
  readonly engine?: Engine;
  readonly channels?: readonly Channel[];
  /** Tools of the host; the key names the tool. A built-in of the same name is replaced. */
  readonly tools?: Readonly<Record<string, AnyTool>>;
  /** What takes part in turns from the start; `assistant.hooks` adds and removes more. */
  readonly hooks?: readonly ProactiveHook[];
  /** Where the file tools read and write. Default: a virtual workspace in the store. `false`: no file tools. */
  readonly workspace?: Workspace | false;
  /** Short for `agents` with one entry. */
  readonly agent?: Partial<AgentOptions>;
  /** The first is the default agent. Default one, `main`. */
  readonly agents?: readonly AgentOptions[];
  readonly bindings?: readonly Binding[];
  /** Stable `channel:id`s of the owner. */
  readonly owner?: { readonly ids?: readonly string[] };
  /** A role's name to the users (`channel:id`) that hold it. */
  readonly roles?: Readonly<Record<string, readonly string[]>>;
  /** What is known of people, by `channel:id`: it stands in the prompt when they speak. */
  readonly users?: Readonly<Record<string, Person>>;
  /** IANA name. Default `UTC`. */
  readonly timezone?: string;
  readonly session?: SessionOptions & { readonly idleMinutes?: number };
  readonly queue?: QueueOptions;
  readonly context?: ContextOptions & {
    readonly contextWindow?: number;
    /** Parts of your own in the prompt's instructions. Default none. Source: docs/context.md, "Parts". */
    readonly parts?: readonly HostPart[];
  };
  /** When long conversations are put into a summary. Source: docs/compaction.md. */
  readonly compaction?: CompactionSettings;
  /** What is remembered and recalled. Source: docs/memory.md. */
  readonly memory?: MemoryOptions;
  /**
   * Which tool may run for whom: the text of a policy file, or the same as an object (also what `parsePolicy` gave). Default: the shipped profiles.
   * Source: docs/policy.md.
   */
  readonly policy?: PolicySource;
  /** Asking the owner before a dangerous call. Source: docs/approvals.md. */
  readonly approvals?: {
    /** A request that nobody answers is denied after so long. Default 60. */
    readonly timeoutMinutes?: number;
  };
  /** What conversations keep besides their messages. Source: docs/artifacts.md. */
  readonly artifacts?: ArtifactLimits & {
    /** Results of tools with more bytes become an artifact. 1024 to 16_384; default 16_384. */
    readonly thresholdBytes?: number;
  };
  /** The engine of the regular expressions of `grep`: `re2()` of `wakeful/patterns/re2`. Needed only in Workers. */
  readonly patterns?: PatternEngine;
  /** Tokens of the HTTP API and the page. Without any, every API route answers 401. */
  readonly server?: {
    readonly token?: string;
    readonly tokens?: readonly ServerToken[];
    /** Where this server is reached from outside, as `https://bot.example.com`: the page answers to this name too. Default none. */
    readonly publicUrl?: string;
    /**
     * Host names of this server, without a port. Under `serve()` the page and calls by its cookie are answered under these, the name in `publicUrl`, loopback names and
     * IP addresses, and 421 under others. Mounted in a host program, and on Workers: the API and the page are answered under these alone. Default: none under `serve()`, else any.
     */
    readonly hosts?: readonly string[];
    /** How often the API and the page may be asked. Default: on, 600 requests a minute from one address and 120 with one token. */
    readonly rateLimit?: RateLimitOptions;
    /** Addresses and networks (`10.0.0.0/8`) of proxies whose `X-Forwarded-For` is believed. Default none. */
    readonly trustedProxies?: readonly string[];
  };
  /** Longest wait for one answer of one model before the next is tried, in milliseconds. Default 120_000. */
  readonly modelTimeoutMs?: number;
  /** Tools of MCP servers, and what `/mcp` speaks with. Source: docs/mcp.md. */
  readonly mcp?: McpOptions & {
    /** `mcpEndpoint` of `wakeful/mcp/server`. Needed only where libraries are not loaded on demand (Workers). Default: `@modelcontextprotocol/server`, when it is installed. */
    readonly endpoint?: McpServerLibrary;
  };
  /** Which search engines `web_search` asks. Default: none, and then there is no `web_search`. */
  readonly search?: SearchOptions;
  /** Makes text of the pages that `web_fetch` reads. Default: the article in Markdown; on Workers plain text (docs/web.md). */
  readonly pageReader?: PageReader;
  /** Your own way out for what tools fetch; checks go around it. Default: connections to the checked address, where the runtime can; else the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Gives a host name's addresses; throws when the name does not exist. Default: the machine's resolver; none on Workers. */
  readonly lookup?: Lookup;
  /**
   * Takes what the assistant says unasked to people whom only your program reaches: what it says to the outcome of an approval, late results of tools. The same
   * `id` may come again after a crash; what throws is tried again, as messages of channels are. Default: they wait in `GET /api/v1/notifications`.
   */
  readonly deliver?: (message: HostMessage) => Promise<{ readonly id: string }>;
  readonly clock?: Clock;
  /**
   * What a runtime lends, where it shall be another: each member that is given takes the place of the runtime's own. Default: what fits this runtime.
   * Source: docs/deploy.md, "What a runtime lends".
   */
  readonly platform?: Partial<Platform>;
  /** Default: errors on the console, one line each. */
  readonly logger?: Logger;
  /** More values that must never be shown, besides those of secret options, channels, search engines and tools. Source: docs/redaction.md. */
  readonly secrets?: readonly string[];
}
