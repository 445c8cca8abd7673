import { createServer } from "node:net";
import redisDriver from "unstorage/drivers/redis";
import { afterAll, describe, expect, it } from "vitest";
import { redisStore } from "../../adapters/storage/redis/index.ts";
import { connectRedis } from "../../adapters/storage/redis/connection.ts";
import { unstorageStore } from "../../entry.host.ts";
import { storeContract, type OpenedStore } from "../../src/testing/store-contract.ts";
import { freePort, redisMissing, startRedis } from "../support/redis.ts";
import { storeModel } from "./store-model.ts";
import { WHOLE } from "../support/thorough.ts";

const missing = redisMissing();
if (missing !== undefined) {
  describe.skip(`redisStore(): ${missing} — needs redis-server`, () => it("keeps the Store contract", () => {}));
} else {
  const server = await startRedis();
  afterAll(() => server.stop());
  let stores = 0;
  const redis = {
    name: "redisStore()",
    caps: { replace: "atomic", append: "native", cas: "global", durable: "server" },
    async open() {
      const prefix = `test-${stores++}:`;
      return { prefix, store: await redisStore({ url: server.url, prefix }), dispose: async () => {} };
    },
    reopen: (opened: OpenedStore & { prefix: string }) => redisStore({ url: server.url, prefix: opened.prefix }),
  } as const;

  storeContract({ describe, it, expect }, redis);
  storeModel({ describe, it, expect }, redis);

  // The driver speaks for itself, on whatever runtime.
  if (WHOLE)
    storeContract(
      { describe, it, expect },
      {
        name: "unstorageStore() on unstorage's Redis driver",
        async open() {
          const base = `unstorage-${stores++}`;
          return { base, store: unstorageStore(redisDriver({ url: server.url, base })), dispose: async () => {} };
        },
        reopen: async (opened: OpenedStore & { base: string }) =>
          unstorageStore(redisDriver({ url: server.url, base: opened.base })),
      },
    );

  describe("redisStore()", () => {
    it("compares and sets across connections", async () => {
      const stores = await Promise.all([0, 1, 2].map(() => redisStore({ url: server.url, prefix: "shared:" })));
      const results = await Promise.allSettled(
        stores.map((store, writer) => store.put("a", { writer }, { expect: null })),
      );
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const appended = await Promise.all(
        stores.map((store) => store.append("log", [{ n: 1 }, { n: 2 }], { id: "same" })),
      );
      expect(appended.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
      await Promise.all(stores.map(async (store) => store.close?.()));
    });

    it("lists its own keys only", async () => {
      const [ours, theirs] = await Promise.all(
        ["list-ours:", "list-"].map((prefix) => redisStore({ url: server.url, prefix })),
      );
      await ours?.put("a", 1);
      await theirs?.put("ours:b", 1);
      const keys = [];
      for await (const { key } of ours?.list("") ?? []) keys.push(key);
      expect(keys).toEqual(["a"]);
      await Promise.all([ours?.close?.(), theirs?.close?.()]);
    });

    it("answers an outage with STORE_UNAVAILABLE, and goes on when the server is back", async () => {
      const own = await startRedis({ durable: true });
      try {
        const store = await redisStore({ url: own.url });
        await store.append("log", { n: 1 });
        const crashed = own.crash();
        const outcomes = await Promise.allSettled([store.append("log", { n: 2 }, { id: "two" }), crashed]);
        expect(outcomes[1].status).toBe("fulfilled");
        if (outcomes[0].status === "rejected") expect(outcomes[0].reason).toMatchObject({ code: "STORE_UNAVAILABLE" });
        // The connection comes back by itself; a call before that may fail.
        let result: unknown;
        await expect
          .poll(async () => (result = await store.append("log", { n: 2 }, { id: "two" }).catch(() => undefined)), {
            timeout: 5000,
          })
          .toMatchObject({ seq: 2 });
        expect(result).toMatchObject({ seq: 2 });
        expect(await store.lastSeq("log")).toBe(2);
        await store.close?.();
      } finally {
        await own.stop();
      }
    });

    it("refuses data that a newer version wrote", async () => {
      const client = await connectRedis(server.url, 3000);
      await client.set("newer:format", 2);
      await expect(redisStore({ url: server.url, prefix: "newer:" })).rejects.toMatchObject({ code: "FORMAT_TOO_NEW" });
      client.disconnect();
    });

    it("refuses a database that the server does not have, in place of using another", async () => {
      await expect(redisStore({ url: new URL("/99", server.url).href })).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
        message: expect.stringContaining("DB index is out of range"),
      });
    });

    it("refuses calls after it was closed", async () => {
      const { store } = await redis.open();
      await store.close?.();
      await expect(store.get("a")).rejects.toMatchObject({ code: "STOPPED" });
    });
  });
}

describe("redisStore() without a server", () => {
  it("says within its time where it found nobody, and what to do", async () => {
    const port = await freePort();
    await expect(redisStore({ url: `redis://user:secret@127.0.0.1:${port}` })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringMatching(
        new RegExp(`^Cannot reach the Redis server at 127.0.0.1:${port}: .*ECONNREFUSED.*; start it`),
      ),
    });
  });

  it.each(["/main", "/-1", "/1.5", "/0/1", "/?db=x"])("refuses a database that is no number: %s", async (path) => {
    await expect(redisStore({ url: `redis://127.0.0.1:6379${path}` })).rejects.toMatchObject({
      code: "OPTION_INVALID",
    });
  });

  it("gives up on a server that never answers", async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const address = silent.address();
    const port = typeof address === "object" ? address?.port : undefined;
    try {
      await expect(redisStore({ url: `redis://127.0.0.1:${port}`, connectTimeoutMs: 100 })).rejects.toThrow(
        "no answer within 100 ms",
      );
    } finally {
      silent.close();
    }
  });

  it("says which package is missing", async () => {
    const load = () => Promise.reject(new Error("Cannot find package 'ioredis'"));
    await expect(connectRedis("redis://127.0.0.1", 100, load)).rejects.toThrow("npm install ioredis");
  });

  it.each(["", "localhost:6379", "http://localhost", "not a url with a secret"])(
    "refuses the url %j without repeating it",
    async (url) => {
      const error = await redisStore({ url }).catch((thrown: unknown) => thrown as Error);
      expect(error).toMatchObject({ code: "OPTION_INVALID" });
      expect((error as Error).message).not.toContain("secret");
    },
  );
});
