import { mkdir, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AssistantError, systemClock } from "../../../mod.ts";
import type { Clock } from "../../../mod.ts";
import type { LogRecord, StoreCaps, Store } from "../../../kit.ts";
import { unref } from "../../platform/process-life.ts";
import { createCheckpoints } from "./checkpoint.ts";
import { closedError, diskError } from "./disk-error.ts";
import { createDocuments } from "./documents.ts";
import { errnoOf, hostFileSystem } from "./file-system.ts";
import type { FileSystem } from "./file-system.ts";
import { createFolders } from "./folders.ts";
import { FORMAT_FILE, ensureFormat } from "./format.ts";
import type { Migration } from "./format.ts";
import { removeLeftovers } from "./leftovers.ts";
import { createListing } from "./listing.ts";
import { takeLock } from "./lock.ts";
import type { Lock } from "./lock.ts";
import { createLogFiles } from "./log-file.ts";
import { createLogs } from "./logs.ts";
import { replaySegments } from "./replay.ts";
import { atProcessEnd } from "./process-end.ts";
import { safeReporter } from "./report.ts";
import type { Reporter } from "./report.ts";
import { createSetAside } from "./torn.ts";
import { createWal } from "./wal.ts";
import { createWatching } from "./watch.ts";

/** Options of `fsStore`. */
export interface FsStoreOptions {
  /** The folder that holds everything; created if missing. One process at a time owns it. */
  readonly root: string;
  /**
   * Gets reports of damage, take-overs and failed checkpoints. Default: warnings become process warnings, which the
   * runtime prints on stderr.
   */
  readonly onReport?: Reporter;
  /** Default: the system's clock. */
  readonly clock?: Clock;
}

/** What a store has done since it was opened. */
export interface FsStats {
  /** Every fsync and fdatasync, checkpoints and documents included. */
  readonly fsyncs: number;
  /** Syncs of the write-ahead log alone. */
  readonly walSyncs: number;
  /** Calls of `append` that wrote something. Duplicates do not count. */
  readonly appends: number;
  /** Bytes written to the write-ahead log. */
  readonly bytes: number;
  /** Completed checkpoints: the logs' files were updated from the write-ahead log. */
  readonly checkpoints: number;
  /** Logs whose state is in memory. */
  readonly warmLogs: number;
}

/** A store in a folder, with the members that only this store has. */
export interface FsStore extends Store {
  /** Ends the current segment of the write-ahead log and durably updates all logs' files, for example before a backup. */
  checkpoint(): Promise<void>;
  /**
   * Writes the address where this process serves into the lock, so that other processes can reach the store through
   * it. The address alone: never a token.
   */
  announce(url: string): void;
  /** Counters since the store was opened, for metrics and benchmarks. Reads nothing from the disk. */
  stats(): FsStats;
  /** As in `Store`: always present. Also sees changes that other programs make to the files. */
  watch(prefix: string, signal: AbortSignal): AsyncIterable<{ key: string }>;
  /** As in `Store`: always present. Updates the logs' files and releases the lock. */
  close(): Promise<void>;
}

/** For tests: another disk, another format, fewer logs in memory. */
export interface FsStoreInternals {
  readonly fs?: FileSystem;
  readonly warmLogs?: number;
  readonly format?: { current: number; migrations: readonly Migration[] };
}

/** `cas` is "host", since the lock admits one process of the host. */
const CAPS: StoreCaps = { replace: "atomic", append: "native", cas: "host", durable: "fsync", exclusive: true };

/**
 * Opens a store of files under one folder, for Node, Bun and Deno: documents are files that people can read and edit, logs are JSONL,
 * and every durable append shares one group-committed write-ahead log.
 *
 * Source: docs/storage-fs.md.
 *
 * @throws {AssistantError} `OPTION_INVALID` without a root, `STORE_LOCKED` when another store has the folder open, `FORMAT_TOO_NEW`, `STORE_FULL`, `STORE_UNAVAILABLE`.
 * @example
 * ```ts
 * const store = await fsStore({ root: ".wakeful" });
 * await store.append("sessions/main/log.jsonl", { type: "note", text: "hello" });
 * ```
 */
