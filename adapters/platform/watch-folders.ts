import * as nodeFs from "node:fs";
import { join, sep } from "node:path";
import { platform } from "node:process";

/** Milliseconds after which a new folder is read once more. The system's own watcher is active much earlier. */
const LOOK_AGAIN_MS = 100;

interface Ended {
  failed(cause: unknown): void;
  gone(): void;
}

/** A watcher of a folder. */
export interface FolderWatch {
  close(): void;
}

/**
 * Reports changed paths in a folder at any depth, relative to it. Throws when it cannot start. Calls `failed` when it
 * cannot continue, and `gone` when the folder was removed, moved or replaced.
 *
 * Under Node on Linux, each folder is watched on its own: to watch the whole tree, Node watches every file there and
 * loses a file that is replaced by a rename, as this store and most editors do. Bun and Deno watch the whole tree
 * correctly.
 *
 * @param only A name in the folder. Changes under other names are not reported, and Node does not read them. Default:
 *   all names.
 */
export function watchFolders(root: string, changed: (path: string) => void, ended: Ended, only?: string): FolderWatch {
  const { failed, gone } = ended;
  const isWanted = (path: string) => only === undefined || path.split(sep, 1)[0] === only;
  if (platform !== "linux" || "Deno" in globalThis || "Bun" in globalThis) {
    return watchTree(root, (path) => isWanted(path) && changed(path), ended);
  }

  const identity = identityOf(root);
  const watchers = new Map<string, { readonly watcher: nodeFs.FSWatcher; readonly identity: string | undefined }>();

  /** `told`: existing content is reported too, since it appeared before the watch began. */
  function add(folder: string, told: boolean): void {
    if (watchers.has(folder)) return;
    const watcher = nodeFs.watch(join(root, folder), { persistent: false }, (event, name) => {
      if (name === null) return;
      const path = join(folder, name);
      if (!isWanted(path)) return;
      if (event === "rename") follow(path);
      changed(path);
    });
    watchers.set(folder, { watcher, identity: identityOf(join(root, folder)) });
    watcher.on("error", (cause) => (errnoOf(cause) === "ENOENT" ? drop(folder) : failed(cause)));
    for (const entry of nodeFs.readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (!isWanted(path)) continue;
      if (told) changed(path);
      if (entry.isDirectory()) add(path, told);
    }
  }

  /** A name appeared or disappeared; it may be a folder's. */
  function follow(path: string): void {
    try {
      if (identityOf(root) !== identity) return gone();
      const found = identityOf(join(root, path));
      const known = watchers.get(path);
      // Another folder took its place, which a watcher of the old one does not notice.
      if (known !== undefined && known.identity !== found) drop(path);
      if (found !== undefined) add(path, true);
    } catch (cause) {
      // It disappeared before it was read.
      if (errnoOf(cause) !== "ENOENT") failed(cause);
    }
  }

  function drop(folder: string): void {
    for (const [path, { watcher }] of watchers) {
      if (path !== folder && !path.startsWith(folder + sep)) continue;
      watcher.close();
      watchers.delete(path);
    }
  }

  function close(): void {
    for (const { watcher } of watchers.values()) watcher.close();
    watchers.clear();
  }

  try {
    add("", false);
  } catch (cause) {
    close();
    throw cause;
  }
  return { close };
}

/**
 * Watches the whole tree by the runtime's own watcher. Deno watches a new folder only after it has reported the folder,
 * and never reports content that arrived before (185 of 300 files moved into a folder made just before). So a new
 * folder is read at once, and again when the watcher is surely active. When too much changes at once (200 folders made
 * in one go), Deno reports only an event without a name: then the whole tree is read.
 */
function watchTree(root: string, changed: (path: string) => void, { failed, gone }: Ended): FolderWatch {
  const identity = identityOf(root);
  const again = new Set<ReturnType<typeof setTimeout>>();
  let isTreeDue = false;

  function tellContent(path: string): void {
    try {
      for (const name of nodeFs.readdirSync(join(root, path), { recursive: true, encoding: "utf8" }))
        changed(join(path, name));
    } catch {
      // Not a folder, or already gone. Its own name was reported.
    }
  }

  const watcher = nodeFs.watch(root, { recursive: true, persistent: false }, (event, name) => {
    // Deno ignores `persistent`. Each event that it waits for refs the process again, which happens after this callback.
    setTimeout(() => watcher.unref(), 0).unref();
    if (event === "rename" && identityOf(root) !== identity) return gone();
    if (name === null) return;
    if (name === "") {
      // A read of the whole tree is already scheduled.
      if (isTreeDue) return;
      isTreeDue = true;
    } else {
      changed(name);
      if (event !== "rename" || identityOf(join(root, name)) === undefined) return;
    }
    tellContent(name);
    const timer = setTimeout(() => {
      again.delete(timer);
      if (name === "") isTreeDue = false;
      tellContent(name);
    }, LOOK_AGAIN_MS);
    timer.unref();
    again.add(timer);
  });
  watcher.on("error", failed);
  watcher.unref();
  return {
    close() {
      for (const timer of again) clearTimeout(timer);
      watcher.close();
    },
  };
}

/**
 * Identifies a folder among folders of the same name; `undefined` if it is not a folder, is a broken link or cannot be
 * read.
 */
function identityOf(path: string): string | undefined {
  try {
    const found = nodeFs.statSync(path, { throwIfNoEntry: false });
    return found?.isDirectory() === true ? `${found.dev}:${found.ino}` : undefined;
  } catch {
    return undefined;
  }
}

function errnoOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
