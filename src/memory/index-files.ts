import { type JsonValue, type LogRecord, type Store, listKeys, storeKey } from "../store/index.ts";
import type { IndexManifest, IndexedDocument, KeywordIndex } from "./keyword/types.ts";

/** Creates empty indexes and opens sealed ones. */
export interface KeywordIndexes {
  /** Version of the format and of the tokeniser. */
  readonly version: number;
  create(): KeywordIndex;
  /** @throws For segments that are damaged or do not belong to the manifest. */
  open(manifest: IndexManifest, bytesOf: (name: string) => Uint8Array | undefined): KeywordIndex;
}

/** A change of one entry in an index. */
export type IndexChange = { readonly put: IndexedDocument } | { readonly gone: string };

/**
 * Storage of an index. It is rebuildable: nothing here must survive, and whatever survives is either right or
 * recognised as unusable.
 */
export interface IndexFiles {
  /** Loads the index; `undefined` when there is no usable one. A comparison with the files finds what it lacks. */
  load(): Promise<KeywordIndex | undefined>;
  /** Appends changes since the last seal to the log. */
  append(changes: readonly IndexChange[]): Promise<void>;
  /** Number of changes in the log. */
  readonly logged: number;
  /**
   * Writes segments, then the manifest that names them and a new log, then removes what neither needs. `purge`: no data
   * of removed entries remains.
   */
  seal(index: KeywordIndex, options?: { readonly purge: boolean }): Promise<void>;
  /** Removes leftovers of a crash. */
  tidy(): Promise<void>;
  /** Removes everything. */
  clear(): Promise<void>;
}

/** Format of the manifest and of the log. */
const FORMAT = 1;

interface Manifest {
  readonly v: number;
  /** Number of the log that continues this manifest. */
  readonly log: number;
  readonly index: IndexManifest;
}

export function createIndexFiles(store: Store, base: readonly string[], indexes: KeywordIndexes): IndexFiles {
  const folder = `${storeKey(...base)}/`;
  const manifestKey = `${folder}manifest.json`;
  const logKey = (number: number) => `${folder}log-${number}.jsonl`;
  const segmentKey = (name: string) => `${folder}${storeKey(`segment-${name}`)}`;

  let log = 0;
  let logged = 0;
  let segments: ReadonlySet<string> = new Set();
  /** Sealed segments that are not written yet because the store failed. */
  const unwritten = new Map<string, Uint8Array>();

  async function readSegments(manifest: IndexManifest): Promise<ReadonlyMap<string, Uint8Array> | undefined> {
    const read = await Promise.all(manifest.segments.map(({ name }) => store.get(segmentKey(name))));
    const found = new Map<string, Uint8Array>();
    for (const [at, { name }] of manifest.segments.entries()) {
      const value = read[at]?.value;
      if (!(value instanceof Uint8Array)) return undefined;
      found.set(name, value);
    }
    return found;
  }

  /** `null`: no index was sealed. `undefined`: the sealed index is unusable. */
  async function open(): Promise<KeywordIndex | null | undefined> {
    const found = await store.get(manifestKey);
    if (found === null) return null;
    const manifest = manifestOf(found.value);
    if (manifest?.index.version !== indexes.version) return undefined;
    const read = await readSegments(manifest.index);
    if (read === undefined) return undefined;
    log = manifest.log;
    segments = new Set(read.keys());
    return indexes.open(manifest.index, (name) => read.get(name));
  }

  async function remove(keep: (key: string) => boolean): Promise<void> {
    const keys = (await listKeys(store, folder)).filter((key) => !keep(key));
    // Log 0 goes first: without a manifest it would be read as the whole index.
    const first = [logKey(0), manifestKey].filter((key) => keys.includes(key));
    for (const key of new Set([...first, ...keys])) await store.remove(key);
  }

  return {
    get logged() {
      return logged;
    },

    async load() {
      let index: KeywordIndex | null | undefined;
      try {
        index = await open();
      } catch {
        // The index is damaged and will be rebuilt. A store that fails reports it when the files are read.
      }
      if (index === undefined) return undefined;
      let isOurs = false;
      for await (const { record } of store.read(logKey(log))) {
        if (isOurs) {
          logged++;
          apply((index ??= indexes.create()), record);
        } else if (record["v"] === indexes.version) isOurs = true;
        // Another version wrote the log; its entries may lack fields that this version searches.
        else return undefined;
      }
      return index === null || (index.size === 0 && logged === 0 && segments.size === 0) ? undefined : index;
    },

    async append(changes) {
      if (changes.length === 0) return;
      const records: LogRecord[] = logged === 0 ? [{ v: indexes.version }] : [];
      for (const change of changes) records.push(change as LogRecord);
      await store.append(logKey(log), records, { flush: false });
      logged += changes.length;
    },

    async seal(index, options = { purge: false }) {
      const sealed = index.seal(options);
      for (const { name, bytes } of sealed.write) unwritten.set(name, bytes);
      const names = new Set(sealed.manifest.segments.map(({ name }) => name));
      for (const [name, bytes] of unwritten) {
        if (names.has(name)) await store.put(segmentKey(name), bytes);
        unwritten.delete(name);
      }
      const manifest: Manifest = { v: FORMAT, log: log + 1, index: sealed.manifest };
      await store.put(manifestKey, manifest as unknown as JsonValue);
      const before = { log, segments };
      log++;
      logged = 0;
      segments = names;
      await store.remove(logKey(before.log));
      for (const name of new Set([...before.segments, ...sealed.dropped]))
        if (!names.has(name)) await store.remove(segmentKey(name));
    },

    async tidy() {
      const kept = new Set([manifestKey, logKey(log), ...[...segments].map(segmentKey)]);
      await remove((key) => kept.has(key));
    },

    async clear() {
      await remove(() => false);
      log = 0;
      logged = 0;
      segments = new Set();
      unwritten.clear();
    },
  };
}

/** Applies a record of the log. Skips a damaged one: the comparison with the files finds its entry. */
function apply(index: KeywordIndex, record: LogRecord): void {
  const { put, gone } = record as { readonly put?: IndexedDocument; readonly gone?: string };
  if (typeof gone === "string") index.remove(gone);
  else if (typeof put?.id === "string" && typeof put.text === "string" && typeof put.body === "string") index.add(put);
}

function manifestOf(value: unknown): Manifest | undefined {
  const { v, log, index } = (value ?? {}) as Partial<Manifest>;
  const isOurs = v === FORMAT && typeof log === "number" && Array.isArray(index?.segments);
  return isOurs ? (value as Manifest) : undefined;
}
