import { ConflictError } from "../errors.ts";
import { createKeyOrder } from "./key-order.ts";
import type { AppendOptions, AppendResult, LogRecord, ReadOptions, Store, Value, Version } from "./port.ts";
import { decodeValue, encodeValue, type EncodedValue } from "./value.ts";

interface Document {
  readonly encoded: EncodedValue;
  readonly version: Version;
}

/** `records[0]` has seq 1. `ids` is created with the first id. */
interface Log {
  readonly records: LogRecord[];
  ids: Map<string, number> | undefined;
}

/**
 * A store in this process's memory, lost when the process ends: for tests, trials and caches.
 *
 * A document is copied in and out. A log record is not, so that an append costs no copy: the store keeps that very
 * object and hands it to readers, and neither side may change it afterwards (its type is read-only).
 *
 * Source: docs/storage.md, "What each store guarantees".
 */
export function memoryStore(): Store {
  const entries = new Map<string, Document | Log>();
  const order = createKeyOrder();
  let versions = 0;

  function documentAt(key: string): Document | undefined {
    const entry = entries.get(key);
    if (entry !== undefined && "records" in entry)
      throw new TypeError(`Cannot use ${JSON.stringify(key)} as a document as it is a log`);
    return entry;
  }

  function logAt(key: string): Log | undefined {
    const entry = entries.get(key);
    if (entry !== undefined && !("records" in entry))
      throw new TypeError(`Cannot use ${JSON.stringify(key)} as a log as it is a document`);
    return entry;
  }

  return {
    caps: { replace: "atomic", append: "native", cas: "process", durable: "none" },

    async get(key) {
      const document = documentAt(key);
      if (document === undefined) return null;
      const { kind, data } = document.encoded;
      return { value: kind === "bytes" ? data.slice() : decodeValue(kind, data), version: document.version };
    },

    async put(key: string, value: Value, options: { expect?: Version | null } = {}) {
      const encoded = encodeValue(value);
      const document = documentAt(key);
      const actual = document?.version ?? null;
      if (options.expect !== undefined && options.expect !== actual) {
        throw new ConflictError(
          `Cannot put ${JSON.stringify(key)}: expected version ${options.expect}, found ${actual}`,
          actual,
        );
      }
      if (document === undefined) order.add(key);
      const version = String(++versions);
      entries.set(key, {
        encoded: encoded.kind === "bytes" ? { kind: "bytes", data: encoded.data.slice() } : encoded,
        version,
      });
      return version;
    },

    async remove(key, options = {}) {
      const entry = entries.get(key);
      if (options.expect !== undefined) {
        const actual = stateOf(entry, options.expect);
        if (options.expect !== actual)
          throw new ConflictError(
            `Cannot remove ${JSON.stringify(key)}: expected ${options.expect}, found ${actual}`,
            actual,
          );
      }
      if (entries.delete(key)) order.remove(key);
    },

    async *list(prefix, options = {}) {
      const { after, limit = Infinity } = options;
      let count = 0;
      for (const key of order.under(prefix, after)) {
        if (count++ >= limit) return;
        const entry = entries.get(key);
        if (entry !== undefined) {
          yield { key, version: "records" in entry ? String(entry.records.length) : entry.version };
        }
      }
    },

    async append(
      key: string,
      record: LogRecord | readonly LogRecord[],
      options?: AppendOptions,
    ): Promise<AppendResult> {
      let log = logAt(key);
      if (options !== undefined) {
        const known = options.id === undefined ? undefined : log?.ids?.get(options.id);
        if (known !== undefined) return { seq: known, duplicate: true };
        const last = log?.records.length ?? 0;
        if (options.expectSeq !== undefined && options.expectSeq !== last) {
          throw new ConflictError(
            `Cannot append to ${JSON.stringify(key)}: expected seq ${options.expectSeq}, found ${last}`,
            last,
          );
        }
      }
      const several = isList(record);
      if (several && record.length === 0)
        throw new RangeError(`Cannot append to ${JSON.stringify(key)} as the list of records is empty`);
      if (log === undefined) {
        log = { records: [], ids: undefined };
        entries.set(key, log);
        order.add(key);
      }
      if (several) for (const each of record) log.records.push(each);
      else log.records.push(record);
      const seq = log.records.length;
      if (options?.id !== undefined) (log.ids ??= new Map()).set(options.id, seq);
      return { seq, duplicate: false };
    },

    async *read(key: string, options: ReadOptions = {}) {
      const records = logAt(key)?.records ?? [];
      const end = records.length;
      const { after = 0, limit = Infinity, last = Infinity } = options;
      const start = Math.max(0, after, end - last);
      for (let index = start; index < end && index - start < limit; index++) {
        const record = records[index];
        if (record !== undefined) yield { seq: index + 1, record };
      }
    },

    async lastSeq(key) {
      return logAt(key)?.records.length ?? 0;
    },

    async close() {},
  };
}

const isList = (record: LogRecord | readonly LogRecord[]): record is readonly LogRecord[] => Array.isArray(record);

/**
 * Returns what a conditional remove compares with: a log's last seq, a document's version; for a missing key 0 if a
 * seq was expected, otherwise `null`.
 */
function stateOf(entry: Document | Log | undefined, expected: Version | number): Version | number | null {
  if (entry === undefined) return typeof expected === "number" ? 0 : null;
  return "records" in entry ? entry.records.length : entry.version;
}
