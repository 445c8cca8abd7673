import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withRoot } from "./fs-root.ts";
import { PERSON, namesIn } from "./names-of-person.ts";

describe("remove() of an fs store", () => {
  it.each(["", "{"])("removes the file of a log that holds no record, but %j", async (content) => {
    await withRoot(async (root) => {
      const key = `sessions/telegram:${PERSON}/log.jsonl`;
      const folder = root.path("sessions", `telegram=${PERSON}`);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, "log.jsonl"), content);
      const store = await root.open();
      expect(await store.lastSeq(key)).toBe(0);
      await store.remove(key);
      expect(await root.names()).not.toContain("sessions");
      await store.append(key, { n: 1 });
      await store.checkpoint();
      expect(await store.lastSeq(key)).toBe(1);
    });
  });

  it("keeps what is appended in the tick in which nothing was removed", async () => {
    await withRoot(async (root) => {
      const store = await root.open();
      await Promise.all([store.remove("people/a"), store.append("people/a", { n: 1 })]);
      await store.checkpoint();
      await store.close();
      expect(await (await root.open()).lastSeq("people/a")).toBe(1);
    });
  });
});

describe("scrub() of an fs store", () => {
  it("removes names that no key leads to: empty folders, empty files of logs, whole names of files that are gone", async () => {
    await withRoot(async (root) => {
      await mkdir(root.path("memory", `telegram=${PERSON}`, "entries"), { recursive: true });
      await mkdir(root.path(".index", "memory", `telegram=${PERSON}`, "entries"), { recursive: true });
      await mkdir(root.path("sessions", "kept"), { recursive: true });
      await writeFile(root.path("sessions", `telegram=${PERSON}~log.jsonl`), "");
      await writeFile(root.path("sessions", `telegram=${PERSON}~h1~name`), JSON.stringify(PERSON));
      await writeFile(root.path("sessions", "kept", "log.jsonl"), '{"v":1,"seq":1,"t":1,"record":{"n":1}}\n');
      await mkdir(root.path(".notes", "empty"), { recursive: true });
      const store = await root.open();
      await store.put(`people/${"k".repeat(300)}`, "kept");
      await store.scrub?.(() => false);
      expect(await namesIn({ readDirectory: listed }, root.root)).toEqual([]);
      expect(await root.names()).toEqual([".notes", "lock", "people", "sessions", "store.json", "tmp", "torn", "wal"]);
      expect(await root.names("people")).toHaveLength(2);
      expect(await store.lastSeq("sessions/kept/log.jsonl")).toBe(1);
      expect(await root.names(".notes")).toEqual(["empty"]);
    });
  });
});

async function listed(path: string) {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.map((entry) => ({ name: entry.name, directory: entry.isDirectory() }));
}
