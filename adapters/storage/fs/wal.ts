import { basename, join } from "node:path";
import { setImmediate } from "node:timers";
import { diskError } from "./disk-error.ts";
import { errnoOf, writeAllSync } from "./file-system.ts";
import type { FileSystem } from "./file-system.ts";
import { FORMAT_VERSION } from "./log-line.ts";

/** One append to, or removal of, a log that waits for the write-ahead log. */
export interface WalEntry {
  /** The line with its newline. */
  readonly text: string;
  /** True: resolves when durable. False: resolves when handed to the operating system. */
  readonly flush: boolean;
  /** Called in order, in the tick in which the line was written. */
  written(): void;
  /** Called in reverse order when nothing of the batch was written: reverts the state that the push set. */
  undo(): void;
  resolve(): void;
  reject(error: Error): void;
}

export interface WalCounters {
  readonly syncs: number;
  readonly bytes: number;
}

interface Segment {
  readonly path: string;
  readonly descriptor: number;
  length: number;
  /** Whether the segment's name is durable. */
  named: boolean;
}

/**
 * Tells the next start to ignore everything after `bytes` in a segment: those writes were refused and could not be
 * cut off.
 */
const supersedingLine = (broken: Segment) =>
  `${JSON.stringify({ v: FORMAT_VERSION, supersedes: basename(broken.path), bytes: broken.length })}\n`;

interface Waiter {
  resolve(): void;
  reject(error: Error): void;
}

export type Wal = ReturnType<typeof createWal>;

/**
 * The write-ahead log of all appends, in segments `wal/<n>.jsonl`. An fsync is per file, so all logs share this one.
 *
 * Entries pushed in one turn of the event loop are one write and one fdatasync. Entries that arrive during an
 * fdatasync are written at once and made durable by the next one: under load the batches grow, and no entry waits for
 * a timer. A segment is only ever appended to; `rotate` starts the next one.
 */
