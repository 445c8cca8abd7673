import type { Clock } from "../clock.ts";
import { AssistantError, messageOf } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { type Store, type Version, keySegments, storeKey } from "../store/index.ts";
import { documentOf, versionOf } from "./entry-document.ts";
import { type EntryFile, readEntryFile, writeEntryFile } from "./entry-file.ts";
import type { IndexChange, IndexFiles } from "./index-files.ts";
import type { KeywordIndex } from "./keyword/types.ts";
import { MAX_ID_CHARS } from "./new-entry.ts";

/** An entry's file that cannot be used. It stays where it is; other files are not affected. */
export interface FileProblem {
  readonly userId: string;
  /** Key of the file in the store: `memory/@owner/entries/01J….md`. */
  readonly key: string;
  /** From 1. */
  readonly line: number;
  /** What was expected there. */
  readonly message: string;
}

/** Content of an entry's file: the entry, or the problem with it. */
export type FoundEntry =
  | { readonly version: Version; readonly file: EntryFile; readonly problem?: undefined }
  | { readonly version: Version; readonly file?: undefined; readonly problem: FileProblem };

/** Index change for a file that was written. */
export type Written = Extract<IndexChange, { readonly put: unknown }>;

/** Position of an entry in the order by time. */
type Place = readonly [createdAtMs: number, id: string];

/**
 * One person's entries in recall, or in the archive: files, and an index that follows them. Contract: the caller makes
 * one change at a time.
 */
export interface EntryFolder {
  readonly index: KeywordIndex;
  /** Estimated memory use in bytes. */
  readonly bytes: number;
  readonly problems: Iterable<FileProblem>;
  /** Ids of files that the store failed to read, but may read later. */
  readonly unread: readonly string[];
  /** Times of creation and ids of the entries, newest first. */
  newestFirst(): readonly Place[];
  /** Returns the id for a key of this folder; `undefined` for other keys. */
  idOf(key: string): string | undefined;
  keyOf(id: string): string;
  read(id: string): Promise<FoundEntry | undefined>;
  /** Writes the file. Contract: pass the result to `note`. @throws {ConflictError} When the file has another version. */
  write(file: EntryFile, expect: Version | null | undefined): Promise<Written>;
  /** Applies changes to the index, then appends them to its log. */
  note(changes: readonly IndexChange[]): Promise<void>;
  /** Reads files that may have changed, and notes their changes. */
  refresh(ids: readonly string[]): Promise<void>;
  /** Ids of files whose version differs from the index. */
  changed(): Promise<readonly string[]>;
  /** Seals the index when enough has changed, or on request. `purge`: no data of removed entries remains in it. */
  seal(options?: { readonly now?: boolean; readonly purge?: boolean }): Promise<void>;
  /** Whether the index was built from the files just now, not loaded. */
  readonly wasBuilt: boolean;
  readonly files: IndexFiles;
}

export interface EntryFolderParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly yaml: Platform["yaml"];
  readonly userId: string;
  readonly folder: "entries" | "archive";
  readonly files: IndexFiles;
  createIndex(): KeywordIndex;
  /** Called for damage that was not known before. */
  onProblem(problem: FileProblem): void;
  /** Called when the index could not be written; it is rebuildable. */
  onUnwritten(cause: unknown): void;
}

/** Changes since the last seal that justify the next. */
const SEAL_AT = 256;
const READ_AT_ONCE = 32;
const APPEND_AT_ONCE = 256;
/** Version of a file that the store could not read. */
const UNREAD = "";
/** Approximate bytes of an entry in the map of versions. */
const BYTES_PER_ENTRY = 160;

