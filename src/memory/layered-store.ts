import type { Clock } from "../clock.ts";
import { ConflictError, messageOf } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { type Store, type Version, createTurns, removeUnder, requireCaps, storeKey } from "../store/index.ts";
import { type Logger, type Metrics, silentLogger } from "../telemetry/index.ts";
import { createBackground } from "./background.ts";
import type { MemoryEntry } from "./entry.ts";
import { entryOfDocument, isArchivedForAge, versionOf } from "./entry-document.ts";
import type { EntryFile } from "./entry-file.ts";
import { type EntryFolder, type FileProblem, type Written, refuseDamaged } from "./entry-folder.ts";
import { type LazySearch, hitOf } from "./found-memory.ts";
import type { IndexChange, KeywordIndexes } from "./index-files.ts";
import { createKeywordIndex, openKeywordIndex } from "./keyword/keyword-index.ts";
import { INDEX_VERSION } from "./keyword/segment.ts";
import { createLoaded } from "./loaded.ts";
import type { MemoryArchiveOptions, MemoryListOptions, MemoryQuery, MemoryStore } from "./memory-store.ts";
import { mergeEdits } from "./merge-edits.ts";
import { MAX_CONTENT_BYTES } from "./new-entry.ts";
import { type Person, loadPerson } from "./person.ts";
import { searchFolder } from "./search-folder.ts";
import { slotsMatch } from "./slot-filter.ts";
import { usersIn } from "./users.ts";

/** Options of `createLayeredStore`. */
export interface LayeredStoreOptions {
  /** Store of the files, under `memory/`. It must have logs and compare-and-set. */
  readonly store: Store;
  /** Decides what has expired, and dates archived entries. */
  readonly clock: Clock;
  /** Logs damaged files, once each, and indexes that could not be written. Default: silent. */
  readonly logger?: Logger | undefined;
  /** Counts damaged files (`memory.damaged_total`). Default: nothing is counted. */
  readonly metrics?: Metrics | undefined;
  /** Most bytes of indexes in memory; the least recently used are evicted. Default 67_108_864 (64 MiB). */
  readonly maxBytes?: number | undefined;
  /** Most people whose indexes are in memory. Default 256. */
  readonly maxUsers?: number | undefined;
}

/** A `MemoryStore` whose entries are files. */
export interface LayeredStore extends Required<MemoryStore>, LazySearch {
  /** A person's damaged files, after a comparison with all files. */
  problems(userId: string): Promise<readonly FileProblem[]>;
  /**
   * Runs `move`, which moves the files of one person to another, while nothing else changes `from`. Then the index of
   * `from` is removed and that of `to` updated.
   */
  moving<R>(from: string, to: string, move: () => Promise<R>): Promise<R>;
  /** Resolves when no background work is left: comparing with files, sealing, archiving expired entries. */
  settled(): Promise<void>;
  /** Drops the indexes, stops watching, and waits for background work. */
  close(): Promise<void>;
}

/** A move between two folders. */
interface Way {
  readonly from: EntryFolder;
  readonly to: EntryFolder;
  /** Version that the target may have: `null` none, `undefined` any. */
  readonly over: null | undefined;
  edit(file: EntryFile): EntryFile;
}

const WRITE_AT_ONCE = 16;
/** Most attempts to write a file that others write too. */
const MAX_ATTEMPTS = 6;
const MAX_BYTES = 67_108_864;
const MAX_USERS = 256;

const INDEXES: KeywordIndexes = { version: INDEX_VERSION, create: createKeywordIndex, open: openKeywordIndex };

/**
 * A store with entries as Markdown files in any `Store`, found by a keyword index for each person. The files are the
 * truth: the index follows them, including changes by others.
 *
 * Source: docs/memory.md, "The files" and "Editing by hand".
 *
 * @throws {AssistantError} `STORE_UNSUITABLE` for a store without logs or compare-and-set.
 */
