import { storeKey } from "../store/index.ts";
import type { StoreGroup } from "./store-contract-group.ts";
import { expectSame, gather, keysOf } from "./store-contract-values.ts";

/** Segments that file names, key syntaxes or collations might change, hide, join or refuse. */
const DIFFICULT_SEGMENTS: readonly string[] = [
  ..."Foo foo FOO . .. ... .git node_modules CON con nul aux.txt LPT1 a. a$ $ a?b a?c ? im:oc_1?thread=2 : a:b a\\b a|b a*b <a> ~ ~00 _ - + & # @name %".split(
    " ",
  ),
  ..."a/b a%2Fb %2e%2e %00 a,b a;b a=b a!b 0 00 1e3 __proto__ constructor toString lock wal torn .index .tmp index meta log.jsonl log.json log.md".split(
    " ",
  ),
  " ",
  " a",
  "a ",
  "a b",
  '"',
  "'",
  "`",
  "line\nbreak",
  "tab\t",
  "nul\u0000",
  "\u0001",
  "del\u007f",
  "caf\u00e9",
  "cafe\u0301",
  "Å",
  "\u212b",
  "ß",
  "ss",
  "İ",
  "ı",
  "你好",
  "🌍",
  "👩‍👩‍👧",
  "\uff5e",
  "\ufffd",
  "\ud800",
  "\udbff",
  "\udfff",
  "x".repeat(250),
  "x".repeat(900),
  `${"x".repeat(899)}y`,
  `${"X".repeat(899)}y`,
  "界".repeat(300),
  `${"界".repeat(299)}y`,
];

