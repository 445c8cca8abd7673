import { describe, expect, it } from "vitest";
import { createLayeredStore } from "../../../entry.host.ts";
import { newEntry, type MemoryEntry, type NewMemory } from "../../../src/memory/index.ts";
import { memoryStore, storeKey, type Store } from "../../../src/store/index.ts";
import { createMetrics, type Logger } from "../../../src/telemetry/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";

const HOUR_MS = 3_600_000;

function setUp(store: Store = memoryStore(), options: { maxUsers?: number; maxBytes?: number } = {}) {
  const clock = fakeClock();
  const warnings: string[] = [];
  const logger: Logger = {
    debug() {},
    info() {},
    warn: (message) => void warnings.push(message),
    error: (message) => void warnings.push(message),
  };
  const metrics = createMetrics();
  const memory = createLayeredStore({ store, clock, logger, metrics, ...options });
  const entry = (id: string, content: string, more: Partial<NewMemory> = {}): MemoryEntry =>
    newEntry({ userId: "@a", id, content, ...more }, clock);
  const keyOf = (id: string, folder = "entries", userId = "@a") => storeKey("memory", userId, folder, `${id}.md`);
  return {
    store,
    clock,
    warnings,
    metrics,
    memory,
    entry,
    keyOf,
    find: async (text: string, userId = "@a") =>
      (await memory.search({ userId, text, limit: 20 })).map((hit) => hit.entry.id).sort(),
    text: async (key: string) => {
      const value = (await store.get(key))?.value;
      return typeof value === "string" ? value : undefined;
    },
    /** As an editor does it. */
    edit: async (id: string, change: (text: string) => string, folder = "entries") => {
      const key = keyOf(id, folder);
      const before = (await store.get(key))?.value;
      await store.put(key, change(typeof before === "string" ? before : ""));
    },
  };
}

async function keysOf(store: Store, prefix = ""): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
}

/** A store of which the calls are counted by name. */
function counted(store: Store): { store: Store; calls: string[] } {
  const calls: string[] = [];
  const names = ["get", "put", "remove", "append", "list", "read"] as const;
  const through = Object.fromEntries(
    names.map((name) => [
      name,
      (...args: unknown[]) => {
        calls.push(`${name} ${String(args[0])}`);
        return (store[name] as (...of: unknown[]) => unknown)(...args);
      },
    ]),
  );
  return { store: { ...store, ...through }, calls };
}

