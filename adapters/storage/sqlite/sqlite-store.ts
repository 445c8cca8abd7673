import { createHash, randomUUID } from "node:crypto";
import { AssistantError, ConflictError, systemClock } from "../../../mod.ts";
import {
  decodeOrderedKey,
  decodeValue,
  encodeOrderedKey,
  encodeValue,
  orderedKeyRange,
  type Store,
} from "../../../kit.ts";
import type { Clock } from "../../../mod.ts";
import type { AppendOptions, AppendResult, LogRecord, StoreCaps, Value, ValueKind, Version } from "../../../kit.ts";
import { unref } from "../../platform/process-life.ts";
import { openDriver } from "./driver.ts";
import type { Driver, Row, SqlValue } from "./driver.ts";
import { createGroupCommit } from "./group-commit.ts";
import { prepareDatabase } from "./schema.ts";
import type { Migration } from "./schema.ts";
import { sqliteError } from "./sqlite-error.ts";

/** Options of `sqliteStore`. */
export interface SqliteStoreOptions {
  /** The database file. Created if missing; its folder must exist. Several processes of one host may open it. */
  readonly path: string;
  /** Default: the system's clock. */
  readonly clock?: Pick<Clock, "now">;
}

/** A store in one SQLite file. */
export interface SqliteStore extends Store {
  /** As in `Store`: always present. Closes the database file. */
  close(): Promise<void>;
}

const CAPS: StoreCaps = { replace: "atomic", append: "native", cas: "host", durable: "fsync" };

/** Rows that `read` and `list` fetch at once: few enough that large ones fit in memory. */
const PAGE = 64;

/**
 * Opens a store in one SQLite file: `node:sqlite` on Node and Deno, `bun:sqlite` on Bun.
 *
 * Writes of one turn of the event loop share a transaction and its fsync. SQLite's calls are synchronous: a write
 * blocks the event loop until the disk has synced (well under a millisecond on a fast disk), or while another process
 * holds the write lock.
 *
 * Source: docs/storage-fs.md, "SQLite".
 *
 * @throws {AssistantError} `STORE_UNSUITABLE` when the runtime has no SQLite, `FORMAT_TOO_NEW`, `STORE_FULL`,
 *   `STORE_UNAVAILABLE`.
 */
export function sqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  return openSqliteStore(options, {});
}

/** `format` is for tests. */
export async function openSqliteStore(
  options: SqliteStoreOptions,
  internals: { format?: { current: number; migrations: readonly Migration[] } },
): Promise<SqliteStore> {
  const { path, clock = systemClock({ unref }) } = options;
  // SQLite treats an empty path as a database that is deleted when it closes.
  if (typeof path !== "string" || path.trim() === "")
    throw new AssistantError(
      "OPTION_INVALID",
      `Cannot open a SQLite store as path must be the path of a file: current value is ${JSON.stringify(path)}`,
    );
  let database: Driver | undefined;
  try {
    database = await openDriver(path);
    prepareDatabase(database, path, { now: () => clock.now(), ...internals.format });
    return storeOver(database, path, clock);
  } catch (cause) {
    database?.close();
    throw sqliteError("open", path, cause);
  }
}

