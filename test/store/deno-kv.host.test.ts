import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { denoKvStore } from "../../adapters/storage/deno-kv/index.ts";
import type { DenoKv } from "../../adapters/storage/deno-kv/kv.ts";
import { storeContract, type OpenedStore } from "../../src/testing/store-contract.ts";
import { storeModel } from "./store-model.ts";

const { Deno } = globalThis as { Deno?: { openKv(path: string): Promise<DenoKv> } };

if (Deno === undefined) {
  describe("denoKvStore() on a runtime without Deno KV", () => {
    it("says where it is to be had, and what to use here", async () => {
      await expect(denoKvStore()).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
        message: expect.stringMatching(/on Deno only: use fsStore or sqliteStore/),
      });
    });
  });
} else {
  const denoKv = {
    name: "denoKvStore()",
    caps: { replace: "atomic", append: "per-entry", cas: "host", durable: "os" },
    async open() {
      const folder = await mkdtemp(join(tmpdir(), "wakeful-deno-kv-"));
      const path = join(folder, "kv.sqlite");
      return { path, store: await denoKvStore({ path }), dispose: () => rm(folder, { recursive: true, force: true }) };
    },
    reopen: (opened: OpenedStore & { path: string }) => denoKvStore({ path: opened.path }),
  } as const;

  storeContract({ describe, it, expect }, denoKv);
  storeModel(
    { describe, it, expect },
    {
      name: "denoKvStore()",
      open: async () => ({ store: await denoKvStore({ path: ":memory:" }), dispose: async () => {} }),
    },
  );

  describe("denoKvStore()", () => {
    it("survives nothing in :memory:, and says so", async () => {
      const store = await denoKvStore({ path: ":memory:" });
      expect(store.caps).toMatchObject({ cas: "process", durable: "none" });
      await store.close?.();
    });

    const keysIn = async (path: string) => {
      const kv = await Deno.openKv(path);
      const kinds: string[] = [];
      for await (const { key } of kv.list({ prefix: ["wakeful"] })) kinds.push(String(key[1]));
      kv.close();
      return kinds;
    };

    it("leaves nothing of what was replaced, refused or removed", async () => {
      const { path, store, dispose } = await denoKv.open();
      const large = "x".repeat(200_000);
      await store.put("a", large);
      await store.put("a", `${large}y`);
      await expect(store.put("a", large, { expect: null })).rejects.toMatchObject({ code: "CONFLICT" });
      await store.append("log", { text: large }, { id: "a" });
      await expect(store.append("log", { text: large }, { expectSeq: 9 })).rejects.toMatchObject({ code: "CONFLICT" });
      expect(await store.append("log", { text: large }, { id: "a" })).toEqual({ seq: 1, duplicate: true });
      await store.remove("a");
      await store.remove("log");
      await store.close?.();
      expect(await keysIn(path)).toEqual(["format"]);
      await dispose();
    });

    it("sweeps what a crashed writer left an hour ago", async () => {
      const { path, store, dispose } = await denoKv.open();
      await store.close?.();
      const kv = await Deno.openKv(path);
      const mark = (id: string, atMs: number) =>
        kv
          .atomic()
          .set(["wakeful", "garbage", id], { atMs })
          .set(["wakeful", "blob", id, 0], new Uint8Array(9))
          .commit();
      await mark("old", Date.now() - 3_700_000);
      await mark("young", Date.now() - 60_000);
      kv.close();
      await (await denoKvStore({ path })).close?.();
      expect(await keysIn(path)).toEqual(["blob", "format", "garbage"]);
      await dispose();
    });

    it("compares and sets across connections", async () => {
      const { path, store, dispose } = await denoKv.open();
      const other = await denoKvStore({ path });
      const results = await Promise.allSettled(
        [store, other].map((each) => each.put("a", "x".repeat(100_000), { expect: null })),
      );
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const appended = await Promise.all(
        [store, other].flatMap((each) => [1, 2, 3].map((n) => each.append("log", [{ n }, { n }]))),
      );
      expect(appended.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual([2, 4, 6, 8, 10, 12]);
      await Promise.all([store, other].map(async (each) => each.close?.()));
      await dispose();
    });

    it("refuses data that a newer version wrote", async () => {
      const { path, store, dispose } = await denoKv.open();
      await store.close?.();
      const kv = await Deno.openKv(path);
      await kv.atomic().set(["wakeful", "format"], 2).commit();
      kv.close();
      await expect(denoKvStore({ path })).rejects.toMatchObject({ code: "FORMAT_TOO_NEW" });
      await dispose();
    });

    it("refuses a key that Deno KV cannot hold", async () => {
      const { store, dispose } = await denoKv.open();
      await expect(store.put("x".repeat(3000), 1)).rejects.toThrow(RangeError);
      await store.close?.();
      await dispose();
    });
  });
}
