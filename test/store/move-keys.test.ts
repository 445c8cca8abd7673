import { describe, expect, it } from "vitest";
import { memoryStore, moveKeys } from "../../src/store/index.ts";

describe("moveKeys()", () => {
  it("leaves the original where the copy is not the same", async () => {
    const store = memoryStore();
    await store.put("a", { n: 1 });
    await store.put("b", { n: 2 });
    await expect(moveKeys(store, [{ from: "a", to: "b" }])).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await store.get("a"))?.value).toEqual({ n: 1 });
    await store.append("log/a", [{ n: 1 }, { n: 2 }]);
    await store.append("log/b", [{ n: 1 }, { n: 3 }]);
    await expect(moveKeys(store, [{ from: "log/a", to: "log/b" }])).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await store.lastSeq("log/a")).toBe(2);
  });

  it("goes on behind what is copied, and keeps messages known by their ids", async () => {
    const store = memoryStore();
    await store.append("from", { type: "in", id: "m1" }, { id: "m1" });
    await store.append("from", { type: "out" });
    await store.append("to", { type: "in", id: "m1" }, { id: "m1" });
    await moveKeys(store, [{ from: "from", to: "to" }]);
    expect([await store.lastSeq("from"), await store.lastSeq("to")]).toEqual([0, 2]);
    expect(await store.append("to", { type: "in", id: "m1" }, { id: "m1" })).toMatchObject({ seq: 1, duplicate: true });
  });
});
