import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { durableObjectStore } from "../../adapters/storage/durable-object/index.ts";
import { type TestApi, storeContract } from "../../src/testing/index.ts";
import { storeModel } from "./store-model.ts";

let boxes = 0;
let current: WorkerdState | undefined;

/** Each test runs inside an object of its own, since its storage must not be touched from outside. */
const inside: TestApi = {
  describe,
  expect,
  it: (title, body) =>
    it(title, () =>
      runInDurableObject(env.BOX.getByName(`store-${boxes++}`), async (_, state) => {
        current = state;
        await body();
      }),
    ),
};

function currentState(): WorkerdState {
  if (current === undefined) throw new Error("No object is running");
  return current;
}

const durableObject = {
  name: "durableObjectStore()",
  caps: { replace: "atomic", append: "native", cas: "global", durable: "server", exclusive: true },
  async open() {
    await currentState().storage.deleteAll();
    return { store: durableObjectStore(currentState()), dispose: async () => {} };
  },
  reopen: async () => durableObjectStore(currentState()),
} as const;

storeContract(inside, durableObject);
storeModel(inside, { ...durableObject, runs: 25 });

describe("durableObjectStore()", () => {
  it("keeps everything when the object is evicted", async () => {
    const stub = env.BOX.getByName("store-evicted");
    const version = await runInDurableObject(stub, async (_, state) => {
      const store = durableObjectStore(state);
      await store.append("log", [{ n: 1 }, { n: 2 }], { id: "a" });
      return store.put("a", "text");
    });
    await evictDurableObject(stub);
    await runInDurableObject(stub, async (_, state) => {
      const store = durableObjectStore(state);
      expect(await store.get("a")).toEqual({ value: "text", version });
      expect(await store.append("log", { n: 3 }, { id: "a" })).toEqual({ seq: 2, duplicate: true });
      expect(await store.append("log", { n: 3 })).toEqual({ seq: 3, duplicate: false });
    });
  });

  it("leaves nothing of an append that fails in the middle", async () => {
    await runInDurableObject(env.BOX.getByName("store-failing"), async (_, state) => {
      const store = durableObjectStore(state);
      await store.append("log", { n: 1 });
      const circular: { [key: string]: never } = {};
      Object.assign(circular, { circular });
      await expect(store.append("log", [{ n: 2 }, circular], { id: "a" })).rejects.toThrow();
      expect(await store.lastSeq("log")).toBe(1);
      expect(await store.append("log", { n: 2 }, { id: "a" })).toEqual({ seq: 2, duplicate: false });
    });
  });

  it("refuses data that a newer version wrote", async () => {
    await runInDurableObject(env.BOX.getByName("store-newer"), (_, state) => {
      durableObjectStore(state);
      state.storage.sql.exec("UPDATE wakeful_format SET version = 2");
      expect(() => durableObjectStore(state)).toThrow(expect.objectContaining({ code: "FORMAT_TOO_NEW" }));
    });
  });

  it("leaves the tables of others in the same object alone", async () => {
    await runInDurableObject(env.BOX.getByName("store-shared"), async (_, state) => {
      state.storage.sql.exec("CREATE TABLE IF NOT EXISTS keys (id INTEGER)");
      state.storage.sql.exec("INSERT INTO keys VALUES (7)");
      const store = durableObjectStore(state);
      await store.put("a", 1);
      await store.remove("a");
      expect(state.storage.sql.exec("SELECT id FROM keys").toArray()).toEqual([{ id: 7 }]);
    });
  });
});
