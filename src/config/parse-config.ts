import { messageOf } from "../errors.ts";
import { tokenProblems } from "../http/index.ts";
import type { YamlLibrary } from "../libraries.ts";
import {
  ConfigError,
  type ConfigIssue,
  type ConfigWarning,
  type Environment,
  type OptionPath,
  checkOptions,
  pathText,
  readYaml,
} from "../settings/index.ts";
import { unknownTool } from "../tools/index.ts";
import type { Config } from "./config.ts";
import { fileOptions } from "./schema/file.ts";
import { isObject } from "../store/index.ts";

/** Options of `parseConfig`. */
export interface ParseConfigOptions {
  /** Environment for `${NAME}` and `{ env: NAME }`. Default: empty. */
  readonly env?: Environment;
  /** Name of the file in messages. Default `wakeful.yaml`. */
  readonly file?: string;
  /** Reads the file of `{ file: path }` and throws if it cannot. Without it, such secrets are refused. */
  readonly readFile?: (path: string) => string;
}

/**
 * Reads and checks a configuration file.
 *
 * Source: docs/config.md.
 *
 * @param library Reads YAML.
 * @throws {ConfigError} With everything that is wrong, each with file, line and column.
 * @example
 * ```ts
 * const config = parseConfig("queue: { debounce_ms: 500 }", { env: {} });
 * config.queue?.debounceMs; // 500
 * ```
 */
export function parseConfig(yamlText: string, options: ParseConfigOptions, library: YamlLibrary): Config {
  const { env = {}, file = "wakeful.yaml", readFile } = options;
  const yaml = readYaml(yamlText, library, env);
  const issues: ConfigIssue[] = yaml.problems.map((problem) => ({ file, ...problem }));
  const warnings: ConfigWarning[] = [];
  const secrets = new Set<string>();

  const issue = (path: OptionPath, message: string, of?: "key") => {
    issues.push({ file, ...yaml.positionOf(path, of), path: pathText(path), message });
  };

  function secret(path: OptionPath, value: unknown): string | undefined {
    const found = findSecret(value, env, readFile);
    if ("secret" in found) secrets.add(found.secret);
    else issue(path, `${pathText(path)}: ${found.problem}`);
    return "secret" in found ? found.secret : undefined;
  }

  const checked = checkOptions(fileOptions, yaml.value, {
    style: "file",
    issue,
    warning: (path, message) =>
      void warnings.push({ line: yaml.positionOf(path, "key").line, path: pathText(path), message }),
    written: yaml.written,
    secret,
  });
  const named = withOtherNames(checked, issue);
  for (const { path, name } of excludedTools(named)) {
    const problem = unknownTool(name);
    const message = `${pathText(path.slice(0, -1))} has ${problem}`;
    if (problem !== undefined) warnings.push({ line: yaml.positionOf(path).line, path: pathText(path), message });
  }
  // Tokens that failed the schema check cannot be compared.
  if (!issues.some(({ path }) => path.startsWith("server.")))
    for (const { path, message } of tokenProblems(named.server ?? {})) issue(path, `${pathText(path)}: ${message}`);
  if (issues.length > 0) throw new ConfigError(issues);
  const config = { ...named, warnings, secrets: [] };
  return Object.defineProperty(config, "secrets", { value: [...secrets], enumerable: false });
}

type Checked = Omit<Config, "warnings" | "secrets" | "proactive"> & {
  readonly proactive?: Config["proactive"] & { readonly [Name in "memory" | "refresh" | "scheduler"]?: object };
};

/**
 * Gives other names their own: `proactive.memory` becomes `memory`, `proactive.refresh` becomes `memory.refresh`,
 * `proactive.scheduler` becomes `scheduler`.
 */
function withOtherNames(
  { proactive = {}, ...given }: Checked,
  issue: (path: OptionPath, message: string) => void,
): Omit<Config, "warnings" | "secrets"> {
  const { memory: other, refresh, scheduler, ...own } = proactive;
  if (scheduler && given.scheduler)
    issue(["proactive", "scheduler"], "proactive.scheduler is another name of scheduler: give one of them");
  const config = {
    ...given,
    ...(scheduler && { scheduler }),
    ...(Object.keys(own).length > 0 && { proactive: own }),
  };
  if (!other && !refresh) return config;
  if (other && config.memory)
    issue(["proactive", "memory"], "proactive.memory is another name of memory: give one of them");
  const memory = { ...config.memory, ...other };
  if (refresh && memory.refresh)
    issue(["proactive", "refresh"], "proactive.refresh is another name of memory.refresh: give one of them");
  return { ...config, memory: { ...memory, ...(refresh && { refresh }) } };
}

/** Returns all entries of `context.exclude_tools` with their paths, for the assistant and for each channel. */
function excludedTools({ context, channels = {} }: Pick<Config, "context" | "channels">) {
  const places: { readonly at: OptionPath; readonly context: Config["context"] }[] = [{ at: [], context }];
  for (const [name, given] of Object.entries(channels))
    for (const [index, one] of given.entries())
      places.push({ at: ["channels", name, ...(given.length > 1 ? [index] : [])], context: one.context });
  return places.flatMap(({ at, context: { excludeTools = [] } = {} }) =>
    excludeTools.map((name, index) => ({ path: [...at, "context", "exclude_tools", index], name })),
  );
}

function findSecret(
  value: unknown,
  env: Environment,
  readFile: ParseConfigOptions["readFile"],
): { readonly secret: string } | { readonly problem: string } {
  if (typeof value === "string" && value !== "") return { secret: value };
  const [[kind, name] = [], ...rest] = isObject(value) ? Object.entries(value) : [];
  if (rest.length > 0 || typeof name !== "string" || name === "" || (kind !== "env" && kind !== "file")) {
    return { problem: "expected a secret: { env: NAME }, { file: path } or text" };
  }
  if (kind === "env") {
    const secret = env[name];
    return secret ? { secret } : { problem: `the secret is missing: set the environment variable ${name}` };
  }
  if (!readFile) return { problem: "secrets cannot be read from files here; use { env: NAME }" };
  try {
    const secret = readFile(name).replace(/\r?\n$/, "");
    return secret ? { secret } : { problem: `the secret is missing: the file ${name} is empty` };
  } catch (cause) {
    return { problem: `the secret's file cannot be read: ${messageOf(cause)}` };
  }
}
