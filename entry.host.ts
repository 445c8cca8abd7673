/**
 * Wakeful on Node, Bun and Deno: everything in `mod.ts`, and the functions that need a runtime, bound to
 * `adapters/platform/host`.
 *
 * @module
 */
import { hostPlatform } from "./adapters/platform/host/index.ts";
import type {
  Assistant,
  AssistantOptions,
  Clock,
  Config,
  GuardedCommand,
  PolicyFile,
  PolicySource,
  Skill,
} from "./mod.ts";
import type {
  CommandRunner,
  GuardCommandOptions,
  GuardedFetch,
  GuardedFetchOptions,
  LayeredStore,
  LayeredStoreOptions,
  LibraryOptions,
  MatchInput,
  MatchOptions,
  MatchResult,
  McpCheck,
  McpServerOptions,
  ParseConfigOptions,
  ParsePolicyOptions,
  ParseSkillOptions,
  SimulatedRunnerOptions,
  SkillLibrary,
  Store,
  UnstorageDriver,
  UnstorageStorage,
  UnstorageStoreOptions,
  VirtualWorkspaceOptions,
  Workspace,
} from "./kit.ts";
import { createAssistant as createAssistantOn } from "./src/assistant.ts";
import { systemClock as systemClockOn } from "./src/clock.ts";
import { parseConfig as parseConfigWith } from "./src/config/index.ts";
import { guardCommand as guardCommandWith } from "./src/commands/index.ts";
import { createGuardedFetch as createGuardedFetchOn } from "./src/guard/index.ts";
import { createLayeredStore as createLayeredStoreWith } from "./src/memory/index.ts";
import { linearEngineOf } from "./src/patterns/index.ts";
import { parsePolicy as parsePolicyWith } from "./src/policy/index.ts";
import { parseSkill as parseSkillWith } from "./src/skills/index.ts";
import { createLibrary as createLibraryWith, matchSkills as matchSkillsWith } from "./src/skills/index.ts";
import { unstorageStore as unstorageStoreWith } from "./src/store/index.ts";
import {
  checkMcpServer as checkMcpServerOn,
  simulatedRunner as simulatedRunnerOn,
  virtualWorkspace as virtualWorkspaceOn,
} from "./src/tools/index.ts";

export * from "./mod.ts";

/**
 * Creates an assistant: checks the options once and wires the rooms. Nothing runs before `start()`, `send()` or `fetch()`.
 *
 * @throws {AssistantError} `OPTION_INVALID` naming the option, the value and what was expected; `STORE_UNSUITABLE` for a
 * store without logs or compare-and-set.
 * @example
 * ```ts
 * const assistant = await createAssistant({ model: openai("gpt-5"), store: await fsStore({ root: ".wakeful" }) });
 * const reply = await assistant.send({ text: "Hello" });
 * ```
 */
export function createAssistant(options: AssistantOptions): Promise<Assistant> {
  return createAssistantOn(options, hostPlatform);
}

/**
 * Reads and checks a configuration file. Source: docs/config.md.
 *
 * @throws {ConfigError} With everything that is wrong, each with file, line and column.
 * @example
 * ```ts
 * const config = parseConfig("queue: { debounce_ms: 500 }", { env: {} });
 * config.queue?.debounceMs; // 500
 * ```
 */
export function parseConfig(yamlText: string, options: ParseConfigOptions = {}): Config {
  return parseConfigWith(yamlText, options, hostPlatform.yaml());
}

/**
 * Reads and checks a tool policy: the text of a policy file, or an object of the same shape. A parsed policy passes
 * unchanged. Source: docs/policy.md.
 *
 * @throws {ConfigError} For a text: everything that is wrong, each with file, line and column.
 * @throws {AssistantError} `OPTION_INVALID` for an object, with everything that is wrong.
 */
export function parsePolicy(source: PolicySource, options: ParsePolicyOptions = {}): PolicyFile {
  return parsePolicyWith(source, options, hostPlatform.yaml);
}

/**
 * Reads and checks a skill: the text of a `SKILL.md`. Public skills of the Agent Skills format load as they are. Source: docs/skills.md.
 *
 * @throws {ConfigError} With everything that is wrong, each with file, line, column and field.
 * @example
 * ```ts
 * const skill = parseSkill("---\nname: greet\ndescription: Says hello\n---\nSay hello.");
 * skill.body; // "Say hello."
 * ```
 */
export function parseSkill(text: string, options: ParseSkillOptions = {}): Skill {
  return parseSkillWith(text, options, hostPlatform.yaml);
}

