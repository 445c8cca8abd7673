import { AssistantError } from "../../../mod.ts";
import type { Driver } from "./driver.ts";

/** `PRAGMA application_id` of the store's files ("WAKF"), so that it does not write to another program's database. */
const APPLICATION_ID = 0x57_41_4b_46;
export const FORMAT_VERSION = 1;

/** How long a statement waits for another process's transaction, in milliseconds. */
const BUSY_MS = 10_000;

/** Converts from one format version to the next, inside a transaction, after a backup. */
export interface Migration {
  readonly from: number;
  run(database: Driver): void;
}
export const MIGRATIONS: readonly Migration[] = [];

const TABLES = `
  CREATE TABLE documents (key TEXT PRIMARY KEY, kind TEXT NOT NULL, data BLOB NOT NULL, version TEXT NOT NULL);
  CREATE TABLE logs (log INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, last INTEGER NOT NULL);
  CREATE TABLE records (log INTEGER NOT NULL, seq INTEGER NOT NULL, t INTEGER NOT NULL, id TEXT, record TEXT NOT NULL, PRIMARY KEY (log, seq)) WITHOUT ROWID;
  CREATE UNIQUE INDEX records_by_id ON records (log, id) WHERE id IS NOT NULL;
`;

/**
 * Configures the connection and creates the tables of a new file.
 * @throws {AssistantError} `FORMAT_TOO_NEW`; `STORE_UNAVAILABLE` when the file belongs to another program.
 */
export function prepareDatabase(
  database: Driver,
  path: string,
  options: { current?: number; migrations?: readonly Migration[]; now: () => number },
): void {
  const { current = FORMAT_VERSION, migrations = MIGRATIONS, now } = options;
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = FULL");

  const read = (pragma: string) => Number(Object.values(database.prepare(`PRAGMA ${pragma}`).all()[0] ?? {})[0] ?? 0);
  inTransaction(database, () => {
    const isNew = read("user_version") === 0 && database.prepare("SELECT 1 FROM sqlite_master").all().length === 0;
    if (!isNew) return;
    database.exec(`${TABLES} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${current};`);
  });

  if (read("application_id") !== APPLICATION_ID) {
    throw new AssistantError(
      "STORE_UNAVAILABLE",
      `Cannot use ${JSON.stringify(path)}: it is another program's database; choose another path`,
    );
  }
  const version = read("user_version");
  if (version > current) {
    throw new AssistantError(
      "FORMAT_TOO_NEW",
      `Cannot open ${JSON.stringify(path)}: it has format version ${version} and this release knows ${current}; use the release that wrote it, or a later one`,
    );
  }
  if (version < current) migrate(database, path, { from: version, current, migrations, now });
}

function migrate(
  database: Driver,
  path: string,
  {
    from,
    current,
    migrations,
    now,
  }: { from: number; current: number; migrations: readonly Migration[]; now: () => number },
): void {
  const backup = `${path}.v${from}-${new Date(now()).toISOString().replaceAll(/[:.]/g, "-")}`;
  database.prepare("VACUUM INTO ?").run(backup);
  for (let version = from; version < current; version++) {
    const migration = migrations.find((step) => step.from === version);
    if (migration === undefined) {
      throw new AssistantError(
        "STORE_UNAVAILABLE",
        `Cannot convert ${JSON.stringify(path)} from format version ${version}: this release does not know it`,
      );
    }
    inTransaction(database, () => {
      migration.run(database);
      database.exec(`PRAGMA user_version = ${version + 1}`);
    });
  }
}

/**
 * Runs `work` as one transaction. Takes the write lock at once: two transactions that read first and then write would
 * block each other.
 */
export function inTransaction<T>(database: Driver, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    try {
      database.exec("ROLLBACK");
    } catch {
      // SQLite has already rolled back, as it does on a full disk
    }
    throw error;
  }
}
