import { list, made, secret, section } from "../../settings/index.ts";
import { agentsRule, agentsWith } from "./agents.ts";
import { builtinsRule } from "./builtins.ts";
import { laterRooms, refusedRooms } from "./later.ts";
import { memoryKeys } from "./memory.ts";
import { modelInfo } from "./models.ts";
import { proactiveKeys } from "./proactive.ts";
import { registries } from "./registries.ts";
import { serverKeys } from "./server.ts";
import { sharedWith } from "./shared.ts";
import { skills } from "./skills.ts";
import { telemetry } from "./telemetry.ts";

const agents = agentsWith({
  type: "config/assistant-options.ts#AgentOptions",
  own: {
    model: made(
      "ModelObject | readonly ModelObject[]",
      { ModelObject: "agent/index.ts" },
      { what: "The agent's model; default: the assistant's", only: "sdk" },
    ),
    workspace: made(
      "Workspace",
      { Workspace: "tools/index.ts" },
      { what: "The agent's workspace; default: the assistant's", only: "sdk" },
    ),
  },
});

/** The options of `createAssistant`. `checkMadeByCode` checks the options that are objects or functions. */
export const sdkOptions = section(
  {
    model: made(
      "ModelObject | readonly ModelObject[]",
      { ModelObject: "agent/index.ts" },
      {
        what: "An AI SDK model, or a list of them: the first, then its fallbacks in order",
        inCode: "A string is refused: the AI SDK would send it to a gateway.",
      },
    ),
    modelInfo,
    store: made(
      "Store | UnstorageStorage | UnstorageDriver",
      { Store: "store/index.ts", UnstorageStorage: "store/index.ts", UnstorageDriver: "store/index.ts" },
      {
        can: ["get", "put", "remove", "list", "append", "read"],
        what: "Where all data is stored",
        inCode:
          "From `wakeful/storage/…`, or any unstorage `Storage`. Default: memory, which loses everything when the process ends.",
      },
    ),
    engine: made(
      "Engine",
      { Engine: "engine/index.ts" },
      {
        can: ["start", "wake", "stop"],
        what: "The engine that wakes sessions",
        inCode: "Default: the embedded engine, on the same store.",
      },
    ),
    channels: made(
      "readonly Channel[]",
      { Channel: "channel.ts" },
      { what: "Channels on which people write", inCode: "Source: docs/channels.md." },
    ),
    tools: made(
      "Readonly<Record<string, AnyTool>>",
      { AnyTool: "tools/index.ts" },
      { what: "Your own tools", inCode: "The key is the tool's name. A built-in tool of the same name is replaced." },
    ),
    patterns: made(
      "PatternEngine",
      { PatternEngine: "tools/index.ts" },
      {
        can: ["compile"],
        what: "The engine for grep's regular expressions; found automatically except on Workers",
        inCode: "On Workers: `re2()` of `wakeful/patterns/re2`.",
      },
    ),
    policy: made(
      "PolicySource",
      { PolicySource: "policy/index.ts" },
      {
        what: "Which tools may run for whom: the text of a policy file, or an object; default: the shipped profiles",
        inCode: "The object may come from `parsePolicy`. Source: docs/policy.md.",
      },
    ),
    hooks: made(
      "readonly ProactiveHook[]",
      { ProactiveHook: "proactive/index.ts" },
      {
        what: "Your own hooks, which tell the model what it should know",
        inCode: "They run in every turn from the start; `assistant.hooks` adds and removes more.",
      },
    ),
    workspace: made(
      "Workspace | false",
      { Workspace: "tools/index.ts" },
      {
        what: "Files that the assistant may read and write",
        inCode: "Default: a virtual workspace in the store. `false`: no file tools.",
      },
    ),
    clock: made("Clock", { Clock: "clock.ts" }, { can: ["now", "sleep", "at"], what: "The source of the time" }),
    logger: made(
      "Logger",
      { Logger: "telemetry/index.ts" },
      {
        can: ["debug", "info", "warn", "error"],
        what: "Receives log lines",
        inCode: "Default: errors on the console, one line each.",
      },
    ),
    platform: made(
      "Partial<Platform>",
      { Platform: "platform.ts" },
      {
        what: "Members of the platform that replace those of the runtime",
        inCode: 'The runtime provides all others. Source: docs/deploy.md, "What a runtime lends".',
      },
    ),
    secrets: list(secret({ what: "A value", example: "NAME" }), {
      what: "Values that must never appear in log or audit lines",
      inCode:
        "They are added to those of secret options, channels, search engines and tools. Source: docs/redaction.md.",
    }),
    telemetry,
    fetch: made(
      "typeof fetch",
      {},
      {
        can: [],
        what: "Your own `fetch`, for channels and for tools, whose addresses are checked before each request",
        inCode: "Default: connections to the checked address if the runtime can make them, else the global `fetch`.",
      },
    ),
    lookup: made(
      "Lookup",
      { Lookup: "guard/index.ts" },
      {
        can: [],
        what: "Resolves a host name to addresses; default: the machine's resolver, none on Workers",
        inCode: "It throws if the name does not exist.",
      },
    ),
    pageReader: made(
      "PageReader",
      { PageReader: "tools/index.ts" },
      {
        can: ["read"],
        what: "Converts web pages to text, for `web_fetch`",
        inCode: "Default: the article in Markdown; on Workers plain text. Source: docs/web.md.",
      },
    ),
    deliver: made(
      "(message: HostMessage) => Promise<{ readonly id: string }>",
      { HostMessage: "reply.ts" },
      {
        can: [],
        what: "Delivers unsolicited messages to people who are reached through the SDK",
        inCode:
          "Examples are the reply to the outcome of an approval and late results of tools. The same `id` may come again after a crash. If the function throws, the message is tried again, as messages of channels are. Default: messages wait in `GET /api/v1/notifications`.",
      },
    ),
    registries,
    ...sharedWith(agents),
    memory: section(
      {
        ...memoryKeys,
        capture: section(
          {
            model: made(
              "CaptureModel | string",
              { CaptureModel: "memory/capture-model.ts" },
              {
                what: "A model that classifies sentences about the speaker that no rule could read, at most once in ten messages: an AI SDK model, or the name of one of the assistant's",
                inCode: "Default: none, and only rules decide.",
              },
            ),
          },
          { what: "How statements are found" },
        ),
        store: made(
          "MemoryStore",
          { MemoryStore: "memory/memory-store.ts" },
          {
            can: ["save", "get", "search", "list", "remove", "archive", "restore", "users", "forget"],
            what: "A `MemoryStore` that keeps the entries",
            inCode: "Default: files in the store.",
          },
        ),
        embedder: made(
          "Embedder",
          { Embedder: "memory/embedder.ts" },
          {
            can: ["doEmbed"],
            what: "An AI SDK embedding model, which adds recall by meaning",
            inCode: "Default: none, and only words decide.",
          },
        ),
      },
      {
        what: "What the assistant remembers and recalls",
        inCode: "Source: docs/memory.md.",
        type: "memory/options.ts#MemoryOptions",
      },
    ),
    skills,
    proactive: section(proactiveKeys, {
      what: "What the assistant does on its own",
      inCode: "Source: docs/patterns.md.",
      type: "config/assistant-options.ts#ProactiveOptions",
    }),
    server: section(serverKeys, {
      what: "Who may call the HTTP API",
      inCode: "Without any token every API route answers 401.",
    }),
    ...laterRooms,
    ...refusedRooms,
  },
  {
    what: "The options of `createAssistant`",
    inCode:
      "Every option but `model` has a default; docs/config.md lists them with their names in the configuration file.",
    rule: (given) => agentsRule(given) ?? builtinsRule(given),
    type: "config/assistant-options.ts#AssistantOptions",
  },
);
