import { describe, expect, it } from "vitest";
import { createVectorFiles } from "../../../src/memory/semantic/vector-files.ts";
import { hashText, quantise } from "../../../src/memory/semantic/vector-segment.ts";
import { type Store, memoryStore } from "../../../src/store/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";

const USER = "telegram:1";
const PREFIX = ".index/memory/telegram:1/vectors/";

const vector = (id: string, value = 1) => ({
  id,
  createdAtMs: 0,
  type: "",
  textHash: hashText(`${id}${value}`),
  ...quantise(Float32Array.of(value, 1, 0)),
});
const filesOf = (store: Store) => createVectorFiles({ store, clock: fakeClock(), model: "some/model" });
async function keysOf(store: Store): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(PREFIX)) keys.push(key);
  return keys;
}
async function idsOf(store: Store): Promise<string[]> {
  const { set } = await filesOf(store).load(USER);
  return [...(set?.ids() ?? [])].sort();
}

describe("createVectorFiles()", () => {
  it("loads what was added and not removed; of two vectors of one entry the later", async () => {
    const store = memoryStore();
    const files = filesOf(store);
    const vectors = await files.load(USER);
    await files.add(USER, vectors, [vector("a"), vector("b")]);
    await files.add(USER, vectors, [vector("a", 2), vector("c")]);
    await files.remove(USER, vectors, ["b", "unknown"]);
    const loaded = await filesOf(store).load(USER);
    expect([...(loaded.set?.ids() ?? [])].sort()).toEqual(["a", "c"]);
    expect(loaded.set?.textHash("a")).toBe(hashText("a2"));
  });

  it("loads an entry that was removed and added again", async () => {
    const store = memoryStore();
    const files = filesOf(store);
    const vectors = await files.load(USER);
    await files.add(USER, vectors, [vector("a")]);
    await files.remove(USER, vectors, ["a"]);
    await files.add(USER, vectors, [vector("a")]);
    expect(await idsOf(store)).toEqual(["a"]);
  });

  it("makes few segments of many small ones, and leaves none behind", async () => {
    const store = memoryStore();
    const files = filesOf(store);
    const vectors = await files.load(USER);
    const ids = Array.from({ length: 60 }, (_, at) => `e${String(at).padStart(2, "0")}`);
    for (const id of ids) await files.add(USER, vectors, [vector(id)]);
    await files.remove(USER, vectors, ids.slice(0, 30));
    for (const id of ids.slice(0, 10)) await files.add(USER, vectors, [vector(id)]);
    expect((await keysOf(store)).length).toBeLessThanOrEqual(10);
    expect(await idsOf(store)).toEqual([...ids.slice(0, 10), ...ids.slice(30)].sort());
  });

  it("forgets what was removed once there is much of it", async () => {
    const store = memoryStore();
    const files = filesOf(store);
    const vectors = await files.load(USER);
    const ids = Array.from({ length: 100 }, (_, at) => `e${at}`);
    await files.add(
      USER,
      vectors,
      ids.map((id) => vector(id)),
    );
    await files.remove(USER, vectors, ids.slice(0, 80));
    expect(vectors.manifest).toMatchObject({ removed: {}, segments: [{ count: 20 }] });
    expect((await keysOf(store)).length).toBe(2);
    expect(await idsOf(store)).toEqual(ids.slice(80).sort());
  });

  it("keeps what another process added meanwhile", async () => {
    const store = memoryStore();
    const [one, other] = [filesOf(store), filesOf(store)];
    const [mine, theirs] = [await one.load(USER), await other.load(USER)];
    await one.add(USER, mine, [vector("a")]);
    await other.add(USER, theirs, [vector("b")]);
    await one.remove(USER, mine, ["a"]);
    expect(await idsOf(store)).toEqual(["b"]);
    expect([...(mine.set?.ids() ?? [])]).toEqual(["b"]);
  });

  it("holds what it held before when a write fails between the segment and the manifest", async () => {
    const store = memoryStore();
    const files = filesOf(store);
    const vectors = await files.load(USER);
    await files.add(USER, vectors, [vector("a")]);
    const failing: Store = {
      ...store,
      put: async (key, value, options) => {
        if (key.endsWith("manifest.json")) throw new Error("disk");
        return store.put(key, value, options);
      },
    };
    const broken = filesOf(failing);
    const theirs = await broken.load(USER);
    await expect(broken.add(USER, theirs, [vector("b")])).rejects.toThrow("disk");
    expect([...(theirs.set?.ids() ?? [])]).toEqual(["a"]);
    expect(await idsOf(store)).toEqual(["a"]);
    expect((await keysOf(store)).length).toBe(3);
    for (let at = 0; at < 12; at++) await files.add(USER, vectors, [vector(`c${at}`)]);
    const left = vectors.manifest?.segments.length ?? 0;
    expect((await keysOf(store)).length).toBe(left + 1);
  });

  it("does without a segment that is missing or damaged", async () => {
    const store = memoryStore();
    const files = filesOf(store);
    const vectors = await files.load(USER);
    for (const id of ["a", "b", "c"]) await files.add(USER, vectors, [vector(id)]);
    const [first, second] = (await keysOf(store)).filter((key) => key.endsWith(".bin"));
    await store.put(first ?? "", new Uint8Array([1, 2, 3]));
    await store.remove(second ?? "");
    expect(await idsOf(store)).toEqual(["c"]);
  });

  it("takes a manifest of another format for none", async () => {
    const store = memoryStore();
    const files = filesOf(store);
    const vectors = await files.load(USER);
    await files.add(USER, vectors, [vector("a")]);
    const [manifest] = (await keysOf(store)).filter((key) => key.endsWith("manifest.json"));
    await store.put(manifest ?? "", { format: 99 });
    const again = filesOf(store);
    const loaded = await again.load(USER);
    expect(loaded.set).toBeUndefined();
    await again.add(USER, loaded, [vector("b")]);
    expect(await idsOf(store)).toEqual(["b"]);
  });

  it("starts anew with vectors of another size", async () => {
    const store = memoryStore();
    const files = filesOf(store);
    const vectors = await files.load(USER);
    await files.add(USER, vectors, [vector("a")]);
    await files.add(USER, vectors, [{ ...vector("b"), ...quantise(Float32Array.of(1, 0)) }]);
    expect(vectors.set?.dimensions).toBe(2);
    expect(await idsOf(store)).toEqual(["b"]);
  });
});
