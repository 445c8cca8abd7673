import {
  amount,
  anything,
  anyText,
  choice,
  flag,
  hostName,
  id,
  later,
  list,
  names,
  network,
  secret,
  section,
  share,
  text,
  timezone,
  user,
  webAddress,
  whole,
} from "../settings/index.ts";
import type { RuleBroken, Section } from "../settings/index.ts";
import { problemOfServerName } from "../tools/index.ts";
import * as v from "valibot";

// The one table of options, with file-keys.ts for what only the file has. The check of the file, the check of createAssistant's options, the JSON Schema, wakeful.example.yaml and
// docs/config.md all come from it. Names are those of the SDK; the file writes them in snake_case.

const queueKeys = {
  mode: choice(["collect", "followup", "steer", "interrupt"], {
    what: "What becomes of messages that arrive during a turn: joined into one next turn, each a turn of its own, taken into the turn before its next step, or at once by cutting off what it does",
    default: "collect",
  }),
  debounceMs: whole(0, {
    what: "Milliseconds of quiet that end a burst of messages before its turn starts; when left out 1000 on chat platforms and 0 elsewhere",
    example: 1000,
  }),
  cap: whole(1, { what: "Waiting messages a session may have", default: 20 }),
  overflow: choice(["summarize", "old", "new"], {
    what: "What happens over the cap: the oldest are listed in one line each, the oldest are dropped, or new ones are turned away",
    default: "summarize",
  }),
};

const queue = section(
  {
    ...queueKeys,
    maxConcurrent: whole(0, { what: "Turns that run at once, over all sessions; 0 is no limit", default: 4 }),
  },
  { what: "What happens to messages that arrive faster than they are answered" },
);

const promptKeys = {
  strategy: choice(["full", "lite", "custom"], {
    what: "How much goes into the prompt: everything, the least for quick replies, or the parts named here",
    default: "full",
  }),
  historyTokens: whole(0, {
    what: "Tokens of earlier turns in the prompt; older turns stay in the log",
    default: 16_000,
  }),
  injectionTokens: whole(0, {
    what: "Tokens that hooks may add at one place of the prompt; 0 is none",
    default: 2000,
  }),
  includeParts: list(text({ what: "Name of a part", example: "house-rules" }), {
    what: "For custom: the parts of rooms and of the host that go in; all when left out",
    inSample: false,
  }),
  includeMemory: flag({ what: "For custom: whether what is remembered goes in", default: true }),
  includeRuntime: flag({ what: "For custom: the block with time, channel and peer", default: true }),
  excludeTools: list(text({ what: "Name of a tool", example: "file_write" }), {
    what: "Tools left out of the prompt",
  }),
  includeSkills: anything({ what: "For custom: the skills to name", status: "later" }),
};

const contextKeys = {
  ...promptKeys,
  contextWindow: whole(1024, {
    what: "Tokens that a model takes in all, prompt and answer, where nothing else is known of it",
    default: 32_768,
  }),
  parts: anything({ what: "Parts of your own: `{ name, text, tokens, data }`", only: "sdk" }),
};

const context = section(contextKeys, { what: "What goes into the prompt" });

const agentKeys = {
  name: text({ what: "What the agent calls itself", example: "Wakeful" }),
  instructions: anyText({
    what: "How the agent should behave; the shipped instructions when left out",
    example: "Answer briefly.",
  }),
  model: anything({ what: "The model of this agent, where it is not the assistant's", only: "sdk" }),
  workspace: anything({ what: "The workspace of this agent, where it is not the assistant's", only: "sdk" }),
  skills: anything({ what: "Skills of this agent", status: "later" }),
  maxSteps: whole(1, { what: "Model calls a turn may take", default: 20 }),
  maxTurnSeconds: whole(1, { what: "Seconds a turn may take", default: 300 }),
};