describe("the layered store", () => {
  it("saves with one file and one line of a log", async () => {
    const { store, calls } = counted(memoryStore());
    const { memory, entry } = setUp(store);
    await memory.save([entry("1", "tea")]);
    await memory.settled();
    calls.length = 0;
    await memory.save([entry("2", "tea")]);
    expect(calls).toEqual(["put memory/@a/entries/2.md", "append .index/memory/@a/entries/log-0.jsonl"]);
  });

  it("searches without reading anything", async () => {
    const { store, calls } = counted(memoryStore());
    const { memory, entry, find } = setUp(store);
    await memory.save([entry("1", "tea"), entry("2", "coffee")]);
    await memory.settled();
    calls.length = 0;
    expect(await find("tea")).toEqual(["1"]);
    expect(calls).toEqual([]);
  });

  it("loads once for all who ask at the same time", async () => {
    const kept = memoryStore();
    const before = setUp(kept);
    await before.memory.save([before.entry("1", "tea")]);
    await before.memory.close();
    const { store, calls } = counted(kept);
    const { find } = setUp(store);
    expect(await Promise.all([find("tea"), find("tea"), find("tea")])).toEqual([["1"], ["1"], ["1"]]);
    expect(calls.filter((call) => call.startsWith("read "))).toEqual(["read .index/memory/@a/entries/log-0.jsonl"]);
    expect(calls.filter((call) => call.startsWith("get memory/"))).toEqual([]);
  });

  it("lets go of those not used for longest, and finds everything again", async () => {
    const { memory, entry, find, store } = setUp(undefined, { maxUsers: 3 });
    for (let n = 0; n < 8; n++) await memory.save([entry("1", `tea ${n}`, { userId: `@u${n}` })]);
    for (let n = 0; n < 8; n++) expect(await find("tea", `@u${n}`)).toEqual(["1"]);
    await memory.settled();
    const small = setUp(store, { maxBytes: 1 });
    for (let n = 0; n < 8; n++) expect(await small.find("tea", `@u${n}`)).toEqual(["1"]);
  });

  it("seals what it had to read out of a long log, so that the next start reads no word of it", async () => {
    const { store, memory, entry } = setUp();
    await memory.save(Array.from({ length: 40 }, (_, n) => entry(`${n}`, `tea ${n}`)));
    await memory.close();
    const again = setUp(store);
    expect(await again.find("tea 7")).toContain("7");
    await again.memory.settled();
    const index = await keysOf(store, ".index/memory/@a/entries/");
    expect(index.filter((key) => key.includes("log-"))).toEqual([]);
    expect(index.filter((key) => key.includes("segment-"))).toHaveLength(1);
    expect(await setUp(store).find("tea 7")).toContain("7");
  });

  it("serves from the index at once after a restart, and finds what changed meanwhile", async () => {
    const { store, memory, entry, edit, keyOf } = setUp();
    await memory.save([entry("1", "tea"), entry("2", "coffee"), entry("3", "milk")]);
    await memory.close();
    await edit("1", (text) => text.replace("tea", "cocoa"));
    await store.remove(keyOf("2"));
    await store.put(keyOf("4"), "lemonade\n");
    const again = setUp(store);
    expect(await again.find("milk")).toEqual(["3"]);
    await again.memory.settled();
    expect(await again.find("tea coffee")).toEqual([]);
    expect(await again.find("cocoa lemonade")).toEqual(["1", "4"]);
  });

  it.each([
    ["is gone", (store: Store) => store.remove(".index/memory/@a/entries/manifest.json")],
    [
      "is of another version",
      async (store: Store) =>
        void (await store.put(".index/memory/@a/entries/manifest.json", {
          v: 1,
          log: 1,
          index: { version: 0, segments: [] },
        })),
    ],
    [
      "is no manifest",
      async (store: Store) => void (await store.put(".index/memory/@a/entries/manifest.json", "torn")),
    ],
    [
      "lacks a segment",
      async (store: Store) => {
        for (const key of await keysOf(store, ".index/")) if (key.includes("segment-")) await store.remove(key);
      },
    ],
    [
      "has a damaged segment",
      async (store: Store) => {
        for (const key of await keysOf(store, ".index/"))
          if (key.includes("segment-")) await store.put(key, new Uint8Array([255, 1, 2, 3]));
      },
    ],
  ])("builds the index anew when it %s", async (_, damage) => {
    const { store, memory, entry } = setUp();
    await memory.save(Array.from({ length: 300 }, (_one, n) => entry(`e${n}`, `tea number n${n}`)));
    await memory.close();
    expect((await keysOf(store, ".index/")).some((key) => key.includes("segment-"))).toBe(true);
    await damage(store);
    const again = setUp(store);
    expect((await again.memory.count("@a")).entries).toBe(300);
    expect(await again.find("n299")).toContain("e299");
    await again.memory.close();
    // What was built is kept: the next load reads no entry.
    const { store: third, calls } = counted(store);
    expect(await setUp(third).find("n7")).toContain("e7");
    expect(calls.filter((call) => call.startsWith("get memory/"))).toEqual([]);
  });

  it("leaves nothing of a removed or forgotten entry in any file", async () => {
    const { store, memory, entry } = setUp();
    await memory.save(Array.from({ length: 300 }, (_, n) => entry(`e${n}`, n === 7 ? "xylophone" : `tea n${n}`)));
    await memory.save([entry("late", "zanzibar"), entry("kept", "tea")]);
    await memory.archive("@a", ["late"]);
    await memory.remove("@a", ["e7", "late"]);
    const holds = async (word: string) => {
      for (const key of await keysOf(store)) {
        const texts: string[] = [];
        if (key.endsWith(".jsonl")) for await (const { record } of store.read(key)) texts.push(JSON.stringify(record));
        else {
          const value = (await store.get(key))?.value;
          texts.push(value instanceof Uint8Array ? new TextDecoder().decode(value) : JSON.stringify(value));
        }
        if (texts.some((text) => text.includes(word))) return true;
      }
      return false;
    };
    expect(await holds("n299")).toBe(true);
    expect(await holds("xylophone")).toBe(false);
    expect(await holds("zanzibar")).toBe(false);
    await memory.forget("@a");
    await memory.settled();
    expect(await keysOf(store)).toEqual([]);
  });
});

