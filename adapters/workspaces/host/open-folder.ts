import { constants } from "node:fs";
import type * as fileSystem from "node:fs/promises";
import { dirname, join } from "node:path";
import { AssistantError } from "../../../mod.ts";

/** The calls of `node:fs/promises` that a workspace makes. Tests pass calls that simulate an attacker between them. */
export type FileCalls = Pick<
  typeof fileSystem,
  "lstat" | "mkdir" | "open" | "readdir" | "readlink" | "realpath" | "rename" | "rmdir" | "unlink"
>;
export type FileHandle = fileSystem.FileHandle;

/** Windows has neither flag; there `confirm()` does what it can. */
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const ONLY_FOLDER = constants.O_DIRECTORY ?? 0;

/** The folder changed after the check: it was moved, or a link took its place. */
export class FolderMoved extends Error {
  override readonly name = "FolderMoved";
}

/**
 * A checked folder, held open so that the folder that is used is the one that was checked.
 *
 * Where the system shows open files under `/proc/self/fd` (Linux), entries are reached through the folder's descriptor,
 * and swapping the folder or one above it for a link has no effect. On other systems entries are reached by path, and
 * `confirm()` after each step detects a swap.
 */
export interface OpenFolder {
  /** The real path that was opened. */
  readonly path: string;
  /** The path of an entry, or of the folder itself without a name, for the file calls. */
  entry(name?: string): string;
  /**
   * Throws `FolderMoved` when calls through `entry()` may have reached another place or, with a handle, when the handle
   * is not the entry of that name.
   */
  confirm(opened?: { readonly handle: FileHandle; readonly name: string }): Promise<void>;
  /** Opens a subfolder, and creates it first when `create` is set. */
  open(name: string, options: { readonly create: boolean }): Promise<OpenFolder>;
  /** Makes new names in the folder durable, where the system can. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param realPath A path without any symbolic link in it.
 * @throws {FolderMoved} When there is a link in it after all.
 */
export async function openFolder(calls: FileCalls, realPath: string, via: string = realPath): Promise<OpenFolder> {
  const handle = await openHandle(calls, via);
  try {
    const anchor = handle === undefined ? undefined : await descriptorPath(calls, handle);
    if (anchor === undefined) return await folderByPath(calls, realPath, handle);
    if (anchor.target !== realPath) throw new FolderMoved();
    return folderByDescriptor(calls, realPath, handle as FileHandle, anchor.path);
  } catch (error) {
    await handle?.close();
    throw error;
  }
}

async function openHandle(calls: FileCalls, path: string): Promise<FileHandle | undefined> {
  if (ONLY_FOLDER === 0) return undefined;
  try {
    return await calls.open(path, constants.O_RDONLY | ONLY_FOLDER | NO_FOLLOW);
  } catch (error) {
    // With both flags, a link is reported as either error.
    const code = (error as NodeJS.ErrnoException).code;
    throw code === "ENOTDIR" || code === "ELOOP" ? new FolderMoved() : error;
  }
}

/** The kernel's path of an open folder, or `undefined` where the system does not tell it. */
async function descriptorPath(
  calls: FileCalls,
  handle: FileHandle,
): Promise<{ path: string; target: string } | undefined> {
  const path = `/proc/self/fd/${handle.fd}`;
  try {
    return { path, target: await calls.readlink(path) };
  } catch {
    return undefined;
  }
}

function folderByDescriptor(calls: FileCalls, path: string, handle: FileHandle, anchor: string): OpenFolder {
  return {
    path,
    entry: (name) => (name === undefined ? anchor : `${anchor}/${name}`),
    async confirm() {},
    async open(name, { create }) {
      if (create) await makeFolder(calls, `${anchor}/${name}`);
      return openFolder(calls, join(path, name), `${anchor}/${name}`);
    },
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

async function folderByPath(calls: FileCalls, path: string, handle: FileHandle | undefined): Promise<OpenFolder> {
  const first = await calls.lstat(path, { bigint: true });

  async function confirm(opened?: { readonly handle: FileHandle; readonly name: string }): Promise<void> {
    const now = await calls.lstat(path, { bigint: true });
    if (!now.isDirectory() || now.ino !== first.ino || now.dev !== first.dev) throw new FolderMoved();
    if ((await calls.realpath(path)) !== path) throw new FolderMoved();
    if (opened === undefined) return;
    const [held, named] = [
      await opened.handle.stat({ bigint: true }),
      await calls.lstat(join(path, opened.name), { bigint: true }),
    ];
    if (held.ino !== named.ino || held.dev !== named.dev) throw new FolderMoved();
  }

  await confirm();
  return {
    path,
    entry: (name) => (name === undefined ? path : join(path, name)),
    confirm,
    async open(name, { create }) {
      if (create) await makeFolder(calls, join(path, name));
      await confirm();
      return openFolder(calls, join(path, name));
    },
    sync: async () => handle?.sync(),
    close: async () => handle?.close(),
  };
}

async function makeFolder(calls: FileCalls, path: string): Promise<void> {
  try {
    await calls.mkdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/**
 * Creates a workspace's folder and its parents.
 * @returns Its real path.
 * @throws {AssistantError} `STORE_UNAVAILABLE` where the system creates no folders.
 */
export async function makeRoot(calls: Pick<FileCalls, "lstat" | "mkdir" | "realpath">, root: string): Promise<string> {
  await makeFolders(calls, root).catch((cause: unknown) => {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
    const message = "Cannot make the workspace's folder: the system allows none at its root";
    throw new AssistantError("STORE_UNAVAILABLE", message, { cause });
  });
  return calls.realpath(root);
}

/**
 * Creates a folder and its parents. Node's `recursive` option never returns where the system creates no folders, as in
 * /proc.
 */
async function makeFolders(
  calls: Pick<FileCalls, "lstat" | "mkdir" | "realpath">,
  path: string,
  hasParent = false,
): Promise<void> {
  try {
    await calls.mkdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" && !hasParent && dirname(path) !== path) {
      await makeFolders(calls, dirname(path));
      return makeFolders(calls, path, true);
    }
    const real = await calls.realpath(path).catch(() => path);
    const isThere = await calls.lstat(real).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere) throw error;
  }
}