/**
 * Judges a shell command before it runs. This is advice, not a boundary: it sees neither what a running program does nor
 * links. Run commands inside the operating system's sandbox where there is one. Source: docs/guards-commands.md.
 *
 * @returns Whether it may run, and each simple command found, its words resolved. Never throws, whatever `command` is.
 * @example
 * ```ts
 * guardCommand("ls -la | head", { workspace: "/srv/workspace" }); // { ok: true, commands: ["ls -la", "head"] }
 * ```
 */
export function guardCommand(command: string, options: GuardCommandOptions): GuardedCommand {
  return guardCommandWith(command, options, hostPlatform.shellParser);
}

/**
 * Checks skills together and compiles their patterns once. A pattern runs on the runtime's own engine if no text can make
 * it slow there. All others run on the linear engine re2js.
 * Source: docs/skills-matching.md.
 *
 * @returns The library, with the skills that were left out in `problems`. Never throws because of a skill's content.
 * @example
 * ```ts
 * const library = createLibrary(skills);
 * library.problems.map(({ skill, reason }) => `${skill}: ${reason}`);
 * ```
 */
export function createLibrary(skills: readonly Skill[], options: LibraryOptions = {}): SkillLibrary {
  return createLibraryWith(skills, options, linearEngineOf(hostPlatform));
}

/**
 * Selects the skills that a message activates, best first, within the token budget. The same input gives the same result.
 * Source: docs/skills-matching.md, "Score".
 *
 * @param library A library, or skills; a list is compiled once as long as it does not change.
 * @throws {RangeError} If `tokenBudget` or `maxActivated` is not a number of 0 or more.
 * @example
 * ```ts
 * const [best] = matchSkills(library, { taskInput: "Research our competitors", recentTools: ["web_search"] });
 * best?.signals; // [{ kind: "intent", matched: "research|investigate", weight: 0.5 }, …]
 * ```
 */
export function matchSkills(
  library: SkillLibrary | readonly Skill[],
  input: MatchInput,
  options: MatchOptions = {},
): MatchResult[] {
  return matchSkillsWith(library, input, options, linearEngineOf(hostPlatform));
}

/** The wall clock and timers of the runtime. Reads the time on each call, so a fake `Date` is respected. */
export function systemClock(): Clock {
  return systemClockOn(hostPlatform);
}

/**
 * Creates a guarded `fetch`. It checks the URL and addresses of every hop before the request, follows redirects itself
 * instead of the runtime, keeps credentials with the origin that they were given for, and limits bytes and time. Source:
 * docs/web-guard.md, "Guarded requests".
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  return createGuardedFetchOn(options, hostPlatform.network);
}

/**
 * Stores memory entries as Markdown files in any store, with a keyword index for each person. Source: docs/memory.md,
 * "The files".
 *
 * @throws {AssistantError} `STORE_UNSUITABLE` for a store without logs or compare-and-set.
 */
export function createLayeredStore(options: LayeredStoreOptions): LayeredStore {
  return createLayeredStoreWith(options, hostPlatform.yaml);
}

/**
 * Uses any unstorage `Storage` or driver as a store, for one process. Source: docs/storage.md, "Any unstorage driver".
 *
 * @throws {TypeError} If the argument is neither, or a driver that cannot write.
 */
export function unstorageStore(
  backend: UnstorageStorage | UnstorageDriver,
  options: UnstorageStoreOptions = {},
): Store {
  return unstorageStoreWith(backend, options, hostPlatform.load);
}

/**
 * A workspace whose files are documents of a store, under `workspace/<name>/`. Source: docs/workspaces.md, "The virtual workspace".
 *
 * @throws {AssistantError} `OPTION_INVALID` when `exec.mode` is anything but `simulated` or `off`, or a limit makes no sense.
 * @example
 * ```ts
 * const workspace = virtualWorkspace({ store: memoryStore() });
 * await workspace.write("notes/today.md", "water the plants");
 * ```
 */
export function virtualWorkspace(options: VirtualWorkspaceOptions): Workspace {
  return virtualWorkspaceOn(options, hostPlatform);
}

/**
 * Runs commands in an interpreter over the workspace's files, without programs of the host and without a network.
 * Source: docs/exec.md, "Simulated".
 *
 * @throws {AssistantError} `OPTION_INVALID` for a limit that makes no sense.
 */
export function simulatedRunner(workspace: Workspace, options: SimulatedRunnerOptions = {}): CommandRunner {
  return simulatedRunnerOn(workspace, options, hostPlatform);
}

/**
 * Connects to a server once, lists its tools and disconnects: checks a configuration before it is used. Starts the
 * program of a server that is one.
 *
 * @returns The server's names of its tools, or what is wrong and how to correct it. Never throws.
 */
export function checkMcpServer(
  name: string,
  server: McpServerOptions,
  options: { readonly clock: Clock; readonly version: string; readonly timeoutMs?: number },
): Promise<McpCheck> {
  return checkMcpServerOn(name, server, options, hostPlatform);
}
