import { type JsonValue, type LogRecord, type Store, listKeys, storeKey } from "../store/index.ts";
import type { IndexManifest, IndexedDocument, KeywordIndex } from "./keyword/types.ts";

/** Makes indexes, and opens what was sealed. */
export interface KeywordIndexes {
  /** Of the format and the tokeniser. */
  readonly version: number;
  create(): KeywordIndex;
  /** @throws For segments that are damaged or do not belong to the manifest. */
  open(manifest: IndexManifest, bytesOf: (name: string) => Uint8Array | undefined): KeywordIndex;
}

/** What happened to an entry of an index. */
export type IndexChange = { readonly put: IndexedDocument } | { readonly gone: string };

/** Where an index is kept: rebuildable, so that nothing here must survive, and whatever does is right or is recognised. */
export interface IndexFiles {
  /** `undefined`: there is none that can be used. What it lacks is found by comparing it with the files. */
  load(): Promise<KeywordIndex | undefined>;
  /** Adds to the log what changed since the last seal. */
  append(changes: readonly IndexChange[]): Promise<void>;
  /** How many changes the log has. */
  readonly logged: number;
  /** Writes segments, then the manifest that names them and a new log, then removes what neither needs. `purge`: nothing of removed entries remains. */
  seal(index: KeywordIndex, options?: { readonly purge: boolean }): Promise<void>;
  /** Removes what a crash left behind. */
  tidy(): Promise<void>;
  /** Removes everything. */
  clear(): Promise<void>;
}

/** The format of the manifest and of the log. */
const FORMAT = 1;

interface Manifest {
  readonly v: number;
  /** Which log goes on from here. */
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
  /** Sealed, and not yet written since the store failed. */
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

  /** `null`: nothing was sealed. `undefined`: what was sealed cannot be used. */
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
    // Without a manifest the first log would be taken for the whole.
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
        // Damaged: it is built anew. A store that fails says so when the files are read.
      }
      if (index === undefined) return undefined;
      let isOurs = false;
      for await (const { record } of store.read(logKey(log))) {
        if (isOurs) {
          logged++;
          apply((index ??= indexes.create()), record);
        } else if (record["v"] === indexes.version) isOurs = true;
        // Of another version, whose entries may lack what is looked for in this one.
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

/** A line that cannot be applied is left out: comparing with the files finds what it was about. */
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
