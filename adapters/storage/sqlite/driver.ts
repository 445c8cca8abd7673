import process from "node:process";
import { AssistantError } from "../../../mod.ts";
import { messageOf } from "../../../kit.ts";

export type SqlValue = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, SqlValue>>;

export interface Statement {
  run(...values: readonly SqlValue[]): void;
  all(...values: readonly SqlValue[]): readonly Row[];
}

/** The few calls that the store makes, whichever SQLite the runtime has. All of them are synchronous. */
export interface Driver {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface BunStatement {
  run(...values: readonly SqlValue[]): unknown;
  all(...values: readonly SqlValue[]): readonly Row[];
  finalize(): void;
}

/** What is used of `bun:sqlite`, whose types are not those of this project. */
interface BunSqlite {
  Database: new (
    path: string,
    options: { create: boolean; readwrite: boolean },
  ) => { exec(sql: string): unknown; prepare(sql: string): BunStatement; close(): void };
}

/**
 * Opens a database file with `bun:sqlite` on Bun and `node:sqlite` on Node and Deno.
 * @throws {AssistantError} `STORE_UNSUITABLE` when the runtime has no SQLite.
 */
export async function openDriver(path: string): Promise<Driver> {
  if (process.versions["bun"] !== undefined) {
    const name = "bun:sqlite"; // by a variable, since other runtimes' bundlers and type checkers cannot resolve it
    const { Database } = (await import(name)) as BunSqlite; // the interface above, by Bun's documentation
    const database = new Database(path, { create: true, readwrite: true });
    const statements: BunStatement[] = [];
    return {
      exec: (sql) => void database.exec(sql),
      prepare(sql) {
        const statement = database.prepare(sql);
        statements.push(statement);
        return statement;
      },
      close() {
        // Bun keeps the file open for as long as a statement lives.
        for (const statement of statements) statement.finalize();
        database.close();
      },
    };
  }
  const { DatabaseSync } = await import("node:sqlite").catch((cause: unknown) => {
    throw new AssistantError(
      "STORE_UNSUITABLE",
      `Cannot open ${JSON.stringify(path)}: this runtime (Node ${process.version}) has no SQLite; use Node 22.13 or later, Bun or Deno 2.2 or later, or fsStore (${messageOf(cause)})`,
      { cause },
    );
  });
  const database = new DatabaseSync(path);
  return {
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        run: (...values) => void statement.run(...values),
        all: (...values) => statement.all(...values) as Row[], // bigints are off and every column is one of SqlValue
      };
    },
    close: () => database.close(),
  };
}