export function createWal(fs: FileSystem, dir: string, options: { onWritten(): void }) {
  let nextNumber = 1;
  let segment: Segment | undefined; // opened by the first write
  let queue: WalEntry[] = [];
  let scheduled = false;
  let waiters: Waiter[] = [];
  /** Bytes written since the last successful sync. If a sync fails, they are written again to a new segment. */
  const unsynced: Uint8Array[] = [];
  /** A sync or a truncation failed, so the segment's end cannot be trusted. */
  let broken = false;
  let running = false;
  let rotation: { swap: () => void; resolve: (retired: string[]) => void; reject: (error: Error) => void } | undefined;
  let retired: string[] = [];
  const counters = { syncs: 0, bytes: 0 };

  function push(entry: WalEntry): void {
    queue.push(entry);
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      writeQueue();
    });
  }

  /** Resolves when everything written before is durable; at once if it already is. */
  function durable(): Promise<void> {
    if (queue.length === 0 && unsynced.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      push({ text: "", flush: true, written: () => {}, undo: () => {}, resolve, reject });
    });
  }

  function openSegment(): Segment {
    const path = join(dir, `${nextNumber}.jsonl`);
    const descriptor = fs.openSync(path, "ax");
    nextNumber++;
    return { path, descriptor, length: 0, named: false };
  }

  function writeQueue(): void {
    if (queue.length === 0) return;
    if (broken) return void run();
    const batch = queue;
    queue = [];
    const text = batch.map((entry) => entry.text).join("");
    try {
      if (text !== "") append(new TextEncoder().encode(text));
    } catch (error) {
      refuse(batch, error);
      return;
    }
    for (const entry of batch) {
      entry.written();
      if (entry.flush) waiters.push(entry);
      else entry.resolve();
    }
    options.onWritten();
    void run();
  }

  function append(bytes: Uint8Array): void {
    segment ??= openSegment();
    try {
      writeAllSync(fs, segment.descriptor, bytes);
    } catch (error) {
      try {
        fs.truncateSync(segment.descriptor, segment.length); // otherwise the next line would follow half a line
      } catch {
        broken = true;
      }
      throw error;
    }
    segment.length += bytes.length;
    counters.bytes += bytes.length;
    unsynced.push(bytes);
  }

  function refuse(batch: readonly WalEntry[], cause: unknown): void {
    const error = diskError("append to the log in", dir, cause);
    for (const entry of batch.toReversed()) entry.undo();
    for (const entry of batch) entry.reject(error);
  }

  /** The only loop that syncs. Runs while there are waiters. */
  async function run(): Promise<void> {
    if (running) return;
    running = true;
    try {
      while (waiters.length > 0 || rotation !== undefined || (broken && queue.length > 0)) {
        if (broken && !(await startAfresh())) continue;
        await syncOnce();
      }
    } finally {
      running = false;
    }
  }

  async function syncOnce(): Promise<void> {
    const batch = waiters;
    waiters = [];
    const count = unsynced.length;
    const target = segment;
    const turning = rotation;
    rotation = undefined;
    if (turning !== undefined) {
      // In the same tick: later writes go to the next segment and to new buffers.
      if (target !== undefined) retired.push(target.path);
      segment = undefined;
      turning.swap();
    }
    try {
      if (target !== undefined && count > 0) await makeDurable(target);
      unsynced.splice(0, count);
      for (const waiter of batch) waiter.resolve();
      turning?.resolve(retired.slice());
    } catch (cause) {
      broken = true;
      const error = diskError("make durable the log in", dir, cause);
      for (const waiter of [...batch, ...waiters]) waiter.reject(error);
      waiters = [];
      turning?.reject(error);
    }
    if (turning !== undefined && target !== undefined) closeQuietly(target);
  }

  async function makeDurable(target: Segment): Promise<void> {
    counters.syncs++;
    await fs.sync(target.descriptor);
    if (target.named) return;
    counters.syncs++;
    await fs.syncDirectory(dir);
    target.named = true;
  }

  /**
   * After a failed sync the content of the disk is unknown, and a later successful sync proves nothing: the kernel
   * drops the pages that it could not write. So everything that was not durable yet is written again to a new
   * segment. Start-up takes each record once, from whichever segment holds it.
   */
  async function startAfresh(): Promise<boolean> {
    let fresh: Segment | undefined;
    const count = unsynced.length;
    try {
      fresh = openSegment();
      if (segment !== undefined) writeAllSync(fs, fresh.descriptor, new TextEncoder().encode(supersedingLine(segment)));
      for (const bytes of unsynced) {
        writeAllSync(fs, fresh.descriptor, bytes);
        fresh.length += bytes.length;
      }
      await makeDurable(fresh);
    } catch (cause) {
      if (fresh !== undefined) {
        closeQuietly(fresh);
        await fs.unlink(fresh.path).catch(() => undefined);
      }
      const refused = queue;
      queue = [];
      refuse(refused, cause);
      const error = diskError("make durable the log in", dir, cause);
      for (const waiter of waiters) waiter.reject(error);
      waiters = [];
      rotation?.reject(error);
      rotation = undefined;
      return false;
    }
    if (segment !== undefined) {
      retired.push(segment.path);
      closeQuietly(segment);
    }
    segment = fresh;
    unsynced.splice(0, count);
    broken = false;
    writeQueue();
    return true;
  }

  function closeQuietly(closed: Segment): void {
    try {
      fs.closeSync(closed.descriptor);
    } catch {
      // it was synced, or is written again to another segment
    }
  }

  return {
    push,
    durable,
    /**
     * Ends the current segment and calls `swap` in the same tick. Once the segment is durable, resolves with the
     * paths of all ended segments that still exist.
     */
    rotate(swap: () => void): Promise<string[]> {
      return new Promise((resolve, reject) => {
        rotation = { swap, resolve, reject };
        void run();
      });
    },
    /** Adds segments of an earlier run to those that `rotate` returns. Called once, before the first write. */
    adopt(paths: readonly string[], next: number): void {
      retired.push(...paths);
      nextNumber = next;
    },
    /** Removes ended segments, oldest first. All their content must be durable elsewhere. */
    async discard(paths: readonly string[]): Promise<void> {
      try {
        for (const path of paths) {
          await fs.unlink(path).catch((error: unknown) => {
            if (errnoOf(error) !== "ENOENT") throw error;
          });
          retired = retired.filter((kept) => kept !== path);
        }
        // A segment must not reappear after a later one is gone: it may hold records that the later one removed.
        if (paths.length > 0) await fs.syncDirectory(dir);
      } catch (cause) {
        throw diskError("remove a segment of", dir, cause);
      }
    },
    /** Bytes in the current segment. */
    segmentBytes: () => segment?.length ?? 0,
    counters: (): WalCounters => counters,
    close(): void {
      if (segment !== undefined) closeQuietly(segment);
      segment = undefined;
    },
  };
}