const agents = {
  agent: section(
    { id: id({ what: "Names the agent in session keys", default: "main" }), ...agentKeys },
    { what: "The one agent; short for `agents` with one entry" },
  ),
  agents: list(
    section(
      { id: id({ what: "Names the agent in session keys", required: true, example: "main" }), ...agentKeys },
      { what: "An agent" },
    ),
    { what: "Several agents; the first is the default one" },
  ),
  bindings: list(
    section(
      {
        agentId: id({ what: "The agent that answers", required: true, example: "work" }),
        match: section(
          {
            channel: text({ what: "The channel's name", required: true, example: "telegram" }),
            account: id({
              what: "One account of it; `*` is every account; left out, the default account",
              example: "default",
            }),
            peer: section(
              {
                kind: choice(["direct", "group", "channel"], {
                  what: "What the peer is",
                  required: true,
                  example: "group",
                }),
                id: id({ what: "Its id on the platform", required: true, example: "-100123" }),
              },
              { what: "One person, group or channel" },
            ),
            guild: id({ what: "One guild of the platform", example: "10001" }),
            team: id({ what: "One team of the platform", example: "T01" }),
          },
          { what: "What must hold; the most specific binding wins", required: true },
        ),
      },
      { what: "A binding" },
    ),
    { what: "Which messages go to which agent; the others go to the first" },
  ),
};

const people = {
  owner: section(
    {
      ids: list(user({ what: "One of the owner's accounts", example: "telegram:42" }), {
        what: "The owner's accounts; the owner may use every tool and shares one session over all of them",
      }),
    },
    { what: "Whose assistant this is" },
  ),
  roles: names(
    "role",
    list(user({ what: "Somebody with this role", example: "telegram:43" }), { what: "Who has this role" }),
    {
      what: "Roles that tools can ask for, and who has them; `owner` and `user` are built in",
    },
  ),
  users: names(
    "user",
    section(
      {
        name: text({ what: "How the person is called", example: "Ada" }),
        timezone: timezone({ what: "Where the person is", example: "Europe/Stockholm" }),
        language: text({ what: "The language to answer in, as a BCP 47 tag", example: "en" }),
      },
      { what: "A person" },
    ),
    { what: "What is known of people, by their `channel:id`" },
  ),
};

const session = section(
  {
    dmScope: choice(["main", "per-peer", "per-channel-peer", "per-account-channel-peer"], {
      what: "Which direct chats share a conversation",
      default: "per-channel-peer",
    }),
    identityLinks: names(
      "person",
      list(user({ what: "One of the person's accounts", example: "telegram:1" }), {
        what: "The person's accounts",
      }),
      {
        what: "People with several accounts: they share one conversation",
      },
    ),
    ownerMain: flag({ what: "The owner's direct chats on all channels are one conversation", default: true }),
    idleMinutes: whole(0, { what: "Minutes of silence that end a session; 0 is never", default: 60 }),
    threads: choice(["apart", "together"], {
      what: "Are the threads of a group conversations of their own?",
      default: "apart",
    }),
  },
  { what: "Who shares a conversation", rule: linksRule },
);

const token = section(
  {
    token: secret({ what: "The bearer token", required: true, example: "COLLEAGUE_TOKEN" }),
    role: choice(["owner", "user", "metrics"], { what: "What it may do", required: true, example: "user" }),
    user: user({ what: "Who a call with it speaks as, for the role user", example: "http:ada" }),
  },
  { what: "A token" },
);

export const serverKeys = {
  token: secret({
    what: "Bearer token of the owner for the API and the page; when left out, one is printed at start",
    example: "WAKEFUL_TOKEN",
  }),
  tokens: list(token, { what: "More bearer tokens" }),
  publicUrl: webAddress({
    what: "Where platforms and browsers reach this server: doctor compares webhooks with it, and the page answers to its name",
    example: "https://bot.example.com",
  }),
  hosts: list(hostName({ what: "A host name, without a port", example: "bot.example.com" }), {
    what: "More names of this server: the page and its cookie answer to these, public_url, localhost and IP addresses, others get 421; for a program that mounts the assistant, the only names of page and API",
  }),
  rateLimit: section(
    {
      enabled: flag({ what: "Are requests limited at all?", default: true }),
      perSource: whole(1, {
        what: "Requests a minute from one address, before the token is looked at; webhooks, health checks, this machine and trusted proxies do not count",
        default: 600,
      }),
      perToken: whole(1, { what: "Requests a minute with one token", default: 120 }),
      perSender: anything({ what: "Messages a minute of one sender of a channel", status: "later" }),
    },
    { what: "How often the API and the page may be asked; over it requests are answered 429" },
  ),
  trustedProxies: list(
    network({ what: "Address or network of a proxy whose X-Forwarded-For is believed", example: "10.0.0.0/8" }),
    {
      what: "Proxies in front of the server: behind them the client's address is the last one that is not theirs",
    },
  ),
};

