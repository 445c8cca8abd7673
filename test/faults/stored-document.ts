import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * The texts of the documents whose keys begin so, as they lie in the databases of Durable Objects in a folder of `wrangler dev`: read by SQLite alone, from
 * a copy, so that neither the assistant nor its store mends what a kill left.
 */
export function storedDocuments(folder: string, prefix: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".sqlite")).flatMap((name) => documentsIn(join(folder, name), prefix));
}

function documentsIn(path: string, prefix: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-stored-"));
  const copy = join(folder, basename(path));
  // What was not brought into the file yet lies in its write-ahead log.
  for (const end of ["", "-wal"]) if (existsSync(path + end)) cpSync(path + end, copy + end);
  const database = new DatabaseSync(copy);
  try {
    const rows = (query: string, ...bindings: (string | number)[]) => database.prepare(query).all(...bindings);
    if (rows("SELECT name FROM sqlite_master WHERE name = 'wakeful_keys'").length === 0) return [];
    const found = rows("SELECT id FROM wakeful_keys WHERE kind <> 'log' AND key GLOB ?", `${prefix}*`);
    return found.map(({ id }) =>
      Buffer.concat(
        rows("SELECT data FROM wakeful_documents WHERE id = ? ORDER BY part", Number(id)).map(({ data }) =>
          typeof data === "string" ? Buffer.from(data) : (data as Uint8Array),
        ),
      ).toString(),
    );
  } finally {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
