import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDriver } from "../../adapters/storage/sqlite/driver.ts";
import { sqliteStore } from "../../adapters/storage/sqlite/index.ts";
import { openSqliteStore } from "../../adapters/storage/sqlite/sqlite-store.ts";
import { recordsOf, rejection } from "./fs-root.ts";
import { withPath } from "./sqlite-path.ts";

describe("the file of sqliteStore()", () => {
  it("must be named: an empty path is a database that SQLite forgets", async () => {
    for (const options of [{ path: "" }, { path: " " }, {}] as { path: string }[])
      expect(await rejection(sqliteStore(options))).toMatchObject({
        code: "OPTION_INVALID",
        message: expect.stringContaining("path must be the path of a file") as unknown,
      });
  });

  it("is none for :memory:, which survives nothing and says so", async () => {
    const store = await sqliteStore({ path: ":memory:" });
    expect(store.caps).toEqual({ replace: "atomic", append: "native", cas: "process", durable: "none" });
    await store.close();
  });

  it("of a later format is refused, and an older one is converted after a backup", async () => {
    await withPath(async (path) => {
      let store = await sqliteStore({ path });
      await store.put("a", "text");
      await store.close();
      const migrations = [
        {
          from: 1,
          run: (database: { exec(sql: string): void }) => database.exec("UPDATE documents SET version = 'converted'"),
        },
      ];
      store = await openSqliteStore({ path }, { format: { current: 2, migrations } });
      expect(await store.get("a")).toEqual({ value: "text", version: "converted" });
      await store.close();
      const [backup = ""] = (await readdir(join(path, ".."))).filter((name) => name.startsWith("store.db.v1-"));
      const older = await sqliteStore({ path: join(path, "..", backup) });
      expect((await older.get("a"))?.version).not.toBe("converted");
      await older.close();
      expect(await rejection(sqliteStore({ path }))).toMatchObject({ code: "FORMAT_TOO_NEW" });
    });
  });

  it("of another program is left alone", async () => {
    await withPath(async (path) => {
      const driver = await openDriver(path);
      driver.exec("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)");
      driver.close();
      const error = await rejection(sqliteStore({ path }));
      expect(error).toMatchObject({ code: "STORE_UNAVAILABLE" });
      expect((error as Error).message).toContain("it is another program's database; choose another path");
      await writeFile(path, "no database at all, but a text that somebody needs");
      expect(await rejection(sqliteStore({ path }))).toMatchObject({ code: "STORE_UNAVAILABLE" });
      expect(await readFile(path, "utf8")).toBe("no database at all, but a text that somebody needs");
    });
  });

  it("in a folder that is not there is refused with the remedy", async () => {
    await withPath(async (path) => {
      const error = await rejection(sqliteStore({ path: join(path, "none", "store.db") }));
      expect(error).toMatchObject({ code: "STORE_UNAVAILABLE" });
      expect((error as Error).message).toContain("create its folder");
    });
  });

  it("finishes what was under way when it is closed, and refuses work afterwards", async () => {
    await withPath(async (path) => {
      let store = await sqliteStore({ path });
      const work = [store.append("log", { n: 1 }), store.append("log", { n: 2 }, { flush: false }), store.put("a", 1)];
      await store.close();
      await Promise.all(work);
      expect(await rejection(store.get("a"))).toMatchObject({ code: "STORE_UNAVAILABLE" });
      expect(await rejection(store.append("log", { n: 3 }))).toMatchObject({ code: "STORE_UNAVAILABLE" });
      store = await sqliteStore({ path });
      expect(await recordsOf(store, "log")).toHaveLength(2);
      await store.close();
    });
  });
});