const engineSwitch = flag({ what: "Whether it is asked; when left out, if it has a key", example: true });

const search = section(
  {
    perplexity: section(
      {
        apiKey: secret({
          what: "The key, from https://www.perplexity.ai/settings/api",
          example: "PERPLEXITY_API_KEY",
        }),
        enabled: engineSwitch,
        baseUrl: webAddress({ what: "The API's address", default: "https://api.perplexity.ai" }),
      },
      { what: "Perplexity's Search API, asked first" },
    ),
    brave: section(
      {
        apiKey: secret({
          what: "The key, from https://api-dashboard.search.brave.com",
          example: "BRAVE_API_KEY",
        }),
        enabled: engineSwitch,
        baseUrl: webAddress({ what: "The API's address", default: "https://api.search.brave.com" }),
      },
      { what: "Brave's Web Search API, asked next" },
    ),
    duckduckgo: section(
      {
        enabled: flag({
          what: "Whether its page for people is read; it has no API and may refuse",
          default: false,
        }),
        baseUrl: webAddress({ what: "The page's address", default: "https://html.duckduckgo.com" }),
      },
      { what: "DuckDuckGo, asked last" },
    ),
    providers: anything({ what: "Search engines of your own, asked after the others", only: "sdk" }),
  },
  { what: "Search engines for `web_search`; without any there is no such tool" },
);

/** Keys of `memory` that the file and the SDK share. */
export const memoryKeys = {
  enabled: flag({
    what: "Whether anything is remembered; false: no tools, no recall, no capture",
    default: true,
  }),
  autoRecall: flag({ what: "Whether what fits is recalled before each turn", default: true }),
  autoCapture: flag({ what: "Whether what turns did and people stated is kept", default: true }),
  recall: section(
    {
      limit: whole(1, { what: "Memories that are recalled before a turn", max: 50, default: 5 }),
      maxTokens: whole(50, { what: "Tokens that they may take in the prompt", default: 1000 }),
      timeoutMs: whole(1, {
        what: "Milliseconds that the embedding of a question may take; then words alone decide",
        default: 200,
      }),
    },
    { what: "What is recalled before a turn" },
  ),
  refresh: section(
    {
      interval: whole(0, {
        what: "Model calls of one turn between two recalls with what its tools found; 0 is never",
        default: 3,
      }),
      maxTokens: whole(50, { what: "Tokens that one such recall may add", default: 500 }),
    },
    { what: "Recall within long turns" },
  ),
  fusion: choice(["scores", "rrf"], {
    what: "How words and meaning are joined where there is an embedding model",
    default: "scores",
  }),
  alpha: share({
    what: "Weight of meaning: against words at 1 for scores (0.3), of the whole for rrf (0.6)",
    example: 0.3,
  }),
  k: whole(1, { what: "The constant of rrf", default: 60 }),
  minSimilarity: share({
    what: "Cosine below which meaning counts for nothing; found from the entries themselves when left out",
    example: 0.3,
    inSample: false,
  }),
  autoCaptureDays: whole(1, {
    what: "Days that what was kept before a compaction is recalled; then it goes to the archive",
    default: 90,
  }),
  dedupeThreshold: share({
    what: "Share of common words from which what a compaction would keep counts as known",
    default: 0.8,
  }),
};

/** Rooms that do not exist yet. Their names are known, so that a file written for a later version still starts. */
export const laterRooms = {
  scheduler: later(["enabled", "maxConsecFailures", "triggers", "minIntervalMs", "maxConcurrent", "budget"], {
    what: "Jobs and their times",
  }),
  heartbeat: later(["every"], { what: "A job that looks around by itself" }),
  attention: later(["enabled", "maxDailyNotifications", "minInterval", "quietHours", "priorityThreshold", "channels"], {
    what: "When the assistant may speak unasked",
  }),
  skills: later(["autoActivation", "sources", "autoInstall", "recommender"], {
    what: "Skills and when they are used",
  }),
  workflow: later(["maxParallel"], { what: "Work in several steps" }),
  goals: anything({ what: "What the assistant works towards", status: "later" }),
  registries: anything({ what: "Where skills are found", status: "later" }),
  nodes: anything({ what: "Tools on a person's own machine", status: "later" }),
  retention: later(["audit", "runs", "sessions", "artifacts"], { what: "How many days things are kept" }),
};

