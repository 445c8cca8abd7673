import { EXEC_LIMITS, MIN_EXEC_LIMITS, SIMULATED_LIMITS } from "../../tools/index.ts";
import {
  type RuleBroken,
  type Schema,
  type Schemas,
  type Section,
  address,
  choice,
  flag,
  laterValue,
  list,
  only,
  secret,
  section,
  several,
  text,
  webAddress,
  whole,
  withFacts,
} from "../../settings/index.ts";
import { DEFAULT_ACCOUNT } from "../../message.ts";
import { CLAWHUB_URL, DEFAULT_DATA_FOLDER, DEFAULT_HOST, DEFAULT_PORT, TELEGRAM_API } from "../defaults.ts";
import { agentsRule, agentsWith } from "./agents.ts";
import { builtinsRule } from "./builtins.ts";
import { channelAccess, channelKeys } from "./channels.ts";
import { laterRooms, refusedRooms } from "./later.ts";
import { scheduler } from "./scheduler.ts";
import { memoryKeys, refreshKeys } from "./memory.ts";
import { modelKeys, toolProtocol } from "./models.ts";
import { proactiveKeys } from "./proactive.ts";
import { serverKeys } from "./server.ts";
import { sharedWith } from "./shared.ts";
import { fileSkills } from "./skills.ts";
import { fileTelemetry } from "./telemetry.ts";

// Options that only the configuration file has: data in the file, objects in code. Bundles of programs that configure
// in code do not contain this module.

const model = section(
  {
    provider: choice(["openai", "openai-compatible", "offline"], {
      what: "Provider of the model; openai-compatible: any server with OpenAI's chat completions; offline: built in, needs no key",
      required: true,
      example: "openai-compatible",
    }),
    model: text({ what: "The model's name at the provider", example: "qwen3" }),
    baseUrl: webAddress({
      what: "The server's address; required for openai-compatible",
      example: "http://127.0.0.1:11434/v1",
    }),
    apiKey: secret({ what: "The key, if the server needs one", example: "OPENAI_API_KEY" }),
    ...modelKeys,
    ...toolProtocol,
  },
  { what: "A model", rule: modelRule, type: "config/file-options.ts#ModelConfig" },
);

const fileMemoryKeys = {
  ...memoryKeys,
  capture: section(
    {
      model: text({
        what: "Name of one of the models; it classifies sentences about the speaker that no rule could read, at most once in ten messages",
        example: "qwen3",
      }),
    },
    { what: "How statements are found" },
  ),
  embedder: section(
    {
      provider: choice(["openai", "openai-compatible"], {
        what: "Provider of the embedding model; openai-compatible: any server with OpenAI's embeddings",
        required: true,
        example: "openai-compatible",
      }),
      model: text({ what: "The model's name at the provider", required: true, example: "nomic-embed-text" }),
      baseUrl: webAddress({
        what: "The server's address; required for openai-compatible",
        example: "http://127.0.0.1:11434/v1",
      }),
      apiKey: secret({ what: "The key, if the server needs one", example: "OPENAI_API_KEY" }),
    },
    {
      what: "Embedding model, which adds recall by meaning",
      rule: modelRule,
      type: "config/file-options.ts#EmbedderConfig",
    },
  ),
};

function channel(type: string, keys: Schemas, what: string, rule?: Section["rule"]): Schema {
  const one = section(
    { ...keys, ...channelKeys },
    { what, type: `config/file-options.ts#${type}`, base: channelAccess, ...(rule && { rule }) },
  );
  return several(one, { what });
}

