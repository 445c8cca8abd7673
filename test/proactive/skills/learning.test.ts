import { describe, expect, it } from "vitest";
import { AssistantError } from "../../../src/errors.ts";
import { type Injection, createEventBus, publishForInjections } from "../../../src/events/index.ts";
import type { MemoryEntry } from "../../../src/memory/index.ts";
import { createHookRegistry, createLearningErasure, createSkillLearning } from "../../../src/proactive/index.ts";
import { LEARN_AFTER_MS, createLearningRenaming } from "../../../src/proactive/skills/index.ts";
import { explainHooks } from "../../../src/proactive/explain-hooks.ts";
import { type SkillSuggestion, createSuggestions } from "../../../src/skills/index.ts";
import { type Store, memoryStore, moveKeys } from "../../../src/store/index.ts";
import { createMetrics } from "../../../src/telemetry/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { beginLife } from "../../support/life.ts";
import { ADA, HERS, forgotten, learnt, textIn } from "../../skills/support.ts";

const PEER = { kind: "direct", id: "ada-7001" } as const;
const SPEAKER = { user: ADA, channel: "telegram", peer: PEER, roles: ["user"], account: "default" };
const WAKE = `skills:learn:${ADA}`;

const trace = (id: string): MemoryEntry => {
  const createdAt = new Date(0);
  return {
    id,
    userId: ADA,
    content: id,
    keywords: [],
    slots: { type: "workflow_trace" },
    createdAt,
    updatedAt: createdAt,
  };
};

function setUp({
  store = memoryStore(),
  clock = fakeClock(),
}: { store?: Store; clock?: ReturnType<typeof fakeClock> } = {}) {
  const events = createEventBus({
    clock,
    metrics: createMetrics(),
    onFailure: ({ error }) => expect.fail(String(error)),
  });
  const hooks = createHookRegistry({ events });
  const wakes: { key: string; at: number }[] = [];
  const reads: string[] = [];
  const traces: MemoryEntry[] = [];
  const skills = new Map<string, string>();
  const told: unknown[] = [];
  let lesson: readonly SkillSuggestion[] = [];
  events.subscribe("proactive.skill.suggested", ({ payload }) => void told.push(payload), { name: "told" });
  const suggestions = createSuggestions({ store, clock });
  const learning = createSkillLearning({
    memory: {
      async *list(userId, { slots } = {}) {
        reads.push(userId);
        expect(slots).toEqual({ type: "workflow_trace" });
        yield* traces.toReversed();
      },
    },
    users: {
      memoryUserOf: ({ user, peer }) => (peer.kind === "direct" ? user : `group:telegram:${peer.id}`),
      canonicalUser: (userId) => userId,
    },
    suggestions,
    lessons: {
      learn: async () => lesson,
      async write({ description }, name) {
        const text = `${name}: ${description}`;
        if (skills.has(name) && skills.get(name) !== text) throw new AssistantError("CONFLICT", "taken");
        skills.set(name, text);
      },
    },
    store,
    engine: { wake: async (key, at) => void wakes.push({ key, at: at?.getTime() ?? clock.now() }) },
    events,
    lock: { shared: (work) => work() },
    clock,
  });
  hooks.add(learning.hook);
  const begins = (more: object = {}): Promise<readonly Injection[]> =>
    publishForInjections(events, (inject) => ({
      type: "task.started",
      sessionId: HERS,
      timestamp: clock.now(),
      payload: { ...SPEAKER, taskId: "t1", text: "hi", source: "message", inject, ...more },
    }));
  const ends = (more: object = {}) =>
    events.publish({
      type: "task.completed",
      sessionId: HERS,
      timestamp: clock.now(),
      payload: {
        ...SPEAKER,
        taskId: "t1",
        status: "completed",
        source: "message",
        toolCalls: 2,
        usage: { inputTokens: 1, outputTokens: 1 },
        text: "done",
        ...more,
      },
    });
  return {
    store,
    clock,
    hooks,
    suggestions,
    learning,
    wakes,
    reads,
    traces,
    skills,
    told,
    begins,
    ends,
    learn: (...given: readonly SkillSuggestion[]) => void (lesson = given),
  };
}

