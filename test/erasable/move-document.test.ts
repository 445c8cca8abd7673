import { describe, expect, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import type { Store } from "../../kit.ts";
import { moveDocument } from "../../src/erasable/index.ts";

/** A store with a document, in which something happens at each write. */
async function setUp(put: (store: Store) => Store["put"] = (store) => store.put) {
  const store = memoryStore();
  await store.put("from", "tea");
  return { store, watched: { get: store.get, remove: store.remove, put: put(store) } };
}

const lines = (there: unknown, moved: unknown) =>
  [...new Set([there, moved].flatMap((one) => (typeof one === "string" ? [one] : [])))].join("\n");

describe("moveDocument()", () => {
  it("moves, and does nothing when there is nothing to move", async () => {
    const { store } = await setUp();
    expect(await moveDocument(store, "from", "to")).toBe(true);
    expect(await moveDocument(store, "from", "to")).toBe(false);
    expect([await store.get("from"), (await store.get("to"))?.value]).toEqual([null, "tea"]);
  });

  it("joins with what is there, or says that it cannot and leaves both", async () => {
    const { store } = await setUp();
    await store.put("to", "rain");
    await expect(moveDocument(store, "from", "to")).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await store.get("from"))?.value).toBe("tea");
    await moveDocument(store, "from", "to", lines);
    expect([await store.get("from"), (await store.get("to"))?.value]).toEqual([null, "rain\ntea"]);
  });

  it("keeps the original when the copy is not what was written", async () => {
    const { store, watched } = await setUp((inner) => (key) => inner.put(key, "something else"));
    await expect(moveDocument(watched, "from", "to")).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await store.get("from"))?.value).toBe("tea");
  });

  it.each(["from", "to"])("takes in what was written meanwhile as %s", async (late) => {
    let isFirst = true;
    const { store, watched } = await setUp((inner) => async (key, value, options) => {
      const version = await inner.put(key, value, options);
      if (isFirst) await inner.put(late, lines(value, "late"));
      isFirst = false;
      return version;
    });
    await moveDocument(watched, "from", "to", lines);
    expect((await store.get("to"))?.value).toContain("late");
    expect(await store.get("from")).toBeNull();
  });
});
