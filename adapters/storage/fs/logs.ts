import { ConflictError } from "../../../mod.ts";
import type { AppendOptions, AppendResult, LogRecord, ReadOptions } from "../../../kit.ts";
import { diskError, isThere } from "./disk-error.ts";
import type { FileSystem } from "./file-system.ts";
import type { Folders, Target } from "./folders.ts";
import type { KnownIds, LogFiles, PendingLine } from "./log-file.ts";
import { formatLine, FORMAT_VERSION, parseLine } from "./log-line.ts";
import type { Wal } from "./wal.ts";

/** In-memory state of a log. Small, and evicted when the log is idle. */
export interface LogState {
  readonly key: string;
  /** Computed on each use: the names of a path take more memory than everything else. */
  readonly target: Target;
  /** The last seq assigned, written or still queued. */
  assignedSeq: number;
  /** The last seq in the write-ahead log. */
  writtenSeq: number;
  /** Ids within the window. Read from the file at the first append with an id. */
  ids: KnownIds | undefined;
  /** Lines in the write-ahead log that no checkpoint has taken yet. */
  buffer: PendingLine[];
  /** Lines taken by a checkpoint that has not ended, or that failed. */
  writing: PendingLine[];
  /** The file's size after the last look or write. */
  fileSize: number;
  /** The file belongs to a removed log of this key. It is not read, and is removed before the next write. */
  stale: boolean;
  /** Removed: a checkpoint that still holds lines must not write them. */
  removed: boolean;
  /** Serializes work on the file. Shared by all logs that follow each other under the key. */
  readonly fileTurn: { last: Promise<unknown> };
}

/** How long an id is remembered: the longest window of a room (8 days, for WhatsApp's redeliveries). */
export const ID_WINDOW_MS = 8 * 24 * 3600 * 1000;
/** Most idle logs kept in memory. */
const WARM_LOGS = 1024;
/** Ids of one log in memory before expired ones are pruned. */
const IDS_BEFORE_PRUNING = 5_000;

export type Logs = ReturnType<typeof createLogs>;

/**
 * The logs of an fs store: appends go through the write-ahead log; reads merge the file with the lines that are not
 * in it yet.
 */
