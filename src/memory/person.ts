import type { Clock } from "../clock.ts";
import { messageOf } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { type Store, type Turns, type Version, storeKey } from "../store/index.ts";
import type { Logger, Metrics } from "../telemetry/index.ts";
import { withTimeout } from "../time-limit.ts";
import type { Background } from "./background.ts";
import { versionOf } from "./entry-document.ts";
import { type EntryFolder, openEntryFolder } from "./entry-folder.ts";
import { type KeywordIndexes, createIndexFiles } from "./index-files.ts";

export type FolderName = "entries" | "archive";

/** One person's entries while they are loaded, kept in step with files that others may write. */
export interface Person {
  readonly userId: string;
  readonly live: EntryFolder;
  /** Loads the archive on the first call. */
  archive(): Promise<EntryFolder>;
  readonly bytes: number;
  /** Ids of entries that have expired and are being archived. */
  readonly expired: Set<string>;
  /** Runs changes of the person's files one at a time. */
  inTurn<R>(work: () => Promise<R>): Promise<R>;
  /**
   * Finds changes by other writers. Where it compares files, it waits for at most 50 ms; while files are watched it
   * does not wait.
   */
  freshen(folder: EntryFolder): Promise<void>;
  /** Resolves when the loaded entries have been compared with their files. */
  readonly ready: Promise<void>;
  /** Compares a folder with its files now and reads what differs. */
  compare(folder: EntryFolder): Promise<void>;
  /**
   * Updates the index when a file that was read has another version than the index knows. The next save is then
   * compared with what was read.
   */
  meet(folder: EntryFolder, id: string, version: Version | undefined): Promise<void>;
  /** Starts to watch the files, once there are any. */
  watch(): void;
  /** Whether the person was dropped: their data is no longer kept in step. */
  readonly hasLeft: boolean;
  leave(): void;
}

export interface PersonParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly yaml: Platform["yaml"];
  readonly indexes: KeywordIndexes;
  readonly background: Background;
  readonly logger: Logger;
  readonly metrics: Metrics | undefined;
  /** Queues by user, shared by a dropped person and their reloaded successor, so that two never write the same files. */
  readonly turns: Turns;
}

/** Milliseconds between comparisons: changes by other writers are found within two seconds, the comparison included. */
const SWEEP_MS = 1500;
/** The same while files are watched: comparing then only finds what the watcher missed. */
const WATCHED_SWEEP_MS = 600_000;
/** Milliseconds until watching is tried again after it failed; until then files are compared. */
const WATCH_AGAIN_MS = 600_000;
/** A comparison waits for this many times the duration of the last one, so that comparing takes at most a tenth of the time. */
const SWEEP_SHARE = 10;
/**
 * An index with a log of at least this many changes is sealed after loading: a log is replayed word by word, a sealed
 * index loads at once.
 */
const SEAL_LOADED_AT = 32;
/** Most milliseconds that a search waits for an overdue comparison. */
const SWEEP_WAIT_MS = 50;

