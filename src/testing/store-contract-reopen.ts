import type { StoreGroup } from "./store-contract-group.ts";
import {
  conflictOf,
  expectSame,
  gather,
  keysOf,
  largeRecord,
  LARGE_VALUES,
  TROUBLESOME_JSON,
  TROUBLESOME_TEXTS,
} from "./store-contract-values.ts";

/** The contract of a durable store that was closed and opened again. */
export function reopenContract({ it, expect }: StoreGroup): void {
  it("keeps documents, their versions and their kinds", async (store, reopen) => {
    const values = [
      ...TROUBLESOME_TEXTS,
      ...TROUBLESOME_JSON,
      Uint8Array.of(0, 255),
      ...LARGE_VALUES.map(({ make }) => make()),
    ];
    const versions: string[] = [];
    for (const [index, value] of values.entries()) versions.push(await store.put(`values/${index}`, value));
    await store.put("removed", 1);
    await store.remove("removed");
    const again = await reopen();
    for (const [index, value] of values.entries()) {
      const found = await again.get(`values/${index}`);
      expectSame(expect, found?.value, value);
      expect(found?.version).toBe(versions[index]);
    }
    expect(await again.get("removed")).toBe(null);
    await again.put("values/0", "changed", { expect: versions[0] ?? null });
    await conflictOf(expect, again.put("values/0", "late", { expect: versions[0] ?? null }));
  });

  it("keeps logs, their seqs and their ids", async (store, reopen) => {
    await store.append("log", [{ n: 1 }, largeRecord()], { id: "a" });
    await store.append("log", { n: 3 }, { flush: false });
    await store.append("gone", { n: 1 }, { id: "a" });
    await store.remove("gone");
    const again = await reopen();
    expect(await keysOf(again, "")).toEqual(["log"]);
    expect(await again.lastSeq("log")).toBe(3);
    expect(await again.append("log", { n: 9 }, { id: "a", expectSeq: 0 })).toEqual({ seq: 2, duplicate: true });
    expect(await conflictOf(expect, again.append("log", { n: 9 }, { expectSeq: 2 }))).toBe(3);
    expect(await again.append("log", { n: 4 }, { expectSeq: 3, id: "b" })).toEqual({ seq: 4, duplicate: false });
    expect(await again.append("gone", { n: 1 }, { id: "a" })).toEqual({ seq: 1, duplicate: false });
    const third = await reopen();
    const read = await gather(third.read("log"));
    expect(read.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expectSame(expect, read[1]?.record, largeRecord());
    expect(read[3]?.record).toEqual({ n: 4 });
    expect(await third.append("log", { n: 9 }, { id: "b" })).toEqual({ seq: 4, duplicate: true });
    expect(await gather(third.list(""))).toEqual([
      { key: "gone", version: "1" },
      { key: "log", version: "4" },
    ]);
  });

  it("keeps the order of difficult keys in a list", async (store, reopen) => {
    const keys = ["a", "a/b", "a!", "A", "k/🌍", "k/\uff5e", "k/\ud800", "n\u0000", "..", "x".repeat(300)];
    for (const key of keys) await store.put(key, key);
    const again = await reopen();
    expect(await keysOf(again, "")).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)));
    for (const key of keys) expect((await again.get(key))?.value).toBe(key);
  });
}
