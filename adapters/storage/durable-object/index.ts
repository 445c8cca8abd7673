/**
 * A store inside a Cloudflare Durable Object, on its SQLite storage: `durableObjectStore(state)`.
 *
 * @module
 */
import { AssistantError, ConflictError } from "../../../mod.ts";
import {
  decodeOrderedKey,
  decodeValue,
  encodeOrderedKey,
  encodeValue,
  messageOf,
  orderedKeyRange,
  type LogRecord,
  type ValueKind,
  type Version,
  type Store,
} from "../../../kit.ts";

type SqlValue = ArrayBuffer | string | number | null;
type Row = Record<string, SqlValue>;

/** The part of a Durable Object's state that the store uses. The class must be one of `new_sqlite_classes`. */
export interface DurableObjectStateWithSql {
  /** The object's own SQLite database. */
  readonly storage: {
    /** Runs one statement with its `?` bound in order, and returns its rows. */
    readonly sql: { exec(query: string, ...bindings: SqlValue[]): Iterable<Row> };
    /** Runs `work` as one transaction. An error in it reverts all of its writes. */
    transactionSync<T>(work: () => T): T;
  };
}

/**
 * A row may hold 2 MB: https://developers.cloudflare.com/durable-objects/platform/limits/. A larger text or record is
 * stored in parts of this many bytes.
 */
const PART_BYTES = 1_000_000;
/** Longest text that certainly fits into one row: a code unit takes at most three bytes. */
const MAX_TEXT = PART_BYTES / 2;
/** Most bytes that one read of a log brings into memory. */
const PAGE_BYTES = 500_000;
const LIST_PAGE = 200;

// One row a key: `kind` is `log` or a document's kind of value. Log records and documents are stored in parts, as text
// when one part is enough.
const FORMAT = 1;
const SCHEMA = [
  "CREATE TABLE IF NOT EXISTS wakeful_format (version INTEGER NOT NULL)",
  "CREATE TABLE IF NOT EXISTS wakeful_keys (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, version TEXT, last INTEGER NOT NULL)",
  "CREATE TABLE IF NOT EXISTS wakeful_documents (id INTEGER, part INTEGER, data, PRIMARY KEY (id, part)) WITHOUT ROWID",
  "CREATE TABLE IF NOT EXISTS wakeful_records (id INTEGER, seq INTEGER, part INTEGER, data, PRIMARY KEY (id, seq, part)) WITHOUT ROWID",
  "CREATE TABLE IF NOT EXISTS wakeful_append_ids (id INTEGER, append_id TEXT, seq INTEGER NOT NULL, PRIMARY KEY (id, append_id)) WITHOUT ROWID",
];

interface Entry {
  readonly id: number;
  readonly kind: ValueKind | "log";
  readonly version: Version;
  readonly last: number;
}

/**
 * Documents and logs in the object's own database. The platform's output gate holds back answers and requests until
 * earlier writes are durable, so a resolved write needs no waiting. Compare-and-set holds for every client, since all
 * of them go through this one object.
 *
 * Source: docs/storage.md, "Durable Object".
 *
 * @throws {TypeError} If the object's class has no SQLite storage. {AssistantError} `FORMAT_TOO_NEW` for data that a
 *   newer version wrote.
 */