export function createLogs(parts: {
  fs: FileSystem;
  folders: Folders;
  files: LogFiles;
  wal: Wal;
  now: () => number;
  isDocument: (key: string) => boolean;
  /** Most idle logs kept in memory. Default: 1024. */
  warmLogs?: number;
}) {
  const { fs, folders, files, wal, now, isDocument, warmLogs = WARM_LOGS } = parts;
  /** LRU order. */
  const states = new Map<string, LogState>();
  const dirty = new Set<LogState>();
  /**
   * All logs that are not idle, and some that have become idle. Contains every log whose file does not match its
   * state.
   */
  const unsettled = new Set<LogState>();
  let appends = 0;
  let pruneIdsAt = IDS_BEFORE_PRUNING;

  function fresh(key: string, tail: { lastSeq: number; size: number }): LogState {
    return {
      key,
      get target() {
        return folders.targetOf(key, "log");
      },
      assignedSeq: tail.lastSeq,
      writtenSeq: tail.lastSeq,
      ids: undefined,
      buffer: [],
      writing: [],
      fileSize: tail.size,
      stale: false,
      removed: false,
      fileTurn: { last: Promise.resolve() },
    };
  }

  /**
   * The state of a log, read from the end of its file at first use. Synchronous, so that appends of one tick stay
   * together.
   * @param isKept False for a read: a missing log is then not cached and takes no place from others.
   */
  function touch(key: string, isKept = true): LogState {
    const known = states.get(key);
    if (known !== undefined) {
      states.delete(key);
      states.set(key, known);
      return known;
    }
    const target = folders.targetOf(key, "log");
    try {
      const state = fresh(key, files.openTail(target));
      if (!isKept && state.writtenSeq === 0 && state.fileSize === 0) return state;
      states.set(key, state);
      evict(64);
      return state;
    } catch (cause) {
      throw diskError("read the log", target.path, cause);
    }
  }

  const isIdle = (state: LogState) =>
    state.buffer.length === 0 &&
    state.writing.length === 0 &&
    !state.stale &&
    state.assignedSeq === state.writtenSeq &&
    !dirty.has(state);

  /** Evicts the least recently used idle logs, checking at most `looks` of them. */
  function evict(looks: number): void {
    let left = Math.min(looks, states.size);
    for (const [key, state] of states) {
      if (states.size <= warmLogs || --left < 0) return;
      states.delete(key);
      // A log that waits for a checkpoint moves to the end, so that it does not block those that can go.
      if (!isIdle(state)) states.set(key, state);
    }
  }

  function idsOf(state: LogState): KnownIds {
    const since = now() - ID_WINDOW_MS;
    if (state.ids === undefined) {
      const { target } = state;
      try {
        state.ids = state.stale ? new Map() : files.readIds(target, since);
      } catch (cause) {
        throw diskError("read the log", target.path, cause);
      }
      for (const line of [...state.writing, ...state.buffer]) {
        const parsed = parseLine(line.text, target.path);
        if (parsed?.id !== undefined) state.ids.set(parsed.id, { seq: parsed.seq, t: parsed.t });
      }
    }
    if (state.ids.size > pruneIdsAt) {
      for (const [id, { t }] of state.ids) if (t < since) state.ids.delete(id);
      pruneIdsAt = Math.max(IDS_BEFORE_PRUNING, state.ids.size * 2);
    }
    return state.ids;
  }

  /** Everything up to the push runs in the caller's tick, which fixes order, fences and ids. */
  function append(key: string, records: readonly LogRecord[], options: AppendOptions): Promise<AppendResult> {
    const { expectSeq, id, flush = true } = options;
    if (records.length === 0)
      throw new RangeError(`Cannot append to ${JSON.stringify(key)}: expected at least one record`);
    const state = touch(key);
    refuseDocument(state);
    const ids = id === undefined ? undefined : idsOf(state);
    const known = id === undefined ? undefined : ids?.get(id);
    if (known !== undefined) {
      const result = { seq: known.seq, duplicate: true };
      return flush ? wal.durable().then(() => result) : Promise.resolve(result);
    }
    if (expectSeq !== undefined && expectSeq !== state.assignedSeq) {
      throw new ConflictError(
        `Cannot append to ${JSON.stringify(key)}: expected its last seq to be ${expectSeq}, found ${state.assignedSeq}`,
        state.assignedSeq,
      );
    }

    const before = state.assignedSeq;
    const t = now();
    const lines = records.map((record, index): PendingLine => {
      const seq = before + 1 + index;
      // The last line carries the id, since its seq answers a duplicate. All lines of a call are one line of the
      // write-ahead log.
      const lineId = index === records.length - 1 ? id : undefined;
      return { seq, text: formatLine({ seq, t, id: lineId }, jsonOf(record, key)) };
    });
    const seq = before + lines.length;
    const text = `{"v":${FORMAT_VERSION},"log":${JSON.stringify(key)},"lines":[${lines.map((line) => line.text).join(",")}]}\n`;
    state.assignedSeq = seq;
    unsettled.add(state);
    if (id !== undefined) ids?.set(id, { seq, t });
    appends++;

    return new Promise((resolve, reject) => {
      wal.push({
        text,
        flush,
        reject,
        resolve: () => resolve({ seq, duplicate: false }),
        written() {
          for (const line of lines) state.buffer.push(line);
          state.writtenSeq = seq;
          if (states.get(key) === state) dirty.add(state);
        },
        undo() {
          state.assignedSeq = before;
          if (id !== undefined) ids?.delete(id);
        },
      });
    });
  }

  /** Removes a log by a line in the write-ahead log. The file goes after that line is durable. */
  async function remove(key: string, expect: string | number | undefined): Promise<void> {
    const old = touch(key);
    if (expect !== undefined && String(expect) !== String(old.assignedSeq)) {
      throw new ConflictError(
        `Cannot remove ${JSON.stringify(key)}: expected its last seq to be ${expect}, found ${old.assignedSeq}`,
        old.assignedSeq,
      );
    }
    const empty: LogState = {
      ...fresh(key, { lastSeq: 0, size: 0 }),
      ids: new Map(),
      stale: true,
      fileTurn: old.fileTurn,
    };
    states.set(key, empty);
    unsettled.add(empty);
    await new Promise<void>((resolve, reject) => {
      wal.push({
        text: `{"v":${FORMAT_VERSION},"log":${JSON.stringify(key)},"removed":true}\n`,
        flush: true,
        resolve,
        reject,
        written() {
          dirty.delete(old);
          dirty.add(empty);
        },
        undo() {
          states.set(key, old);
        },
      });
    });
    old.removed = true;
    await inTurn(empty, () => dropStaleFile(empty));
  }

  /**
   * Removes what a key without records has: its document, by `work`, and a log file that holds nothing. The line in
   * the write-ahead log comes first, so that the next start removes what a crash leaves of the name.
   */
  async function removeWithoutRecords(key: string, work: () => Promise<void>): Promise<void> {
    const state = touch(key);
    await inTurn(state, async () => {
      // Not if it became a log in the meantime: a removal line after its records would remove them.
      const unused = state.assignedSeq === 0 && states.get(key) === state;
      if (unused) await markRemoved(state);
      await work();
      if (unused) await dropStaleFile(state);
    });
  }

  /** Writes a removal line. Never rejects: a full disk refuses the line, and the removal must still free space. */
  function markRemoved(state: LogState): Promise<void> {
    state.stale = true;
    dirty.add(state);
    unsettled.add(state);
    return new Promise((resolve) => {
      const text = `{"v":${FORMAT_VERSION},"log":${JSON.stringify(state.key)},"removed":true}\n`;
      wal.push({
        text,
        flush: false,
        resolve,
        reject: () => resolve(),
        written: () => undefined,
        undo: () => undefined,
      });
    });
  }

  async function dropStaleFile(state: LogState): Promise<void> {
    if (!state.stale) return;
    try {
      await folders.remove(state.target);
      // The removal line may be about a document, whose name is in a sidecar of its own.
      if (state.target.place.file.hashed) await folders.dropNames(folders.targetOf(state.key, "document"));
    } catch (cause) {
      throw diskError("remove", state.target.path, cause);
    }
    state.stale = false;
    state.fileSize = 0;
    if (state.buffer.length === 0 && state.writing.length === 0) dirty.delete(state);
  }

  function inTurn<T>(state: LogState, work: () => Promise<T>): Promise<T> {
    const result = state.fileTurn.last.then(work);
    state.fileTurn.last = result.catch(() => undefined);
    return result;
  }

  async function* read(key: string, options: ReadOptions): AsyncGenerator<{ seq: number; record: LogRecord }> {
    const { after = 0, limit = Number.POSITIVE_INFINITY, last } = options;
    const state = touch(key, false);
    if (limit <= 0 || state.writtenSeq <= after) return;
    // The lines in memory now. A checkpoint may write them to the file during the read, so the file is read only
    // below them.
    const held = state.writing.length === 0 ? state.buffer.slice() : [...state.writing, ...state.buffer];
    const below = held[0]?.seq ?? state.writtenSeq + 1;
    const { target } = state;
    let left = limit;
    try {
      if (last !== undefined) {
        const fromHeld = last > 0 ? held.filter((line) => line.seq > after).slice(-last) : [];
        const wanted = last - fromHeld.length;
        const fromFile = state.stale ? [] : files.readLast(target, wanted, below, after);
        for (const { seq, record } of [...fromFile, ...heldLines(fromHeld, target)]) {
          if (left-- <= 0) return;
          yield { seq, record };
        }
        return;
      }
      if (!state.stale && below > after + 1) {
        for await (const { seq, record } of files.readForward(target, after)) {
          if (seq >= below) break;
          if (left-- <= 0) return;
          yield { seq, record };
        }
      }
      for (const { seq, record } of heldLines(held, target)) {
        if (seq <= after) continue;
        if (left-- <= 0) return;
        yield { seq, record };
      }
    } catch (cause) {
      throw diskError("read the log", target.path, cause);
    }
  }

  function* heldLines(lines: readonly PendingLine[], target: Target) {
    for (const line of lines) {
      const parsed = parseLine(line.text, target.path);
      if (parsed !== undefined) yield parsed;
    }
  }

  function refuseDocument(state: LogState): void {
    if (state.assignedSeq > 0 || state.writtenSeq > 0) return;
    if (isDocument(state.key)) {
      throw new TypeError(`Cannot use ${JSON.stringify(state.key)} as a log: a document has that key`);
    }
  }

  return {
    append,
    read,
    remove,
    removeWithoutRecords,
    lastSeq: (key: string) => touch(key, false).writtenSeq,
    /** Whether a log with records, or a log's file, has that key. */
    isLog(key: string): boolean {
      const state = states.get(key);
      if (state !== undefined) return state.assignedSeq > 0 || (!state.stale && state.fileSize > 0);
      return isThere(fs, folders.targetOf(key, "log").path);
    },
    /**
     * Last seqs of logs that may have no file yet, or a file that is about to go, to merge into what the folders
     * show.
     */
    warmSeqs(prefix: string): Map<string, number> {
      const found = new Map<string, number>();
      for (const state of unsettled) {
        if (isIdle(state)) unsettled.delete(state);
        else if (state.key.startsWith(prefix) && states.get(state.key) === state)
          found.set(state.key, state.writtenSeq);
      }
      return found;
    },
    warmSeq: (key: string) => states.get(key)?.writtenSeq,
    /** Puts records of an earlier run back at start. */
    restore(key: string, lines: readonly PendingLine[], removed: boolean): LogState {
      const state = touch(key);
      if (removed) {
        Object.assign(state, { assignedSeq: 0, writtenSeq: 0, ids: undefined, fileSize: 0, stale: true });
      }
      for (const line of lines) {
        if (line.seq <= state.writtenSeq) continue;
        state.buffer.push(line);
        state.assignedSeq = state.writtenSeq = line.seq;
      }
      if (state.stale || state.buffer.length > 0) {
        dirty.add(state);
        unsettled.add(state);
      }
      return state;
    },
    hasDirty: () => dirty.size > 0,
    /** Hands all buffered lines to a checkpoint, in one tick. */
    takeDirty(): LogState[] {
      const taken = [...dirty];
      dirty.clear();
      for (const state of taken) {
        state.writing.push(...state.buffer);
        state.buffer = [];
      }
      return taken;
    },
    /**
     * Writes the taken lines to the log's file, durably. After an error the log is dirty again, and memory keeps all
     * lines.
     */
    async writeOut(state: LogState): Promise<void> {
      try {
        await inTurn(state, async () => {
          if (state.removed) return;
          await dropStaleFile(state);
          if (state.writing.length === 0) return;
          state.fileSize = await files.write(state.target, state.writing, state.fileSize);
          state.writing = [];
        });
      } catch (cause) {
        if (states.get(state.key) === state) dirty.add(state);
        throw diskError("write the log", state.target.path, cause);
      }
    },
    /** Makes the names of all files that `writeOut` created durable. Syncs each folder once. */
    async syncNames(): Promise<void> {
      try {
        await folders.syncNames();
      } catch (cause) {
        throw diskError("make durable the files under", folders.root, cause);
      }
    },
    /** Runs after a checkpoint, when most logs are idle. */
    evict() {
      for (const state of unsettled) if (isIdle(state)) unsettled.delete(state);
      evict(Number.POSITIVE_INFINITY);
    },
    counters: () => ({ appends, warm: states.size }),
  };
}

function jsonOf(record: LogRecord, key: string): string {
  const json = JSON.stringify(record);
  if (
    typeof record !== "object" ||
    record === null ||
    Array.isArray(record) ||
    json === undefined ||
    !json.startsWith("{")
  ) {
    throw new TypeError(`Cannot append to ${JSON.stringify(key)}: expected a JSON object as the record`);
  }
  return json;
}
