import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "../../adapters/storage/sqlite/index.ts";
import { programFile } from "../support/programs.ts";
import { recordsOf } from "./fs-root.ts";
import { withPath } from "./sqlite-path.ts";

const writer = programFile("test/store/sqlite-writer.ts");
const runtimeArguments = "Deno" in globalThis ? ["run", "-A", "--node-modules-dir=manual"] : [];

describe("the file of sqliteStore()", () => {
  it("is shared by several processes without a lost increment, a doubled id or a broken order", async () => {
    await withPath(async (path) => {
      const children = ["a", "b", "c"].map((name) =>
        spawn(process.execPath, [...runtimeArguments, writer, path, name, "40"], { stdio: "inherit" }),
      );
      const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0] as unknown));
      expect(codes).toEqual([0, 0, 0]);
      const store = await sqliteStore({ path });
      expect((await store.get("count"))?.value).toEqual({ n: 120 });
      const records = await recordsOf(store, "log");
      expect(records.map(({ seq }) => seq)).toEqual(Array.from({ length: 3 * 40 * 2 + 40 }, (_, index) => index + 1));
      for (const [index, { record }] of records.entries()) {
        const { name, n, part } = record as { name: string; n: number; part?: number };
        if (part === 0) expect(records[index + 1]?.record).toEqual({ name, n, part: 1 });
      }
      await store.close();
    });
  }, 60_000);
});
