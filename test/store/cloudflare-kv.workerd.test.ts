import { env } from "cloudflare:workers";
import { createStorage } from "unstorage";
import cloudflareKvDriver from "unstorage/drivers/cloudflare-kv-binding";
import { describe, expect, it } from "vitest";
import { unstorageStore } from "../../entry.host.ts";
import { kvStore } from "../../adapters/storage/cloudflare-kv/index.ts";
import { requireCaps } from "../../src/store/index.ts";
import { storeContract } from "../../src/testing/store-contract.ts";

let prefixes = 0;
const openKv = () => kvStore(env.BLOBS, { prefix: `test-${prefixes++}:` });

storeContract(
  { describe, it, expect },
  {
    name: "kvStore()",
    caps: { replace: "atomic", append: "per-entry", cas: "none", durable: "server" },
    open: async () => ({ store: openKv(), dispose: async () => {} }),
  },
);

storeContract(
  { describe, it, expect },
  {
    name: "unstorageStore() on unstorage's Workers KV driver",
    caps: { replace: "in-place", append: "per-entry", cas: "none", durable: "none" },
    open: async () => ({
      store: unstorageStore(cloudflareKvDriver({ binding: env.BLOBS as never, base: `unstorage-${prefixes++}` }), {
        createStorage,
      }),
      dispose: async () => {},
    }),
  },
);

describe("kvStore()", () => {
  it("refuses logs and compare-and-set, and names the remedy", async () => {
    const store = openKv();
    const refusal = {
      code: "STORE_UNSUITABLE",
      message: expect.stringMatching(/^Workers KV cannot .*: use a Durable Object/),
    };
    await expect(store.append("log", { n: 1 })).rejects.toMatchObject(refusal);
    await expect(store.put("a", 1, { expect: null })).rejects.toMatchObject(refusal);
    await expect(store.remove("a", { expect: "1" })).rejects.toMatchObject(refusal);
    expect(await store.get("a")).toBe(null);
    expect(() => requireCaps(store, { append: true, cas: true }, "Sessions")).toThrow("use a Durable Object");
  });

  it("lists more keys than one page of the platform holds", async () => {
    const store = openKv();
    const keys = Array.from({ length: 1005 }, (_, index) => `k/${String(index).padStart(4, "0")}`);
    await Promise.all(keys.map((key) => store.put(key, 1)));
    const listed = [];
    for await (const { key } of store.list("k/")) listed.push(key);
    expect(listed).toEqual(keys);
  });

  it("refuses a key or a value that the platform does not take", async () => {
    const store = openKv();
    await expect(store.put("x".repeat(600), 1)).rejects.toThrow(RangeError);
    await expect(store.put("large", new Uint8Array(26 * 1024 * 1024))).rejects.toThrow(RangeError);
  });

  it("does not take what others wrote under its prefix for a document", async () => {
    const prefix = `test-${prefixes++}:`;
    await env.BLOBS.put(`${prefix}foreign`, "text");
    await expect(kvStore(env.BLOBS, { prefix }).get("foreign")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });
});
