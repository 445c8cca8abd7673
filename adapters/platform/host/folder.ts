// Reads a folder: its subfolders that contain a file of a given name, and their files. Links are followed only if they
// stay inside.
import { constants } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { MachineFolder } from "../../../kit.ts";
import { type FolderWatch, watchFolders } from "../watch-folders.ts";

/** Files looked at in parallel. */
const BATCH = 64;
/** Most files listed for a subfolder. */
const MAX_FILES = 500;
/** Changes within this many milliseconds are reported once: an editor writes a file in several steps. */
const SETTLE_MS = 50;
/**
 * First wait before a missing folder is looked for again. The wait then grows, so that a folder that never appears does
 * not wake an idle process each second.
 */
const LOOK_AGAIN_MS = 1000;
const MAX_LOOK_AGAIN_MS = 30_000;

export async function having(root: string, file: string): ReturnType<MachineFolder["having"]> {
  const inside = await unlessMissing(realpath(root));
  if (inside === undefined) return [];
  const entries = (await readdir(inside, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => name)
    .toSorted();
  const found: { name: string; version: string }[] = [];
  for (let start = 0; start < entries.length; start += BATCH) {
    const batch = entries.slice(start, start + BATCH);
    const versions = await Promise.all(batch.map((name) => versionOf(inside, join(name, file))));
    for (const [index, name] of batch.entries()) {
      const version = versions[index];
      if (version !== undefined) found.push({ name, version });
    }
  }
  return found;
}

export async function exists(root: string): Promise<boolean> {
  return (await unlessMissing(realpath(root))) !== undefined;
}

/** The version of a readable file; `undefined` for anything else. */
async function versionOf(inside: string, path: string): Promise<string | undefined> {
  try {
    const target = await realpath(join(inside, path));
    if (!isWithin(inside, target)) return undefined;
    const { mtimeNs, size, ino, isFile } = await factsOf(target);
    return isFile ? `${mtimeNs}-${size}-${ino}` : undefined;
  } catch {
    return undefined;
  }
}

async function factsOf(path: string) {
  const facts = await stat(path, { bigint: true });
  return { mtimeNs: facts.mtimeNs, size: facts.size, ino: facts.ino, isFile: facts.isFile() };
}

export async function files(root: string, path: string): Promise<readonly string[]> {
  const inside = await unlessMissing(realpath(root));
  const top = await unlessMissing(realpath(join(root, path)));
  if (inside === undefined || top === undefined || !isWithin(inside, top)) return [];
  const found: string[] = [];
  const folders = [""];
  for (let folder = folders.shift(); folder !== undefined && found.length < MAX_FILES; folder = folders.shift()) {
    for (const entry of (await unlessMissing(readdir(join(top, folder), { withFileTypes: true }))) ?? []) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(name);
      else if (entry.isFile()) found.push(name);
    }
  }
  return found.toSorted().slice(0, MAX_FILES);
}

export async function read(root: string, path: string, maxBytes: number): Promise<Uint8Array | null> {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === ".." || /[\\\0]/u.test(part))) return null;
  const inside = await unlessMissing(realpath(root));
  const target = await unlessMissing(realpath(join(root, ...parts)));
  if (inside === undefined || target === undefined || !isWithin(inside, target)) return null;
  // The real path has no links, so one that appeared in the meantime is not followed. NONBLOCK: opening a pipe does not wait.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await unlessMissing(open(target, flags));
  if (handle === undefined) return null;
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) return null;
    const bytes = new Uint8Array(Math.min(facts.size, maxBytes));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await handle.close();
  }
}

/**
 * Watches a folder. A folder that is missing or disappears is looked for again, so its creation or replacement is
 * noticed too.
 */
export function watch(root: string, changed: () => void, signal: AbortSignal): void {
  if (signal.aborted) return;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let looking: ReturnType<typeof setTimeout> | undefined;
  let watcher: FolderWatch | undefined;
  let lookAgainMs = LOOK_AGAIN_MS;
  const tell = () => {
    if (settling !== undefined || signal.aborted) return;
    settling = setTimeout(() => {
      settling = undefined;
      if (!signal.aborted) changed();
    }, SETTLE_MS);
    settling.unref();
  };
  const lookLater = () => {
    watcher?.close();
    watcher = undefined;
    if (looking !== undefined || signal.aborted) return;
    looking = setTimeout(() => {
      looking = undefined;
      if (begin()) tell();
    }, lookAgainMs);
    looking.unref();
    lookAgainMs = Math.min(lookAgainMs * 2, MAX_LOOK_AGAIN_MS);
  };
  const ended = () => {
    tell();
    lookLater();
  };
  function begin(): boolean {
    try {
      watcher = watchFolders(root, tell, { failed: ended, gone: ended });
      lookAgainMs = LOOK_AGAIN_MS;
      return true;
    } catch {
      lookLater();
      return false;
    }
  }
  begin();
  signal.addEventListener("abort", () => (clearTimeout(settling), clearTimeout(looking), watcher?.close()), {
    once: true,
  });
}

function isWithin(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** `undefined` for a path that does not exist, or a link to itself. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP" || code === "ENAMETOOLONG") return undefined;
    throw error;
  }
}
