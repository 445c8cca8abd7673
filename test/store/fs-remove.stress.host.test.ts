import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type FsStore, openFsStore } from "../../adapters/storage/fs/fs-store.ts";
import { still } from "./fs-root.ts";
import { memoryDisk } from "./memory-disk.ts";
import { PERSON, namesIn } from "./names-of-person.ts";

const LONG = `telegram:${PERSON}-${"x".repeat(300)}`;
const DOCUMENTS = [`memory/telegram:${PERSON}/MEMORY.md`, `people/${LONG}`, `${LONG}/facts.md`];
const LOGS = [`sessions/telegram:${PERSON}/log.jsonl`, `outbox/${LONG}`];

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
});