function storeOver(database: Driver, path: string, clock: Pick<Clock, "now">): SqliteStore {
  const sql = prepareStatements(database);
  const group = createGroupCommit(database, (cause) => sqliteError("write", path, cause));
  let closed: Promise<void> | undefined;

  function ready(key?: string): void {
    if (closed !== undefined) {
      throw new AssistantError(
        "STORE_UNAVAILABLE",
        `Cannot use the store in ${JSON.stringify(path)}: it was closed; open it again`,
      );
    }
    if (key?.split("/").includes("") === true) {
      throw new RangeError(
        `Cannot use ${JSON.stringify(key)} as a key as it has an empty segment: make keys with storeKey()`,
      );
    }
  }

  function rows(
    statement: { all(...values: readonly SqlValue[]): readonly Row[] },
    ...values: readonly SqlValue[]
  ): readonly Row[] {
    try {
      return statement.all(...values);
    } catch (cause) {
      throw sqliteError("read", path, cause);
    }
  }

  function lastSeqOf(key: string): { log: number; last: number } | undefined {
    const row = rows(sql.log, key)[0];
    return row === undefined ? undefined : { log: Number(row["log"]), last: Number(row["last"]) };
  }

  const versionOf = (key: string): Version | null => {
    const row = rows(sql.documentVersion, key)[0];
    return row === undefined ? null : String(row["version"]);
  };

  function refuse(key: string, actual: Version | number | null, expect: Version | number | null): never {
    const said = (state: Version | number | null) =>
      state === null ? "nothing" : typeof state === "number" ? `a last seq of ${state}` : `version ${state}`;
    throw new ConflictError(
      `Cannot write ${JSON.stringify(key)}: expected ${said(expect)}, found ${said(actual)}`,
      actual,
    );
  }

  function putNow(
    key: string,
    name: string,
    value: ReturnType<typeof encodedForSql>,
    expect: Version | null | undefined,
  ): Version {
    if (lastSeqOf(name) !== undefined)
      throw new TypeError(`Cannot use ${JSON.stringify(key)} as a document: a log has that key`);
    if (expect !== undefined) {
      const actual = versionOf(name);
      if (actual !== expect) refuse(key, actual, expect);
    }
    sql.put.run(name, value.kind, value.data, value.version);
    return value.version;
  }

  function appendNow(key: string, name: string, jsons: readonly string[], options: AppendOptions): AppendResult {
    const { expectSeq, id } = options;
    const idName = id === undefined ? null : encodeOrderedKey(id);
    const found = lastSeqOf(name);
    if (found === undefined && versionOf(name) !== null) {
      throw new TypeError(`Cannot use ${JSON.stringify(key)} as a log: a document has that key`);
    }
    if (found !== undefined && idName !== null) {
      const known = rows(sql.recordById, found.log, idName)[0];
      if (known !== undefined) return { seq: Number(known["seq"]), duplicate: true };
    }
    const before = found?.last ?? 0;
    if (expectSeq !== undefined && expectSeq !== before) refuse(key, before, expectSeq);
    if (found === undefined) sql.createLog.run(name);
    const log = found?.log ?? lastSeqOf(name)?.log ?? 0;
    const t = clock.now();
    const seq = before + jsons.length;
    for (const [index, json] of jsons.entries()) {
      const own = before + 1 + index;
      // The last record carries the id: its seq answers a duplicate.
      sql.append.run(log, own, t, own === seq ? idName : null, json);
    }
    sql.setLast.run(seq, log);
    return { seq, duplicate: false };
  }

  function removeNow(key: string, name: string, expect: Version | number | undefined): void {
    const found = lastSeqOf(name);
    if (found !== undefined) {
      if (expect !== undefined && String(expect) !== String(found.last)) refuse(key, found.last, expect);
      sql.removeRecords.run(found.log);
      sql.removeLog.run(found.log);
      return;
    }
    const actual = versionOf(name);
    if (expect !== undefined && actual !== expect && !(actual === null && expect === 0)) refuse(key, actual, expect);
    sql.removeDocument.run(name);
  }

  return {
    // SQLite's name for an in-memory database of this process.
    caps: path === ":memory:" ? { ...CAPS, cas: "process", durable: "none" } : CAPS,
    async get(key) {
      ready(key);
      const name = encodeOrderedKey(key);
      const row = rows(sql.get, name)[0];
      if (row !== undefined) return { value: decodedFromSql(row), version: String(row["version"]) };
      if (lastSeqOf(name) !== undefined)
        throw new TypeError(`Cannot use ${JSON.stringify(key)} as a document: a log has that key`);
      return null;
    },
    async put(key, value, { expect } = {}) {
      ready(key);
      const name = encodeOrderedKey(key);
      const encoded = encodedForSql(value);
      return group.write(() => putNow(key, name, encoded, expect), { flush: true });
    },
    async remove(key, { expect } = {}) {
      ready(key);
      const name = encodeOrderedKey(key);
      return group.write(() => removeNow(key, name, expect), { flush: true });
    },
    async *list(prefix, { after, limit = Number.POSITIVE_INFINITY } = {}) {
      ready();
      const range = orderedKeyRange(prefix, after);
      let { start, exclusive } = range;
      for (let left = limit; left > 0;) {
        ready();
        const page = rows(exclusive ? sql.listAfter : sql.listFrom, start, range.end, Math.min(PAGE, left));
        for (const row of page) {
          yield { key: decodeOrderedKey(String(row["key"])), version: String(row["version"]) };
          start = String(row["key"]);
          left--;
        }
        if (page.length < PAGE) return;
        exclusive = true;
      }
    },
    async append(log, record, options = {}) {
      ready(log);
      const records: readonly LogRecord[] = isList(record) ? record : [record];
      if (records.length === 0)
        throw new RangeError(`Cannot append to ${JSON.stringify(log)}: expected at least one record`);
      const name = encodeOrderedKey(log);
      const jsons = records.map((one) => jsonOf(one, log));
      const { flush = true } = options;
      return group.write(() => appendNow(log, name, jsons, options), { flush });
    },
    async *read(log, options = {}) {
      ready(log);
      const { after = 0, limit = Number.POSITIVE_INFINITY, last = Number.POSITIVE_INFINITY } = options;
      const found = lastSeqOf(encodeOrderedKey(log));
      if (found === undefined) return;
      let from = Math.max(after, found.last - last);
      for (let left = limit; left > 0;) {
        ready();
        const page = rows(sql.read, found.log, from, found.last, Math.min(PAGE, left));
        for (const row of page) {
          from = Number(row["seq"]);
          left--;
          yield { seq: from, record: JSON.parse(String(row["record"])) as LogRecord }; // append wrote it
        }
        if (page.length < PAGE) return;
      }
    },
    async lastSeq(log) {
      ready(log);
      return lastSeqOf(encodeOrderedKey(log))?.last ?? 0;
    },
    async scrub() {
      ready();
      await group.idle();
      // Deleted data stays in free pages and in the write-ahead log until the file is rewritten.
      try {
        database.exec("VACUUM");
        database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      } catch (cause) {
        throw sqliteError("scrub", path, cause);
      }
    },
    close() {
      closed ??= group.idle().then(() => database.close());
      return closed;
    },
  };
}

