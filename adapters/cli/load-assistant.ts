import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  type Assistant,
  type AssistantOptions,
  type Config,
  createAssistant,
  virtualWorkspace,
} from "../../entry.host.ts";
import {
  DEFAULT_GLOBAL_SKILLS,
  type ModelConfig,
  type ModelFacts,
  type Channel,
  type SkillRegistry,
  type Store,
  type Workspace,
} from "../../kit.ts";
import { ExitError, EXIT } from "./exit-codes.ts";
import { openStore } from "./data-place.ts";
import { makeFolder } from "./make-folder.ts";
import { policyPath, readPolicy } from "./policy-file.ts";
import { DEFAULT_CONFIG, type Settings } from "./settings.ts";
import type { Terminal } from "./terminal.ts";

type Logger = NonNullable<AssistantOptions["logger"]>;
type Model = Extract<NonNullable<AssistantOptions["model"]>, readonly unknown[]>[number];

export interface LoadOptions {
  readonly logger?: Logger;
  /** The owner's token for the HTTP API. */
  readonly token?: string;
  /** Another token, which the process generated for itself. */
  readonly ownToken?: string;
  /** The command only reads: missing data is not created. */
  readonly asks?: boolean;
}

export interface LoadedAssistant {
  readonly assistant: Assistant;
  readonly channels: readonly Channel[];
  /** One line for people: which model answers. */
  readonly modelLine: string;
  /** Publishes the address of this process to others that want the store. */
  announce(url: string): void;
}

/** Shown when there is no key. */
const OFFLINE_LINE =
  "offline, a built-in set of rules that needs no key and understands little; set OPENAI_API_KEY, or OPENAI_BASE_URL for a local server, to use a language model";

/**
 * Creates everything that the configuration names, without starting it. Opens the store, so it fails when another
 * process owns it.
 */
export async function loadAssistant(
  settings: Settings,
  terminal: Pick<Terminal, "env" | "cwd">,
  options: LoadOptions = {},
): Promise<LoadedAssistant> {
  const { config } = settings;
  const models = await modelsOf(await modelConfigs(config, terminal.env), terminal.env);
  const channels = await channelsOf(config);
  const policy = readPolicy(settings, terminal.cwd);
  const store = await openStore(settings, terminal.cwd, options);
  try {
    const workspaceAt: MakeWorkspace = async (given, name) => {
      const made = await workspaceOf(settings, terminal.cwd, store, given, name);
      if (options.asks && isMissing(given, terminal.cwd)) return virtualWorkspace({ store, exec: { mode: "off" } });
      if (given?.root !== undefined)
        makeFolder(resolve(terminal.cwd, given.root), {
          named: `workspace.root of ${name === undefined ? "" : `${name} in `}${settings.file ?? "the configuration"}`,
        });
      return made;
    };
    const workspace = await workspaceAt(config.workspace);
    const make = (agent: AgentFile) => agentOf(agent, terminal.env, workspaceAt);
    const agents = await Promise.all((config.agents ?? [config.agent ?? {}]).map(make));
    const own = agents.flatMap(({ loaded }) => loaded);
    const assistant = await createAssistant({
      ...coreOptions(config),
      // By the file's rules, each of several agents has an id.
      agents: agents.map(({ agent }) => ({ id: "main", ...agent })),
      ...(config.memory && { memory: await memoryOf(config.memory, terminal.env) }),
      skills: skillsOf(settings, terminal.cwd),
      model: models.map(({ model }) => model),
      modelInfo: modelInfoOf(config, [...models, ...own]),
      store,
      channels,
      registries: await registriesOf(config, terminal.cwd),
      workspace,
      ...(policy && { policy }),
      ...(options.logger && { logger: options.logger }),
      server: serverOf(config.server, options),
      secrets: secretsOf(config, terminal.env),
    });
    for (const { message, line } of config.warnings) options.logger?.warn(message, { file: settings.file, line });
    const modelLine = models.map(({ name }) => name).join(", then ");
    return { assistant, channels, modelLine, announce: (url) => store.announce?.(url) };
  } catch (error) {
    await store.close?.();
    throw error;
  }
}

/** The file's server options except its address, plus the owner's tokens of the command line. */
function serverOf(
  { port: _port, host: _host, tokens = [], ...server }: NonNullable<Config["server"]> = {},
  { token, ownToken }: LoadOptions,
): NonNullable<AssistantOptions["server"]> {
  return {
    ...server,
    ...(token !== undefined && { token }),
    tokens: [...tokens, ...(ownToken === undefined ? [] : [{ token: ownToken, role: "owner" as const }])],
  };
}