describe("a person who is forgotten while others still save", () => {
  it("has just what was saved afterwards, in files and in recall alike", async () => {
    const { memory, entry, store, find } = setUp();
    await memory.save([entry("1", "green tea")]);
    const saved = memory.save([entry("2", "black tea")]);
    const forgotten = memory.forget("@a");
    await Promise.all([saved, forgotten, memory.save([entry("3", "white tea")]), memory.archive("@a", ["1"])]);
    await memory.settled();
    const keys: string[] = [];
    for await (const { key } of store.list("memory/")) keys.push(key);
    expect(keys).toEqual(["memory/@a/entries/3.md"]);
    expect(await find("tea")).toEqual(["3"]);
  });

  it("can be saved to again when forgetting failed halfway", async () => {
    const kept = memoryStore();
    let isDown = true;
    const remove: Store["remove"] = (...given) => (isDown ? Promise.reject(new Error("down")) : kept.remove(...given));
    const { memory, entry, find } = setUp({ ...kept, remove });
    await memory.save([entry("1", "green tea")]);
    await expect(memory.forget("@a")).rejects.toThrow("down");
    isDown = false;
    await memory.save([entry("2", "black tea")]);
    expect(await find("tea")).toEqual(["1", "2"]);
  });
});

describe("a store that fails to read for a moment", () => {
  it("hides nothing for longer than the next comparison, though files are watched", async () => {
    const kept = memoryStore();
    let isDown = false;
    let lists = 0;
    const store: Store = {
      ...kept,
      get: (key) => (isDown ? Promise.reject(new Error("busy")) : kept.get(key)),
      list(...given) {
        lists++;
        return kept.list(...given);
      },
      async *watch(_, signal) {
        yield* [];
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      },
    };
    const { memory, entry, find, clock, edit } = setUp(store);
    await memory.save([entry("1", "green tea"), entry("2", "black tea")]);
    await edit("1", (text) => text.replace("green", "white"));
    await edit("2", (text) => text.replace("black", "red"));
    clock.step(HOUR_MS);
    isDown = true;
    await find("tea");
    await memory.settled();
    isDown = false;
    clock.step(3000);
    const before = lists;
    await find("tea");
    await memory.settled();
    expect(await find("tea")).toEqual(["1", "2"]);
    expect(await find("white")).toEqual(["1"]);
    expect(lists).toBe(before);
    await memory.close();
  });
});

