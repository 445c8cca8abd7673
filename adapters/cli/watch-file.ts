import { type FSWatcher, readFileSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import type { AssistantOptions } from "../../entry.host.ts";
import { messageOf } from "../../kit.ts";
import type { Terminal } from "./terminal.ts";

/** Editors write a file in several steps, so it is read after this many milliseconds without a change. */
const QUIET_MS = 200;

/** The link that Kubernetes swaps when a mounted file changes. */
const MOUNTED = "..data";

export interface WatchOptions {
  readonly path: string;
  readonly logger: NonNullable<AssistantOptions["logger"]>;
  readonly terminal: Pick<Terminal, "onHangup">;
  /** Only SIGHUP counts, since the assistant itself may have changed the file. Default false. */
  readonly inWorkspace?: boolean;
  /** Default 200. */
  readonly quietMs?: number;
}

/**
 * Calls `reload` when a file changes, and at SIGHUP. An error of it is reported, and the old state stays.
 * @param what The file's content, for people, such as `tool policy`.
 * @returns A function that stops watching.
 */
export function watchFile(
  what: string,
  { path, logger, terminal, inWorkspace = false, quietMs = QUIET_MS }: WatchOptions,
  reload: () => void,
): () => void {
  let seen = textNow(path);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watcher: FSWatcher | undefined;

  function read(): void {
    seen = textNow(path);
    try {
      reload();
    } catch (error) {
      logger.error(`The ${what} could not be read again, so the old one stays in use: ${messageOf(error)}`, {
        file: path,
      });
    }
  }

  const watchFolder = () => {
    // The folder, since editors replace the file by a new one. Other files in it may change all the time.
    watcher = watch(dirname(path), { persistent: false }, (_, name) => {
      if (name !== null && name !== basename(path) && name !== MOUNTED) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (textNow(path) !== seen) read();
      }, quietMs);
    });
    watcher.on("error", notWatched);
  };
  const notWatched = (error: unknown) =>
    logger.warn(`Changes of the ${what} are not noticed; send SIGHUP after a change: ${messageOf(error)}`, {
      file: path,
    });
  try {
    if (inWorkspace) notWatched("the file is in the workspace, where the assistant may write; move it out");
    else watchFolder();
  } catch (error) {
    notWatched(error);
  }

  const stopListening = terminal.onHangup(read);
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