/** Keys that exist only in the file, that are data there and objects in code, or that the command line fills in. */
const NOT_SHARED = [
  "version",
  "data",
  "models",
  "store",
  "server",
  "channels",
  "workspace",
  "policy",
  "log",
  "tools",
  "agent",
  "agents",
  "memory",
  "skills",
  "registries",
  "warnings",
  "secrets",
] as const satisfies readonly (keyof Config)[];
type CoreKey = Exclude<keyof Config, (typeof NOT_SHARED)[number]>;

/** The options that a file and `createAssistant` share, unchanged. A new shared option needs no change here. */
export function coreOptions(config: Config): Pick<AssistantOptions, CoreKey> {
  const isShared = (name: string) => !NOT_SHARED.some((other) => other === name);
  const given = Object.entries({ ...config, timezone: timezoneOf(config) });
  return Object.fromEntries(given.filter(([name]) => isShared(name))) as ReturnType<typeof coreOptions>;
}

/** The file's time zone, or the machine's. */
export function timezoneOf({ timezone }: Pick<Config, "timezone">): string {
  // If TZ names no zone, a runtime returns nothing, or a name that others refuse.
  const own: string | undefined = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return timezone ?? (own === undefined || own === "Etc/Unknown" ? "UTC" : own);
}

/**
 * Secrets that no log may contain: those of the file, those of the environment that the command line knows, and the
 * password in the store's address.
 */
export function secretsOf(config: Config, env: Terminal["env"]): readonly string[] {
  const all = [...config.secrets, env["OPENAI_API_KEY"], env["WAKEFUL_TOKEN"], ...passwordsOf(config.store?.url)];
  return all.filter((value) => value !== undefined && value !== "") as readonly string[];
}