describe("entries that people edit by hand", () => {
  it("are found as they are now, though they were edited while an index was built anew and nothing was watched", async () => {
    const kept = memoryStore();
    const before = setUp(kept);
    await before.memory.save([before.entry("1", "green tea"), before.entry("2", "rice")]);
    await before.memory.close();
    for (const key of await keysOf(kept, ".index/")) await kept.remove(key);
    const older = { v: 1, log: 0, index: { version: 0, segments: [] } };
    await kept.put(".index/memory/@a/entries/manifest.json", older);
    let isEdited = false;
    const { memory, find, edit, keyOf } = setUp({
      ...kept,
      async get(key) {
        const found = await kept.get(key);
        if (key === keyOf("1") && !isEdited) {
          isEdited = true;
          await edit("1", (text) => text.replace("green", "white"));
        }
        return found;
      },
      async *watch(_, signal) {
        yield* [];
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      },
    });
    expect(await find("rice")).toEqual(["2"]);
    expect(isEdited).toBe(true);
    await memory.settled();
    expect(await find("white")).toEqual(["1"]);
    expect(await find("green")).toEqual([]);
    await memory.close();
  });

  it("keep what a person wrote when they are saved over", async () => {
    const { memory, entry, edit, text, keyOf } = setUp();
    await memory.save([entry("1", "Likes tea", { slots: { type: "note" } })]);
    await edit("1", (file) => file.replace("Likes tea", "Likes rooibos").replace("---\n\n", 'mood: "good"\n---\n\n'));
    await memory.save([entry("1", "Likes tea", { keywords: ["drink"], slots: { type: "note", merged: true } })]);
    expect(await memory.get("@a", "1")).toMatchObject({
      content: "Likes rooibos",
      keywords: ["drink"],
      slots: { type: "note", merged: true },
    });
    expect(await text(keyOf("1"))).toContain('mood: "good"');
  });

  it("keep what a person wrote while somebody else thought about what to save", async () => {
    const { memory, entry, edit, find } = setUp();
    await memory.save([entry("1", "Likes tea")]);
    const read = entry("1", "Likes tea");
    await edit("1", (file) => file.replace("Likes tea", "Likes rooibos"));
    // The index has heard of the edit before the save comes.
    await memory.get("@a", "1");
    expect(await find("rooibos")).toEqual(["1"]);
    await memory.save([entry("1", "Likes tea a lot", { keywords: ["drink"] })], { over: [read] });
    expect(await memory.get("@a", "1")).toMatchObject({ content: "Likes rooibos", keywords: ["drink"] });
  });

  it("are not overwritten by one who writes in the very moment", async () => {
    const kept = memoryStore();
    let hand: (() => Promise<void>) | undefined;
    const store: Store = {
      ...kept,
      async put(key, value, options) {
        const now = hand;
        hand = undefined;
        await now?.();
        return kept.put(key, value, options);
      },
      async remove(key, options) {
        const now = hand;
        hand = undefined;
        await now?.();
        return kept.remove(key, options);
      },
    };
    const { memory, entry, keyOf, text } = setUp(store);
    const byHand = async (content: string) => void (await kept.put(keyOf("1"), content));
    await memory.save([entry("1", "one")]);
    hand = () => byHand("by hand\n");
    await memory.save([entry("1", "two")]);
    expect((await memory.get("@a", "1"))?.content).toBe("by hand");
    // Archived as the person left it.
    await memory.save([entry("1", "three")]);
    let moved = 0;
    hand = async () => {
      moved++;
      hand = () => byHand("in the last moment\n");
    };
    await memory.archive("@a", ["1"]);
    expect(moved).toBe(1);
    expect(await text(keyOf("1", "archive"))).toContain("in the last moment");
    expect(await text(keyOf("1"))).toBe(undefined);
  });

  it("are found in the archive too, and come back as they are there", async () => {
    const { memory, entry, edit, text, keyOf } = setUp();
    await memory.save([entry("1", "Likes tea"), entry("2", "Likes all tea")]);
    await memory.archive("@a", ["1"], { into: "2" });
    expect(await text(keyOf("1", "archive"))).toMatch(
      /archived_at: "2026-.*\narchived_reason: "merged"\nmerged_into: "2"/,
    );
    await edit("1", (file) => file.replace("tea", "cocoa"), "archive");
    expect(await memory.restore("@a", ["1"])).toBe(1);
    expect((await memory.get("@a", "1"))?.content).toBe("Likes cocoa");
    expect(await text(keyOf("1"))).not.toContain("archived_at");
  });

  it("are told of once when they are damaged, stay as they are, and the others serve", async () => {
    const { memory, entry, edit, find, warnings, metrics, clock, text, keyOf } = setUp();
    await memory.save([entry("1", "tea"), entry("2", "tea")]);
    await edit("1", (file) => file.replace(/created_at: .*/, 'created_at: "soon"'));
    const broken = await text(keyOf("1"));
    for (let round = 0; round < 3; round++) {
      clock.step(2000);
      expect(await find("tea")).toEqual(["2"]);
    }
    expect(warnings).toEqual([
      'A memory is damaged and left out: memory/@a/entries/1.md, line 6: created_at: expected a time such as 2026-02-01T09:30:00Z, got "soon"',
    ]);
    expect(metrics.text()).toContain("memory_damaged_total 1");
    expect(await memory.problems("@a")).toMatchObject([{ userId: "@a", key: "memory/@a/entries/1.md", line: 6 }]);
    await expect(memory.save([entry("1", "over it")])).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await memory.archive("@a", ["1"])).toBe(0);
    expect(await text(keyOf("1"))).toBe(broken);
    await edit("1", (file) => file.replace('"soon"', '"2026-01-01"'));
    clock.step(2000);
    expect(await find("tea")).toEqual(["1", "2"]);
    expect(await memory.problems("@a")).toEqual([]);
  });
});

describe("entries that expire", () => {
  it("are out of recall at once and in the archive soon after", async () => {
    const { memory, entry, find, clock, keyOf, store } = setUp();
    const expiresAt = clock.now() + HOUR_MS;
    await memory.save([entry("1", "tea", { expiresAt }), entry("2", "tea"), entry("3", "milk", { expiresAt })]);
    expect(await find("tea")).toEqual(["1", "2"]);
    clock.step(HOUR_MS);
    expect(await find("tea")).toEqual(["2"]);
    await memory.settled();
    expect(await keysOf(store, "memory/")).toEqual([keyOf("1", "archive"), keyOf("3", "archive"), keyOf("2")]);
    expect(await find("tea milk")).toEqual(["2"]);
    expect(clock.pending).toBe(0);
  });

  it("are out of recall although they cannot be archived just now", async () => {
    const kept = memoryStore();
    let fails = false;
    const put: Store["put"] = (...args) => (fails ? Promise.reject(new Error("disk full")) : kept.put(...args));
    const { memory, entry, find, clock, warnings } = setUp({ ...kept, put });
    await memory.save([entry("1", "tea", { expiresAt: clock.now() + 1 })]);
    clock.step(10);
    fails = true;
    expect(await find("tea")).toEqual([]);
    await memory.settled();
    expect(warnings.length).toBe(1);
    expect(await find("tea")).toEqual([]);
    await memory.settled();
    fails = false;
    expect(await find("tea")).toEqual([]);
    await memory.settled();
    expect(await memory.count("@a")).toEqual({ entries: 0, archived: 1 });
  });
});
