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
      { what: "The model of this agent, where it is not the assistant's", only: "sdk" },
    ),
    workspace: made(
      "Workspace",
      { Workspace: "tools/index.ts" },
      { what: "The workspace of this agent, where it is not the assistant's", only: "sdk" },
    ),
  },
});

/** The options of `createAssistant`. What is made by code is checked where it is used. */
export const sdkOptions = section(
  {
    model: made(
      "ModelObject | readonly ModelObject[]",
      { ModelObject: "agent/index.ts" },
      {
        what: "An AI SDK model, or a list of them: the first, then the ones to fall back to",
        inCode: "A string is refused: the AI SDK would send it to a gateway.",
      },
    ),
    modelInfo,
    store: made(
      "Store | UnstorageStorage | UnstorageDriver",
      { Store: "store/index.ts", UnstorageStorage: "store/index.ts", UnstorageDriver: "store/index.ts" },
      {
        can: ["get", "put", "remove", "list", "append", "read"],
        what: "Where everything is kept",
        inCode:
          "From `wakeful/storage/…`, or any unstorage `Storage`. Default: memory, which forgets everything when the process ends.",
      },
    ),
    engine: made(
      "Engine",
      { Engine: "engine/index.ts" },
      {
        can: ["start", "wake", "stop"],
        what: "What wakes sessions; in this process when left out",
        inCode: "Default: the embedded engine, on the same store.",
      },
    ),
    channels: made(
      "readonly Channel[]",
      { Channel: "channel.ts" },
      { what: "Where people write from", inCode: "Source: docs/channels.md." },
    ),
    tools: made(
      "Readonly<Record<string, AnyTool>>",
      { AnyTool: "tools/index.ts" },
      { what: "Your own tools", inCode: "The key names the tool. A built-in of the same name is replaced." },
    ),
    patterns: made(
      "PatternEngine",
      { PatternEngine: "tools/index.ts" },
      {
        can: ["compile"],
        what: "The engine of grep's regular expressions; found by itself outside of Workers",
        inCode: "There: `re2()` of `wakeful/patterns/re2`.",
      },
    ),
    policy: made(
      "PolicySource",
      { PolicySource: "policy/index.ts" },
      {
        what: "Which tool may run for whom: the text of a policy file, or an object; the shipped profiles when left out",
        inCode: "The object may be what `parsePolicy` gave. Source: docs/policy.md.",
      },
    ),
    hooks: made(
      "readonly ProactiveHook[]",
      { ProactiveHook: "proactive/index.ts" },
      {
        what: "Your own hooks, which say what the model should know",
        inCode: "They take part in turns from the start; `assistant.hooks` adds and removes more.",
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
    clock: made("Clock", { Clock: "clock.ts" }, { can: ["now", "sleep", "at"], what: "Where the time comes from" }),
    logger: made(
      "Logger",
      { Logger: "telemetry/index.ts" },
      {
        can: ["debug", "info", "warn", "error"],
        what: "Where log lines go",
        inCode: "Default: errors on the console, one line each.",
      },
    ),
    platform: made(
      "Partial<Platform>",
      { Platform: "platform.ts" },
      {
        what: "What a runtime lends, where it shall be another than the runtime's own",
        inCode:
          'Each member that is given takes the place of the runtime\'s own. Source: docs/deploy.md, "What a runtime lends".',
      },
    ),
    secrets: list(secret({ what: "A value", example: "NAME" }), {
      what: "Values that must never appear in log or audit lines",
      inCode: "They come to those of secret options, channels, search engines and tools. Source: docs/redaction.md.",
    }),
    telemetry,
    fetch: made(
      "typeof fetch",
      {},
      {
        can: [],
        what: "Your own way out: for channels, and for what tools fetch, whose address is checked before each request",
        inCode: "Default: connections to the checked address, where the runtime can; else the global `fetch`.",
      },
    ),
    lookup: made(
      "Lookup",
      { Lookup: "guard/index.ts" },
      {
        can: [],
        what: "Resolves a host name to addresses; the machine's resolver when left out, none on Workers",
        inCode: "Throws when the name does not exist.",
      },
    ),
    pageReader: made(
      "PageReader",
      { PageReader: "tools/index.ts" },
      {
        can: ["read"],
        what: "Makes text of pages, for `web_fetch`",
        inCode: "Default: the article in Markdown; on Workers plain text. Source: docs/web.md.",
      },
    ),
    deliver: made(
      "(message: HostMessage) => Promise<{ readonly id: string }>",
      { HostMessage: "reply.ts" },
      {
        can: [],
        what: "Takes what is said unasked to people who are reached through the SDK",
        inCode:
          "That is what the assistant says to the outcome of an approval, and late results of tools. The same `id` may come again after a crash; what throws is tried again, as messages of channels are. Default: they wait in `GET /api/v1/notifications`.",
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
                what: "A model that looks at sentences about oneself which no rule could read, at most once in ten messages: an AI SDK model, or the name of one of the assistant's",
                inCode: "Default: none, and rules alone decide.",
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
            what: "What keeps entries, where it is not the store: a `MemoryStore`",
            inCode: "Default: files in the store.",
          },
        ),
        embedder: made(
          "Embedder",
          { Embedder: "memory/embedder.ts" },
          {
            can: ["doEmbed"],
            what: "An AI SDK embedding model, for recall by meaning too",
            inCode: "Default: none, and words alone decide.",
          },
        ),
      },
      {
        what: "What is remembered and recalled",
        inCode: "Source: docs/memory.md.",
        type: "memory/options.ts#MemoryOptions",
      },
    ),
    skills,
    proactive: section(proactiveKeys, {
      what: "What the assistant does of itself",
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
    what: "What `createAssistant` takes",
    inCode:
      "Every option but `model` has a default; docs/config.md lists them with their names in the configuration file.",
    rule: (given) => agentsRule(given) ?? builtinsRule(given),
    type: "config/assistant-options.ts#AssistantOptions",
  },
);
