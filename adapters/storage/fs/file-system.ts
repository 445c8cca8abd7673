import * as nodeFs from "node:fs";
import { dirname } from "node:path";
import process from "node:process";

/** One entry of a directory. */
export interface DirectoryEntry {
  readonly name: string;
  readonly directory: boolean;
}

/**
 * The operating system calls that the fs store makes. An interface, so that tests can fail the n-th call.
 * Contract: every member throws (or rejects with) the runtime's own error, which carries an errno name in `code`.
 */
export interface FileSystem {
  openSync(path: string, flags: "a" | "a+" | "ax" | "r" | "r+" | "wx"): number;
  closeSync(descriptor: number): void;
  /** May write fewer bytes than asked, as write(2) does. */
  writeSync(descriptor: number, bytes: Uint8Array): number;
  readSync(descriptor: number, into: Uint8Array, position: number): number;
  sizeSync(descriptor: number): number;
  truncateSync(descriptor: number, length: number): void;
  syncSync(descriptor: number): void;
  existsSync(path: string): boolean;
  /** fdatasync: when it resolves, the bytes and the size are durable. */
  sync(descriptor: number): Promise<void>;
  /** When it resolves, the names in the directory are durable. */
  syncDirectory(path: string): Promise<void>;
  open(path: string, flags: "a+" | "r" | "wx"): Promise<number>;
  close(descriptor: number): Promise<void>;
  write(descriptor: number, bytes: Uint8Array): Promise<number>;
  read(descriptor: number, into: Uint8Array, position: number): Promise<number>;
  readFile(path: string): Promise<Uint8Array>;
  /** When the content was last changed, in milliseconds since 1970. */
  modifiedMs(path: string): Promise<number>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  makeDirectory(path: string): Promise<void>;
  removeDirectory(path: string): Promise<void>;
  readDirectory(path: string): Promise<DirectoryEntry[]>;
}

/** On all three runtimes, callbacks of node:fs cost less than its promises. */
function settled<T>(start: (done: (error: Error | null, value?: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, value) => (error ? reject(error) : resolve(value as T))); // `value` is T by the callback's own type, void included
  });
}

/** The real disk, through node:fs: the same on Node, Bun and Deno. */
export function hostFileSystem(): FileSystem {
  return {
    openSync: (path, flags) => nodeFs.openSync(path, flags),
    closeSync: (descriptor) => nodeFs.closeSync(descriptor),
    writeSync: (descriptor, bytes) => nodeFs.writeSync(descriptor, bytes),
    readSync: (descriptor, into, position) => nodeFs.readSync(descriptor, into, 0, into.length, position),
    sizeSync: (descriptor) => nodeFs.fstatSync(descriptor).size,
    truncateSync: (descriptor, length) => nodeFs.ftruncateSync(descriptor, length),
    syncSync: (descriptor) => nodeFs.fdatasyncSync(descriptor),
    existsSync(path) {
      // Without an error: creating one for each missing file took a tenth of a plain turn's CPU.
      if (nodeFs.statSync(path, { throwIfNoEntry: false }) !== undefined) return true;
      if (!isBelowFile(path)) return false;
      nodeFs.statSync(path); // throws
      return true;
    },
    sync: (descriptor) => settled((done) => nodeFs.fdatasync(descriptor, done)),
    async syncDirectory(path) {
      if (process.platform === "win32") return; // Windows cannot sync a directory; NTFS journals names itself
      const descriptor = await settled<number>((done) => nodeFs.open(path, "r", done));
      try {
        await settled<void>((done) => nodeFs.fsync(descriptor, done));
      } finally {
        nodeFs.closeSync(descriptor);
      }
    },
    open: (path, flags) => settled((done) => nodeFs.open(path, flags, done)),
    close: (descriptor) => settled((done) => nodeFs.close(descriptor, done)),
    write: (descriptor, bytes) =>
      settled((done) => nodeFs.write(descriptor, bytes, (error, count) => done(error, count))),
    read: (descriptor, into, position) =>
      settled((done) => nodeFs.read(descriptor, into, 0, into.length, position, (error, count) => done(error, count))),
    readFile: (path) => settled<Uint8Array>((done) => nodeFs.readFile(path, done)),
    modifiedMs: async (path) =>
      (await settled<nodeFs.Stats>((done) => nodeFs.stat(path, (error, stats) => done(error, stats)))).mtimeMs,
    rename: (from, to) => settled((done) => nodeFs.rename(from, to, done)),
    unlink: (path) => settled((done) => nodeFs.unlink(path, done)),
    makeDirectory: (path) => settled((done) => nodeFs.mkdir(path, (error) => done(error))),
    removeDirectory: (path) => settled((done) => nodeFs.rmdir(path, done)),
    readDirectory: async (path) => {
      const entries = await settled<nodeFs.Dirent[]>((done) => nodeFs.readdir(path, { withFileTypes: true }, done));
      return entries.map((entry) => ({
        name: entry.name,
        // A link that a person made counts as what it points to.
        directory: entry.isSymbolicLink() ? isDirectory(`${path}/${entry.name}`) : entry.isDirectory(),
      }));
    },
  };
}

/** Whether a part of the path that should be a folder is a file. Node reports that as "not found" too. */
function isBelowFile(path: string): boolean {
  const folder = dirname(path);
  if (folder === path) return false;
  const stats = nodeFs.statSync(folder, { throwIfNoEntry: false });
  return stats === undefined ? isBelowFile(folder) : !stats.isDirectory();
}

function isDirectory(path: string): boolean {
  try {
    return nodeFs.statSync(path).isDirectory();
  } catch {
    return false; // a link to nothing holds no keys
  }
}

/** The errno name (`"ENOENT"`) of what node:fs threw. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Writes all bytes, in as many calls as it takes. */
export function writeAllSync(fs: FileSystem, descriptor: number, bytes: Uint8Array): void {
  let offset = 0;
  while (offset < bytes.length) offset += fs.writeSync(descriptor, offset === 0 ? bytes : bytes.subarray(offset));
}

/** Writes all bytes without blocking the event loop. */
export async function writeAll(fs: FileSystem, descriptor: number, bytes: Uint8Array): Promise<void> {
  let offset = 0;
  while (offset < bytes.length) offset += await fs.write(descriptor, offset === 0 ? bytes : bytes.subarray(offset));
}
