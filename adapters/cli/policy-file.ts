import { readFileSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { type Assistant, type PolicyFile, parsePolicy } from "../../entry.host.ts";
import { messageOf } from "../../kit.ts";
import { UsageError } from "./exit-codes.ts";
import type { Settings } from "./settings.ts";
import { type WatchOptions, watchFile } from "./watch-file.ts";

/**
 * Path of the policy file. A relative path starts at the configuration's folder. `undefined` when the shipped profiles
 * apply.
 */
export function policyPath({ config, file }: Settings, cwd: string): string | undefined {
  return config.policy && resolve(file === undefined ? cwd : dirname(file), config.policy.file);
}

/**
 * Reads the policy that the configuration names.
 * @throws {UsageError} When the file cannot be read. {ConfigError} With everything that is wrong in it.
 */
export function readPolicy(settings: Settings, cwd: string): PolicyFile | undefined {
  const path = policyPath(settings, cwd);
  if (path === undefined) return undefined;
  const groups = Object.values(settings.config.mcp?.servers ?? {}).flatMap((server) => server.groups ?? []);
  return parsePolicy(readText(path), { file: path, known: { groups } });
}

/** Whether the file is in a folder that the assistant can write to, so that the assistant itself may have changed it. */
export function isInWorkspace(path: string, { config }: Settings, cwd: string): boolean {
  const spaces = [config.workspace, ...(config.agents ?? [config.agent]).map((agent) => agent?.workspace)];
  return spaces.some((space) => {
    if (space?.root === undefined) return false;
    const way = relative(realPath(resolve(cwd, space.root)), realPath(path));
    return way.split(/[\\/]/)[0] !== ".." && !isAbsolute(way);
  });
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new UsageError(`The policy file ${path}, which policy.file names, cannot be read: ${messageOf(cause)}`, {
      cause,
    });
  }
}

export interface PolicyWatchOptions extends WatchOptions {
  readonly policy: Pick<Assistant["policy"], "replace">;
}

/**
 * Reads the policy file again when it changes, and at SIGHUP. A file that cannot be read or has mistakes is reported,
 * and the old policy stays.
 * @returns A function that stops watching.
 */
export function watchPolicy({ policy, ...options }: PolicyWatchOptions): () => void {
  const { path, logger } = options;
  return watchFile("tool policy", options, () => {
    const { profiles, warnings } = policy.replace(readText(path), { file: path });
    logger.info("The tool policy was read again", { file: path, profiles: profiles.length });
    for (const { message, line } of warnings) logger.warn(message, { file: path, line });
  });
}
