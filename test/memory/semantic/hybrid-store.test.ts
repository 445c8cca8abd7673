import { describe, expect, it } from "vitest";
import type { MemoryEntry } from "../../../src/memory/index.ts";
import { type HybridMemoryOptions, hybridMemoryStore } from "../../../src/memory/semantic/hybrid-store.ts";
import { memoryStore } from "../../../src/store/index.ts";
import { createMetrics } from "../../../src/telemetry/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { type ScriptedEmbedder, meaningEmbedder, stubStore } from "./stub-store.ts";

const USER = "telegram:1";
const MEANINGS = ["coffee espresso drink beverage", "car vehicle drive automobile", "dog puppy pet animal"];

function entry(id: string, content: string, more: Partial<MemoryEntry> = {}): MemoryEntry {
  const at = new Date(Date.UTC(2026, 0, 1) + Number.parseInt(id.replaceAll(/\D/g, "") || "0", 10) * 60_000);
  return { id, userId: USER, content, keywords: [], slots: {}, createdAt: at, updatedAt: at, ...more };
}

const THREE = [
  entry("e1", "I like espresso in the morning"),
  entry("e2", "My automobile is red"),
  entry("e3", "We adopted a puppy"),
];

/** Enough to say what chance makes alike. */
const SOME_ALIKE = ["red tea", "red rain", "green tea", "loud bark", "old bread", "new bread", "slow bus"].map(
  (content, at) => entry(`s${at + 10}`, content),
);

function setUp(more: Partial<HybridMemoryOptions> & { readonly embedder?: ScriptedEmbedder } = {}) {
  const clock = fakeClock();
  const store = more.store ?? memoryStore();
  const entries = stubStore(() => clock.now());
  const embedder = more.embedder ?? meaningEmbedder(MEANINGS);
  const lines: string[] = [];
  const metrics = createMetrics();
  const take = (message: string) => void lines.push(message);
  const logger = { debug: take, info: take, warn: take, error: take };
  const options = { entries, store, clock, logger, metrics, ...more, embedder };
  const memory = hybridMemoryStore(options);
  const found = async (text: string, query: { limit?: number } & Record<string, unknown> = {}) =>
    (await memory.search({ userId: USER, text, limit: 5, ...query })).map((hit) => hit.entry.id).join(" ");
  const failed = () => Number(/failed_total (\d+)/.exec(metrics.text())?.[1] ?? 0);
  return {
    clock,
    store,
    entries: options.entries,
    embedder,
    memory,
    lines,
    found,
    failed,
    again: () => hybridMemoryStore(options),
  };
}