export function fsStore(options: FsStoreOptions): Promise<FsStore> {
  return openFsStore(options, {});
}

export async function openFsStore(options: FsStoreOptions, internals: FsStoreInternals): Promise<FsStore> {
  const { clock = systemClock({ unref }) } = options;
  const report = safeReporter(options.onReport);
  const root = await prepareRoot(options.root);
  const lock = takeLock(root, report, () => clock.now());
  try {
    return await openLocked({ root, lock, clock, report, internals });
  } catch (cause) {
    lock.release();
    // The path that the user has to check is rarely the root itself.
    const { path } = cause as { readonly path?: string };
    throw path === undefined ? diskError("open the store in", root, cause) : diskError("use", path, cause);
  }
}

async function prepareRoot(wanted: unknown): Promise<string> {
  if (typeof wanted !== "string" || wanted.trim() === "")
    throw new AssistantError(
      "OPTION_INVALID",
      `Cannot open an fs store as root must be the path of a folder: current value is ${JSON.stringify(wanted)}`,
    );
  try {
    // Private: conversations must not be readable by other users of the machine. An existing folder keeps its
    // permissions.
    await makeFolder(wanted, 0o700);
    for (const name of ["wal", "tmp", "torn"]) await makeFolder(join(wanted, name));
    return await realpath(wanted);
  } catch (cause) {
    throw diskError("open a store in", wanted, cause);
  }
}

/**
 * Creates a folder with its parents. Node's `recursive` option never returns where the system creates no folders, as
 * in /proc.
 */
async function makeFolder(path: string, mode?: number, hasParent = false): Promise<void> {
  try {
    await mkdir(path, mode);
  } catch (error) {
    if (errnoOf(error) === "ENOENT" && !hasParent && dirname(path) !== path) {
      await makeFolder(dirname(path), mode);
      return makeFolder(path, mode, true);
    }
    const isThere = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere) throw error;
  }
}

