import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { sqliteStore } from "../../adapters/storage/sqlite/index.ts";
import type { Store } from "../../kit.ts";
import { recordsOf, rejection } from "./fs-root.ts";

/** A disk of 4 MB; or why there is none. */
async function smallDisk(): Promise<{ folder: string; remove(): Promise<void> } | string> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "a small disk needs Linux and root";
  const folder = await mkdtemp(join(tmpdir(), "wakeful-full-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], { stdio: "pipe" });
  } catch (error) {
    await rm(folder, { recursive: true });
    return `tmpfs cannot be mounted here: ${String(error)}`;
  }
  return {
    folder,
    async remove() {
      execFileSync("umount", [folder]);
      await rm(folder, { recursive: true });
    },
  };
}

const disk = await smallDisk();
const folder = typeof disk === "string" ? "" : disk.folder;

const fsAt = (root: string): Promise<Store> => fsStore({ root, onReport: () => {} });
const sqliteAt = (path: string): Promise<Store> => sqliteStore({ path });

describe.skipIf(typeof disk === "string")("on a full disk — needs a small tmpfs", () => {
  afterAll(async () => {
    if (typeof disk !== "string") await disk.remove();
  });

  it.each([
    { name: "fsStore", path: join(folder, "root"), open: fsAt },
    { name: "sqliteStore", path: join(folder, "store.db"), open: sqliteAt },
  ])(
    "$name refuses with STORE_FULL, tears nothing, still reads, and works again once there is room",
    async ({ path, open }) => {
      let store = await open(path);
      const ballast = join(folder, "ballast");
      await store.put("kept.md", "small");
      await store.append("log", { n: 1 }, { id: "1" });
      await writeFile(ballast, new Uint8Array(2_500_000));

      const text = "x".repeat(20_000);
      const acknowledged = new Map<string, number>([["1", 1]]);
      let failure: unknown;
      for (let n = 2; failure === undefined; n++) {
        failure = await store.append("log", { n, text }, { id: `${n}` }).then(
          ({ seq }) => void acknowledged.set(`${n}`, seq),
          (error: unknown) => error,
        );
      }
      expect(failure).toMatchObject({ code: "STORE_FULL" });
      expect((failure as Error).message).toMatch(
        /the disk is full; free some space, and it works again without a restart$/,
      );
      expect(await rejection(store.put("kept.md", "y".repeat(3_000_000)))).toMatchObject({ code: "STORE_FULL" });
      expect((await store.get("kept.md"))?.value).toBe("small");
      const seqsOf = async () => (await recordsOf(store, "log")).map(({ seq }) => seq);
      const before = await seqsOf();
      expect(before).toEqual(Array.from({ length: acknowledged.size }, (_, index) => index + 1));

      await rm(ballast);
      const { seq, duplicate } = await store.append("log", { n: "after" }, { id: "after", expectSeq: before.length });
      expect({ seq, duplicate }).toEqual({ seq: before.length + 1, duplicate: false });
      await store.put("kept.md", "z".repeat(100_000));
      await store.close?.();

      store = await open(path);
      expect(await seqsOf()).toEqual([...before, seq]);
      for (const [id, known] of acknowledged)
        expect(await store.append("log", {}, { id })).toEqual({ seq: known, duplicate: true });
      expect((await store.get("kept.md"))?.value).toHaveLength(100_000);
      await store.close?.();
      await rm(path, { recursive: true });
    },
  );
});