/** Loads a folder from its index, or from the files. A loaded index serves at once; the caller compares it with `changed()`. */
export async function openEntryFolder(parts: EntryFolderParts): Promise<EntryFolder> {
  const { store, clock, yaml, userId, folder, files, onProblem, onUnwritten } = parts;
  const prefix = `${storeKey("memory", userId, folder)}/`;
  const damaged = new Map<string, { readonly version: Version | undefined; readonly problem: FileProblem }>();
  const found = await files.load();
  const index = found ?? parts.createIndex();
  /** Versions of files as the index knows them; read from the index on the first comparison. */
  const versions = new Map<string, Version>();
  let allVersions = found === undefined;
  let order: readonly Place[] | undefined;
  /** Ids that changed since `order` was sorted. */
  const moved = new Set<string>();

  /** Keys of ids that `storeKey` would write in another way: `100%.md`. */
  const oddKeys = new Map<string, string>();

  const keyOf = (id: string) => oddKeys.get(id) ?? prefix + storeKey(`${id}.md`);

  function idOf(key: string): string | undefined {
    if (!key.startsWith(prefix) || !key.endsWith(".md")) return undefined;
    const name = key.slice(prefix.length, -".md".length);
    const [id = ""] = name.includes("/") ? [] : keySegments(name);
    if (id === "") return undefined;
    if (storeKey(id) !== name) oddKeys.set(id, key);
    return id;
  }

  const problemAt = (id: string, line: number, message: string): FileProblem => ({
    userId,
    key: keyOf(id),
    line,
    message,
  });

  async function read(id: string): Promise<FoundEntry | undefined> {
    const document = await store.get(keyOf(id));
    if (document === null) return undefined;
    const { value, version } = document;
    if (typeof value !== "string") return { version, problem: problemAt(id, 1, "expected a text file in UTF-8") };
    if (id.length > MAX_ID_CHARS)
      return { version, problem: problemAt(id, 1, `expected a name of at most ${MAX_ID_CHARS} characters`) };
    const read = (fileTimeMs: number) => readEntryFile(value, { userId, id, fileTimeMs }, yaml);
    let file = read(0);
    if ("entry" in file && file.isDatedByFile) file = read(await fileTimeMs(id));
    return "entry" in file ? { version, file } : { version, problem: problemAt(id, file.line, file.message) };
  }

  /** Time of a file: from the store, else when it was first seen. */
  async function fileTimeMs(id: string): Promise<number> {
    const modifiedAt = await store.modifiedAt?.(keyOf(id));
    return modifiedAt?.getTime() ?? index.get(id)?.createdAtMs ?? clock.now();
  }

  /** Reads a file; one that the store cannot read counts as damaged, of unknown version. */
  async function tryRead(id: string): Promise<FoundEntry | undefined> {
    try {
      return await read(id);
    } catch (cause) {
      return { version: UNREAD, problem: problemAt(id, 1, `expected a file that can be read: ${messageOf(cause)}`) };
    }
  }

  function versionKnown(id: string): Version | undefined {
    const version = versions.get(id);
    if (version !== undefined || allVersions) return version;
    const document = index.get(id);
    if (document === undefined) return undefined;
    const read = versionOf(document);
    versions.set(id, read);
    return read;
  }

  function noteDamage(id: string, { version, problem }: { version: Version; problem: FileProblem }): void {
    const before = damaged.get(id);
    damaged.set(id, { version, problem });
    if (before?.version !== version || before.problem.message !== problem.message) onProblem(problem);
  }

  async function note(changes: readonly IndexChange[]): Promise<void> {
    if (changes.length === 0) return;
    for (const change of changes) {
      if ("put" in change) {
        index.add(change.put);
        versions.set(change.put.id, versionOf(change.put));
        damaged.delete(change.put.id);
        moved.add(change.put.id);
      } else {
        index.remove(change.gone);
        versions.delete(change.gone);
        moved.add(change.gone);
      }
    }
    try {
      for (let at = 0; at < changes.length; at += APPEND_AT_ONCE)
        await files.append(changes.slice(at, at + APPEND_AT_ONCE));
    } catch (cause) {
      onUnwritten(cause);
    }
  }

  async function changesOf(ids: readonly string[]): Promise<IndexChange[]> {
    const changes: IndexChange[] = [];
    for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
      const part = ids.slice(at, at + READ_AT_ONCE);
      const reads = await Promise.all(part.map(tryRead));
      for (const [place, id] of part.entries()) {
        const one = reads[place];
        const known = index.get(id);
        if (one?.file !== undefined) {
          if (known === undefined || versionOf(known) !== one.version)
            changes.push({ put: documentOf(one.file, one.version, folder === "archive") });
          damaged.delete(id);
          continue;
        }
        if (one === undefined) damaged.delete(id);
        else noteDamage(id, one);
        if (known !== undefined) changes.push({ gone: id });
      }
    }
    return changes;
  }

  async function* keysOfFiles(): AsyncGenerator<{ id: string; version: Version }> {
    for await (const { key, version } of store.list(prefix)) {
      const id = idOf(key);
      if (id !== undefined) yield { id, version };
    }
  }

  async function changed(): Promise<readonly string[]> {
    const seen = new Set<string>();
    const ids: string[] = [];
    for await (const { id, version } of keysOfFiles()) {
      seen.add(id);
      if (versionKnown(id) !== version && damaged.get(id)?.version !== version) ids.push(id);
    }
    for (const id of allVersions ? versions.keys() : index.ids()) if (!seen.has(id)) ids.push(id);
    allVersions = true;
    for (const id of damaged.keys()) if (!seen.has(id)) ids.push(id);
    return ids;
  }

  if (found === undefined) {
    const ids: string[] = [];
    for await (const { id } of keysOfFiles()) ids.push(id);
    for (const change of await changesOf(ids)) {
      if (!("put" in change)) continue;
      index.add(change.put);
      versions.set(change.put.id, versionOf(change.put));
    }
  }

  return {
    index,
    files,
    wasBuilt: found === undefined,
    get bytes() {
      return index.bytes + versions.size * BYTES_PER_ENTRY;
    },
    get unread() {
      return [...damaged].flatMap(([id, { version }]) => (version === UNREAD ? [id] : []));
    },
    get problems() {
      return [...damaged.values()].map(({ problem }) => problem);
    },
    newestFirst() {
      if (order !== undefined && moved.size === 0) return order;
      const kept = order?.filter(([, id]) => !moved.has(id)) ?? [];
      for (const id of order === undefined ? index.ids() : moved) {
        const document = index.get(id);
        if (document) kept.push([document.createdAtMs, id]);
      }
      moved.clear();
      order = kept.sort(([a, x], [b, y]) => b - a || (x < y ? 1 : -1));
      return order;
    },
    idOf,
    keyOf,
    read,
    async write(file, expect) {
      const key = keyOf(file.entry.id);
      const version = await store.put(key, writeEntryFile(file), expect === undefined ? {} : { expect });
      return { put: documentOf(file, version, folder === "archive") };
    },
    note,
    refresh: async (ids) => note(await changesOf(ids)),
    changed,
    async seal({ now = false, purge = false } = {}) {
      if (!now && !purge && files.logged < SEAL_AT) return;
      try {
        await files.seal(index, { purge });
      } catch (cause) {
        onUnwritten(cause);
      }
    },
  };
}

/** Refuses to change an entry whose file cannot be read. */
export function refuseDamaged({ key, line, message }: FileProblem): never {
  throw new AssistantError(
    "CONFLICT",
    `Cannot change ${JSON.stringify(key)} as it is damaged, line ${line}: ${message}; repair the file, or remove it`,
  );
}
