import { describe, expect, it } from "vitest";
import type { Store } from "../../kit.ts";
import { testAssistant } from "../support/assistant.ts";
import { DAY_MS } from "./assistant.ts";

const userId = "telegram:42";
const NOTE = { type: "note" };

async function setUp() {
  const { assistant, store, clock } = await testAssistant();
  const { memory, tools } = assistant;
  const list = async (archived: boolean) => {
    const contents: string[] = [];
    for await (const { content } of memory.list(userId, { archived })) contents.push(content);
    return contents;
  };
  return {
    clock,
    store,
    memory,
    save: (content: string, slots: object = NOTE) => memory.save({ userId, content, slots: { ...slots } }),
    live: () => list(false),
    archived: () => list(true),
    forget: async (query: string) => {
      const { output } = (await tools.run("memory_forget", { query }, { user: userId })) as { output: object };
      return output;
    },
  };
}

describe("what is removed for good", () => {
  it("goes with its entry when recall showed its line of MEMORY.md", async () => {
    const { memory, save, forget, live } = await setUp();
    await save("I live in Lund.", { type: "statement", kind: "fact", lasting: true });
    await save("I have two dogs.", { type: "statement", kind: "fact", lasting: true });
    await memory.extract({ userId });
    expect(await forget("I live in Lund")).toMatchObject({ forgotten: 1, was: { from: "long_term" } });
    expect(await live()).toEqual(["I have two dogs."]);
    expect(await memory.recall({ userId, text: "Where do I live? In Lund?" })).toEqual([]);
  });

  it("goes with the message that it was kept in before a compaction, and takes its line along", async () => {
    const { memory, store, save, live } = await setUp();
    const flushed = { type: "auto_flush", lasting: true };
    const keywords = ["preference"];
    const content = "Thanks for the list. I am allergic to penicillin.";
    await memory.save({ userId, content, keywords, slots: flushed });
    const { id } = await memory.save({ userId, content: "Hello there. I live in Lund.", keywords, slots: flushed });
    await save("I have two dogs.");
    await memory.extract({ userId });
    const [line] = await memory.recall({ userId, text: "Am I allergic to penicillin?" });
    expect(line).toMatchObject({ layer: "long_term" });
    expect(await memory.remove(userId, [line!.entry.id])).toBe(1);
    expect(await memory.remove(userId, [id])).toBe(1);
    expect(await live()).toEqual(["I have two dogs."]);
    expect((await store.get(`memory/${userId}/MEMORY.md`))?.value).not.toMatch(/penicillin|Lund/);
  });

  it("goes with the entry that a digest's line came from", async () => {
    const { memory, store, save, live } = await setUp();
    await save("Booked the sauna cabin in Visby");
    const { text = "" } = await memory.digest({ userId });
    const [key = ""] = [...(await keysOf(store, `memory/${userId}/daily/`))];
    await store.put(key, text.replace("Booked the sauna cabin", "Booked the cabin"));
    const hits = await memory.recall({ userId, text: "cabin in Visby", slots: { type: "daily_digest" } });
    expect(hits.map(({ layer }) => layer)).toEqual(["daily"]);
    await memory.remove(userId, [hits[0]!.entry.id]);
    expect(await live()).toEqual([]);
  });

  describe("after a merge", () => {
    const OLD = "My favourite boat is the blue one in Visby";
    const NEW = "My favourite boat is the blue one in Visby!";

    async function merged() {
      const given = await setUp();
      const { id } = await given.save(OLD);
      await given.clock.advance(DAY_MS);
      const { id: mergedId } = await given.save(NEW);
      await given.save("I like tea.");
      await given.memory.tidy({ userId });
      expect(await given.archived()).toEqual([NEW]);
      return { ...given, id, mergedId };
    }

    it("goes with what was merged into it", async () => {
      const { forget, live, archived } = await merged();
      expect(await forget("favourite boat Visby")).toMatchObject({ forgotten: 1 });
      expect([await live(), await archived()]).toEqual([["I like tea."], []]);
    });

    it.each(["in the archive", "brought back"])("goes with what it was merged into: %s", async (where) => {
      const { memory, mergedId, live, archived } = await merged();
      if (where === "brought back") await memory.restore(userId, [mergedId]);
      expect(await memory.remove(userId, [mergedId])).toBe(1);
      expect([await live(), await archived()]).toEqual([["I like tea."], []]);
    });

    it("leaves what says something else since", async () => {
      const { memory, id, mergedId, live } = await merged();
      await memory.update(userId, id, { content: "The train to Oslo leaves at noon" });
      await memory.remove(userId, [mergedId]);
      expect(await live()).toEqual(["I like tea.", "The train to Oslo leaves at noon"]);
    });
  });
});

async function keysOf(store: Store, prefix: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
}