describe("createSkillLearning()", () => {
  it("learns behind a turn that used tools, and says so once", async () => {
    const t = setUp();
    await t.ends();
    expect(t.wakes).toEqual([{ key: WAKE, at: t.clock.now() + LEARN_AFTER_MS }]);
    expect(t.reads).toEqual([]);
    t.traces.push(trace("1"));
    t.learn(learnt("a"));
    await t.learning.handle(WAKE);
    await t.learning.handle(WAKE);
    await t.clock.advance(0);
    expect(t.told).toEqual([{ userId: ADA, id: "a", name: "skill-a", occurrences: 4, confidence: 0.75 }]);
    t.traces.push(trace("2"));
    t.learn(learnt("a", { occurrences: 5 }));
    await t.learning.handle(WAKE);
    expect(await t.suggestions.list(ADA)).toMatchObject([{ id: "a", occurrences: 5, state: "open" }]);
    expect(t.told).toHaveLength(1);
  });

  it.each([
    { title: "one call", more: { toolCalls: 1 } },
    { title: "a group", more: { peer: { kind: "group", id: "-100" } } },
  ])("reads nothing after a turn of $title", async ({ more }) => {
    const t = setUp();
    await t.ends(more);
    expect([t.wakes, t.reads]).toEqual([[], []]);
  });

  it("asks what could be learnt only when there is something new", async () => {
    const t = setUp();
    t.traces.push(trace("1"));
    await t.learning.handle(WAKE);
    t.learn(learnt("a"));
    await t.learning.handle(WAKE);
    expect(await t.suggestions.list(ADA)).toEqual([]);
  });

  it("loses nothing that is cut off", async () => {
    for (let writes = 0; writes < 3; writes += 1) {
      const { store, clock } = setUp();
      const life = beginLife(store, clock, writes);
      const first = setUp({ store: life.store, clock });
      const second = setUp({ store, clock });
      for (const one of [first, second]) {
        one.traces.push(trace("1"));
        one.learn(learnt("a"));
      }
      void first.learning.handle(WAKE);
      for (let step = 0; step < 20 && !life.killed; step += 1) await clock.advance(1);
      await second.learning.handle(WAKE);
      expect(await second.suggestions.list(ADA)).toMatchObject([{ id: "a", state: "open" }]);
    }
  });

  it("tells the next turn of it, once a week", async () => {
    const t = setUp();
    await t.suggestions.add(ADA, [learnt("a")]);
    const [told] = await t.begins({ taskId: "t1" });
    expect(told).toMatchObject({ type: "suggestion", source: "skills" });
    expect(told?.content).toMatch(
      /web_search → save_a.*action accept and name a.*\/skills accept skill-a.*\/skills decline skill-a/s,
    );
    expect(await t.begins({ taskId: "t2" })).toEqual([]);
    t.clock.step(7 * 86_400_000);
    expect(await t.begins({ taskId: "t3" })).toHaveLength(1);
  });

  it.each([
    { title: "in a group", more: { peer: { kind: "group", id: "ada-7001" } } },
    { title: "in a run of a job", more: { source: "job" } },
    { title: "in the outcome of a request", more: { source: "approval" } },
  ])("tells nothing of it $title", async ({ more }) => {
    const t = setUp();
    await t.suggestions.add(ADA, [learnt("a")]);
    await t.suggestions.add("group:telegram:ada-7001", [learnt("a")]);
    expect(await t.begins(more)).toEqual([]);
    expect(await t.begins()).toHaveLength(1);
  });

  it("does not count what is only explained", async () => {
    const t = setUp();
    await t.suggestions.add(ADA, [learnt("a")]);
    const task = { ...SPEAKER, taskId: "explained", text: "hi", source: "message" };
    expect(await explainHooks(t.hooks, { ...task, sessionKey: HERS }, { clock: t.clock })).toHaveLength(1);
    expect(await t.suggestions.list(ADA)).toMatchObject([{ offeredAt: [] }]);
  });
});