const compaction = section(
  {
    enabled: flag({
      what: "Whether older turns are put into a summary; false: what does not fit leaves the prompt without a word",
      default: true,
    }),
    triggerRatio: share({ what: "Part of the model's window that a prompt may fill", default: 0.85 }),
    reserveTokens: whole(0, { what: "Tokens of the window that stay free for the answer", default: 2000 }),
    keepLastTurns: whole(1, { what: "Newest turns that stay as they are", default: 8 }),
    summaryTokens: whole(200, {
      what: "Tokens that a summary may have; never more than a quarter of the window",
      default: 4000,
    }),
    flush: flag({ what: "Whether what matters is kept in the memory first", default: true }),
    flushTurn: flag({
      what: "Whether the model itself may write to the memory first, with a call or two; never the offline model",
      default: true,
    }),
  },
  { what: "Summaries of long conversations" },
);

const artifacts = section(
  {
    thresholdBytes: whole(1024, {
      what: "Results of tools with more bytes are kept as an artifact, and the model is shown their beginning and end",
      max: 16_384,
      default: 16_384,
    }),
    maxBytes: whole(1, { what: "Bytes that one artifact may have", default: 5_242_880 }),
    maxTotalBytes: whole(1, {
      what: "Bytes that all artifacts of one conversation may have together",
      default: 52_428_800,
    }),
    keepDays: whole(1, { what: "Days until an artifact goes", default: 30 }),
  },
  { what: "Long results and files that conversations keep" },
);

export const refusedRooms = {
  guard: anything({
    what: "Checks of commands and addresses",
    status: "refused",
    instead: "the guards of paths, commands and addresses are always on",
  }),
};

const approvals = section(
  {
    timeoutMinutes: whole(1, {
      what: "Minutes after which a request that nobody answered is denied",
      default: 60,
    }),
  },
  { what: "Asking the owner before a dangerous tool runs" },
);

const mcpServer = section(
  {
    url: webAddress({ what: "Where the server is, over HTTP", example: "https://mcp.example/mcp" }),
    headers: names("header", secret({ what: "A header's value", example: "MCP_AUTHORIZATION" }), {
      what: "Sent with every request to the server, and nowhere else",
    }),
    allowPrivate: flag({
      what: "The url is on this machine or in a private network, and that is meant",
      default: false,
    }),
    command: text({
      what: "Instead of url: a program that is the server; read by no shell",
      example: "npx",
      inSample: false,
    }),
    args: list(anyText({ what: "An argument", example: "mcp-server" }), {
      what: "The program's arguments",
      inSample: false,
    }),
    env: names("variable", secret({ what: "A variable's value; kept out of logs", example: "MCP_API_KEY" }), {
      what: "What the program finds in its environment besides HOME, LOGNAME, PATH, SHELL, TERM and USER",
      inSample: false,
    }),
    cwd: text({
      what: "The folder in which the program runs; when left out, the assistant's",
      example: "/srv/mcp",
      inSample: false,
    }),
    groups: list(text({ what: "A group", example: "browser" }), {
      what: "Groups of its tools for policy rules, besides mcp",
    }),
    tools: list(text({ what: "A tool's name, as the server gives it", example: "search" }), {
      what: "Only these tools; when left out, all",
    }),
    dangerous: {
      kind: "leaf",
      schema: v.custom(isFlagOrNames),
      expected: "true, false or a list of tool names",
      what: "Which tools ask the owner before each call: all, none, or these",
      default: true,
    },
    trustNewTools: flag({
      what: "Tools that the server adds later are offered without asking the owner",
      default: false,
    }),
    trustAnnotations: flag({
      what: "Believe the server which of its tools may be run again after a crash",
      default: false,
    }),
    timeoutMs: whole(1, { what: "Longest call, in milliseconds", default: 60_000 }),
  },
  { what: "A server, by url or by command", rule: mcpServerRule },
);