const channels = section(
  {
    telegram: channel(
      "TelegramConfig",
      {
        token: secret({
          what: "The bot's token, from @BotFather: 123456:ABC…",
          required: true,
          example: "TELEGRAM_TOKEN",
        }),
        secret: secret({
          what: "For webhooks: the secret that Telegram sends with each request; 1 to 256 letters, digits, _ and -",
          example: "TELEGRAM_SECRET",
        }),
        receive: choice(["auto", "poll", "webhook"], {
          what: "How messages arrive; auto: by webhook if server.public_url is an https:// address and a secret is set, else by polling",
          default: "auto",
        }),
        apiBase: webAddress({
          what: "The Bot API's address; pacing is off for any address but Telegram's",
          default: TELEGRAM_API,
        }),
        botUsername: text({
          what: "The bot's name without @; default: Telegram is asked for it",
          example: "wakeful_bot",
        }),
        linkPreviews: flag({ what: "Whether messages show previews of links", default: false }),
      },
      "A Telegram bot; without a public address too",
      telegramRule,
    ),
    webhook: channel(
      "WebhookConfig",
      {
        secret: secret({ what: "Secret that signs requests and replies", required: true, example: "WEBHOOK_SECRET" }),
        replyUrl: webAddress({
          what: "Address for replies to messages that name none",
          example: "https://example.com/replies",
        }),
        replyOrigins: list(webAddress({ what: "An origin", example: "https://example.com" }), {
          what: "Further origins, besides that of `reply_url`, that a message's own `reply_url` may have",
        }),
      },
      "Any program that signs its messages, at /webhooks/webhook",
    ),
    ...Object.fromEntries(
      ["slack", "discord", "lark", "wecom", "wechat", "line", "whatsapp", "github", "email", "moltbook", "acp"].map(
        (name) => [name, laterValue({ what: `The channel ${name}` })],
      ),
    ),
  },
  { what: "Channels on which people write; each is served at /webhooks/<name>" },
);

const workspace = section(
  {
    root: text({
      what: "Folder of the file tools; default: files are kept in the store",
      example: "./workspace",
    }),
    exec: section(
      {
        mode: choice(["simulated", "sandboxed", "host", "off"], {
          what: "How commands run: in an interpreter that starts no program of the host, in the system's sandbox, on the host, or not at all",
          default: "simulated",
        }),
        sandbox: choice(["auto", "none"], {
          what: "For host: whether the system's sandbox is used if there is one",
          default: "auto",
        }),
        network: flag({
          what: "For sandboxed and host: whether commands may use the network, including the ports of this machine",
          default: false,
        }),
        readable: list(text({ what: "A folder or file", example: "/opt/tools" }), {
          what: "For sandboxed and host: paths that commands may read besides the workspace and the system's programs",
          inSample: false,
        }),
        limits: section(
          {
            fileBytes: whole(MIN_EXEC_LIMITS.fileBytes, {
              what: "Largest file that a command may write, in bytes",
              default: EXEC_LIMITS.fileBytes,
              inSample: false,
            }),
            diskBytes: whole(MIN_EXEC_LIMITS.diskBytes, {
              what: `Bytes that a command may add to the workspace in total; ${SIMULATED_LIMITS.diskBytes} when simulated`,
              default: EXEC_LIMITS.diskBytes,
              inSample: false,
            }),
            memoryBytes: whole(MIN_EXEC_LIMITS.memoryBytes, {
              what: "Memory of all processes of a command together, in bytes",
              default: EXEC_LIMITS.memoryBytes,
              inSample: false,
            }),
            processes: whole(MIN_EXEC_LIMITS.processes, {
              what: "Maximum processes of a command at once",
              default: EXEC_LIMITS.processes,
              inSample: false,
            }),
            seconds: whole(MIN_EXEC_LIMITS.seconds, {
              what: "Longest time that a command may ask for, in seconds",
              default: EXEC_LIMITS.seconds,
              max: EXEC_LIMITS.seconds,
            }),
          },
          { what: "Limits of one command; simulated takes only `disk_bytes` and `seconds`" },
        ),
      },
      { what: "How commands run" },
    ),
  },
  {
    what: "Files that the assistant may read and write",
    rule: workspaceRule,
    type: "config/file-options.ts#WorkspaceConfig",
  },
);

