import { AssistantError, ConflictError, messageOf } from "../errors.ts";
import { type UnstorageDriver, type UnstorageStorage, isUnstorage } from "./is-unstorage.ts";
import { createKeyOrder, type KeyOrder } from "./key-order.ts";
import type { AppendOptions, LogRecord, ReadOptions, Store, StoreCaps, Version } from "./port.ts";
import { type Platform, REMEDIES } from "../platform.ts";
import { refuseNewer } from "./read-document.ts";
import { createTurns } from "./turns.ts";
import {
  documentName,
  entryName,
  idName,
  logName,
  parseEntryName,
  parseName,
  type EntryName,
} from "./unstorage-key.ts";
import { decodeValue, encodeValue, type ValueKind } from "./value.ts";

/** Options of `unstorageStore`. */
export interface UnstorageStoreOptions {
  /** `createStorage` of unstorage, for a driver in a bundle (Workers), where the library is not loaded on demand. */
  readonly createStorage?: (options: { driver: never }) => unknown;
  /** Called for each log entry that cannot be read. The entry is skipped and left in place. Default: no call. */
  readonly onDamage?: (message: string) => void;
}

/** Version of the item format. */
const FORMAT = 1;

/**
 * Drivers whose reads may be a minute old, or that several machines write. A sequence number that one process assigns
 * can exist twice.
 */
const EVENTUAL = /^cloudflare-kv|^netlify-blobs|^vercel-(blob|runtime-cache)/;

/** The part of a log that is known without reading it: its entries in order, and the names of their ids. */
interface LogIndex {
  readonly entries: EntryName[];
  readonly ids: Map<string, number>;
  lastSeq: number;
  /** A write failed and may still have taken place, so the log is listed again before its next use. */
  doubtful: boolean;
}
type DocumentIndex = { version: Version | undefined };

/**
 * A store over any unstorage `Storage` or driver, for one process: each append is an item of its own, and
 * compare-and-set works within this process only. The driver decides what a crash or a power loss leaves. unstorage's
 * own fs driver writes in place and can tear files, so prefer `fsStore`.
 *
 * The first use lists all names once. `close()` disposes a driver; the owner of a `Storage` disposes it.
 *
 * Source: docs/storage.md, "Any unstorage driver".
 *
 * @throws {TypeError} If the argument is neither a `Storage` nor a driver, or is a driver that cannot write.
 */
