import { systemClock } from "../clock.ts";
import type { MemoryEntry, MemoryStore } from "../memory/index.ts";
import type { TestApi } from "./test-api.ts";

/** A memory store created for one test. */
export interface OpenedMemoryStore {
  /** Empty. */
  readonly memory: MemoryStore;
  /** Called after each test. */
  dispose(): Promise<void>;
}

/** Options of `memoryStoreContract`. */
export interface MemoryStoreContractOptions<Opened extends OpenedMemoryStore> {
  /** The store's name in the titles of the tests. */
  readonly name: string;
  /** Creates an empty store. Called once for each test. */
  open(): Promise<Opened>;
  /** Opens the data of `opened` again, as after a restart. Without it, the tests of a restart are left out. */
  reopen?(opened: Opened): Promise<MemoryStore>;
  /** The time that the store's clock tells, in milliseconds since the epoch. Default `Date.now`. */
  nowMs?(): number;
}

const HOUR_MS = 3_600_000;

/**
 * Registers the contract of the `MemoryStore` port as tests.
 *
 * Source: the Contract lines of `MemoryStore`; docs/memory.md, "Your own store".
 *
 * @example
 * ```ts
 * import { describe, expect, it } from "vitest";
 * memoryStoreContract({ describe, it, expect }, { name: "mine", open: async () => ({ memory: createMine(), dispose: async () => {} }) });
 * ```
 */