const store = section(
  {
    driver: choice(["fs", "sqlite", "redis", "deno-kv", "memory"], { what: "Kind of store", default: "fs" }),
    root: text({ what: "fs: the folder; default: `data`", example: ".wakeful" }),
    path: text({ what: "sqlite and deno-kv: the file; default: a file in `data`", example: ".wakeful/wakeful.db" }),
    url: address(["redis", "rediss"], { what: "redis: the server's address", example: "redis://127.0.0.1:6379" }),
    prefix: text({
      what: "redis: prefix of every key, so that several assistants can share a server",
      example: "wakeful:",
    }),
  },
  { what: "Where all data is stored", rule: storeRule, type: "config/file-options.ts#StoreConfig" },
);

const agents = agentsWith({
  type: "config/file-options.ts#AgentConfig",
  own: {
    workspace: withFacts(workspace, {
      what: "The agent's own workspace; default: the assistant's",
      inSample: false,
    }),
  },
  more: {
    models: list(model, {
      what: "The agent's model, then its fallbacks in order; default: the assistant's",
      inSample: false,
    }),
  },
});

/** Data in the file; the command line creates the registry objects from it. */
const registries = section(
  {
    clawhub: section(
      {
        enabled: flag({ what: "Whether ClawHub is asked for skills; it needs no key", default: false }),
        baseUrl: webAddress({ what: "The registry's address", default: CLAWHUB_URL }),
        token: secret({ what: "A token of ClawHub, for higher rate limits", example: "CLAWHUB_TOKEN" }),
      },
      { what: "ClawHub, a public registry in which anyone may publish" },
    ),
    folder: section(
      {
        root: text({
          what: "A folder with an archive <slug>.zip for each skill",
          required: true,
          example: "skill-archives",
        }),
      },
      { what: "A folder on this machine" },
    ),
  },
  {
    what: "Registries in which skills are found and from which they are installed",
    type: "config/file-options.ts#RegistriesConfig",
  },
);

/** The configuration file. */
export const fileOptions = section(
  {
    version: only(1, { what: "The version of this file's format", default: 1 }),
    data: text({
      what: "Data folder: for the fs store, for files of other stores, and a default place of this file",
      default: DEFAULT_DATA_FOLDER,
    }),
    models: list(model, {
      what: "The model, then its fallbacks in order; default: the model that the environment names, else the offline model",
    }),
    store,
    server: section(
      {
        port: whole(0, { max: 65_535, what: "The port to listen on; 0: any free port", default: DEFAULT_PORT }),
        host: text({ what: "The address to listen on; 0.0.0.0: all addresses", default: DEFAULT_HOST }),
        ...serverKeys,
      },
      { what: "The HTTP server", fileType: "config/file-options.ts#ServerConfig" },
    ),
    channels,
    workspace,
    ...sharedWith(agents),
    policy: section(
      {
        file: text({
          what: "Path of the policy file, relative to this file's folder; read again when it changes",
          required: true,
          example: "configs/tools/policy.yaml",
        }),
      },
      { what: "Which tools may run for whom; default: the shipped profiles" },
    ),
    log: section(
      {
        level: choice(["debug", "info", "warning", "error", "off"], {
          what: "Lowest level that is written",
          default: "info",
        }),
        format: choice(["auto", "pretty", "json"], {
          what: "auto: pretty on a terminal, JSON lines elsewhere",
          default: "auto",
        }),
      },
      { what: "Log lines on standard error" },
    ),
    memory: section(fileMemoryKeys, {
      what: "What the assistant remembers and recalls",
      type: "config/file-options.ts#MemoryConfig",
    }),
    skills: fileSkills,
    registries,
    ...laterRooms,
    extensions: laterValue({ what: "Modules with your own tools, hooks and channels" }),
    tools: section(toolProtocol, { what: "How models call tools" }),
    telemetry: fileTelemetry,
    proactive: section(
      {
        ...proactiveKeys,
        memory: otherName("memory", section(fileMemoryKeys, { what: "" })),
        refresh: otherName("memory.refresh", section(refreshKeys, { what: "" })),
        scheduler: otherName("scheduler", scheduler),
      },
      { what: "What the assistant does on its own" },
    ),
    ...refusedRooms,
  },
  {
    what: "The options of a configuration file",
    inCode: "Only the options that the file gives; defaults are in docs/config.md.",
    rule: (given) => agentsRule(given) ?? builtinsRule(given) ?? accountsRule(given),
    type: "config/file-options.ts#FileOptions",
  },
);