async function openLocked(parts: {
  root: string;
  lock: Lock;
  clock: Clock;
  report: Reporter;
  internals: FsStoreInternals;
}): Promise<FsStore> {
  const { root, lock, clock, report, internals } = parts;
  const fs = internals.fs ?? hostFileSystem();
  const now = () => clock.now();
  const counters = { syncs: 0 };
  const folders = createFolders(fs, root, counters);
  const setAside = createSetAside(fs, root, now);
  const files = createLogFiles({ fs, folders, setAside, report, counters });
  const watching = createWatching({ folders, report });
  let closed: Promise<void> | undefined;

  await sweep(fs, join(root, "tmp"), report);
  await ensureFormat({ fs, folders, report, now, ...internals.format });

  const dir = join(root, "wal");
  const wal = createWal(fs, dir, { onWritten: () => checkpoints.schedule() });
  const isDocument = (key: string) => documents.has(key);
  const { warmLogs } = internals;
  const logs = createLogs({ fs, folders, files, wal, now, isDocument, ...(warmLogs !== undefined && { warmLogs }) });
  const foldsCase = fs.existsSync(join(root, FORMAT_FILE.toUpperCase()));
  const documents = createDocuments({ fs, folders, foldsCase, isLog: (key) => logs.isLog(key) });
  const checkpoints = createCheckpoints({ logs, wal, clock, report, check: lock.check });
  const list = createListing({ fs, folders, documents, logs, files, report });

  const { paths, nextNumber } = await replaySegments({ fs, dir, logs, setAside, report });
  wal.adopt(paths, nextNumber);
  if (paths.length > 0) checkpoints.start();

  const stopWatchingProcess = atProcessEnd({ flush: checkpoints.flush, release: lock.release });

  function ready(): void {
    if (closed !== undefined) throw closedError(root);
    lock.check();
  }

  async function closeOnce(): Promise<void> {
    stopWatchingProcess();
    checkpoints.stop();
    await documents.idle();
    try {
      await wal.durable();
      await checkpoints.complete();
    } catch (cause) {
      checkpoints.failed(cause); // everything is in the write-ahead log; the next start reads it from there
    } finally {
      wal.close();
      lock.release();
    }
  }

  return {
    caps: CAPS,
    async get(key) {
      ready();
      return documents.get(key);
    },
    async put(key, value, { expect } = {}) {
      ready();
      const version = await documents.put(key, value, expect);
      watching.notify(key);
      return version;
    },
    async remove(key, { expect } = {}) {
      ready();
      if (logs.isLog(key)) await logs.remove(key, expect);
      // An absent log is at seq 0.
      else if (expect !== 0 || documents.has(key))
        await logs.removeWithoutRecords(key, () => documents.remove(key, expect));
      watching.notify(key);
    },
    async *list(prefix, options = {}) {
      ready();
      yield* list(prefix, options);
    },
    async append(log, record, options = {}) {
      ready();
      const result = await logs.append(log, isList(record) ? record : [record], options);
      watching.notify(log);
      return result;
    },
    async *read(log, options = {}) {
      ready();
      yield* logs.read(log, options);
    },
    async lastSeq(log) {
      ready();
      return logs.lastSeq(log);
    },
    async modifiedAt(key) {
      ready();
      return documents.modifiedAt(key);
    },
    async *watch(prefix, signal) {
      ready();
      yield* watching.watch(prefix, signal);
    },
    async checkpoint() {
      ready();
      await checkpoints.complete();
    },
    async scrub(holds) {
      ready();
      await removeLeftovers({ fs, folders, logs });
      await checkpoints.complete();
      // The owner of a torn tail is unknown, so all of them are removed.
      await scrubFolder(fs, join(root, "torn"), () => true);
      await scrubFolder(fs, join(root, "backup"), holds);
    },
    announce(url) {
      ready();
      lock.announce(url);
    },
    stats() {
      const { syncs, bytes } = wal.counters();
      const { appends, warm } = logs.counters();
      return {
        fsyncs: syncs + counters.syncs,
        walSyncs: syncs,
        appends,
        bytes,
        checkpoints: checkpoints.count(),
        warmLogs: warm,
      };
    },
    close() {
      closed ??= closeOnce();
      return closed;
    },
  };
}

/** Array.isArray does not narrow a readonly list. */
const isList = (record: LogRecord | readonly LogRecord[]): record is readonly LogRecord[] => Array.isArray(record);

/** Removes the matching files from folders that the store never reads. */
async function scrubFolder(fs: FileSystem, folder: string, holds: (text: string) => boolean): Promise<void> {
  try {
    for (const { name, directory } of await fs.readDirectory(folder)) {
      const path = join(folder, name);
      if (directory) await scrubFolder(fs, path, (text) => holds(name) || holds(text));
      else if (holds(name) || holds(new TextDecoder().decode(await fs.readFile(path)))) await fs.unlink(path);
    }
  } catch (cause) {
    if (errnoOf(cause) !== "ENOENT") throw diskError("scrub", folder, cause);
  }
}

/**
 * Removes temp files, which belong to writes that were never acknowledged. No other process writes here, except one
 * that briefly finds the lock taken.
 */
async function sweep(fs: FileSystem, folder: string, report: Reporter): Promise<void> {
  try {
    const left = await fs.readDirectory(folder);
    for (const { name } of left) {
      await fs.unlink(join(folder, name)).catch((cause: unknown) => {
        if (errnoOf(cause) !== "ENOENT") throw cause;
      });
    }
    if (left.length > 0) {
      report({ kind: "swept", level: "info", message: `Removed ${left.length} unfinished writes of an earlier run` });
    }
  } catch (cause) {
    throw diskError("sweep", folder, cause);
  }
}