const mcp = section(
  {
    servers: names("server", mcpServer, {
      what: "MCP servers by a name, which their tools bear: mcp__<name>__<tool>",
    }),
    client: anything({
      what: "mcpClient of wakeful/mcp, where nothing is loaded on demand (Workers)",
      only: "sdk",
    }),
    endpoint: anything({
      what: "mcpEndpoint of wakeful/mcp/server, where nothing is loaded on demand (Workers)",
      only: "sdk",
    }),
  },
  { what: "Tools of MCP servers", rule: mcpRule },
);

/** Of one model, in code and in the file. */
export const modelKeys = {
  contextWindow: whole(1024, { what: "Tokens that this model takes in all", example: 32_768 }),
  price: section(
    {
      input: amount({ what: "A million tokens of the prompt", required: true, example: 1.25 }),
      output: amount({ what: "A million tokens of the answer", required: true, example: 10 }),
      cachedInput: amount({
        what: "A million tokens that the provider had in its cache; when left out, as input",
        example: 0.125,
      }),
    },
    { what: "What it costs, in the currency of the budget; 0 for a model that costs nothing" },
  ),
  files: list(text({ what: "A type", example: "image/*" }), {
    what: "Types of files that it is shown (images, application/pdf); what its provider says when left out",
  }),
};

/** For models without function calling. */
export const toolProtocol = {
  protocol: choice(["native", "text"], {
    what: "How models call tools: by the provider's function calling, or in their text, for models without it",
    default: "native",
  }),
};

const budgetKeys = {
  tokens: whole(1, { what: "Tokens of prompts and answers", example: 1_000_000 }),
  cost: amount({ what: "Money, in the currency of the prices; needs a price of every model", example: 5 }),
};

const budget = section(
  {
    daily: section(budgetKeys, { what: "A day, in the assistant's time zone" }),
    monthly: section(budgetKeys, { what: "A month" }),
  },
  { what: "How much models may be used; over it no model is asked until the day or the month is over" },
);

export const shared = {
  timezone: timezone({
    what: "The time zone of people who have none of their own; when left out, the machine's (in code: UTC)",
    example: "Europe/Stockholm",
  }),
  ...people,
  ...agents,
  session,
  queue,
  context,
  compaction,
  artifacts,
  search,
  mcp,
  approvals,
  budget,
  modelTimeoutMs: whole(1, {
    what: "Milliseconds that one answer of one model may take before the next model is tried",
    default: 120_000,
  }),
};

export const channelKeys = {
  dm: choice(["open", "allowlist", "pairing", "disabled"], {
    what: "Who may write in a direct chat; pairing lets in the owner, `allow`, and whom the owner lets in by a code",
    default: "pairing",
  }),
  groups: choice(["mention", "always", "disabled"], {
    what: "When the assistant answers in a group",
    default: "mention",
  }),
  allow: list(id({ what: "A person's id on the platform", example: "4242" }), {
    what: "People who may write besides the owner",
  }),
  account: id({ what: "Names this account, where a channel has several (then give a list)", default: "default" }),
  queue: section(queueKeys, { what: "Other queue settings for this channel", inSample: false }),
  context: section(promptKeys, { what: "Other context settings for this channel", inSample: false }),
};

/** What every channel takes, whatever its own options are. */
export const channelAccess: Section = section(channelKeys, {
  what: "Who may write, and how their messages are queued",
});

