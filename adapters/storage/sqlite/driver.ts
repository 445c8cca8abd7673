import process from "node:process";
import { AssistantError } from "../../../mod.ts";
import { messageOf } from "../../../kit.ts";

export type SqlValue = string | number | null | Uint8Array;
export type Row = Readonly<Record<string, SqlValue>>;

export interface Statement {
  run(...values: readonly SqlValue[]): void;
  all(...values: readonly SqlValue[]): readonly Row[];
}

/** The calls that the store makes to the runtime's SQLite. All of them are synchronous. */
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

/** The part of `bun:sqlite` that the store uses. This project does not have Bun's types. */
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
    const name = "bun:sqlite"; // a variable, since other runtimes' bundlers and type checkers cannot resolve the name
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
        // Bun keeps the file open until its statements are finalized.
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
        all: (...values) => statement.all(...values) as Row[], // bigints are off, and every column is a SqlValue
      };
    },
    close: () => database.close(),
  };
}