export function unstorageStore(
  backend: UnstorageStorage | UnstorageDriver,
  options: UnstorageStoreOptions,
  load: Platform["load"],
): Store {
  if (!isUnstorage(backend))
    throw new TypeError("Cannot make a store as this is neither a Storage nor a driver of unstorage");
  const driver = "mount" in backend ? undefined : backend;
  if (driver !== undefined && (driver.setItem === undefined || driver.removeItem === undefined)) {
    throw new TypeError(`Cannot make a store as the unstorage driver ${driver.name ?? "given"} is read-only`);
  }
  const name = driver?.name ?? ("mount" in backend ? backend.getMount?.("").driver.name : undefined) ?? "";
  const caps: StoreCaps = {
    replace: "in-place",
    append: "per-entry",
    cas: EVENTUAL.test(name) ? "none" : "process",
    durable: "none",
  };

  const items = createItems(backend, options.createStorage, load);
  const inTurn = createTurns();
  let opening: Promise<Index> | undefined;

  /**
   * Returns the index of the whole storage. A store without compare-and-set lists again on each call, because others
   * write too.
   */
  function open(): Promise<Index> {
    if (caps.cas === "none") return listAll(items);
    opening ??= listAll(items).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  function refuseWithoutCas(what: string): void {
    if (caps.cas !== "none") return;
    throw new AssistantError(
      "STORE_UNSUITABLE",
      `The unstorage driver ${name} cannot ${what} as its reads may be stale: use a Durable Object on Cloudflare Workers (durableObjectStore), elsewhere fsStore, sqliteStore or redisStore`,
    );
  }

  async function logAt(index: Index, key: string): Promise<LogIndex | undefined> {
    const known = index.logs.get(key);
    if (known?.doubtful !== true) return known;
    const found = newLog();
    for (const item of await items.keys(logName(key))) {
      const parsed = parseName(item);
      if (parsed?.key === key && parsed.entry !== undefined) addEntry(found, parsed.entry);
    }
    finishLog(found);
    if (found.lastSeq === 0) index.forget(key);
    else index.logs.set(key, found);
    return found.lastSeq === 0 ? undefined : found;
  }

  return {
    caps,

    get(key) {
      // Queued behind writes: during a write, a driver that writes in place shows readers a partial item.
      return inTurn(key, async () => {
        const found = await items.document(key);
        if (found !== null) return found;
        if (caps.cas !== "none" && (await logAt(await open(), key)) !== undefined) throw notADocument(key);
        return null;
      });
    },

    put(key, value, { expect } = {}) {
      return inTurn(key, async () => {
        const { kind, data } = encodeValue(value);
        if (expect !== undefined) refuseWithoutCas("compare and set");
        const index = caps.cas === "none" ? undefined : await open();
        if (index !== undefined && (await logAt(index, key)) !== undefined) throw notADocument(key);
        if (expect !== undefined) {
          const actual = (await items.document(key))?.version ?? null;
          if (actual !== expect) throw conflict(`put ${JSON.stringify(key)}`, expect, actual);
        }
        const version = crypto.randomUUID();
        await items.set(documentName(key), {
          v: 1,
          kind,
          version,
          data: typeof data === "string" ? data : toBase64(data),
        });
        index?.remember(key, { version });
        return version;
      });
    },

    remove(key, { expect } = {}) {
      return inTurn(key, async () => {
        if (expect !== undefined) refuseWithoutCas("compare and set");
        const index = await open();
        const log = await logAt(index, key);
        if (expect !== undefined) {
          const actual =
            log?.lastSeq ?? (await items.document(key))?.version ?? (typeof expect === "number" ? 0 : null);
          if (actual !== expect) throw conflict(`remove ${JSON.stringify(key)}`, expect, actual);
        }
        if (log === undefined) await items.remove(documentName(key));
        else {
          log.doubtful = true;
          // The newest entry first: a crash then leaves a shorter log, not one with a hole.
          for (const entry of log.entries.toReversed()) await items.remove(`${logName(key)}:${entryName(entry)}`);
        }
        index.forget(key);
      });
    },

    async *list(prefix, { after, limit = Infinity } = {}) {
      const index = await open();
      let count = 0;
      for (const key of index.order.under(prefix, after)) {
        if (count >= limit) return;
        const log = await logAt(index, key);
        const version =
          log === undefined
            ? (index.documents.get(key)?.version ?? (await inTurn(key, () => items.document(key)))?.version)
            : String(log.lastSeq);
        if (version === undefined) continue;
        if (log === undefined) index.documents.set(key, { version });
        count++;
        yield { key, version };
      }
    },

    append(key: string, record: LogRecord | readonly LogRecord[], { expectSeq, id }: AppendOptions = {}) {
      return inTurn(key, async () => {
        refuseWithoutCas("keep logs");
        const records = Array.isArray(record) ? record : [record];
        const index = await open();
        if (index.documents.has(key))
          throw new TypeError(`Cannot use ${JSON.stringify(key)} as a log as it is a document`);
        const log = (await logAt(index, key)) ?? newLog();
        const idPart = id === undefined ? "" : await idName(id);
        const known = log.ids.get(idPart);
        if (known !== undefined) return { seq: known, duplicate: true };
        if (expectSeq !== undefined && expectSeq !== log.lastSeq)
          throw conflict(`append to ${JSON.stringify(key)}`, expectSeq, log.lastSeq);
        if (records.length === 0)
          throw new RangeError(`Cannot append to ${JSON.stringify(key)} as the list of records is empty`);
        const entry: EntryName = { lastSeq: log.lastSeq + records.length, count: records.length, id: idPart };
        try {
          await items.set(`${logName(key)}:${entryName(entry)}`, { v: FORMAT, records: JSON.stringify(records) });
        } catch (error) {
          index.rememberLog(key, Object.assign(log, { doubtful: true }));
          throw error;
        }
        log.entries.push(entry);
        if (idPart !== "") log.ids.set(idPart, entry.lastSeq);
        log.lastSeq = entry.lastSeq;
        index.rememberLog(key, log);
        return { seq: entry.lastSeq, duplicate: false };
      });
    },

    async *read(key: string, { after = 0, limit = Infinity, last = Infinity }: ReadOptions = {}) {
      const log = caps.cas === "none" ? undefined : await logAt(await open(), key);
      if (log === undefined) return;
      const from = Math.max(after, log.lastSeq - last);
      const until = Math.min(log.lastSeq, from + limit);
      // A copy, because a removal empties the list while a reader uses it.
      for (const entry of log.entries.slice(firstEntryAfter(log.entries, from))) {
        const start = entry.lastSeq - entry.count + 1;
        if (start > until) return;
        const item = `${logName(key)}:${entryName(entry)}`;
        const records = await items.records(item);
        if (records === undefined)
          options.onDamage?.(`The entry ${item} of the log ${key} cannot be read and was skipped`);
        for (const [offset, record] of (records ?? []).entries()) {
          const seq = start + offset;
          if (seq > from && seq <= until) yield { seq, record };
        }
      }
    },

    async lastSeq(key) {
      return caps.cas === "none" ? 0 : ((await logAt(await open(), key))?.lastSeq ?? 0);
    },

    async close() {
      await inTurn.idle();
      await driver?.dispose?.();
    },
  };
}

const notADocument = (key: string) => new TypeError(`Cannot use ${JSON.stringify(key)} as a document as it is a log`);

const conflict = (action: string, expected: Version | number | null, actual: Version | number | null) =>
  new ConflictError(`Cannot ${action}: expected ${expected}, found ${actual}`, actual);

type Index = Awaited<ReturnType<typeof listAll>>;

/** Lists every key of the storage. */
async function listAll(items: Items) {
  const documents = new Map<string, DocumentIndex>();
  const logs = new Map<string, LogIndex>();
  const order: KeyOrder = createKeyOrder();
  for (const item of await items.keys("")) {
    const parsed = parseName(item);
    if (parsed === undefined) continue;
    if (parsed.entry === undefined) {
      documents.set(parsed.key, { version: undefined });
      continue;
    }
    const log = logs.get(parsed.key) ?? newLog();
    logs.set(parsed.key, log);
    addEntry(log, parsed.entry);
  }
  for (const log of logs.values()) finishLog(log);
  for (const key of [...documents.keys(), ...logs.keys()].sort()) order.add(key);
  return {
    documents,
    logs,
    order,
    remember(key: string, document: DocumentIndex): void {
      documents.set(key, document);
      order.add(key);
    },
    rememberLog(key: string, log: LogIndex): void {
      logs.set(key, log);
      order.add(key);
    },
    forget(key: string): void {
      documents.delete(key);
      logs.delete(key);
      order.remove(key);
    },
  };
}

const newLog = (): LogIndex => ({ entries: [], ids: new Map(), lastSeq: 0, doubtful: false });

function addEntry(log: LogIndex, name: string): void {
  const entry = parseEntryName(name);
  if (entry !== undefined) log.entries.push(entry);
}

function finishLog(log: LogIndex): void {
  log.entries.sort((a, b) => a.lastSeq - b.lastSeq);
  for (const { id, lastSeq } of log.entries) if (id !== "") log.ids.set(id, lastSeq);
  log.lastSeq = log.entries.at(-1)?.lastSeq ?? 0;
}

function firstEntryAfter(entries: readonly EntryName[], seq: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entries[middle] as EntryName).lastSeq <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Items = ReturnType<typeof createItems>;

/**
 * Reads and writes items. Items are always objects of strings and numbers, because unstorage parses a bare string
 * that looks like JSON or a number. Some drivers return the error of a failed read as its value; it is thrown here,
 * so that no caller takes it for a document.
 */
function createItems(
  backend: UnstorageStorage | UnstorageDriver,
  createStorage: UnstorageStoreOptions["createStorage"],
  load: Platform["load"],
) {
  let storage: Promise<UnstorageStorage> | undefined;
  const opened = () => (storage ??= "mount" in backend ? Promise.resolve(backend) : storageOf(backend));

  async function storageOf(driver: UnstorageDriver): Promise<UnstorageStorage> {
    const create = createStorage ?? (await load("unstorage"))?.createStorage;
    if (!create) throw new Error(`a bundle takes no driver: ${REMEDIES.unstorage}`);
    return create({ driver: driver as never }) as UnstorageStorage;
  }

  async function run<T>(action: string, work: (storage: UnstorageStorage) => Promise<T>): Promise<T> {
    let result: T;
    try {
      result = await work(await opened());
    } catch (cause) {
      throw unavailable(action, cause);
    }
    if (result instanceof Error) throw unavailable(action, result);
    return result;
  }

  const fields = (item: unknown) =>
    typeof item === "object" && item !== null ? (item as Record<string, unknown>) : {};

  return {
    set: (name: string, item: Record<string, string | number>) => run(`write ${name}`, (to) => to.setItem(name, item)),
    remove: (name: string) => run(`remove ${name}`, (from) => from.removeItem(name)),
    keys: (base: string) => run(`list ${base}`, (of) => of.getKeys(base)),

    async document(key: string) {
      const item = await run(`read ${key}`, (from) => from.getItem(documentName(key)));
      if (item === null || item === undefined) return null;
      const { v, kind, version, data } = fields(item);
      refuseNewer(v, FORMAT, key);
      if (
        v !== FORMAT ||
        typeof version !== "string" ||
        typeof data !== "string" ||
        !(kind === "text" || kind === "json" || kind === "bytes")
      ) {
        throw new AssistantError(
          "STORE_UNSUITABLE",
          `Cannot read ${key}: the item is damaged or was not written by this version; restore it from a backup or remove it`,
        );
      }
      return { value: decodeValue(kind satisfies ValueKind, kind === "bytes" ? fromBase64(data) : data), version };
    },

    /** Returns the records of a log entry, or `undefined` if the entry is damaged. */
    async records(name: string): Promise<LogRecord[] | undefined> {
      const { v, records } = fields(await run(`read ${name}`, (from) => from.getItem(name)));
      refuseNewer(v, FORMAT, name);
      if (v !== FORMAT || typeof records !== "string") return undefined;
      try {
        return JSON.parse(records) as LogRecord[];
      } catch {
        return undefined;
      }
    },
  };
}

function unavailable(action: string, cause: unknown): AssistantError {
  return new AssistantError("STORE_UNAVAILABLE", `The unstorage backend could not ${action}: ${messageOf(cause)}`, {
    cause,
  });
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  // Spreading all bytes of a large value at once would overflow the stack.
  for (let start = 0; start < bytes.length; start += 8192)
    binary += String.fromCharCode(...bytes.subarray(start, start + 8192));
  return btoa(binary);
}

function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