function accountsRule({ channels = {} }: Readonly<Record<string, unknown>>): RuleBroken | undefined {
  for (const [name, given] of Object.entries(channels as Readonly<Record<string, unknown>>)) {
    if (!Array.isArray(given)) continue;
    const accounts = given.map(({ account = DEFAULT_ACCOUNT }: { readonly account?: string }) => account);
    const twice = accounts.findIndex((account, index) => accounts.indexOf(account) !== index);
    if (twice === -1) continue;
    const message = `two of them are the account ${JSON.stringify(accounts[twice])}: give each its own {account}`;
    return { at: ["channels", name, twice, "account"], message };
  }
  return undefined;
}

function otherName(name: string, schema: Schema): Schema {
  return withFacts(schema, { what: `Another name of \`${name}\``, inSample: false, otherNames: true });
}

function modelRule(model: Readonly<Record<string, unknown>>): RuleBroken | undefined {
  if (model["provider"] !== "openai-compatible") return undefined;
  if (model["baseUrl"] === undefined)
    return { at: ["provider"], message: "openai-compatible needs the server's address in {baseUrl}" };
  if (model["model"] === undefined)
    return { at: ["provider"], message: "openai-compatible needs the name of a model in {model}" };
  return undefined;
}

function telegramRule({ receive, secret: given }: Readonly<Record<string, unknown>>): RuleBroken | undefined {
  if (receive !== "webhook" || given !== undefined) return undefined;
  return { at: ["receive"], message: "webhooks need {secret}, which Telegram sends with each one" };
}

function workspaceRule({ root, exec }: Readonly<Record<string, unknown>>): RuleBroken | undefined {
  const { mode = "simulated", sandbox, network, readable, limits } = (exec ?? {}) as Readonly<Record<string, unknown>>;
  if (mode === "sandboxed" || mode === "host") {
    if (root === undefined)
      return { at: ["exec", "mode"], message: `${mode} needs a folder of the host's disk in {root}` };
    if (mode === "sandboxed" && sandbox === "none")
      return {
        at: ["exec", "sandbox"],
        message: "sandboxed without a sandbox is no mode: say host, or leave {sandbox} out",
      };
    return undefined;
  }
  // An option that repeats what the mode does anyway is accepted.
  const asked = {
    sandbox: sandbox === "none",
    network: network === true,
    readable: readable !== undefined,
    limits: mode === "off" && limits !== undefined,
  };
  const stray = Object.entries(asked).find(([, is]) => is)?.[0];
  if (stray === undefined) {
    const limit = Object.keys(limits ?? {}).find((name) => !(name in SIMULATED_LIMITS));
    if (limit === undefined) return undefined;
    return { at: ["exec", "limits", limit], message: `the mode ${String(mode)} takes no {${limit}}` };
  }
  return { at: ["exec", stray], message: `the mode ${String(mode)} takes no {${stray}}` };
}

const storeTakes: Readonly<Record<string, readonly string[]>> = {
  fs: ["root"],
  sqlite: ["path"],
  "deno-kv": ["path"],
  redis: ["url", "prefix"],
  memory: [],
};

function storeRule(store: Readonly<Record<string, unknown>>): RuleBroken | undefined {
  const driver = typeof store["driver"] === "string" ? store["driver"] : "fs";
  const stray = Object.keys(store).find((key) => key !== "driver" && !storeTakes[driver]?.includes(key));
  if (stray !== undefined) return { at: [stray], message: `the ${driver} store takes no {${stray}}` };
  if (driver === "redis" && store["url"] === undefined)
    return { at: ["driver"], message: "the redis store needs the server's address in {url}" };
  return undefined;
}