/** As written in the address, and decoded. */
function passwordsOf(address = ""): readonly string[] {
  if (!URL.canParse(address)) return [];
  const { password } = new URL(address);
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

/** The models of the file or the environment; empty means the offline model. */
export async function modelConfigs(config: Config, env: Terminal["env"]): Promise<readonly ModelConfig[]> {
  if (config.models !== undefined && config.models.length > 0) return config.models;
  const { modelsFromEnvironment } = await import("../models/from-config/index.ts");
  return modelsFromEnvironment(env);
}

interface LoadedModel {
  readonly model: Model;
  /** Name to show. */
  readonly name: string;
  readonly config: ModelConfig;
}

type AgentFile = NonNullable<Config["agent"]>;
type MakeWorkspace = (given: Config["workspace"], name?: string) => Promise<Workspace>;

/** Creates an agent's options from the file. */
async function agentOf(
  { models = [], workspace, ...agent }: AgentFile,
  env: Terminal["env"],
  workspaceAt: MakeWorkspace,
) {
  const loaded = models.length === 0 ? [] : await modelsOf(models, env);
  return {
    loaded,
    agent: {
      ...agent,
      ...(loaded.length > 0 && { model: loaded.map(({ model }) => model) }),
      ...(workspace && { workspace: await workspaceAt(workspace, `agent-${agent.id ?? "main"}`) }),
    },
  };
}

async function modelsOf(configs: readonly ModelConfig[], env: Terminal["env"]): Promise<readonly LoadedModel[]> {
  if (configs.length === 0) {
    const { offlineModel } = await import("../models/offline/index.ts");
    return [{ model: offlineModel(), name: OFFLINE_LINE, config: { provider: "offline" } }];
  }
  const { loadModel } = await import("../models/from-config/index.ts");
  return Promise.all(
    configs.map(async (one) => ({ model: await loadModel(one, { env }), name: modelName(one), config: one })),
  );
}

async function memoryOf(
  { embedder, ...memory }: NonNullable<Config["memory"]>,
  env: Terminal["env"],
): Promise<NonNullable<AssistantOptions["memory"]>> {
  if (!embedder) return memory;
  const { loadEmbedder } = await import("../models/from-config/index.ts");
  return { ...memory, embedder: await loadEmbedder(embedder, { env }) };
}

/**
 * Relative folders start at the file's folder. The skills of the person's home folder are included unless the file
 * disables them.
 */
function skillsOf(
  { config: { skills: { sources = [], global = DEFAULT_GLOBAL_SKILLS, ...skills } = {} }, file }: Settings,
  cwd: string,
): NonNullable<AssistantOptions["skills"]> {
  const from = file === undefined ? cwd : dirname(resolve(cwd, file));
  return { ...skills, global, sources: sources.map((folder) => resolve(from, folder)) };
}

/** The file's facts about its models, by their names in code. The offline model costs nothing. */
function modelInfoOf(config: Config, models: readonly LoadedModel[]): NonNullable<AssistantOptions["modelInfo"]> {
  const info: Record<string, ModelFacts> = {};
  for (const { model, config: given } of models) {
    const { contextWindow, price, protocol = config.tools?.protocol, files } = given;
    const free = given.provider === "offline" ? { input: 0, output: 0 } : undefined;
    const known = { contextWindow, price: price ?? free, protocol, files };
    const facts = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
    const name = `${model.provider}/${model.modelId}`;
    if (info[name] !== undefined && JSON.stringify(info[name]) !== JSON.stringify(facts)) {
      throw new ExitError(
        EXIT.usage,
        `Two entries of models are both ${name} in code, but differ in context_window, price, protocol or files: give both the same values`,
      );
    }
    info[name] = facts;
  }
  return info;
}

/** `qwen3 (openai-compatible, http://127.0.0.1:11434/v1)` */
export function modelName({ provider, model, baseUrl }: ModelConfig): string {
  if (provider === "offline") return "offline";
  return `${model ?? "default model"} (${provider}${baseUrl === undefined ? "" : `, ${baseUrl}`})`;
}

export async function channelsOf(config: Config): Promise<readonly Channel[]> {
  const channels: Channel[] = [];
  const { telegram: bots = [], webhook: hooks = [] } = config.channels ?? {};
  if (bots.length > 0) {
    const { telegram } = await import("../channels/telegram/index.ts");
    channels.push(...bots.map((options) => telegram(options)));
  }
  if (hooks.length > 0) {
    const { webhook } = await import("../channels/webhook/index.ts");
    channels.push(...hooks.map((options) => webhook(options)));
  }
  return channels;
}

/** The registries that the file names. */
export async function registriesOf(config: Config, cwd: string): Promise<readonly SkillRegistry[]> {
  const registries: SkillRegistry[] = [];
  const { clawhub: { enabled = false, ...hub } = {}, folder: local } = config.registries ?? {};
  if (enabled) {
    const { clawhub } = await import("../registries/clawhub/index.ts");
    registries.push(clawhub(hub));
  }
  if (local) {
    const { folder } = await import("../registries/folder/index.ts");
    registries.push(folder({ root: resolve(cwd, local.root) }));
  }
  return registries;
}

/**
 * Creates the workspace that the file describes. Neither files nor commands can see the assistant's own data and
 * configuration at any location.
 *
 * @throws {AssistantError} `OPTION_INVALID` when the workspace is inside the assistant's own data, or when commands
 *   require a sandbox and there is none.
 */
export async function workspaceOf(
  settings: Settings,
  cwd: string,
  store: Store,
  config: Config["workspace"] = settings.config.workspace ?? {},
  /** Distinguishes workspaces whose files are in the store. */
  name = "main",
): Promise<Workspace> {
  const { root, exec: { mode = "simulated", sandbox, network, readable = [], limits = {} } = {} } = config;
  if (root === undefined)
    return virtualWorkspace({ store, name, exec: { mode: mode === "off" ? "off" : "simulated", limits } });
  const { hostWorkspace } = await import("../workspaces/host/index.ts");
  const folder = resolve(cwd, root);
  const hidden = ownPaths(settings, cwd);
  if (mode === "off") return hostWorkspace({ root: folder, hidden, exec: { mode } });
  if (mode === "simulated") return hostWorkspace({ root: folder, hidden, exec: { mode, limits } });
  return hostWorkspace({
    root: folder,
    hidden,
    exec: {
      mode,
      ...(sandbox !== undefined && { sandbox }),
      ...(network !== undefined && { network }),
      readable: readable.map((path) => resolve(cwd, path)),
      limits,
    },
  });
}

/** Whether the workspace's folder should be on the disk and does not exist. */
export function isMissing(config: Config["workspace"], cwd: string): boolean {
  if (config?.root === undefined) return false;
  const path = resolve(cwd, config.root);
  return !existsSync(path) || !statSync(path).isDirectory();
}

/** Files that Bun reads by itself from its working directory: environment variables, and programs to run first. */
const READ_BY_BUN = ["", ".local", ".development", ".production", ".test"]
  .flatMap((kind) => [`.env${kind}`, `.env${kind}.local`])
  .concat("bunfig.toml");

/**
 * Paths that control the assistant: its data, its configuration and policy, the files that these name, and the places
 * where a configuration would be searched.
 */
function ownPaths(settings: Settings, cwd: string): readonly string[] {
  const { config, dataFolder, file, secretFiles = [] } = settings;
  const own = [
    dataFolder,
    file,
    DEFAULT_CONFIG,
    ...READ_BY_BUN,
    policyPath(settings, cwd),
    config.store?.root,
    config.store?.path,
    ...secretFiles,
  ];
  return own.filter((path) => path !== undefined).map((path) => resolve(cwd, path));
}