describe("an answer to a suggestion", () => {
  it("writes the skill after a yes, once", async () => {
    const t = setUp();
    await t.suggestions.add(ADA, [learnt("a")]);
    expect(t.skills.size).toBe(0);
    expect(await t.learning.accept(ADA, "a")).toBe("skill-a");
    expect(await t.learning.accept(ADA, "skill-a")).toBe("skill-a");
    expect([...t.skills]).toEqual([["skill-a", "skill-a: What a does"]]);
    expect(await t.suggestions.get(ADA, "a")).toMatchObject({ state: "accepted", skill: "skill-a" });
  });

  it("writes it again when it was removed and its person says yes again, and leaves one that was edited", async () => {
    const t = setUp();
    await t.suggestions.add(ADA, [learnt("a")]);
    await t.learning.accept(ADA, "a");
    t.skills.delete("skill-a");
    expect(await t.learning.accept(ADA, "a")).toBe("skill-a");
    expect([...t.skills]).toEqual([["skill-a", "skill-a: What a does"]]);
    t.skills.set("skill-a", "edited");
    expect(await t.learning.accept(ADA, "a")).toBe("skill-a");
    expect([...t.skills]).toEqual([["skill-a", "edited"]]);
  });

  it("writes one skill when two say yes at a time", async () => {
    const t = setUp();
    await t.suggestions.add(ADA, [learnt("a")]);
    const names = await Promise.all([t.learning.accept(ADA, "a"), t.learning.accept(ADA, "a")]);
    expect(names).toEqual(["skill-a", "skill-a"]);
    expect(t.skills.size).toBe(1);
  });

  it("gives it another name where its own is taken", async () => {
    const t = setUp();
    t.skills.set("skill-a", "another").set("skill-a-2", "another");
    await t.suggestions.add(ADA, [learnt("a")]);
    expect(await t.learning.accept(ADA, "a")).toBe("skill-a-3");
    expect(t.skills.get("skill-a")).toBe("another");
  });

  it("keeps within what a name may have", async () => {
    const t = setUp();
    const name = `${"x".repeat(61)}-yz`;
    t.skills.set(name, "another");
    await t.suggestions.add(ADA, [learnt("a", { name })]);
    expect(await t.learning.accept(ADA, "a")).toBe(`${"x".repeat(61)}-2`);
  });

  it("writes one skill however often it is cut off", async () => {
    for (let writes = 0; writes < 4; writes += 1) {
      const t = setUp();
      await t.suggestions.add(ADA, [learnt("a")]);
      t.skills.set("skill-a", "another");
      const life = beginLife(t.store, t.clock, writes);
      const dying = setUp({ store: life.store, clock: t.clock });
      for (const [name, text] of t.skills) dying.skills.set(name, text);
      void dying.learning.accept(ADA, "a");
      for (let step = 0; step < 20 && !life.killed; step += 1) await t.clock.advance(1);
      for (const [name, text] of dying.skills) t.skills.set(name, text);
      expect(await t.learning.accept(ADA, "a")).toBe("skill-a-2");
      expect([...t.skills.keys()], `after ${writes} writes`).toEqual(["skill-a", "skill-a-2"]);
    }
  });

  it("writes nothing after a no, and asks for it no more", async () => {
    const t = setUp();
    await t.suggestions.add(ADA, [learnt("a")]);
    expect(await t.learning.decline(ADA, "a")).toBe("skill-a");
    await expect(t.learning.accept(ADA, "a")).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(t.learning.accept(ADA, "other")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(t.learning.accept("telegram:bob-8002", "a")).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(t.skills.size).toBe(0);
    t.clock.step(30 * 86_400_000);
    expect(await t.begins()).toEqual([]);
  });

  it("waits a week after a not now", async () => {
    const t = setUp();
    await t.suggestions.add(ADA, [learnt("a")]);
    await t.learning.putOff(ADA, "a");
    expect(await t.begins()).toEqual([]);
    t.clock.step(7 * 86_400_000);
    expect(await t.begins()).toHaveLength(1);
  });
});

describe("how far was learnt", () => {
  it("is forgotten with its person, and follows them to another spelling", async () => {
    const { store, learning, traces } = setUp();
    traces.push(trace("1"));
    await learning.handle(WAKE);
    expect(await textIn(store)).toContain(`.index/skill-learning/${ADA}`);
    await moveKeys(store, (await createLearningRenaming().userMoves?.(ADA, "telegram:Ada-7001")) ?? []);
    expect(await textIn(store)).toContain(".index/skill-learning/telegram:Ada-7001");
    await createLearningErasure({ store }).forget(forgotten("telegram:Ada-7001"));
    expect(await textIn(store)).not.toContain("7001");
  });
});