const byCodeUnits = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The contract of keys, of `list`, and of what documents and logs share. */
export function keyContract({ it, expect }: StoreGroup, options: { blobsOnly: boolean }): void {
  const segments = options.blobsOnly
    ? DIFFICULT_SEGMENTS.filter((segment) => segment.length <= 150)
    : DIFFICULT_SEGMENTS;

  it("keeps documents under difficult keys apart, and lists them as they are", async (store) => {
    const keys = [
      ...segments.map((segment) => storeKey(segment)),
      ...segments.map((segment) => storeKey("in", segment, "doc")),
    ];
    for (const [index, key] of keys.entries()) await store.put(key, { index });
    for (const [index, key] of keys.entries())
      expectSame(expect, { key, value: (await store.get(key))?.value ?? null }, { key, value: { index } });
    expect(await keysOf(store, "")).toEqual(keys.toSorted(byCodeUnits));
    expect(await keysOf(store, "in/")).toEqual(keys.filter((key) => key.startsWith("in/")).sort(byCodeUnits));
    for (const key of keys) await store.remove(key);
    expect(await keysOf(store, "")).toEqual([]);
  });

  it("keeps a document whose key begins another's key", async (store) => {
    await store.put("a/b", "inner");
    await store.put("a", "outer");
    await store.put("a/b/c", "innermost");
    expect([(await store.get("a"))?.value, (await store.get("a/b"))?.value, (await store.get("a/b/c"))?.value]).toEqual(
      ["outer", "inner", "innermost"],
    );
    await store.remove("a");
    expect(await keysOf(store, "")).toEqual(["a/b", "a/b/c"]);
    expect((await store.get("a/b"))?.value).toBe("inner");
  });

  it("lists every key that starts with the prefix, also inside a segment", async (store) => {
    for (const key of ["a", "a/1", "a/2", "ab", "ab/1", "b", "b/a/1"]) await store.put(key, 1);
    expect(await keysOf(store, "a")).toEqual(["a", "a/1", "a/2", "ab", "ab/1"]);
    expect(await keysOf(store, "a/")).toEqual(["a/1", "a/2"]);
    expect(await keysOf(store, "ab")).toEqual(["ab", "ab/1"]);
    expect(await keysOf(store, "b/a/1")).toEqual(["b/a/1"]);
    expect(await keysOf(store, "c")).toEqual([]);
    expect(await keysOf(store, "A")).toEqual([]);
  });

  it("lists in ascending order of UTF-16 code units", async (store) => {
    // An emoji sorts before U+FF5E by code units, and after it by code points or UTF-8 bytes.
    const keys = ["k/\uff5e", "k/🌍", "k/z", "k/a", "k/Z", "k/10", "k/9", "k/é", "k/-", "k/_", "k/a/b", "k/a!", "k/a0"];
    for (const key of keys) await store.put(key, 1);
    expect(await keysOf(store, "k/")).toEqual(keys.toSorted(byCodeUnits));
  });

  it("lists after a key and up to a limit, so that pages join without gaps", async (store) => {
    const keys = Array.from({ length: 25 }, (_, index) => `page/${String(index).padStart(2, "0")}`);
    for (const key of keys) await store.put(key, 1);
    await store.put("pagf", 1);
    expect(await keysOf(store, "page/", { limit: 10 })).toEqual(keys.slice(0, 10));
    expect(await keysOf(store, "page/", { after: "page/09", limit: 10 })).toEqual(keys.slice(10, 20));
    expect(await keysOf(store, "page/", { after: "page/19", limit: 10 })).toEqual(keys.slice(20));
    expect(await keysOf(store, "page/", { after: "page/095" })).toEqual(keys.slice(10));
    expect(await keysOf(store, "page/", { after: "a" })).toEqual(keys);
    expect(await keysOf(store, "page/", { after: "z" })).toEqual([]);
    expect(await keysOf(store, "page/", { after: "page/09", limit: 10, keysOnly: true })).toEqual(keys.slice(10, 20));
  });

  it("lists the version that get answers", async (store) => {
    const version = await store.put("a", { n: 1 });
    expect(await gather(store.list(""))).toEqual([{ key: "a", version }]);
  });

  if (options.blobsOnly) return;

  it("keeps logs under difficult keys apart, and lists them as they are", async (store) => {
    const keys = segments.map((segment) => storeKey("logs", segment));
    for (const [index, key] of keys.entries()) await store.append(key, { index });
    for (const [index, key] of keys.entries())
      expect(await gather(store.read(key))).toEqual([{ seq: 1, record: { index } }]);
    expect(await keysOf(store, "logs/")).toEqual(keys.toSorted(byCodeUnits));
  });

  it("keeps logs and documents whose keys begin one another", async (store) => {
    await store.append("a", { at: "a" });
    await store.put("a/b", "document");
    await store.append("a/b/c", { at: "a/b/c" });
    await store.append("a", { at: "a again" });
    expect(await gather(store.read("a"))).toEqual([
      { seq: 1, record: { at: "a" } },
      { seq: 2, record: { at: "a again" } },
    ]);
    expect((await store.get("a/b"))?.value).toBe("document");
    await store.remove("a/b");
    expect(await gather(store.list(""))).toEqual([
      { key: "a", version: "2" },
      { key: "a/b/c", version: "1" },
    ]);
  });

  it("lists documents and logs together, a log with its last seq", async (store) => {
    const version = await store.put("s/1/meta", "text");
    await store.append("s/1/log", [{ n: 1 }, { n: 2 }, { n: 3 }]);
    await store.append("s/0", { n: 1 });
    expect(await gather(store.list("s/"))).toEqual([
      { key: "s/0", version: "1" },
      { key: "s/1/log", version: "3" },
      { key: "s/1/meta", version },
    ]);
  });

  it("lets a removed document's key become a log's, and the other way round", async (store) => {
    await store.put("a", "text");
    await store.remove("a");
    expect(await store.append("a", { n: 1 })).toEqual({ seq: 1, duplicate: false });
    await store.remove("a");
    await store.put("a", "again");
    expect((await store.get("a"))?.value).toBe("again");
    expect(await store.lastSeq("b")).toBe(0);
  });
}
