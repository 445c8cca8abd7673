import { join, relative, sep } from "node:path";
import type { FileSystem } from "../../adapters/storage/fs/file-system.ts";

interface File {
  bytes: Uint8Array;
  /** What a power loss leaves for certain. */
  durable: Uint8Array;
  /** Up to here a sync failed: the kernel has forgotten these bytes, and a later sync that succeeds does not write them. */
  forgotten: number;
}
interface Folder {
  readonly entries: Map<string, File | Folder>;
  durable: Map<string, File | Folder>;
}

export interface MemoryDisk {
  readonly fs: FileSystem;
  /** Calls made so far. */
  operations(): number;
  /** Decides, for each call by its number from 1, whether it fails, and how. */
  failing: (operation: number, name: keyof FileSystem) => string | undefined;
  /** The power goes: of each change that was not synced, `chance` (0 to 1) decides whether and how far it is there. */
  cutPower(chance: () => number): void;
}

function failure(code: string, path = ""): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code });
}

const isFolder = (node: File | Folder): node is Folder => "entries" in node;

/** A disk in memory that knows what was synced. Writes only append, as the store's do; a write that fails leaves half of its bytes. */
export function memoryDisk(root: string): MemoryDisk {
  const top: Folder = { entries: new Map(), durable: new Map() };
  for (const name of ["wal", "tmp", "torn"]) top.entries.set(name, { entries: new Map(), durable: new Map() });
  top.durable = new Map(top.entries);
  const descriptors = new Map<number, File>();
  let nextDescriptor = 1;
  let operations = 0;

  function find(path: string): File | Folder | undefined {
    let node: File | Folder | undefined = top;
    for (const name of relative(root, path).split(sep)) {
      if (name === "") continue;
      node = node !== undefined && isFolder(node) ? node.entries.get(name) : undefined;
    }
    return node;
  }

  function folderAt(path: string): Folder {
    const node = find(path);
    if (node === undefined) throw failure("ENOENT", path);
    if (!isFolder(node)) throw failure("ENOTDIR", path);
    return node;
  }

  const placeOf = (path: string) => ({
    folder: folderAt(join(path, "..")),
    name: path.slice(path.lastIndexOf(sep) + 1),
  });

  function fileAt(path: string): File {
    const node = find(path);
    if (node === undefined) throw failure("ENOENT", path);
    if (isFolder(node)) throw failure("EISDIR", path);
    return node;
  }

  function fileOf(descriptor: number): File {
    const file = descriptors.get(descriptor);
    if (file === undefined) throw failure("EBADF");
    return file;
  }

  function open(path: string, flags: string): number {
    const { folder, name } = placeOf(path);
    if (flags.endsWith("x") && folder.entries.has(name)) throw failure("EEXIST", path);
    if (!flags.startsWith("r") && !folder.entries.has(name)) {
      folder.entries.set(name, { bytes: new Uint8Array(0), durable: new Uint8Array(0), forgotten: 0 });
    }
    descriptors.set(nextDescriptor, fileAt(path));
    return nextDescriptor++;
  }

  function write(descriptor: number, bytes: Uint8Array): number {
    const file = fileOf(descriptor);
    const longer = new Uint8Array(file.bytes.length + bytes.length);
    longer.set(file.bytes);
    longer.set(bytes, file.bytes.length);
    file.bytes = longer;
    return bytes.length;
  }

  function read(descriptor: number, into: Uint8Array, position: number): number {
    const piece = fileOf(descriptor).bytes.subarray(position, position + into.length);
    into.set(piece);
    return piece.length;
  }

  function sync(descriptor: number): void {
    const file = fileOf(descriptor);
    file.durable = file.bytes.slice();
    file.durable.fill(0, Math.min(file.durable.length, forgottenFrom(file)), file.forgotten);
  }

  const forgottenFrom = (file: File) =>
    file.forgotten === 0 ? Number.POSITIVE_INFINITY : (lastDurable.get(file) ?? 0);
  /** The length that was durable when a sync failed. */
  const lastDurable = new WeakMap<File, number>();

  const real: FileSystem = {
    openSync: open,
    closeSync: (descriptor) => void descriptors.delete(descriptor),
    writeSync: write,
    readSync: read,
    sizeSync: (descriptor) => fileOf(descriptor).bytes.length,
    truncateSync(descriptor, length) {
      const file = fileOf(descriptor);
      file.bytes = file.bytes.slice(0, length);
      file.forgotten = Math.min(file.forgotten, length);
    },
    syncSync: sync,
    existsSync: (path) => find(path) !== undefined,
    sync: async (descriptor) => sync(descriptor),
    async syncDirectory(path) {
      const folder = folderAt(path);
      folder.durable = new Map(folder.entries);
    },
    open: async (path, flags) => open(path, flags),
    close: async (descriptor) => void descriptors.delete(descriptor),
    write: async (descriptor, bytes) => write(descriptor, bytes),
    read: async (descriptor, into, position) => read(descriptor, into, position),
    readFile: async (path) => fileAt(path).bytes.slice(),
    modifiedMs: async (path) => (fileAt(path), 0),
    async rename(from, to) {
      const file = fileAt(from);
      const target = placeOf(to);
      const source = placeOf(from);
      source.folder.entries.delete(source.name);
      target.folder.entries.set(target.name, file);
    },
    async unlink(path) {
      fileAt(path);
      const { folder, name } = placeOf(path);
      folder.entries.delete(name);
    },
    async makeDirectory(path) {
      const { folder, name } = placeOf(path);
      if (folder.entries.has(name)) throw failure("EEXIST", path);
      folder.entries.set(name, { entries: new Map(), durable: new Map() });
    },
    async removeDirectory(path) {
      if (folderAt(path).entries.size > 0) throw failure("ENOTEMPTY", path);
      const { folder, name } = placeOf(path);
      folder.entries.delete(name);
    },
    readDirectory: async (path) =>
      [...folderAt(path).entries].map(([name, node]) => ({ name, directory: isFolder(node) })),
  };

  const disk: MemoryDisk = {
    fs: real,
    operations: () => operations,
    failing: () => undefined,
    cutPower(chance) {
      descriptors.clear();
      settle(top, chance, new Set());
    },
  };

  function fail(name: keyof FileSystem, values: readonly unknown[], code: string): Error {
    const [first, bytes] = values;
    if (
      (name === "writeSync" || name === "write") &&
      typeof first === "number" &&
      bytes instanceof Uint8Array &&
      descriptors.has(first)
    ) {
      write(first, bytes.subarray(0, bytes.length / 2));
    }
    if ((name === "sync" || name === "syncSync") && typeof first === "number" && descriptors.has(first)) {
      const file = fileOf(first);
      lastDurable.set(file, file.durable.length);
      file.forgotten = file.bytes.length;
    }
    return failure(code, name);
  }

  const counted = new Proxy(real, {
    get(target, name: keyof FileSystem) {
      const asynchronous = !name.endsWith("Sync");
      return (...values: readonly unknown[]) => {
        const code = disk.failing(++operations, name);
        if (code === undefined) return (target[name] as (...each: readonly unknown[]) => unknown)(...values); // passed on as it came
        const error = fail(name, values, code);
        if (asynchronous) return Promise.reject(error);
        throw error;
      };
    },
  });
  return Object.assign(disk, { fs: counted });
}

/** Decides what of each change is there after the power went. */
function settle(node: File | Folder, chance: () => number, seen: Set<File | Folder>): void {
  if (seen.has(node)) return;
  seen.add(node);
  if (!isFolder(node)) {
    const longer = node.bytes.length > node.durable.length && node.forgotten === 0;
    const pick = chance();
    if (pick < 0.4) node.bytes = node.durable;
    else if (longer)
      node.bytes = node.bytes.slice(
        0,
        node.durable.length + Math.floor(chance() * (node.bytes.length - node.durable.length + 1)),
      );
    else if (node.forgotten > 0) node.bytes = node.durable;
    node.durable = node.bytes;
    node.forgotten = 0;
    return;
  }
  for (const name of new Set([...node.entries.keys(), ...node.durable.keys()])) {
    const now = node.entries.get(name);
    const before = node.durable.get(name);
    const kept = now === before || chance() < 0.5 ? before : now;
    if (kept === undefined) node.entries.delete(name);
    else node.entries.set(name, kept);
  }
  node.durable = new Map(node.entries);
  for (const child of node.entries.values()) settle(child, chance, seen);
}
