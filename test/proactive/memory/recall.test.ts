import { describe, expect, it } from "vitest";
import type { RecalledMemory } from "../../../src/memory/index.ts";
import { type MemoryFlowOptions, explainHooks } from "../../../src/proactive/index.ts";
import { RECALL_OPTIONS, memoryRecall } from "../../../src/proactive/memory/recall.ts";
import { ADA, KEY, type SetUp, replied, said, setUp, stepped } from "./support.ts";

function withRecall(given: SetUp = {}) {
  const at = setUp(given);
  at.hooks.add(memoryRecall(at.parts, at.options), RECALL_OPTIONS);
  return at;
}

const tea = { userId: "telegram:42", content: "Ada prefers green tea from Uji" };

describe("memoryRecall()", () => {
  it("puts what fits before the message, with its date and source, and says what it found", async () => {
    const { memory, begin, eventsOf, events, saved } = withRecall();
    await memory.save({ ...tea, slots: { type: "statement" } });
    await memory.save({ userId: "telegram:42", content: "The boiler was repaired" });
    const injected = await begin("Which green tea should I order?");
    expect(injected).toEqual([
      { type: "memory_recall", content: tea.content, source: "2026-01-05, memory: statement", priority: 0 },
    ]);
    await events.drain();
    const [entry] = await saved();
    expect(eventsOf("proactive.memory.recalled")).toEqual([
      {
        taskId: "t1",
        userId: "telegram:42",
        count: 1,
        hits: [
          {
            id: entry?.id,
            layer: "entry",
            score: expect.any(Number),
            signals: expect.objectContaining({ keyword: expect.any(Number) }),
          },
        ],
      },
    ]);
  });

  it("recalls nobody else's, and in a group the group's only", async () => {
    const { memory, begin } = withRecall();
    await memory.save(tea);
    await memory.save({ userId: "group:telegram:-100", content: "The group drinks green tea on Fridays" });
    const contents = async (who: Partial<typeof ADA>) =>
      (await begin("green tea?", "t1", { ...ADA, ...who })).map(({ content }) => content);
    expect(await contents({ user: "telegram:7", peer: { kind: "direct", id: "7" } })).toEqual([]);
    expect(await contents({ peer: { kind: "group", id: "-100" } })).toEqual(["The group drinks green tea on Fridays"]);
    expect(await contents({})).toEqual([tea.content]);
  });

  it.each(["", "   ", "👍", "?!", "…"])("asks nothing for %j", async (text) => {
    let asked = 0;
    const { begin, published } = withRecall({ memory: { find: async () => ((asked += 1), []) } });
    expect(await begin(text)).toEqual([]);
    expect(asked).toBe(0);
    expect(published.map(({ type }) => type)).toEqual(["task.started"]);
  });

  it("goes on without a memory that fails", async () => {
    const { begin, failures } = withRecall({ memory: { find: () => Promise.reject(new Error("disk")) } });
    expect(await begin("green tea?")).toEqual([]);
    expect(failures.map(({ handler, reason }) => [handler, reason])).toEqual([["memory-recall", "threw"]]);
  });

  it("goes on without a memory that takes longer than its second", async () => {
    const { begin, failures, clock } = withRecall({ memory: { find: () => new Promise(() => {}) } });
    const startedAt = clock.now();
    const injecting = begin("green tea?");
    await clock.advance(1000);
    expect(await injecting).toEqual([]);
    expect(clock.now() - startedAt).toBe(1000);
    expect(failures.map(({ reason }) => reason)).toEqual(["timeout"]);
  });

  it("tells nobody in a dry run, and shows the same", async () => {
    const { memory, hooks, clock, published, events } = withRecall();
    await memory.save(tea);
    const shown = await explainHooks(hooks, { sessionKey: KEY, text: "green tea?", ...ADA }, { clock });
    await events.drain();
    expect(shown.map(({ content }) => content)).toEqual([tea.content]);
    expect(published).toEqual([]);
  });

  it("does not say again what the conversation shows word for word, nor tell of a turn that it shows", async () => {
    const { memory, sessions, begin } = withRecall();
    await memory.save(tea);
    await memory.save({
      userId: "telegram:42",
      content: "Goal: green tea\nTools: look",
      slots: { session_id: KEY, turn: "turn-1" },
    });
    await memory.save({
      userId: "telegram:42",
      content: "Goal: green tea shop\nTools: look",
      slots: { session_id: "agent:main:main", turn: "turn-1" },
    });
    await sessions.open(KEY);
    await sessions.append(KEY, said("1", `Remember, ada PREFERS green tea\nfrom Uji!`));
    await sessions.append(KEY, [stepped("turn-1", 0), replied("1")]);
    expect((await begin("green tea?")).map(({ content }) => content)).toEqual(["Goal: green tea shop\nTools: look"]);
    expect((await begin(`${tea.content}. Which green tea is it?`)).map(({ content }) => content)).toEqual([
      "Goal: green tea shop\nTools: look",
    ]);
  });

  it("says it again once the prompt does not show the turn any more", async () => {
    const { memory, sessions, begin } = withRecall({ options: { historyTokens: 50 } });
    await memory.save(tea);
    await sessions.open(KEY);
    await sessions.append(KEY, said("1", tea.content));
    await sessions.append(KEY, [stepped("turn-1", 0), replied("1")]);
    for (const id of ["2", "3", "4", "5", "6"]) {
      await sessions.append(
        KEY,
        said(id, "something else, at some length, that fills the history of this prompt ".repeat(4)),
      );
      await sessions.append(KEY, [stepped(`turn-${id}`, 0), replied(id)]);
    }
    expect((await begin("green tea?")).map(({ content }) => content)).toEqual([tea.content]);
  });

  const hit = (
    id: string,
    content: string,
    score: number,
    layer: RecalledMemory["layer"] = "entry",
  ): RecalledMemory => ({
    entry: {
      id,
      userId: "telegram:42",
      content,
      keywords: [],
      slots: {},
      createdAt: new Date(0),
      updatedAt: new Date(0),
    },
    score,
    signals: { coverage: 1, telling: 1 },
    layer,
  });
  const contentsOf = async (hits: readonly RecalledMemory[], options?: MemoryFlowOptions) => {
    const { begin } = withRecall({ memory: { find: async () => hits }, ...(options && { options }) });
    return (await begin("anything")).map(({ content }) => content);
  };

  it("shows different memories rather than one five times, lines of files first", async () => {
    const same = Array.from({ length: 8 }, (_, index) =>
      hit(`s${index}`, "green tea from the shop in Uji is best", 10 - index * 0.1),
    );
    const shown = await contentsOf([
      hit("l", "Likes tea", 30, "long_term"),
      hit("d", "Had tea", 20, "daily"),
      hit("d2", "Had more tea", 19, "daily"),
      ...same,
      hit("x", "The kettle is in the blue cupboard", 9.75),
    ]);
    expect(shown.slice(0, 3)).toEqual(["Likes tea", "Had tea", "green tea from the shop in Uji is best"]);
    expect(shown).toHaveLength(5);
    expect(shown).toContain("The kettle is in the blue cupboard");
  });

  it("says of a line of MEMORY.md on which day it was last said, where the line tells", async () => {
    const line = hit("l", "Likes tea", 3, "long_term");
    const dated = { ...line, entry: { ...line.entry, slots: { day: "2026-01-04" } } };
    for (const [found, source] of [
      [line, "MEMORY.md"],
      [dated, "2026-01-04, MEMORY.md"],
    ] as const) {
      const { begin } = withRecall({ memory: { find: async () => [found] } });
      expect((await begin("tea?")).map((one) => one.source)).toEqual([source]);
    }
  });

  it("keeps within its tokens with whole items, and within its number", async () => {
    const long = hit("1", "word ".repeat(60), 3);
    const short = hit("2", "A short one", 2);
    expect(await contentsOf([long, short], { recallTokens: 40 })).toEqual(["A short one"]);
    expect(await contentsOf([long, short], { recallTokens: 400, recallLimit: 1 })).toEqual([long.entry.content]);
    expect((await contentsOf([hit("1", "x".repeat(9000), 1)], { recallTokens: 5000 }))[0]).toHaveLength(1502);
  });
});
