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

// What only the configuration file has: what is data there is an object in code. Bundles that configure in code do not carry it.

const model = section(
  {
    provider: choice(["openai", "openai-compatible", "offline"], {
      what: "Whose model; any server that speaks OpenAI's chat completions is openai-compatible; offline is built in and needs no key",
      required: true,
      example: "openai-compatible",
    }),
    model: text({ what: "The model's name at the provider", example: "qwen3" }),
    baseUrl: webAddress({
      what: "The server's address; required for openai-compatible",
      example: "http://127.0.0.1:11434/v1",
    }),
    apiKey: secret({ what: "The key, if the server wants one", example: "OPENAI_API_KEY" }),
    ...modelKeys,
    ...toolProtocol,
  },
  { what: "A model by data", rule: modelRule, type: "config/file-options.ts#ModelConfig" },
);

const fileMemoryKeys = {
  ...memoryKeys,
  capture: section(
    {
      model: text({
        what: "The name of one of the models, which looks at sentences about oneself that no rule could read, at most once in ten messages",
        example: "qwen3",
      }),
    },
    { what: "How statements are found" },
  ),
  embedder: section(
    {
      provider: choice(["openai", "openai-compatible"], {
        what: "Whose embedding model; any server that speaks OpenAI's embeddings is openai-compatible",
        required: true,
        example: "openai-compatible",
      }),
      model: text({ what: "The model's name at the provider", required: true, example: "nomic-embed-text" }),
      baseUrl: webAddress({
        what: "The server's address; required for openai-compatible",
        example: "http://127.0.0.1:11434/v1",
      }),
      apiKey: secret({ what: "The key, if the server wants one", example: "OPENAI_API_KEY" }),
    },
    {
      what: "An embedding model, for recall by meaning too",
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
          what: "For webhooks: what Telegram sends with each one; 1 to 256 letters, digits, _ and -",
          example: "TELEGRAM_SECRET",
        }),
        receive: choice(["auto", "poll", "webhook"], {
          what: "How messages come in: by a webhook at server.public_url where that is an https:// address and there is a secret, else asked for; always asked for; always by webhook",
          default: "auto",
        }),
        apiBase: webAddress({
          what: "The Bot API's address; against any but Telegram's, pacing is off",
          default: TELEGRAM_API,
        }),
        botUsername: text({
          what: "The bot's name without @; asked of Telegram when left out",
          example: "wakeful_bot",
        }),
        linkPreviews: flag({ what: "Show previews of links", default: false }),
      },
      "A Telegram bot; without a public address too",
      telegramRule,
    ),
    webhook: channel(
      "WebhookConfig",
      {
        secret: secret({ what: "Signs requests and replies", required: true, example: "WEBHOOK_SECRET" }),
        replyUrl: webAddress({
          what: "Where replies are posted, when the message names no address",
          example: "https://example.com/replies",
        }),
        replyOrigins: list(webAddress({ what: "An origin", example: "https://example.com" }), {
          what: "Origins, besides that of `reply_url`, that a message's own `reply_url` may have",
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
  { what: "Where people write from; each is served at /webhooks/<name>" },
);

const workspace = section(
  {
    root: text({
      what: "The folder that file tools see; when left out, files are kept in the store",
      example: "./workspace",
    }),
    exec: section(
      {
        mode: choice(["simulated", "sandboxed", "host", "off"], {
          what: "How commands run: in an interpreter without any program of the host, in the system's sandbox, on the host, or not at all",
          default: "simulated",
        }),
        sandbox: choice(["auto", "none"], {
          what: "For host: whether the system's sandbox is used where there is one",
          default: "auto",
        }),
        network: flag({
          what: "For sandboxed and host: whether commands may use the network, the ports of this machine too",
          default: false,
        }),
        readable: list(text({ what: "A folder or file", example: "/opt/tools" }), {
          what: "For sandboxed and host: what commands may read besides the workspace and the system's programs",
          inSample: false,
        }),
        limits: section(
          {
            fileBytes: whole(MIN_EXEC_LIMITS.fileBytes, {
              what: "Bytes of the largest file that a command may write",
              default: EXEC_LIMITS.fileBytes,
              inSample: false,
            }),
            diskBytes: whole(MIN_EXEC_LIMITS.diskBytes, {
              what: `Bytes that a command may add to the workspace altogether; ${SIMULATED_LIMITS.diskBytes} when simulated`,
              default: EXEC_LIMITS.diskBytes,
              inSample: false,
            }),
            memoryBytes: whole(MIN_EXEC_LIMITS.memoryBytes, {
              what: "Bytes of memory of all processes of a command together",
              default: EXEC_LIMITS.memoryBytes,
              inSample: false,
            }),
            processes: whole(MIN_EXEC_LIMITS.processes, {
              what: "Processes of a command at once",
              default: EXEC_LIMITS.processes,
              inSample: false,
            }),
            seconds: whole(MIN_EXEC_LIMITS.seconds, {
              what: "Longest time that a command may ask for",
              default: EXEC_LIMITS.seconds,
              max: EXEC_LIMITS.seconds,
            }),
          },
          { what: "How much one command may use; simulated takes `disk_bytes` and `seconds` only" },
        ),
      },
      { what: "Running commands" },
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
    driver: choice(["fs", "sqlite", "redis", "deno-kv", "memory"], { what: "What keeps the data", default: "fs" }),
    root: text({ what: "fs: the folder; `data` when left out", example: ".wakeful" }),
    path: text({ what: "sqlite and deno-kv: the file; in `data` when left out", example: ".wakeful/wakeful.db" }),
    url: address(["redis", "rediss"], { what: "redis: the server", example: "redis://127.0.0.1:6379" }),
    prefix: text({
      what: "redis: what every key starts with, so that several assistants can share a server",
      example: "wakeful:",
    }),
  },
  { what: "Where everything is kept", rule: storeRule, type: "config/file-options.ts#StoreConfig" },
);

const agents = agentsWith({
  type: "config/file-options.ts#AgentConfig",
  own: {
    workspace: withFacts(workspace, {
      what: "The agent's own workspace; when left out, the assistant's",
      inSample: false,
    }),
  },
  more: {
    models: list(model, {
      what: "The agent's model, and the ones to fall back to; when left out, the assistant's",
      inSample: false,
    }),
  },
});

/** What is data here is made into objects by the command line. */
const registries = section(
  {
    clawhub: section(
      {
        enabled: flag({ what: "Whether it is asked; it needs no key", default: false }),
        baseUrl: webAddress({ what: "The registry's address", default: CLAWHUB_URL }),
        token: secret({ what: "A token of ClawHub, for higher rate limits", example: "CLAWHUB_TOKEN" }),
      },
      { what: "ClawHub, a public registry in which anybody may publish" },
    ),
    folder: section(
      {
        root: text({
          what: "A folder with an archive <slug>.zip for each skill",
          required: true,
          example: "skill-archives",
        }),
      },
      { what: "A folder of this machine" },
    ),
  },
  {
    what: "Where skills are found and installed from",
    type: "config/file-options.ts#RegistriesConfig",
  },
);

/** The configuration file. */
export const fileOptions = section(
  {
    version: only(1, { what: "The version of this file's format", default: 1 }),
    data: text({
      what: "The folder of the fs store, of this file's default place and of what other stores keep in files",
      default: DEFAULT_DATA_FOLDER,
    }),
    models: list(model, {
      what: "The model, and the ones to fall back to; when left out, what the environment says, else the offline model",
    }),
    store,
    server: section(
      {
        port: whole(0, { max: 65_535, what: "The port to listen on; 0 is any free one", default: DEFAULT_PORT }),
        host: text({ what: "The address to listen on; 0.0.0.0 is every one", default: DEFAULT_HOST }),
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
          what: "The policy file, beside this file if its path is relative; read again when it changes",
          required: true,
          example: "configs/tools/policy.yaml",
        }),
      },
      { what: "Which tool may run for whom; the shipped profiles when left out" },
    ),
    log: section(
      {
        level: choice(["debug", "info", "warning", "error", "off"], {
          what: "The least that is written",
          default: "info",
        }),
        format: choice(["auto", "pretty", "json"], {
          what: "auto: pretty on a terminal, JSON lines elsewhere",
          default: "auto",
        }),
      },
      { what: "What is written to standard error" },
    ),
    memory: section(fileMemoryKeys, {
      what: "What is remembered and recalled",
      type: "config/file-options.ts#MemoryConfig",
    }),
    skills: fileSkills,
    registries,
    ...laterRooms,
    extensions: laterValue({ what: "Modules with tools, hooks and channels of one's own" }),
    tools: section(toolProtocol, { what: "How tools are called" }),
    telemetry: fileTelemetry,
    proactive: section(
      {
        ...proactiveKeys,
        memory: otherName("memory", section(fileMemoryKeys, { what: "" })),
        refresh: otherName("memory.refresh", section(refreshKeys, { what: "" })),
        scheduler: otherName("scheduler", scheduler),
      },
      { what: "What the assistant does of itself" },
    ),
    ...refusedRooms,
  },
  {
    what: "What a configuration file may say",
    inCode: "Only what it gives; defaults are in docs/config.md.",
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
  // What is so anyway may be said.
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