export function memoryStoreContract<Opened extends OpenedMemoryStore>(
  api: TestApi,
  options: MemoryStoreContractOptions<Opened>,
): void {
  const { name, open, reopen, nowMs = systemClock().now } = options;
  const { expect } = api;

  /** `nowAndAgain` runs checks on the store, then on the reopened store, with which the test continues. */
  function it(
    title: string,
    body: (
      memory: MemoryStore,
      nowAndAgain: (check: (memory: MemoryStore) => Promise<void>) => Promise<MemoryStore>,
    ) => Promise<void>,
  ): void {
    api.it(title, async () => {
      const opened = await open();
      try {
        await body(opened.memory, async (check) => {
          await check(opened.memory);
          if (reopen === undefined) return opened.memory;
          const reopened = await reopen(opened);
          await check(reopened);
          return reopened;
        });
      } finally {
        await opened.dispose();
      }
    });
  }

  /** Hours before now, since the newest entry comes first. */
  const entry = (id: string, content: string, more: Partial<MemoryEntry> & { hours?: number } = {}): MemoryEntry => {
    const { hours = 0, ...rest } = more;
    const at = new Date(nowMs() - hours * HOUR_MS);
    return { id, userId: "@a", content, keywords: [], slots: {}, createdAt: at, updatedAt: at, ...rest };
  };
  const ids = (hits: readonly { readonly entry: MemoryEntry }[]) => hits.map((hit) => hit.entry.id);
  const find = async (memory: MemoryStore, text: string, userId = "@a") =>
    ids(await memory.search({ userId, text, limit: 10 }));
  const listed = async (memory: MemoryStore, ...args: Parameters<MemoryStore["list"]>) => {
    const found: string[] = [];
    for await (const one of memory.list(...args)) found.push(one.id);
    return found;
  };
  const users = async (memory: MemoryStore) => {
    const found: string[] = [];
    for await (const user of memory.users()) found.push(user);
    return found;
  };

  api.describe(`${name} keeps the MemoryStore contract`, () => {
    it("gives an entry back whole", async (memory, nowAndAgain) => {
      const whole = entry("old-Id 1/ä", "Line one\n\n  and 二 \r\n---\n", {
        keywords: ["tea", "茶"],
        slots: { type: "note", nested: { list: [1, "2", null, true] } },
        updatedAt: new Date(nowMs() + 5),
        expiresAt: new Date(nowMs() + HOUR_MS),
      });
      await memory.save([whole]);
      await nowAndAgain(async (one) => {
        expect(await one.get("@a", whole.id)).toEqual(whole);
        expect((await one.search({ userId: "@a", text: "tea", limit: 5 })).map((hit) => hit.entry)).toEqual([whole]);
        expect(await one.get("@a", "unknown")).toBe(undefined);
      });
    });

    it("finds by words at once, the best first, no more than asked", async (memory) => {
      await memory.save([
        entry("1", "The cat sleeps on the sofa", { hours: 3 }),
        entry("2", "A dog barks at the postman", { hours: 2 }),
        entry("3", "The cat and the postman are friends", { hours: 1 }),
      ]);
      expect((await find(memory, "cat postman"))[0]).toBe("3");
      expect((await find(memory, "dog"))[0]).toBe("2");
      expect((await memory.search({ userId: "@a", text: "cat postman dog", limit: 2 })).length).toBe(2);
      expect(await find(memory, "zeppelin")).toEqual([]);
    });

    it("finds by keywords, and in languages without spaces", async (memory) => {
      await memory.save([
        entry("1", "Something else", { keywords: ["espresso"] }),
        entry("2", "我最喜欢的饮料是乌龙茶"),
        entry("3", "明天去北京出差"),
      ]);
      expect(ids(await memory.search({ userId: "@a", keywords: ["espresso"], limit: 5 }))).toEqual(["1"]);
      expect((await find(memory, "乌龙茶"))[0]).toBe("2");
    });

    it("gives the newest when no words are asked for", async (memory) => {
      await memory.save([
        entry("1", "one", { hours: 3 }),
        entry("2", "two", { hours: 1 }),
        entry("3", "three", { hours: 2, slots: { type: "workflow_trace" } }),
      ]);
      expect(ids(await memory.search({ userId: "@a", limit: 2 }))).toEqual(["2", "3"]);
      expect(ids(await memory.search({ userId: "@a", limit: 5, withoutTypes: ["workflow_trace"] }))).toEqual([
        "2",
        "1",
      ]);
    });

    it("filters before it ranks", async (memory) => {
      const many = Array.from({ length: 12 }, (_, n) => entry(`x${n}`, "tea tea tea", { hours: n }));
      await memory.save([
        ...many,
        entry("old", "some words and tea", { hours: 50, slots: { type: "note", tags: ["a", "b"] } }),
        entry("new", "many more words than that and tea", { hours: 0, slots: { type: "statement", session_id: "s1" } }),
      ]);
      const search = (query: object) => memory.search({ userId: "@a", text: "tea", limit: 3, ...query });
      expect(ids(await search({ slots: { type: "note" } }))).toEqual(["old"]);
      expect(ids(await search({ slots: { type: ["note", "statement"] } })).sort()).toEqual(["new", "old"]);
      expect(ids(await search({ slots: { type: "statement", session_id: "s2" } }))).toEqual([]);
      expect(ids(await search({ since: new Date(nowMs() - HOUR_MS / 2) })).sort()).toEqual(["new", "x0"]);
    });

    it("replaces an entry with a known id", async (memory, nowAndAgain) => {
      await memory.save([entry("1", "green apples")]);
      await memory.save([entry("1", "red cherries"), entry("1", "yellow pears")]);
      await nowAndAgain(async (one) => {
        expect(await find(one, "apples cherries")).toEqual([]);
        expect(await find(one, "pears")).toEqual(["1"]);
        expect(await listed(one, "@a")).toEqual(["1"]);
      });
    });

    it("keeps people apart", async (memory) => {
      await memory.save([
        entry("1", "tea of one"),
        entry("1", "tea of the other", { userId: "telegram:42" }),
        entry("2", "tea of a group", { userId: "group:telegram:-1/5" }),
      ]);
      expect((await memory.get("@a", "1"))?.content).toBe("tea of one");
      expect((await memory.get("telegram:42", "1"))?.userId).toBe("telegram:42");
      expect(await memory.get("@a", "2")).toBe(undefined);
      expect(await find(memory, "tea")).toEqual(["1"]);
      expect(await find(memory, "tea", "@A")).toEqual([]);
      expect(await users(memory)).toEqual(["@a", "group:telegram:-1/5", "telegram:42"]);
    });

    it("lists the newest first, then by id", async (memory) => {
      const at = new Date(nowMs() - HOUR_MS);
      await memory.save([
        entry("b", "two", { createdAt: at }),
        entry("old", "old", { hours: 9, slots: { type: "note" } }),
        entry("c", "three", { createdAt: at }),
        entry("new", "new", { slots: { type: "note" } }),
      ]);
      expect(await listed(memory, "@a")).toEqual(["new", "c", "b", "old"]);
      expect(await listed(memory, "@a", { slots: { type: "note" } })).toEqual(["new", "old"]);
      expect(await listed(memory, "@a", { since: at })).toEqual(["new", "c", "b"]);
      expect(await listed(memory, "@b")).toEqual([]);
    });

    it("archives, keeps and restores", async (memory, nowAndAgain) => {
      await memory.save([entry("1", "tea"), entry("2", "tea and milk")]);
      expect(await memory.archive("@a", ["1", "1", "unknown"], { into: "2" })).toBe(1);
      expect(await memory.archive("@a", ["1"])).toBe(0);
      const now = await nowAndAgain(async (one) => {
        expect(await find(one, "tea")).toEqual(["2"]);
        expect(await listed(one, "@a")).toEqual(["2"]);
        expect(await listed(one, "@a", { archived: true })).toEqual(["1"]);
        expect((await one.get("@a", "1"))?.content).toBe("tea");
        expect(await one.get("@a", "1", { archived: false })).toBe(undefined);
      });
      expect(await now.restore("@a", ["1", "2", "unknown"])).toBe(1);
      expect((await find(now, "tea")).sort()).toEqual(["1", "2"]);
      expect(await listed(now, "@a", { archived: true })).toEqual([]);
    });

    it("finds of what is archived at most what is there for its age, and says so", async (memory) => {
      await memory.save([entry("1", "tea"), entry("2", "tea and milk"), entry("3", "tea"), entry("4", "tea")]);
      await memory.archive("@a", ["1"]);
      await memory.archive("@a", ["3"], { reason: "superseded" });
      await memory.archive("@a", ["4"], { reason: "age" });
      expect(await find(memory, "tea")).toEqual(["2"]);
      const hits = await memory.search({ userId: "@a", text: "tea", limit: 5, withArchived: true });
      for (const { entry: found, archived = false } of hits)
        expect([found.id, archived]).toEqual(archived ? ["4", true] : ["2", false]);
      expect((await memory.count?.("@a")) ?? { entries: 1, archived: 3 }).toEqual({ entries: 1, archived: 3 });
    });

    it("never finds what expired, and loses nothing of it", async (memory) => {
      await memory.save([
        entry("over", "tea today", { hours: 9, expiresAt: new Date(nowMs() - 1) }),
        entry("later", "tea tomorrow", { expiresAt: new Date(nowMs() + HOUR_MS) }),
      ]);
      expect(await find(memory, "tea today")).toEqual(["later"]);
      expect(ids(await memory.search({ userId: "@a", limit: 5 }))).toEqual(["later"]);
      expect((await memory.get("@a", "over"))?.content).toBe("tea today");
    });

    it("removes for good, from the archive too", async (memory, nowAndAgain) => {
      await memory.save([entry("1", "tea"), entry("2", "tea"), entry("3", "tea")]);
      await memory.archive("@a", ["2"]);
      expect(await memory.remove("@a", ["1", "2", "2", "unknown"])).toBe(2);
      await nowAndAgain(async (one) => {
        expect(await find(one, "tea")).toEqual(["3"]);
        expect(await one.get("@a", "1")).toBe(undefined);
        expect(await one.get("@a", "2")).toBe(undefined);
        expect(await listed(one, "@a", { archived: true })).toEqual([]);
      });
    });

    it("forgets a person, and nobody else", async (memory, nowAndAgain) => {
      await memory.save([entry("1", "tea"), entry("2", "tea"), entry("3", "tea", { userId: "@ab" })]);
      await memory.archive("@a", ["2"]);
      await memory.forget("@a");
      await memory.forget("@nobody");
      const now = await nowAndAgain(async (one) => {
        expect(await users(one)).toEqual(["@ab"]);
        expect(await find(one, "tea")).toEqual([]);
        expect(await listed(one, "@a", { archived: true })).toEqual([]);
        expect(await find(one, "tea", "@ab")).toEqual(["3"]);
      });
      await now.save([entry("4", "coffee")]);
      expect(await find(now, "coffee tea")).toEqual(["4"]);
    });

    it("takes many at once, and saves side by side", async (memory, nowAndAgain) => {
      const batch = (from: number, count: number) =>
        Array.from({ length: count }, (_, n) =>
          entry(`e${from + n}`, `note number n${from + n} of tea`, { hours: from + n }),
        );
      await Promise.all([memory.save(batch(0, 300)), memory.save(batch(300, 5)), memory.save(batch(305, 5))]);
      await nowAndAgain(async (one) => {
        expect((await listed(one, "@a")).length).toBe(310);
        for (const n of [0, 299, 304, 309]) expect((await find(one, `n${n}`))[0]).toBe(`e${n}`);
      });
    });
  });
}