export async function loadPerson(parts: PersonParts, userId: string): Promise<Person> {
  const { store, clock, background, logger } = parts;
  const inTurn = <R>(work: () => Promise<R>) => parts.turns(userId, work);
  const stop = new AbortController();
  const comparedMs = new Map<EntryFolder, number>();
  let watching = false;
  const comparing = new Map<EntryFolder, Promise<void>>();
  const sweepTookMs = new Map<EntryFolder, number>();
  let retriedMs = 0;
  let failedMs = Number.NEGATIVE_INFINITY;
  let archive: EntryFolder | undefined;
  let openingArchive: Promise<EntryFolder> | undefined;

  async function open(name: FolderName): Promise<EntryFolder> {
    const folder = await openFolder(parts, userId, name);
    comparedMs.set(folder, clock.now());
    return folder;
  }

  /** Compares a loaded index with its files; writes an index that was just built. */
  async function settle(folder: EntryFolder): Promise<void> {
    if (!folder.wasBuilt) {
      await compare(folder);
      await inTurn(async () => {
        await folder.files.tidy();
        if (!stop.signal.aborted && folder.files.logged >= SEAL_LOADED_AT) await folder.seal({ now: true });
      });
      return;
    }
    await inTurn(async () => {
      if (stop.signal.aborted) return;
      // Leftovers of an unusable index would be read as parts of the new one.
      await folder.files.clear();
      if (folder.index.size > 0) await folder.seal({ now: true });
    });
    // A watcher does not report changes made before it started, while the files were read.
    if (watching) await compare(folder);
  }

  async function compare(folder: EntryFolder): Promise<void> {
    const ids = await folder.changed();
    if (ids.length > 0 && !stop.signal.aborted) await refresh(folder, ids);
    if (folder === live) watch();
  }

  const refresh = (folder: EntryFolder, ids: readonly string[]) =>
    inTurn(async () => {
      // The person was dropped: no caller would read these notes. Nothing may be written for a person who was
      // forgotten.
      if (stop.signal.aborted) return;
      await folder.refresh(ids);
      await folder.seal();
    });

  function watch(): void {
    if (watching || stop.signal.aborted || store.watch === undefined || live.index.size === 0) return;
    if (Math.abs(clock.now() - failedMs) < WATCH_AGAIN_MS) return;
    watching = true;
    void follow(store.watch(`${storeKey("memory", userId)}/`, stop.signal));
  }

  async function follow(changes: AsyncIterable<{ key: string }>): Promise<void> {
    try {
      for await (const { key } of changes) {
        for (const folder of archive === undefined ? [live] : [live, archive]) {
          const id = folder.idOf(key);
          if (id !== undefined) await background(() => refresh(folder, [id]));
        }
      }
    } catch (error) {
      failedMs = clock.now();
      logger.warn("Files of a memory are no longer watched; they are compared instead", {
        userId,
        error: messageOf(error),
      });
    }
    watching = false;
  }

  /** Reads unread files again: a store that failed for a moment does not report its recovery. */
  function retryUnread(folder: EntryFolder, nowMs: number): void {
    const { unread } = folder;
    if (unread.length === 0 || Math.abs(nowMs - retriedMs) < SWEEP_MS) return;
    retriedMs = nowMs;
    void background(() => refresh(folder, unread));
  }

  const live = await open("entries");
  watch();
  const ready = background(() => settle(live));
  // A loaded index does not know about changes that people made to the files while it was not in memory.
  let isToBeCompared = !live.wasBuilt;
  void ready.then(() => (isToBeCompared = false));

  return {
    userId,
    live,
    ready,
    archive() {
      openingArchive ??= open("archive").then(
        (folder) => {
          archive = folder;
          void background(() => settle(folder));
          return folder;
        },
        (error: unknown) => {
          openingArchive = undefined;
          throw error;
        },
      );
      return openingArchive;
    },
    get bytes() {
      return live.bytes + (archive?.bytes ?? 0);
    },
    expired: new Set(),
    inTurn,
    async freshen(folder) {
      if (folder === live && isToBeCompared) return withTimeout(clock, SWEEP_WAIT_MS, ready, () => {});
      const nowMs = clock.now();
      const elapsedMs = Math.abs(nowMs - (comparedMs.get(folder) ?? 0));
      if (elapsedMs < Math.max(watching ? WATCHED_SWEEP_MS : SWEEP_MS, (sweepTookMs.get(folder) ?? 0) * SWEEP_SHARE)) {
        if (elapsedMs >= SWEEP_MS) retryUnread(folder, nowMs);
        return;
      }
      if (comparing.has(folder)) return;
      comparedMs.set(folder, nowMs);
      const compared = background(() => compare(folder));
      comparing.set(folder, compared);
      void compared.then(() => {
        comparing.delete(folder);
        sweepTookMs.set(folder, Math.max(0, clock.now() - nowMs));
      });
      if (!watching) await withTimeout(clock, SWEEP_WAIT_MS, compared, () => {});
    },
    compare,
    async meet(folder, id, version) {
      const known = folder.index.get(id);
      if (version !== (known && versionOf(known))) await refresh(folder, [id]);
    },
    watch,
    get hasLeft() {
      return stop.signal.aborted;
    },
    leave: () => stop.abort(),
  };
}

function openFolder(
  { store, clock, yaml, indexes, logger, metrics }: PersonParts,
  userId: string,
  folder: FolderName,
): Promise<EntryFolder> {
  return openEntryFolder({
    store,
    clock,
    yaml,
    userId,
    folder,
    files: createIndexFiles(store, [".index", "memory", userId, folder], indexes),
    createIndex: indexes.create,
    onProblem({ key, line, message }) {
      metrics?.increment("memory.damaged_total");
      logger.warn(`A memory is damaged and left out: ${key}, line ${line}: ${message}`, { key, line });
    },
    onUnwritten: (cause) =>
      logger.warn("The index of a memory could not be written; it is built from the files when it is needed", {
        userId,
        error: messageOf(cause),
      }),
  });
}