export function durableObjectStore(state: DurableObjectStateWithSql): Store {
  const { storage } = state;
  const exec = (query: string, ...bindings: SqlValue[]): Row[] => [...storage.sql.exec(query, ...bindings)];
  try {
    for (const statement of SCHEMA) exec(statement);
  } catch (cause) {
    throw new TypeError(
      "Cannot use this Durable Object's storage: list its class under new_sqlite_classes in the Wrangler configuration",
      { cause },
    );
  }

  const format = (exec("SELECT version FROM wakeful_format")[0]?.["version"] ?? null) as number | null;
  if (format === null) exec("INSERT INTO wakeful_format VALUES (?)", FORMAT);
  else if (format > FORMAT) {
    throw new AssistantError(
      "FORMAT_TOO_NEW",
      `The data in this Durable Object has format ${format} and this version knows ${FORMAT}: deploy a newer wakeful`,
    );
  }

  /** Runs `work` as one transaction. An error in it reverts everything. */
  function run<T>(action: string, work: () => T): T {
    try {
      return storage.transactionSync(work);
    } catch (cause) {
      if (AssistantError.is(cause) || cause instanceof TypeError || cause instanceof RangeError) throw cause;
      const message = messageOf(cause);
      if (/SQLITE_FULL|storage.*(limit|full)/i.test(message)) {
        throw new AssistantError("STORE_FULL", `The Durable Object has no room left to ${action}: remove data`, {
          cause,
        });
      }
      throw new AssistantError("STORE_UNAVAILABLE", `The Durable Object's storage could not ${action}: ${message}`, {
        cause,
      });
    }
  }

  function entryOf(key: string): Entry | undefined {
    const [row] = exec("SELECT id, kind, version, last FROM wakeful_keys WHERE key = ?", encodeOrderedKey(key));
    return row as unknown as Entry | undefined;
  }

  function documentOf(key: string): Entry | undefined {
    const entry = entryOf(key);
    if (entry?.kind === "log") throw new TypeError(`Cannot use ${JSON.stringify(key)} as a document as it is a log`);
    return entry;
  }

  function logOf(key: string): Entry | undefined {
    const entry = entryOf(key);
    if (entry !== undefined && entry.kind !== "log")
      throw new TypeError(`Cannot use ${JSON.stringify(key)} as a log as it is a document`);
    return entry;
  }

  /** Reads the records after `from` that fit into a page, and at least one if there is one. */
  function page(id: number, from: number, until: number): { seq: number; record: LogRecord }[] {
    const records: { seq: number; record: LogRecord }[] = [];
    let seq = 0;
    let parts: SqlValue[] = [];
    let bytes = 0;
    const finish = () => {
      if (parts.length > 0) records.push({ seq, record: JSON.parse(textOf(parts)) as LogRecord });
      parts = [];
    };
    const rows = storage.sql.exec(
      "SELECT seq, data FROM wakeful_records WHERE id = ? AND seq > ? AND seq <= ? ORDER BY seq, part",
      id,
      from,
      until,
    );
    for (const row of rows) {
      if (row["seq"] !== seq) {
        finish();
        if (bytes > PAGE_BYTES) return records;
        seq = row["seq"] as number;
      }
      const data = row["data"] ?? "";
      parts.push(data);
      bytes += typeof data === "string" ? data.length : (data as ArrayBuffer).byteLength;
    }
    finish();
    return records;
  }

  return {
    caps: { replace: "atomic", append: "native", cas: "global", durable: "server", exclusive: true },

    async get(key) {
      return run(`read ${JSON.stringify(key)}`, () => {
        const entry = documentOf(key);
        if (entry === undefined) return null;
        const parts = exec("SELECT data FROM wakeful_documents WHERE id = ? ORDER BY part", entry.id).map(
          (row) => row["data"] ?? "",
        );
        const [only] = parts;
        const data = typeof only === "string" && parts.length === 1 ? only : bytesOf(parts);
        return { value: decodeValue(entry.kind as ValueKind, data), version: entry.version };
      });
    },

    async put(key, value, { expect } = {}) {
      const { kind, data } = encodeValue(value);
      return run(`put ${JSON.stringify(key)}`, () => {
        const entry = documentOf(key);
        const actual = entry?.version ?? null;
        if (expect !== undefined && expect !== actual) throw conflict(`put ${JSON.stringify(key)}`, expect, actual);
        const version = crypto.randomUUID();
        const [row] = exec(
          "INSERT INTO wakeful_keys (key, kind, version, last) VALUES (?, ?, ?, 0) ON CONFLICT (key) DO UPDATE SET kind = excluded.kind, version = excluded.version RETURNING id",
          encodeOrderedKey(key),
          kind,
          version,
        );
        const id = row?.["id"] as number;
        if (entry !== undefined) exec("DELETE FROM wakeful_documents WHERE id = ?", id);
        for (const [part, piece] of partsOf(data).entries())
          exec("INSERT INTO wakeful_documents (id, part, data) VALUES (?, ?, ?)", id, part, piece);
        return version;
      });
    },

    async remove(key, { expect } = {}) {
      run(`remove ${JSON.stringify(key)}`, () => {
        const entry = entryOf(key);
        if (expect !== undefined) {
          const actual =
            entry === undefined
              ? typeof expect === "number"
                ? 0
                : null
              : entry.kind === "log"
                ? entry.last
                : entry.version;
          if (actual !== expect) throw conflict(`remove ${JSON.stringify(key)}`, expect, actual);
        }
        if (entry === undefined) return;
        for (const table of ["wakeful_keys", "wakeful_documents", "wakeful_records", "wakeful_append_ids"]) {
          exec(`DELETE FROM ${table} WHERE id = ?`, entry.id);
        }
      });
    },

    async *list(prefix, { after, limit = Infinity } = {}) {
      const range = orderedKeyRange(prefix, after);
      let from = range.start;
      let comparison = range.exclusive ? ">" : ">=";
      for (let left = limit; left > 0;) {
        const count = Math.min(left, LIST_PAGE);
        const rows = run(`list ${JSON.stringify(prefix)}`, () =>
          exec(
            `SELECT key, kind, version, last FROM wakeful_keys WHERE key ${comparison} ? AND key < ? ORDER BY key LIMIT ?`,
            from,
            range.end,
            count,
          ),
        );
        for (const row of rows) {
          const { key, kind, version, last } = row as { key: string; kind: string; version: string; last: number };
          from = key;
          yield { key: decodeOrderedKey(from), version: kind === "log" ? String(last) : version };
        }
        if (rows.length < count) return;
        comparison = ">";
        left -= count;
      }
    },

    async append(key: string, record: LogRecord | readonly LogRecord[], { expectSeq, id: appendId } = {}) {
      const records = Array.isArray(record) ? record : [record];
      return run(`append to ${JSON.stringify(key)}`, () => {
        const log = logOf(key);
        const last = log?.last ?? 0;
        const idText = appendId === undefined ? undefined : encodeOrderedKey(appendId);
        if (log !== undefined && idText !== undefined) {
          const [known] = exec("SELECT seq FROM wakeful_append_ids WHERE id = ? AND append_id = ?", log.id, idText);
          if (known !== undefined) return { seq: known["seq"] as number, duplicate: true };
        }
        if (expectSeq !== undefined && expectSeq !== last)
          throw conflict(`append to ${JSON.stringify(key)}`, expectSeq, last);
        if (records.length === 0)
          throw new RangeError(`Cannot append to ${JSON.stringify(key)} as the list of records is empty`);
        const seq = last + records.length;
        const [row] = exec(
          "INSERT INTO wakeful_keys (key, kind, last) VALUES (?, 'log', ?) ON CONFLICT (key) DO UPDATE SET last = excluded.last RETURNING id",
          encodeOrderedKey(key),
          seq,
        );
        const id = row?.["id"] as number;
        for (const [index, each] of records.entries()) {
          for (const [part, piece] of partsOf(JSON.stringify(each)).entries()) {
            exec(
              "INSERT INTO wakeful_records (id, seq, part, data) VALUES (?, ?, ?, ?)",
              id,
              last + 1 + index,
              part,
              piece,
            );
          }
        }
        if (idText !== undefined)
          exec("INSERT INTO wakeful_append_ids (id, append_id, seq) VALUES (?, ?, ?)", id, idText, seq);
        return { seq, duplicate: false };
      });
    },

    async *read(key, { after = 0, limit = Infinity, last = Infinity } = {}) {
      const action = `read ${JSON.stringify(key)}`;
      const log = run(action, () => logOf(key));
      if (log === undefined) return;
      let from = Math.max(after, log.last - last);
      const until = Math.min(log.last, from + limit);
      while (from < until) {
        const records = run(action, () => page(log.id, from, until));
        yield* records;
        const newest = records.at(-1);
        if (newest === undefined) return;
        from = newest.seq;
      }
    },

    async lastSeq(key) {
      return run(`read ${JSON.stringify(key)}`, () => logOf(key)?.last ?? 0);
    },

    async close() {},
  };
}

const conflict = (action: string, expected: Version | number | null, actual: Version | number | null) =>
  new ConflictError(`Cannot ${action}: expected ${expected}, found ${actual}`, actual);

/** Splits data into the parts of its rows. A short text stays text, so that a person can read the database. */
function partsOf(data: string | Uint8Array): SqlValue[] {
  if (typeof data === "string" && data.length <= MAX_TEXT) return [data];
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  const parts: SqlValue[] = [];
  for (let start = 0; start === 0 || start < bytes.length; start += PART_BYTES)
    parts.push(bytes.slice(start, start + PART_BYTES).buffer);
  return parts;
}

function bytesOf(parts: readonly SqlValue[]): Uint8Array {
  const pieces = parts.map((part) =>
    typeof part === "string" ? new TextEncoder().encode(part) : new Uint8Array(part as ArrayBuffer),
  );
  const bytes = new Uint8Array(pieces.reduce((total, piece) => total + piece.length, 0));
  let position = 0;
  for (const piece of pieces) {
    bytes.set(piece, position);
    position += piece.length;
  }
  return bytes;
}

function textOf(parts: readonly SqlValue[]): string {
  const [only] = parts;
  return parts.length === 1 && typeof only === "string"
    ? only
    : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytesOf(parts));
}
