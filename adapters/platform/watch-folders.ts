import * as nodeFs from "node:fs";
import { join, sep } from "node:path";
import { platform } from "node:process";

/** How long after a folder came its content is looked at once more; the system's own watcher is there within far less. */
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
 * Tells of changed paths in a folder, however deep, relative to it. Throws when it cannot begin, and calls `failed` when it cannot go on, `gone` when the
 * folder was removed or moved, also when another one is in its place already.
 *
 * On Linux each folder is watched by itself under Node: there it watches every file when it is asked for the whole tree, and does not hear of a file again
 * that was replaced by renaming another, as this store and most editors do. Bun and Deno watch the whole tree as they should.
 *
 * @param only A name in the folder. What has another is not told of, and Node does not look into it. Default: all is told.
 */
export function watchFolders(root: string, changed: (path: string) => void, ended: Ended, only?: string): FolderWatch {
  const { failed, gone } = ended;
  const isWanted = (path: string) => only === undefined || path.split(sep, 1)[0] === only;
  if (platform !== "linux" || "Deno" in globalThis || "Bun" in globalThis) {
    return watchTree(root, (path) => isWanted(path) && changed(path), ended);
  }

  const identity = identityOf(root);
  const watchers = new Map<string, { readonly watcher: nodeFs.FSWatcher; readonly identity: string | undefined }>();

  /** `told`: what is in it already is told of too, since it came before anybody watched. */
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

  /** A name came or went: perhaps a folder's. */
  function follow(path: string): void {
    try {
      if (identityOf(root) !== identity) return gone();
      const found = identityOf(join(root, path));
      const known = watchers.get(path);
      // Another one in its place: who watches the old one hears nothing of it.
      if (known !== undefined && known.identity !== found) drop(path);
      if (found !== undefined) add(path, true);
    } catch (cause) {
      // Gone again before it was looked at.
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
 * The whole tree by the runtime's own watcher. Deno's begins to watch a new folder only after it told of it, and what came into that folder before is never
 * told of (185 of 300 files moved into a folder made just before): so such a folder is looked into, at once and when the watcher is surely there.
 * Of what is too much at once (200 folders made in one go) Deno tells nothing but an event without a name: then the whole tree is looked into.
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
      // No folder, or gone again: its own name was told of.
    }
  }

  const watcher = nodeFs.watch(root, { recursive: true, persistent: false }, (event, name) => {
    // Deno minds no `persistent`, and holds the process anew with each event that it waits for, which it does after this.
    setTimeout(() => watcher.unref(), 0).unref();
    if (event === "rename" && identityOf(root) !== identity) return gone();
    if (name === null) return;
    if (name === "") {
      // What is looked into soon is not looked into now.
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

/** What tells a folder from another of its name; `undefined` for no folder, for a link that leads nowhere and where nobody may look. */
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