describe("hybridMemoryStore()", () => {
  it("finds by meaning what shares no word with the question", async () => {
    const { memory, found } = setUp();
    await memory.save(THREE);
    expect(await found("favourite beverage")).toBe("");
    await memory.settled();
    expect(await found("favourite beverage")).toBe("e1");
    const [hit] = await memory.search({ userId: USER, text: "favourite beverage", limit: 5 });
    expect(hit?.signals.semantic).toBeGreaterThan(0.5);
    expect(hit?.signals.keyword).toBeUndefined();
  });

  it("keeps what words found first while the model has not shown that it helps", async () => {
    const { memory, found } = setUp();
    await memory.save([...THREE, entry("e4", "the beverage list")]);
    await memory.settled();
    expect(await found("beverage list", { limit: 1 })).toBe("e4");
    expect(await memory.status(USER)).toMatchObject({
      model: "test/meaning",
      vectors: 4,
      waiting: 0,
      state: "unchecked",
    });
  });

  it("saves at once, and embeds a moment later in one call", async () => {
    const { memory, embedder, clock } = setUp();
    for (const one of THREE) await memory.save([one]);
    expect(embedder.calls).toEqual([]);
    expect((await memory.status(USER)).waiting).toBe(3);
    await clock.advance(1000);
    expect(embedder.calls.map((call) => call.length)).toEqual([3]);
    expect((await memory.status(USER)).vectors).toBe(3);
  });

  it("asks for no more at once than the embedder takes, also when that is a promise", async () => {
    const { memory, embedder } = setUp({
      embedder: { ...meaningEmbedder(MEANINGS), maxEmbeddingsPerCall: Promise.resolve(2) },
    });
    await memory.save(Array.from({ length: 5 }, (_, at) => entry(`e${at}`, `dog number ${at}`)));
    await memory.settled();
    expect((await memory.status(USER)).vectors).toBe(5);
    expect(embedder.calls.map((call) => call.length).every((count) => count <= 2)).toBe(true);
  });

  it("never fails a save or a search because of the embedder, counts the failures and warns once", async () => {
    const { memory, embedder, found, failed, lines, clock } = setUp();
    await memory.save(THREE);
    await memory.settled();
    embedder.failure = new Error("quota");
    await memory.save([entry("e4", "an espresso at noon")]);
    await memory.settled();
    expect(await found("espresso")).toBe("e1 e4");
    expect(await found("beverage")).toBe("");
    expect(failed()).toBeGreaterThanOrEqual(3);
    expect(lines.filter((line) => line.startsWith("Embeddings fail"))).toHaveLength(1);
    embedder.failure = undefined;
    await clock.advance(600_000);
    expect((await memory.status(USER)).vectors).toBe(4);
    expect((await found("beverage")).split(" ").sort()).toEqual(["e1", "e4"]);
    expect(lines.filter((line) => line.startsWith("Embeddings work"))).toHaveLength(1);
  });

  it("waits longer after each failure", async () => {
    const { memory, embedder, clock } = setUp();
    embedder.failure = new Error("down");
    await memory.save(THREE);
    const times: number[] = [];
    for (let second = 0; second < 70; second++) {
      const before = embedder.calls.length;
      await clock.advance(1000);
      if (embedder.calls.length > before) times.push(second);
    }
    expect(times.length).toBeGreaterThanOrEqual(4);
    expect(times.length).toBeLessThanOrEqual(7);
  });

  it("sets a text aside that the model refuses, and embeds the others", async () => {
    const { memory, embedder, clock } = setUp();
    const answer = embedder.doEmbed.bind(embedder);
    embedder.doEmbed = async (options) => {
      if (options.values.some((value) => value.includes("forbidden"))) throw new Error("refused");
      return answer(options);
    };
    await memory.save([...THREE, entry("e4", "forbidden"), entry("e5", "a dog")]);
    await clock.advance(3_600_000);
    expect(await memory.status(USER)).toMatchObject({ vectors: 4, waiting: 0 });
  });

  it("gives what words found when the question's embedding is late, and uses it next time", async () => {
    const { memory, embedder, found, clock, failed } = setUp();
    await memory.save(THREE);
    await memory.settled();
    let answer = () => {};
    embedder.wait = () => new Promise((resolve) => (answer = resolve));
    let result: string | undefined;
    void found("beverage or automobile").then((ids) => (result = ids));
    await clock.advance(199);
    expect(result).toBeUndefined();
    await clock.advance(1);
    expect(result).toBe("e2");
    expect(failed()).toBe(1);
    embedder.wait = undefined;
    answer();
    await clock.advance(0);
    expect(await found("beverage or automobile")).toBe("e2 e1");
  });

  it("leaves a slow embedder alone after three late answers, and tries it again later", async () => {
    const { memory, embedder, found, clock } = setUp();
    await memory.save(THREE);
    await memory.settled();
    embedder.calls.length = 0;
    embedder.wait = () => new Promise(() => {});
    for (let question = 0; question < 5; question++) {
      const asked = found(`automobile ${question}`);
      await clock.advance(250);
      expect(await asked).toBe("e2");
    }
    expect(embedder.calls).toHaveLength(3);
    embedder.wait = undefined;
    await clock.advance(400_000);
    expect(await found("beverage")).toBe("e1");
  });

  it("leaves it alone no longer because the clock was set back", async () => {
    const { memory, embedder, found, clock } = setUp();
    await memory.save(THREE);
    await memory.settled();
    embedder.wait = () => Promise.reject(new Error("down"));
    for (let question = 0; question < 3; question++) await found(`automobile ${question}`);
    embedder.wait = undefined;
    clock.step(-365 * 86_400_000);
    expect(await found("beverage")).toBe("e1");
  });

  it("asks for the embedding of one question once", async () => {
    const { memory, embedder, found } = setUp();
    await memory.save(THREE);
    await memory.settled();
    embedder.calls.length = 0;
    for (let time = 0; time < 3; time++) expect(await found("beverage")).toBe("e1");
    expect(embedder.calls).toEqual([["beverage"]]);
  });

  it("embeds entries that were there before, and those that were edited or added by hand", async () => {
    const { memory, entries, found, clock } = setUp();
    await entries.save(THREE);
    expect(await found("beverage")).toBe("");
    await clock.advance(1000);
    expect(await found("beverage")).toBe("e1");
    await entries.save([entry("e1", "The automobile needs fuel")]);
    expect(await found("fuel")).toBe("e1");
    await clock.advance(1000);
    expect(await found("beverage")).toBe("");
    expect(await found("vehicle")).toBe("e1 e2");
    await entries.save([entry("e4", "a puppy")]);
    await clock.advance(600_000);
    await found("vehicle");
    await clock.advance(1000);
    expect((await memory.status(USER)).vectors).toBe(4);
  });

  it("keeps vectors in the store, and asks for none again at the next start", async () => {
    const { memory, embedder, again, clock } = setUp();
    await memory.save(THREE);
    await memory.settled();
    await memory.close();
    const asked = embedder.calls.length;
    const next = again();
    expect((await next.search({ userId: USER, text: "beverage", limit: 5 })).map((hit) => hit.entry.id)).toEqual([
      "e1",
    ]);
    await clock.advance(1000);
    await next.settled();
    expect(embedder.calls.slice(asked)).toEqual([["beverage"]]);
  });

  it("never mixes the vectors of two models", async () => {
    const store = memoryStore();
    const first = setUp({ store });
    await first.memory.save(THREE);
    await first.memory.settled();
    const second = setUp({ store, entries: first.entries, embedder: meaningEmbedder(MEANINGS, { modelId: "other" }) });
    expect(await second.memory.status(USER)).toMatchObject({ model: "test/other", vectors: 0 });
    await second.memory.settled();
    expect(await second.memory.status(USER)).toMatchObject({ model: "test/other", vectors: 3 });
  });

  it("starts anew when a model gives vectors of another size", async () => {
    const store = memoryStore();
    const first = setUp({ store });
    await first.memory.save(THREE);
    await first.memory.settled();
    const second = setUp({ store, entries: first.entries, embedder: meaningEmbedder(MEANINGS, { dimensions: 32 }) });
    expect(await second.found("beverage")).toBe("");
    await second.memory.save([entry("e9", "a dog")]);
    await second.memory.settled();
    await second.clock.advance(600_001);
    await second.found("beverage");
    await second.memory.settled();
    expect(await second.memory.status(USER)).toMatchObject({ vectors: 4, dimensions: 32 });
    expect(await second.found("beverage")).toBe("e1");
  });

  it.each([
    { title: "slots", query: { slots: { project: "b" } } },
    { title: "since", query: { since: new Date(Date.UTC(2026, 0, 1, 0, 2)) } },
    { title: "types that are left out", query: { withoutTypes: ["secret"] } },
    { title: "the time when an entry expires", query: {} },
  ])("holds for what only meaning found: $title", async ({ title, query }) => {
    const { memory, found, clock } = setUp();
    const expiresAt = new Date(clock.now() + 10_000);
    await memory.save([
      entry("e1", "espresso", {
        slots: { project: "a", type: "secret" },
        ...(title.startsWith("the") ? { expiresAt } : {}),
      }),
      entry("e5", "beverage", { slots: { project: "b", type: "open" } }),
    ]);
    await memory.settled();
    expect((await found("coffee")).split(" ").sort()).toEqual(["e1", "e5"]);
    await clock.advance(20_000);
    expect(await found("coffee", query)).toBe("e5");
  });

  it.each([
    { title: "removed", take: "remove" as const },
    { title: "archived", take: "archive" as const },
  ])("does not find what was $title, nor keep its vector", async ({ take }) => {
    const { memory, found, again } = setUp();
    await memory.save(THREE);
    await memory.settled();
    expect(await memory[take](USER, ["e1", "unknown"])).toBe(1);
    expect(await found("beverage")).toBe("");
    expect((await memory.status(USER)).vectors).toBe(2);
    expect((await again().status(USER)).vectors).toBe(2);
  });

  it("says which hits by words are archived, and embeds none of them again", async () => {
    const { memory, embedder } = setUp();
    await memory.save(THREE);
    await memory.settled();
    await memory.archive(USER, ["e1"]);
    const before = embedder.calls.length;
    const query = { userId: USER, text: "espresso", limit: 5, withArchived: true };
    const [hit] = (await memory.search(query)).filter(({ entry: { id } }) => id === "e1");
    expect(hit?.archived).toBe(true);
    await memory.settled();
    expect(embedder.calls.slice(before)).toEqual([["espresso"]]);
  });

  it("finds again what was restored", async () => {
    const { memory, found } = setUp();
    await memory.save(THREE);
    await memory.settled();
    await memory.archive(USER, ["e1"]);
    expect(await memory.restore(USER, ["e1"])).toBe(1);
    await memory.settled();
    expect(await found("beverage")).toBe("e1");
  });

  it("does not keep the vector of what was removed while it was being embedded", async () => {
    const { memory, embedder, clock } = setUp();
    let answer = () => {};
    embedder.wait = () => new Promise((resolve) => (answer = resolve));
    await memory.save(THREE);
    await clock.advance(1000);
    await memory.remove(USER, ["e1"]);
    embedder.wait = undefined;
    answer();
    await memory.settled();
    expect((await memory.status(USER)).vectors).toBe(2);
  });

  it("leaves nothing of a person who is forgotten, of any model, also while an embedding is under way", async () => {
    const { memory, embedder, store, clock } = setUp();
    await memory.save(THREE);
    await memory.settled();
    await memory.save([entry("x1", "a dog", { userId: "telegram:2" })]);
    await memory.settled();
    let answer = () => {};
    embedder.wait = () => new Promise((resolve) => (answer = resolve));
    await memory.save([entry("e4", "a puppy")]);
    await clock.advance(1000);
    await memory.forget(USER);
    answer();
    await memory.settled();
    await clock.advance(10_000);
    const keys: string[] = [];
    for await (const { key } of store.list(".index/")) keys.push(key);
    expect(keys.filter((key) => key.includes(USER))).toEqual([]);
    expect(keys.filter((key) => key.includes("telegram:2"))).not.toEqual([]);
  });

  it("gives no vectors to traces of workflows", async () => {
    const { memory } = setUp();
    await memory.save([entry("e1", "espresso", { slots: { type: "workflow_trace" } }), entry("e2", "a dog")]);
    await memory.settled();
    expect((await memory.status(USER)).vectors).toBe(1);
  });

  it("passes a question without words on", async () => {
    const { memory, entries, embedder } = setUp();
    await memory.save(THREE);
    await memory.settled();
    embedder.calls.length = 0;
    expect(await memory.search({ userId: USER, limit: 2 })).toHaveLength(2);
    expect((entries as ReturnType<typeof stubStore>).asked.at(-1)).toEqual({ userId: USER, limit: 2 });
    expect(embedder.calls).toEqual([]);
  });

  it("compares only the best by words and the newest when there are too many", async () => {
    const { memory, found, entries } = setUp({ maxCompared: 2 });
    await memory.save(THREE);
    await memory.settled();
    expect(await found("favourite beverage")).toBe("e1");
    expect((entries as ReturnType<typeof stubStore>).asked.map(({ limit }) => limit)).toContain(200);
  });

  it("says how similar a text is to entries, and nothing when the embedder fails", async () => {
    const { memory, embedder } = setUp();
    await memory.save(THREE);
    await memory.settled();
    const similar = await memory.similarities(USER, "espresso drink", ["e1", "e2", "unknown"]);
    expect([...similar.keys()]).toEqual(["e1", "e2"]);
    expect(similar.get("e1")).toBeGreaterThan(similar.get("e2") ?? 1);
    embedder.failure = new Error("down");
    expect(await memory.similarities(USER, "another text", ["e1"])).toEqual(new Map());
  });

  it("says which texts are more alike to one than chance makes entries", async () => {
    const { memory, embedder } = setUp();
    await memory.save([...THREE, ...SOME_ALIKE]);
    await memory.settled();
    embedder.calls.length = 0;
    const others = ["beverage", "drink espresso", "a puppy", "espresso"];
    const beyond = await memory.beyondChance(USER, "espresso", others);
    expect([...beyond.keys()]).toEqual(["beverage", "drink espresso", "espresso"]);
    expect(beyond.get("espresso")).toBeCloseTo(1);
    const near = (await memory.beyondChance(USER, "espresso", ["espresso at seven sharp"])).get(
      "espresso at seven sharp",
    );
    expect(near).toBeGreaterThan(0);
    expect(near).toBeLessThan(1);
    expect(embedder.calls).toEqual([
      ["espresso", "beverage", "drink espresso", "a puppy"],
      ["espresso at seven sharp"],
    ]);
  });

  it("asks for no embedding while too few entries say what chance makes alike", async () => {
    const { memory, embedder } = setUp();
    await memory.save(THREE);
    await memory.settled();
    embedder.calls.length = 0;
    expect(await memory.beyondChance(USER, "espresso", ["espresso"])).toEqual(new Map());
    expect(embedder.calls).toEqual([]);
  });

  it("finds no text alike when the embedder fails or is late, and uses what came late the next time", async () => {
    const { memory, embedder, clock, failed } = setUp();
    await memory.save([...THREE, ...SOME_ALIKE]);
    await memory.settled();
    embedder.failure = new Error("down");
    expect(await memory.beyondChance(USER, "espresso", ["beverage"])).toEqual(new Map());
    expect(failed()).toBe(1);
    embedder.failure = undefined;
    let answer = () => {};
    embedder.wait = () => new Promise((resolve) => (answer = resolve));
    const late = memory.beyondChance(USER, "espresso", ["beverage"]);
    await clock.advance(200);
    expect(await late).toEqual(new Map());
    answer();
    await clock.advance(0);
    embedder.calls.length = 0;
    expect([...(await memory.beyondChance(USER, "espresso", ["beverage"])).keys()]).toEqual(["beverage"]);
    expect(embedder.calls).toEqual([]);
  });

  it("takes a given least similarity for its own", async () => {
    const { memory, found } = setUp({ minSimilarity: 0.99 });
    await memory.save(THREE);
    await memory.settled();
    expect(await found("favourite beverage")).toBe("");
    expect((await memory.status(USER)).minSimilarity).toBe(0.99);
  });

  it.each([{ alpha: -1 }, { fusion: "rrf" as const, alpha: 2 }, { k: -5 }])("refuses %o", (options) => {
    expect(() => setUp(options)).toThrow(RangeError);
  });
});
