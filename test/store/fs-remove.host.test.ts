import { mkdir, readdir, writeFile } from "node:fs/promises";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import type { FileSystem } from "../../adapters/storage/fs/file-system.ts";
import { type FsStore, openFsStore } from "../../adapters/storage/fs/fs-store.ts";
import { still, withRoot } from "./fs-root.ts";
import { memoryDisk } from "./memory-disk.ts";

const PERSON = "42424242";
const LONG = `telegram:${PERSON}-${"x".repeat(300)}`;
const DOCUMENTS = [`memory/telegram:${PERSON}/MEMORY.md`, `people/${LONG}`, `${LONG}/facts.md`];
const LOGS = [`sessions/telegram:${PERSON}/log.jsonl`, `outbox/${LONG}`];

/** Every name under a folder, but those of the write-ahead log. */
async function namesIn(fs: Pick<FileSystem, "readDirectory">, root: string, folder = root): Promise<string[]> {
  const found: string[] = [];
  for (const { name, directory } of await fs.readDirectory(folder)) {
    const path = join(folder, name);
    found.push(relative(root, path));
    if (directory) found.push(...(await namesIn(fs, root, path)));
  }
  return found.filter((name) => name.includes(PERSON));
}

async function fill(store: FsStore): Promise<void> {
  for (const key of DOCUMENTS) await store.put(key, `of ${PERSON}`);
  for (const key of LOGS) await store.append(key, { of: PERSON });
  await store.checkpoint();
}

/** Until the process is gone: nothing is done after an error. */
async function removeAll(store: FsStore): Promise<boolean> {
  for (const key of [...DOCUMENTS, ...LOGS]) await store.remove(key);
  return true;
}

describe("remove() of an fs store", () => {
  it("leaves no name of what it removed, whatever the process was at when it ended", async () => {
    const root = mkdtempSync(join(tmpdir(), "wakeful-fs-remove-")); // the lock lies on the real disk
    try {
      let done = false;
      for (let last = 1; !done; last++) {
        const disk = memoryDisk(root);
        const open = () => openFsStore({ root, clock: still, onReport: () => {} }, { fs: disk.fs });
        const first = await open();
        await fill(first);
        const before = disk.operations();
        disk.failing = (operation) => (operation > before + last ? "EIO" : undefined);
        done = await removeAll(first).catch(() => false);
        if (done) expect(last).toBeGreaterThan(20);
        disk.failing = () => "EIO"; // the process is gone: a close must change nothing
        await first.close();

        disk.failing = () => undefined;
        const again = await open();
        await again.checkpoint();
        const left = (await namesIn(disk.fs, root)).length;
        const kept = await Promise.all(DOCUMENTS.map((key) => again.get(key)));
        const keys = [];
        for await (const { key } of again.list("")) if (key.includes(PERSON)) keys.push(key);
        if (keys.length === 0) expect(left).toBe(0);
        // What is there in part is there whole: a file, its folder, and the names that are too long for theirs.
        expect(keys.filter((key) => DOCUMENTS.includes(key))).toHaveLength(kept.filter((one) => one !== null).length);
        expect(left).toBeLessThanOrEqual(keys.length * 4);
        await removeAll(again);
        expect(await namesIn(disk.fs, root)).toEqual([]);
        await again.close();
      }
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

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