function prepareStatements(database: Driver) {
  const listing = (comparison: string) =>
    `SELECT key, version FROM documents WHERE key ${comparison} ?1 AND key < ?2 UNION ALL
     SELECT key, CAST(last AS TEXT) FROM logs WHERE key ${comparison} ?1 AND key < ?2 ORDER BY key LIMIT ?3`;
  const prepare = (text: string) => database.prepare(text);
  return {
    get: prepare("SELECT kind, data, version FROM documents WHERE key = ?"),
    documentVersion: prepare("SELECT version FROM documents WHERE key = ?"),
    put: prepare(
      `INSERT INTO documents (key, kind, data, version) VALUES (?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET kind = excluded.kind, data = excluded.data, version = excluded.version`,
    ),
    removeDocument: prepare("DELETE FROM documents WHERE key = ?"),
    log: prepare("SELECT log, last FROM logs WHERE key = ?"),
    createLog: prepare("INSERT INTO logs (key, last) VALUES (?, 0)"),
    setLast: prepare("UPDATE logs SET last = ? WHERE log = ?"),
    append: prepare("INSERT INTO records (log, seq, t, id, record) VALUES (?, ?, ?, ?, ?)"),
    recordById: prepare("SELECT seq FROM records WHERE log = ? AND id = ?"),
    read: prepare("SELECT seq, record FROM records WHERE log = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?"),
    removeRecords: prepare("DELETE FROM records WHERE log = ?"),
    removeLog: prepare("DELETE FROM logs WHERE log = ?"),
    listFrom: prepare(listing(">=")),
    listAfter: prepare(listing(">")),
  };
}

/** Array.isArray does not narrow a readonly list. */
const isList = (record: LogRecord | readonly LogRecord[]): record is readonly LogRecord[] => Array.isArray(record);

function jsonOf(record: LogRecord, key: string): string {
  const json = JSON.stringify(record) as string | undefined;
  if (json === undefined || !json.startsWith("{")) {
    throw new TypeError(`Cannot append to ${JSON.stringify(key)}: expected a JSON object as the record`);
  }
  return json;
}

/** A text's version is the hash of its bytes; any other document's is new with each write. */
function encodedForSql(value: Value): { kind: ValueKind; data: string | Uint8Array; version: Version } {
  const { kind, data } = encodeValue(value);
  if (kind === "bytes") return { kind, data: data.slice(), version: randomUUID() }; // a copy, since it is written in a later tick
  const version = kind === "text" ? createHash("sha256").update(data).digest("hex").slice(0, 32) : randomUUID();
  // As bytes if it contains NUL, since some drivers end a text there.
  return { kind, data: data.includes("\0") ? new TextEncoder().encode(data) : data, version };
}

function decodedFromSql(row: Row): Value {
  const { kind, data } = row;
  if (
    (kind === "text" || kind === "json" || kind === "bytes") &&
    (typeof data === "string" || data instanceof Uint8Array)
  ) {
    return decodeValue(kind, data);
  }
  throw new AssistantError(
    "STORE_UNAVAILABLE",
    "Cannot read a document: its row contains neither text nor bytes; restore the file from a backup",
  );
}
