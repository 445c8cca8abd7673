import * as nodeFs from "node:fs";
import { join, sep } from "node:path";
import { platform } from "node:process";
import { errnoOf } from "./file-system.ts";

/** A watcher of a folder. */
export interface FolderWatch {
  close(): void;
}

/**
 * Tells of changed paths in a folder, however deep, relative to it. Throws when it cannot begin, and calls `failed` when it cannot go on, `gone` when the
 * folder was removed or moved.
 *
 * On Linux each folder is watched by itself under Node: there it watches every file when it is asked for the whole tree, and does not hear of a file again
 * that was replaced by renaming another, as this store and most editors do. Bun and Deno watch the whole tree as they should.
 */
export function watchFolders(
  root: string,
  changed: (path: string) => void,
  ended: { failed(cause: unknown): void; gone(): void },
): FolderWatch {
  const { failed, gone } = ended;
  if (platform !== "linux" || "Deno" in globalThis || "Bun" in globalThis) {
    const watcher = nodeFs.watch(root, { recursive: true, persistent: false }, (event, name) => {
      if (event === "rename" && !nodeFs.existsSync(root)) gone();
      else if (name !== null) changed(name);
    });
    return watcher.on("error", failed);
  }

  const watchers = new Map<string, nodeFs.FSWatcher>();

  /** `told`: what is in it already is told of too, since it came before anybody watched. */
  function add(folder: string, told: boolean): void {
    if (watchers.has(folder)) return;
    const watcher = nodeFs.watch(join(root, folder), { persistent: false }, (event, name) => {
      if (name === null) return;
      const path = join(folder, name);
      if (event === "rename") follow(path);
      changed(path);
    });
    watchers.set(folder, watcher);
    watcher.on("error", (cause) => (errnoOf(cause) === "ENOENT" ? drop(folder) : failed(cause)));
    for (const entry of nodeFs.readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (told) changed(path);
      if (entry.isDirectory()) add(path, told);
    }
  }

  /** A link that leads nowhere, or where nobody may look, is no folder. */
  function isFolder(path: string): boolean {
    try {
      return nodeFs.statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === true;
    } catch {
      return false;
    }
  }

  /** A name came or went: perhaps a folder's. */
  function follow(path: string): void {
    try {
      if (isFolder(path)) add(path, true);
      else if (isFolder("")) drop(path);
      else gone();
    } catch (cause) {
      // Gone again before it was looked at.
      if (errnoOf(cause) !== "ENOENT") failed(cause);
    }
  }

  function drop(folder: string): void {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(folder + sep)) continue;
      watcher.close();
      watchers.delete(path);
    }
  }

  function close(): void {
    for (const watcher of watchers.values()) watcher.close();
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