/** The options of `createAssistant`. What is made by code is checked where it is used. */
export const sdkOptions: Section = section(
  {
    model: anything({ what: "An AI SDK model, or a list of them: the first, then the ones to fall back to" }),
    modelInfo: names("model", section({ ...modelKeys, ...toolProtocol }, { what: "A model" }), {
      what: "What is known of models, by `provider/modelId`",
    }),
    store: anything({ what: "Where everything is kept" }),
    engine: anything({ what: "What wakes sessions; in this process when left out" }),
    channels: anything({ what: "Where people write from" }),
    tools: anything({ what: "Your own tools" }),
    patterns: anything({ what: "The engine of grep's regular expressions; found by itself outside of Workers" }),
    policy: anything({
      what: "Which tool may run for whom: the text of a policy file, or an object; the shipped profiles when left out",
    }),
    hooks: anything({ what: "Your own hooks, which say what the model should know" }),
    workspace: anything({ what: "Files that the assistant may read and write" }),
    clock: anything({ what: "Where the time comes from" }),
    logger: anything({ what: "Where log lines go" }),
    platform: anything({ what: "What a runtime lends, where it shall be another than the runtime's own" }),
    secrets: list(secret({ what: "A value", example: "NAME" }), {
      what: "Values that must never appear in log or audit lines",
    }),
    telemetry: anything({ what: "Where metrics and traces go", status: "later" }),
    fetch: anything({
      what: "Your own way out for what tools fetch; the address is checked before each request",
    }),
    lookup: anything({
      what: "Resolves a host name to addresses; the machine's resolver when left out, none on Workers",
    }),
    pageReader: anything({ what: "Makes text of pages, for `web_fetch`" }),
    deliver: anything({ what: "Takes what is said unasked to people who are reached through the SDK" }),
    ...shared,
    memory: section(
      {
        ...memoryKeys,
        store: anything({ what: "What keeps entries, where it is not the store: a `MemoryStore`" }),
        embedder: anything({ what: "An AI SDK embedding model, for recall by meaning too" }),
      },
      { what: "What is remembered and recalled" },
    ),
    server: section(serverKeys, { what: "Who may call the HTTP API" }),
    ...laterRooms,
    ...refusedRooms,
  },
  { what: "Options of createAssistant", rule: agentsRule },
);

export interface Given {
  readonly [name: string]: unknown;
}

function isFlagOrNames(value: unknown): boolean {
  return typeof value === "boolean" || (Array.isArray(value) && value.every((name) => typeof name === "string"));
}

function mcpServerRule(value: Readonly<Record<string, unknown>>): RuleBroken | undefined {
  const over = value["url"] !== undefined;
  if (over === (value["command"] !== undefined))
    return {
      at: [over ? "command" : "url"],
      message: "expected {url} (over HTTP) or {command} (a program), one of them",
    };
  const foreign = (over ? ["args", "env", "cwd"] : ["headers", "allowPrivate"]).find(
    (name) => value[name] !== undefined,
  );
  if (foreign === undefined) return undefined;
  return {
    at: [foreign],
    message: over ? "is for a server with {command}, not {url}" : "is for a server with {url}, not {command}",
  };
}

/** A person has one name, and an account one person: else two people would share a conversation and a memory, or it would depend on an order. */
function linksRule(value: Readonly<Record<string, unknown>>): RuleBroken | undefined {
  const names = new Set<string>();
  const owners = new Map<string, string>();
  for (const [name, accounts] of Object.entries((value["identityLinks"] ?? {}) as Readonly<Record<string, string[]>>)) {
    const plain = name.trim().toLowerCase();
    if (names.has(plain)) return { at: ["identityLinks", name], message: "another person has this name" };
    names.add(plain);
    for (const account of accounts) {
      const owner = owners.get(account) ?? name;
      if (owner !== name)
        return { at: ["identityLinks", name], message: `${account} is an account of ${owner} already` };
      owners.set(account, name);
    }
  }
  return undefined;
}

function mcpRule(value: Readonly<Record<string, unknown>>): RuleBroken | undefined {
  for (const name of Object.keys(value["servers"] ?? {})) {
    const problem = problemOfServerName(name);
    if (problem !== undefined) return { at: ["servers"], message: problem };
  }
  return undefined;
}

export function agentsRule(options: Given): RuleBroken | undefined {
  if (options["agent"] !== undefined && options["agents"] !== undefined)
    return { at: ["agent"], message: "give {agent} or {agents}, not both" };
  const agents = (options["agents"] ?? [options["agent"] ?? {}]) as readonly { readonly id?: string }[];
  const bindings = (options["bindings"] ?? []) as readonly { readonly agentId: string }[];
  const ids = agents.map((agent) => (agent.id ?? "main").toLowerCase());
  if (ids.length === 0) return { at: ["agents"], message: "expected at least one agent" };

  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice !== -1)
    return { at: ["agents", twice, "id"], message: `two agents have the id ${JSON.stringify(ids[twice])}` };
  const stray = bindings.findIndex((binding) => !ids.includes(binding.agentId.toLowerCase()));
  if (stray === -1) return undefined;
  return {
    at: ["bindings", stray, "agentId"],
    message: `there is no agent ${JSON.stringify(bindings[stray]?.agentId)}, only ${ids.join(", ")}`,
  };
}
