import { createStorage, prefixStorage } from "unstorage";
import memoryDriver from "unstorage/drivers/memory";
import { describe, expect, it } from "vitest";
import { unstorageStore } from "../../entry.host.ts";
import { AssistantError } from "../../src/errors.ts";
import { isUnstorage, memoryStore } from "../../src/store/index.ts";
import { storeContract, type OpenedStore } from "../../src/testing/store-contract.ts";
import { storeModel } from "./store-model.ts";

const caps = { replace: "in-place", append: "per-entry", cas: "process", durable: "none" } as const;

// Beside data of others, and under a prefix: what is not ours must not be seen. Plain drivers are tested where they run.
const storage = {
  name: "unstorageStore() on a prefixed Storage",
  caps,
  async open() {
    const whole = createStorage();
    await whole.setItem("ours:foreign:item", "1");
    await whole.setItem("other", "1");
    const part = prefixStorage(whole, "ours");
    return { part, store: storeOf(part), dispose: () => whole.dispose() };
  },
  reopen: async (opened: OpenedStore & { part: ReturnType<typeof createStorage> }) => storeOf(opened.part),
};
storeContract({ describe, it, expect }, storage);
storeModel({ describe, it, expect }, storage);

/** Bundles are given the library for a driver; elsewhere this changes nothing. */
function storeOf(...[backend, options]: Parameters<typeof unstorageStore>) {
  return unstorageStore(backend, { createStorage, ...options });
}

describe("unstorageStore()", () => {
  it("takes a driver, and disposes it when the store is closed", async () => {
    let disposed = 0;
    const store = storeOf({ ...memoryDriver(), dispose: () => disposed++ });
    await store.put("a", "1700000000.000100");
    expect((await store.get("a"))?.value).toBe("1700000000.000100");
    await store.close?.();
    expect(disposed).toBe(1);
  });

  it("throws an error that the driver hands back as a value", async () => {
    const broken = { ...memoryDriver(), getItem: () => new Error("EMFILE: too many open files") as never };
    const store = storeOf(broken);
    const error = await store.get("a").catch((thrown: unknown) => thrown);
    expect(AssistantError.is(error, "STORE_UNAVAILABLE") && error.message).toMatch(/EMFILE/);
  });

  it("refuses a document that is torn instead of answering nothing", async () => {
    const driver = memoryDriver();
    const store = storeOf(driver);
    await store.put("a", { long: "text" });
    const data = (driver.getInstance as () => Map<string, string>)();
    for (const [name, text] of data) data.set(name, text.slice(0, 20));
    await expect(store.get("a")).rejects.toMatchObject({ code: "STORE_UNSUITABLE" });
  });

  it("reads no document while it is being written", async () => {
    const driver = memoryDriver();
    const store = storeOf({
      ...driver,
      // Writes in place, as files are written: first empty, then whole.
      async setItem(name: string, value: string) {
        await driver.setItem?.(name, "", {});
        for (let pause = 0; pause < 20; pause++) await Promise.resolve();
        await driver.setItem?.(name, value, {});
      },
    });
    await store.put("a", { n: 1 });
    const writing = store.put("a", { n: 2 });
    expect((await store.get("a"))?.value).toEqual({ n: 2 });
    await writing;
  });

  it("refuses an item that a newer version wrote", async () => {
    const driver = memoryDriver();
    const data = (driver.getInstance as () => Map<string, string>)();
    const store = storeOf(driver);
    await store.put("a", "text");
    await store.append("log", { n: 1 });
    for (const [name, text] of data) data.set(name, text.replace('"v":1', '"v":2'));
    await expect(store.get("a")).rejects.toMatchObject({ code: "FORMAT_TOO_NEW" });
    await expect(store.read("log")[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "FORMAT_TOO_NEW" });
  });

  it("skips a torn entry of a log, reports it and keeps its seq", async () => {
    const driver = memoryDriver();
    const data = (driver.getInstance as () => Map<string, string>)();
    await storeOf(driver).append("log", { n: 1 });
    for (const name of data.keys()) data.set(name, "");
    const damage: string[] = [];
    const store = storeOf(driver, { onDamage: (message) => damage.push(message) });
    expect(await store.append("log", { n: 2 })).toEqual({ seq: 2, duplicate: false });
    const read = [];
    for await (const entry of store.read("log")) read.push(entry);
    expect(read).toEqual([{ seq: 2, record: { n: 2 } }]);
    expect(damage).toHaveLength(1);
  });

  it("finds out whether a failed append was written after all", async () => {
    const driver = memoryDriver();
    let fail = true;
    const store = storeOf({
      ...driver,
      setItem(name: string, value: string) {
        driver.setItem?.(name, value, {});
        if (fail) throw new Error("the answer was lost");
      },
    });
    await expect(store.append("log", { n: 1 }, { id: "a" })).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    fail = false;
    expect(await store.append("log", { n: 1 }, { id: "a" })).toEqual({ seq: 1, duplicate: true });
  });

  it("refuses logs and compare-and-set on a driver whose reads may be stale", async () => {
    const store = storeOf({ ...memoryDriver(), name: "cloudflare-kv-binding" });
    expect(store.caps.cas).toBe("none");
    await store.put("blob", "text");
    expect((await store.get("blob"))?.value).toBe("text");
    await expect(store.append("log", { n: 1 })).rejects.toThrow("Durable Object");
    await expect(store.put("blob", "text", { expect: null })).rejects.toMatchObject({ code: "STORE_UNSUITABLE" });
  });

  it("refuses a driver that cannot write", () => {
    const { hasItem, getItem, getKeys } = memoryDriver();
    expect(() => storeOf({ name: "http", hasItem, getItem, getKeys })).toThrow("read-only");
  });
});

describe("isUnstorage()", () => {
  it.each([
    { title: "a Storage", value: createStorage(), is: true },
    { title: "a driver", value: memoryDriver(), is: true },
    { title: "a store of ours", value: memoryStore(), is: false },
    { title: "a Map", value: new Map(), is: false },
    { title: "nothing", value: null, is: false },
  ])("tells $title", ({ value, is }) => {
    expect(isUnstorage(value)).toBe(is);
  });
});
