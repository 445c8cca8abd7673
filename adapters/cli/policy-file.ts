import { type FSWatcher, readFileSync, realpathSync, watch } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { type Assistant, type AssistantOptions, type PolicyFile, parsePolicy } from "../../entry.host.ts";
import { messageOf } from "../../kit.ts";
import { UsageError } from "./exit-codes.ts";
import type { Settings } from "./settings.ts";
import type { Terminal } from "./terminal.ts";

type Logger = NonNullable<AssistantOptions["logger"]>;

/** Editors write a file in several steps: it is read when it has been left alone for so long. */
const QUIET_MS = 200;

/** Where the policy file is: beside the configuration when its path is relative. `undefined` when the shipped profiles hold. */
export function policyPath({ config, file }: Settings, cwd: string): string | undefined {
  return config.policy && resolve(file === undefined ? cwd : dirname(file), config.policy.file);
}

/**
 * The policy that the configuration names.
 * @throws {UsageError} When the file cannot be read. {ConfigError} With everything that is wrong in it.
 */
export function readPolicy(settings: Settings, cwd: string): PolicyFile | undefined {
  const path = policyPath(settings, cwd);
  if (path === undefined) return undefined;
  const groups = Object.values(settings.config.mcp?.servers ?? {}).flatMap((server) => server.groups ?? []);
  return parsePolicy(readText(path), { file: path, known: { groups } });
}

/** Lies the file where the assistant may write? Then a change of it may be the assistant's own. */
export function isInWorkspace(path: string, { config }: Settings, cwd: string): boolean {
  if (config.workspace?.root === undefined) return false;
  const way = relative(realPath(resolve(cwd, config.workspace.root)), realPath(path));
  return way.split(/[\\/]/)[0] !== ".." && !isAbsolute(way);
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

export interface PolicyWatchOptions {
  readonly path: string;
  readonly policy: Pick<Assistant["policy"], "replace">;
  readonly logger: Logger;
  readonly terminal: Pick<Terminal, "onHangup">;
  /** Only SIGHUP counts: the assistant itself may have changed the file. Default false. */
  readonly inWorkspace?: boolean;
  /** Default 200. */
  readonly quietMs?: number;
}

/**
 * Reads the policy file again when it changes, and at SIGHUP. A file that cannot be read or has mistakes is reported, and the old policy goes on.
 * @returns A function that stops watching.
 */
export function watchPolicy(options: PolicyWatchOptions): () => void {
  const { path, policy, logger, terminal, inWorkspace = false, quietMs = QUIET_MS } = options;
  let seen = textNow(path);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watcher: FSWatcher | undefined;

  function reload(): void {
    try {
      seen = readText(path);
      const { profiles, warnings } = policy.replace(seen, { file: path });
      logger.info("The tool policy was read again", { file: path, profiles: profiles.length });
      for (const { message, line } of warnings) logger.warn(message, { file: path, line });
    } catch (error) {
      logger.error(`The tool policy could not be read again, and the old one goes on: ${messageOf(error)}`, {
        file: path,
      });
    }
  }

  const watchFile = () => {
    // The folder, since editors put a new file in the place of the old one.
    watcher = watch(dirname(path), { persistent: false }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (textNow(path) !== seen) reload();
      }, quietMs);
    });
    watcher.on("error", notWatched);
  };
  const notWatched = (error: unknown) =>
    logger.warn(`Changes of the tool policy are not noticed; send SIGHUP after a change: ${messageOf(error)}`, {
      file: path,
    });
  try {
    if (inWorkspace) notWatched("the file lies in the workspace, where the assistant may write; move it out");
    else watchFile();
  } catch (error) {
    notWatched(error);
  }

  const stopListening = terminal.onHangup(reload);
  return () => {
    stopListening();
    clearTimeout(timer);
    watcher?.close();
  };
}

/** `undefined` when it cannot be read. */
function textNow(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
