import { join } from "node:path";
import { errnoOf, writeAll } from "./file-system.ts";
import type { FileSystem } from "./file-system.ts";
import { placeOf, sidecarName } from "./file-name.ts";
import type { Place } from "./file-name.ts";

/** Where one key lies, as absolute paths. */
export interface Target {
  readonly path: string;
  readonly folder: string;
  readonly place: Place;
}

export type Folders = ReturnType<typeof createFolders>;

/** The folders under the root: made when something is put into them, removed when the last thing is taken out, durably both ways. */
export function createFolders(fs: FileSystem, root: string, counters: { syncs: number }) {
  let temporaryCount = 0;
  let turn: Promise<unknown> = Promise.resolve();

  /** One at a time, so that no folder is removed between being made and being filled. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  function targetOf(key: string, kind: "document" | "log"): Target {
    const place = placeOf(key, kind);
    const folder = join(root, ...place.folders.map(({ name }) => name));
    return { path: join(folder, place.file.name), folder, place };
  }

  /** Writes bytes to a file of their own, which `rename` then puts in place whole. */
  async function writeTemporary(bytes: Uint8Array): Promise<string> {
    const path = join(root, "tmp", `${++temporaryCount}`);
    const descriptor = await fs.open(path, "wx");
    try {
      await writeAll(fs, descriptor, bytes);
      counters.syncs++;
      await fs.sync(descriptor);
    } catch (error) {
      await fs.close(descriptor);
      await fs.unlink(path).catch(() => undefined); // else swept at the next start
      throw error;
    }
    await fs.close(descriptor);
    return path;
  }

  /** Puts a file in place of the old one, or of none: a crash leaves one of the two, never a part. */
  async function replaceFile(
    path: string,
    bytes: Uint8Array,
    place: (temporary: string) => Promise<void>,
  ): Promise<void> {
    const temporary = await writeTemporary(bytes);
    try {
      await place(temporary);
    } catch (error) {
      await fs.unlink(temporary).catch(() => undefined);
      throw error;
    }
    counters.syncs++;
    await fs.syncDirectory(join(path, ".."));
  }

  function replace(target: Target, bytes: Uint8Array): Promise<void> {
    return replaceFile(target.path, bytes, (temporary) => inPlace(target, () => fs.rename(temporary, target.path)));
  }

  /** Replaces a file of the store's own, in a folder that is there. */
  function replaceOwn(path: string, bytes: Uint8Array): Promise<void> {
    return replaceFile(path, bytes, (temporary) => fs.rename(temporary, path));
  }

  /** Runs `work`, which creates the target's file; its folders are made first if they are missing. */
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
    try {
      await fs.makeDirectory(join(parent, name));
    } catch (error) {
      if (errnoOf(error) === "EEXIST") return;
      throw error;
    }
    await fs.syncDirectory(parent);
  }

  async function keepWholeName(folder: string, name: string, segment: string): Promise<void> {
    const path = join(folder, sidecarName(name));
    if (fs.existsSync(path)) return;
    // As JSON, which has a form for half a surrogate pair.
    const bytes = new TextEncoder().encode(`${JSON.stringify(segment)}\n`);
    await replaceOwn(path, bytes);
  }

  /** The whole segment of a hashed name; `undefined` when the file beside it is missing. */
  async function wholeName(folder: string, name: string): Promise<string | undefined> {
    try {
      const parsed: unknown = JSON.parse(new TextDecoder().decode(await fs.readFile(join(folder, sidecarName(name)))));
      return typeof parsed === "string" ? parsed : undefined;
    } catch (error) {
      if (errnoOf(error) === "ENOENT" || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** Removes a file and the folders that it leaves empty. @returns false when there was none. */
  async function remove(target: Target): Promise<boolean> {
    try {
      await fs.unlink(target.path);
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return false;
      throw error;
    }
    await fs.syncDirectory(target.folder);
    const { folders, file } = target.place;
    if (!file.hashed && folders.length === 0) return true;
    await alone(async () => {
      if (file.hashed) await dropWholeName(target.folder, file.name, target.path);
      for (let depth = folders.length - 1; depth >= 0; depth--) {
        const names = folders.slice(0, depth).map(({ name }) => name);
        const folder = folders[depth];
        if (folder === undefined) return;
        const parent = join(root, ...names);
        try {
          await fs.removeDirectory(join(parent, folder.name));
        } catch {
          return; // not empty, or held open by a person: an empty folder does no harm
        }
        if (folder.hashed) await dropWholeName(parent, folder.name, join(parent, folder.name));
        await fs.syncDirectory(parent);
      }
    });
    return true;
  }

  /** A name whose file came back meanwhile is kept. */
  async function dropWholeName(folder: string, name: string, path: string): Promise<void> {
    if (!fs.existsSync(path)) await fs.unlink(join(folder, sidecarName(name))).catch(() => undefined);
  }

  return { root, targetOf, replace, replaceOwn, inPlace, wholeName, remove };
}
