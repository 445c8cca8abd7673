import { join } from "node:path";
import { errnoOf, writeAll } from "./file-system.ts";
import type { FileSystem } from "./file-system.ts";
import { placeOf, sidecarName } from "./file-name.ts";
import type { Place } from "./file-name.ts";

/** Where one key is, as absolute paths. */
export interface Target {
  readonly path: string;
  readonly folder: string;
  readonly place: Place;
}

export type Folders = ReturnType<typeof createFolders>;

/**
 * Manages the folders under the root: creates one for its first entry and removes it after its last, durably in both
 * cases.
 */
export function createFolders(fs: FileSystem, root: string, counters: { syncs: number }) {
  let temporaryCount = 0;
  let turn: Promise<unknown> = Promise.resolve();
  /** Folders with new names that may not be durable yet, and how many times each was marked. */
  const unsynced = new Map<string, number>();

  /** Runs folder work one at a time, so that no folder is removed between its creation and its first entry. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  function mark(folder: string): void {
    unsynced.set(folder, (unsynced.get(folder) ?? 0) + 1);
  }

  async function syncFolder(folder: string): Promise<void> {
    const marked = unsynced.get(folder);
    counters.syncs++;
    await fs.syncDirectory(folder);
    if (unsynced.get(folder) === marked) unsynced.delete(folder); // otherwise another name was made in the meantime
  }

  /** Syncs the folders on the way to a target whose names another write, or a failed one, changed and did not sync. */
  async function syncWay(target: Target): Promise<void> {
    for (let folder = target.folder; ; folder = join(folder, "..")) {
      if (unsynced.has(folder)) await syncFolderIfThere(folder);
      if (folder === root) return;
    }
  }

  async function syncFolderIfThere(folder: string): Promise<void> {
    try {
      await syncFolder(folder);
    } catch (error) {
      if (errnoOf(error) !== "ENOENT") throw error;
      unsynced.delete(folder); // the folder was removed in the meantime, with its content
    }
  }

  function targetOf(key: string, kind: "document" | "log"): Target {
    const place = placeOf(key, kind);
    const folder = join(root, ...place.folders.map(({ name }) => name));
    return { path: join(folder, place.file.name), folder, place };
  }

  /** Writes bytes to a temp file, which `rename` then puts in place. */
  async function writeTemporary(bytes: Uint8Array): Promise<string> {
    const path = join(root, "tmp", `${++temporaryCount}`);
    const descriptor = await fs.open(path, "wx");
    try {
      await writeAll(fs, descriptor, bytes);
      counters.syncs++;
      await fs.sync(descriptor);
    } catch (error) {
      await fs.close(descriptor);
      await fs.unlink(path).catch(() => undefined); // if this fails, the next start sweeps it
      throw error;
    }
    await fs.close(descriptor);
    return path;
  }

  /** Replaces or creates a file atomically: after a crash the old or the new file is there, never a part. */
  async function putInPlace(bytes: Uint8Array, place: (temporary: string) => Promise<void>): Promise<void> {
    const temporary = await writeTemporary(bytes);
    try {
      await place(temporary);
    } catch (error) {
      await fs.unlink(temporary).catch(() => undefined);
      throw error;
    }
  }

  async function replace(target: Target, bytes: Uint8Array): Promise<void> {
    await putInPlace(bytes, (temporary) => inPlace(target, () => fs.rename(temporary, target.path)));
    mark(target.folder);
    await syncWay(target);
  }

  /** Replaces one of the store's own files in an existing folder. */
  async function replaceOwn(path: string, bytes: Uint8Array): Promise<void> {
    await putInPlace(bytes, (temporary) => fs.rename(temporary, path));
    await syncFolder(join(path, ".."));
  }

  /** Runs `work`, which creates the target's file; missing folders are created first. Their names are not yet durable. */
  async function inPlace<T>(target: Target, work: () => Promise<T>): Promise<T> {
    if (!target.place.file.hashed) {
      try {
        return await work();
      } catch (error) {
        if (errnoOf(error) !== "ENOENT") throw error;
      }
    }
    return alone(async () => {
      let folder = root;
      for (const { name, hashed, segment } of target.place.folders) {
        if (hashed) await keepWholeName(folder, name, segment);
        await makeFolder(folder, name);
        folder = join(folder, name);
      }
      const { name, hashed, segment } = target.place.file;
      if (hashed) await keepWholeName(folder, name, segment);
      return work();
    });
  }

  async function makeFolder(parent: string, name: string): Promise<void> {
    mark(parent); // before the folder exists, since others may use it at once
    try {
      await fs.makeDirectory(join(parent, name));
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
  }

  async function keepWholeName(folder: string, name: string, segment: string): Promise<void> {
    const path = join(folder, sidecarName(name));
    if (fs.existsSync(path)) return;
    // As JSON, which can encode half a surrogate pair.
    const bytes = new TextEncoder().encode(`${JSON.stringify(segment)}\n`);
    await replaceOwn(path, bytes);
  }

  /** Reads the whole segment of a hashed name; `undefined` when the sidecar is missing. */
  async function wholeName(folder: string, name: string): Promise<string | undefined> {
    try {
      const parsed: unknown = JSON.parse(new TextDecoder().decode(await fs.readFile(join(folder, sidecarName(name)))));
      return typeof parsed === "string" ? parsed : undefined;
    } catch (error) {
      if (errnoOf(error) === "ENOENT" || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** Removes a file, if it exists, and everything else that reveals its name. */
  async function remove(target: Target): Promise<void> {
    try {
      await fs.unlink(target.path);
      mark(target.folder);
      await syncFolderIfThere(target.folder);
    } catch (error) {
      if (errnoOf(error) !== "ENOENT") throw error;
      await syncWay(target); // an earlier attempt may have failed between the two
    }
    await dropNames(target);
  }

  /**
   * Removes the empty folders on the way to a file and the sidecars of missing files, including those that a crash
   * left.
   */
  async function dropNames({ path, folder: inside, place: { folders, file } }: Target): Promise<void> {
    if (!file.hashed && folders.length === 0) return;
    await alone(async () => {
      if (file.hashed) await dropWholeName(inside, file.name, path);
      for (let depth = folders.length - 1; depth >= 0; depth--) {
        const names = folders.slice(0, depth).map(({ name }) => name);
        const folder = folders[depth];
        if (folder === undefined || !(await dropFolder(join(root, ...names), folder.name))) return;
        if (folder.hashed) await dropWholeName(join(root, ...names), folder.name, join(root, ...names, folder.name));
      }
    });
  }

  /** @returns Whether the folder is gone. */
  async function dropFolder(parent: string, name: string): Promise<boolean> {
    try {
      await fs.removeDirectory(join(parent, name));
      mark(parent); // the next checkpoint makes it durable
      return true;
    } catch (error) {
      return errnoOf(error) === "ENOENT"; // otherwise it is not empty, or a person holds it open
    }
  }

  /** Removes a sidecar, unless its file has come back in the meantime. */
  async function dropWholeName(folder: string, name: string, path: string): Promise<void> {
    if (fs.existsSync(path)) return;
    await fs.unlink(join(folder, sidecarName(name))).then(
      () => mark(folder),
      () => undefined,
    );
  }

  /** Cleans up after a walk of `parent`: removes the sidecars of missing files, and `folder` if it is empty. */
  function dropLeftovers(parent: string, names: readonly string[], folder: string | undefined): Promise<void> {
    return alone(async () => {
      for (const name of names) await dropWholeName(parent, name, join(parent, name));
      if (folder !== undefined) await dropFolder(parent, folder);
    });
  }

  /** Makes all names durable that are not durable yet. */
  async function syncNames(): Promise<void> {
    for (const folder of [...unsynced.keys()]) await syncFolderIfThere(folder);
  }

  return { root, targetOf, replace, replaceOwn, mark, syncNames, inPlace, wholeName, remove, dropNames, dropLeftovers };
}