export function createLayeredStore(options: LayeredStoreOptions, yaml: Platform["yaml"]): LayeredStore {
  const { store, clock, logger = silentLogger, metrics, maxBytes = MAX_BYTES, maxUsers = MAX_USERS } = options;
  requireCaps(store, { append: true, cas: true }, "Memories");
  const background = createBackground((cause) =>
    logger.warn("A memory could not be compared with its files; that is tried again", { error: messageOf(cause) }),
  );
  const turns = createTurns();
  const people = createLoaded<Person>({
    maxBytes,
    maxUsers,
    load: (userId) => loadPerson({ store, clock, yaml, indexes: INDEXES, background, logger, metrics, turns }, userId),
    bytesOf: (person) => person.bytes,
    onDrop: (person) => person.leave(),
  });

  /** Changes a person's files and index, one change at a time. */
  async function change<R>(userId: string, work: (person: Person) => Promise<R>): Promise<R> {
    for (;;) {
      const done = await people.use(userId, (person) =>
        person.inTurn(async () => (person.hasLeft ? undefined : { result: await work(person) })),
      );
      // The person was dropped while the work waited for its turn: starts again with a fresh load.
      if (done !== undefined) return done.result;
    }
  }

  async function search(query: MemoryQuery) {
    query.signal?.throwIfAborted();
    return people.use(query.userId, async (person) => {
      const { live, expired } = person;
      const archive = query.withArchived === true ? await person.archive() : undefined;
      await Promise.all([person.freshen(live), archive && person.freshen(archive)]);
      query.signal?.throwIfAborted();
      const onExpired = (ids: readonly string[]) => retire(person.userId, expired, ids);
      return searchFolder(live, { query, archive, nowMs: clock.now(), without: expired, onExpired });
    });
  }

  /** Takes expired entries out of recall at once, and archives them in the background. */
  function retire(userId: string, expired: Set<string>, ids: readonly string[]): void {
    for (const id of ids) expired.add(id);
    void background(async () => {
      try {
        await change(userId, async (person) => void (await archiveIn(person, ids)));
      } finally {
        for (const id of ids) expired.delete(id);
      }
    });
  }

  /** Writes one entry. Changes that a person made in its file since it was read stay. */
  async function saveOne({ live, userId }: Person, entry: MemoryEntry, over?: MemoryEntry): Promise<IndexChange> {
    const known = live.index.get(entry.id);
    const base = over ?? (known && entryOfDocument(known, userId));
    for (let attempt = known === undefined ? 0 : 1; ; attempt++) {
      const current = attempt === 0 ? undefined : await live.read(entry.id);
      if (current?.problem !== undefined) refuseDamaged(current.problem);
      const file: EntryFile =
        current === undefined
          ? { entry, extra: {} }
          : { entry: mergeEdits(base, current.file.entry, entry), extra: current.file.extra };
      try {
        return await live.write(file, current?.version ?? null);
      } catch (error) {
        if (!ConflictError.is(error) || attempt >= MAX_ATTEMPTS) throw error;
      }
    }
  }

  async function saveFor(person: Person, entries: readonly MemoryEntry[], over: readonly MemoryEntry[]): Promise<void> {
    // Of several entries with one id the last counts.
    const distinct = [...new Map(entries.map((entry) => [entry.id, entry])).values()];
    const changes: IndexChange[] = [];
    try {
      for (let at = 0; at < distinct.length; at += WRITE_AT_ONCE) {
        const part = distinct.slice(at, at + WRITE_AT_ONCE).map((entry) => {
          const before = over.find(({ id, userId }) => id === entry.id && userId === entry.userId);
          return saveOne(person, entry, before);
        });
        const written = await Promise.allSettled(part);
        for (const one of written) if (one.status === "fulfilled") changes.push(one.value);
        const failed = written.find((one) => one.status === "rejected");
        if (failed !== undefined) throw failed.reason;
      }
    } finally {
      await noteIn(person.live, changes);
    }
    person.watch();
  }

  async function noteIn(folder: Pick<EntryFolder, "note" | "seal">, changes: readonly IndexChange[]): Promise<void> {
    await folder.note(changes);
    await folder.seal();
  }

  async function archiveIn(
    person: Person,
    ids: readonly string[],
    { into, reason = into === undefined ? "asked" : "merged" }: MemoryArchiveOptions = {},
  ): Promise<number> {
    const archive = await person.archive();
    const archivedAt = new Date(clock.now());
    const known = [...new Set(ids)].filter((id) => person.live.index.has(id));
    const edit = (file: EntryFile): EntryFile => {
      const { expiresAt } = file.entry;
      const isExpired = expiresAt !== undefined && expiresAt <= archivedAt;
      const archivedReason = isExpired && into === undefined ? "expired" : reason;
      return { ...file, archivedAt, archivedReason, ...(into !== undefined && { mergedInto: into }) };
    };
    return moveAll(known, { from: person.live, to: archive, over: undefined, edit });
  }

  async function restoreIn(person: Person, ids: readonly string[]): Promise<number> {
    const archive = await person.archive();
    await archive.refresh(ids);
    const known = [...new Set(ids)].filter((id) => archive.index.has(id) && !person.live.index.has(id));
    // Restoring counts as a change, so an import of older lines does not undo it.
    const updatedAt = new Date(clock.now());
    const edit = ({ entry, extra }: EntryFile) => ({ entry: { ...entry, updatedAt }, extra });
    return moveAll(known, { from: archive, to: person.live, over: null, edit });
  }

  async function moveAll(ids: readonly string[], way: Way): Promise<number> {
    const { from, to } = way;
    const arrived: IndexChange[] = [];
    const gone: IndexChange[] = [];
    const unclear: string[] = [];
    try {
      for (const id of ids) {
        const change = await move(id, way);
        if (change === undefined) unclear.push(id);
        else {
          arrived.push(change);
          gone.push({ gone: id });
        }
      }
    } finally {
      await noteIn(to, arrived);
      await noteIn(from, gone);
      await from.refresh(unclear);
      await to.refresh(unclear);
    }
    return arrived.length;
  }

  /**
   * Writes the target, then removes the source: an entry that a crash leaves in both counts as in recall.
   * @returns `undefined` when the file is gone, damaged, or already at the target.
   */
  async function move(id: string, { from, to, over, edit }: Way): Promise<IndexChange | undefined> {
    let expect: Version | null | undefined = over;
    for (let attempt = 0; ; attempt++) {
      const found = await from.read(id);
      if (found?.file === undefined) return undefined;
      let change: Written;
      try {
        change = await to.write(edit(found.file), expect);
        expect = versionOf(change.put);
      } catch (error) {
        if (ConflictError.is(error)) return undefined;
        throw error;
      }
      try {
        await store.remove(from.keyOf(id), { expect: found.version });
        return change;
      } catch (error) {
        // A person saved it in the meantime: moves the present text.
        if (!ConflictError.is(error) || attempt >= MAX_ATTEMPTS) throw error;
      }
    }
  }

  async function removeIn(person: Person, ids: readonly string[]): Promise<number> {
    const { live } = person;
    const archive = await person.archive();
    let count = 0;
    const gone: IndexChange[] = [];
    try {
      for (const id of new Set(ids)) {
        const keys = [live.keyOf(id), archive.keyOf(id)];
        const found = await Promise.all(keys.map((key) => store.get(key)));
        if (found.some((document) => document !== null)) count++;
        for (const [at, key] of keys.entries()) if (found[at] !== null) await store.remove(key);
        gone.push({ gone: id });
      }
    } finally {
      for (const folder of [live, archive]) {
        const known = gone.filter((change) => "gone" in change && folder.index.has(change.gone));
        await folder.note(known);
        // Segments and the log still hold the removed text.
        if (known.length > 0) await folder.seal({ purge: true });
      }
    }
    return count;
  }

  async function* list(userId: string, listOptions: MemoryListOptions = {}): AsyncGenerator<MemoryEntry> {
    const { archived = false, slots, since } = listOptions;
    const { folder, live } = await people.use(userId, async (person) => {
      const of = archived ? await person.archive() : person.live;
      // No model's answer waits for a listing, so it can wait for the comparison with the files: changes made while
      // no process ran are in it.
      await person.ready;
      await person.freshen(of);
      return { folder: of, live: person.live };
    });
    for (const [createdAtMs, id] of folder.newestFirst()) {
      if (since !== undefined && createdAtMs < since.getTime()) return;
      const document = folder.index.get(id);
      if (document === undefined || (archived && live.index.has(id))) continue;
      const entry = entryOfDocument(document, userId);
      if (slots === undefined || slotsMatch(entry.slots, slots)) yield entry;
    }
  }

  /** Compares both folders with their files. @returns The archive. */
  async function compareAll(person: Person): Promise<EntryFolder> {
    const archive = await person.archive();
    await Promise.all([person.compare(person.live), person.compare(archive)]);
    return archive;
  }

  return {
    async save(entries, { over = [] } = {}) {
      const byUser = new Map<string, MemoryEntry[]>();
      for (const entry of entries) byUser.set(entry.userId, [...(byUser.get(entry.userId) ?? []), entry]);
      for (const [userId, theirs] of byUser) await change(userId, (person) => saveFor(person, theirs, over));
    },

    get: (userId, id, getOptions) =>
      people.use(userId, async (person) => {
        const found = await person.live.read(id);
        await person.meet(person.live, id, found?.version);
        if (found?.file !== undefined) return found.file.entry;
        if (getOptions?.archived === false) return undefined;
        return (await (await person.archive()).read(id))?.file?.entry;
      }),

    find: search,
    search: async (query) => (await search(query)).map(hitOf),
    list,
    remove: (userId, ids) => change(userId, (person) => removeIn(person, ids)),
    archive: (userId, ids, how) => change(userId, (person) => archiveIn(person, ids, how)),
    archivedAs: (userId, id) =>
      people.use(userId, async (person) => {
        const archived = (await (await person.archive()).read(id))?.file;
        const file = archived ?? (await person.live.read(id))?.file;
        // An entry that was moved back by hand still has its archive fields.
        if (file === undefined || (archived === undefined && file.archivedAt === undefined)) return undefined;
        const { archivedReason, mergedInto: into } = file;
        return { into, reason: archivedReason ?? (isArchivedForAge(file) ? "age" : undefined) };
      }),
    restore: (userId, ids) => change(userId, (person) => restoreIn(person, ids)),

    async *users() {
      yield* await usersIn(store);
    },

    async moving(from, to, move) {
      try {
        return await turns(from, async () => {
          people.drop(from);
          try {
            return await move();
          } finally {
            await removeUnder(store, `${storeKey(".index", "memory", from)}/`);
          }
        });
      } finally {
        await people.use(to, (person) => compareAll(person));
      }
    },

    forget: (userId) =>
      change(userId, async (person) => {
        person.leave();
        try {
          await removeUnder(store, `${storeKey(".index", "memory", userId)}/`);
          await removeUnder(store, `${storeKey("memory", userId)}/`);
        } finally {
          people.drop(userId);
        }
      }),

    count: (userId) =>
      people.use(userId, async (person) => {
        const archive = await person.archive();
        await Promise.all([person.freshen(person.live), person.freshen(archive)]);
        let archived = archive.index.size;
        for (const id of archive.index.ids()) if (person.live.index.has(id)) archived--;
        return { entries: person.live.index.size, archived };
      }),

    problems: (userId) =>
      people.use(userId, async (person) => {
        const archive = await compareAll(person);
        return [person.live, archive].flatMap((folder) => [...folder.problems, ...tooLongIn(folder, userId)]);
      }),

    settled: () => background.settled(),
    async close() {
      people.dropAll();
      await background.settled();
    },
  };
}

/** Reports files that people wrote longer than an entry may be: they are recalled, but cannot be saved or imported again. */
function tooLongIn(folder: Pick<EntryFolder, "index" | "keyOf">, userId: string): readonly FileProblem[] {
  const problems: FileProblem[] = [];
  for (const id of folder.index.ids()) {
    const { text = "" } = folder.index.get(id) ?? {};
    // A UTF-16 unit takes at most three bytes.
    if (text.length * 3 <= MAX_CONTENT_BYTES) continue;
    const bytes = new TextEncoder().encode(text).length;
    if (bytes <= MAX_CONTENT_BYTES) continue;
    const message = `expected a text of at most ${MAX_CONTENT_BYTES} bytes, got ${bytes}: it is recalled, but cannot be imported; split it into several files`;
    problems.push({ userId, key: folder.keyOf(id), line: 1, message });
  }
  return problems;
}
