import { describe, expect, it } from "vitest";
import { MAX_ACTIVATION_RECORDS, createActivationRenaming, createActivations } from "../../src/skills/index.ts";
import { type Store, memoryStore, moveKeys } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { beginLife } from "../support/life.ts";
import { ADA, BOB, GROUP, START_MS, activation, forgotten, keysIn, textIn } from "./support.ts";

const STATISTICS = ".index/skill-statistics";

function setUp(store: Store = memoryStore()) {
  const clock = fakeClock();
  const activations = createActivations({ store, clock });
  return { store, clock, activations };
}

const count = (activations: number, helpful = 0, notHelpful = 0) => ({
  activations,
  helpful,
  notHelpful,
  lastAtMs: expect.any(Number) as number,
});

/** What another process counts, and one that has nothing but the logs. */
async function countedElsewhere(store: Store) {
  const again = setUp(store).activations;
  await again.load();
  const kept = again.stats();
  const anew = setUp(await copyOf(store, "skill-activations/")).activations;
  await anew.load();
  expect(anew.stats()).toEqual(kept);
  return kept;
}

async function copyOf(store: Store, prefix = ""): Promise<Store> {
  const copy = memoryStore();
  for await (const { key } of store.list(prefix)) {
    const document = await store.get(key).catch(() => null);
    if (document) await copy.put(key, document.value);
    else for await (const { record } of store.read(key)) await copy.append(key, record);
  }
  return copy;
}

describe("createActivations()", () => {
  it("records an activation once, and counts it", async () => {
    const { activations, store } = setUp();
    expect(await activations.record(activation("t1", "research"))).toBe(true);
    expect(await activations.record(activation("t1", "research"))).toBe(false);
    await activations.record(activation("t1", "briefing"));
    expect(activations.stats()).toEqual({ research: count(1), briefing: count(1) });
    expect(await activations.recent(ADA)).toMatchObject([
      { id: "t1 briefing", user: ADA, score: 0.5, outcome: "success", toolsUsed: ["web_search"], at: START_MS },
      { id: "t1 research" },
    ]);
    expect(await countedElsewhere(store)).toEqual(activations.stats());
  });

  it("records an activation of a turn that ended just now once", async () => {
    const { activations, store } = setUp();
    for (let turn = 1; turn <= MAX_ACTIVATION_RECORDS + 2; turn += 1) {
      expect(await activations.record(activation(`t${turn}`, "research"), true)).toBe(true);
      expect(await activations.record(activation(`t${turn}`, "research"), true)).toBe(false);
    }
    expect(activations.stats()).toEqual({ research: count(MAX_ACTIVATION_RECORDS + 2) });
    expect(await countedElsewhere(store)).toEqual(activations.stats());
  });

  it("keeps nothing where skills lie", async () => {
    const { activations, store } = setUp();
    await activations.record(activation("t1", "research"));
    expect(await textIn(store, "skills")).toBe("");
  });

  it("counts a skill that is called as a member of every object", async () => {
    const { activations } = setUp();
    await activations.load();
    expect(activations.stats()["constructor"]).toBeUndefined();
    await activations.record(activation("t1", "constructor"));
    expect(activations.stats()["constructor"]).toEqual(count(1));
  });

  it("has one verdict of a person on an activation, the newest", async () => {
    const { activations, store } = setUp();
    await activations.record(activation("t1", "research"));
    for (const helpful of [true, true, false, true, false])
      await activations.addFeedback({ user: ADA, turn: "t1", helpful });
    expect(activations.stats()).toEqual({ research: count(1, 0, 1) });
    expect(await activations.recent(ADA)).toMatchObject([{ feedback: false }]);
    await activations.addFeedback({ user: ADA, turn: "t1", helpful: null });
    expect(activations.stats()).toEqual({ research: count(1) });
    expect((await activations.recent(ADA))[0]).not.toHaveProperty("feedback");
    expect(await countedElsewhere(store)).toEqual(activations.stats());
  });

  it("says which verdicts are new", async () => {
    const { activations } = setUp();
    await activations.record(activation("t1", "research"));
    await activations.record(activation("t1", "briefing"));
    await activations.addFeedback({ user: ADA, skill: "research", helpful: true });
    const { activations: meant, changed } = await activations.addFeedback({ user: ADA, helpful: true });
    expect(meant.map(({ skill }) => skill)).toEqual(["research", "briefing"]);
    expect(changed.map(({ skill }) => skill)).toEqual(["briefing"]);
  });

  it.each([
    { title: "the newest turn", given: {}, means: ["t3 research"] },
    { title: "the newest turn of a skill", given: { skill: "briefing" }, means: ["t2 briefing"] },
    { title: "a whole turn", given: { turn: "t2" }, means: ["t2 research", "t2 briefing"] },
    { title: "the newest turn of a session", given: { session: GROUP }, means: ["t1 research"] },
  ])("takes a verdict for $title", async ({ given, means }) => {
    const { activations } = setUp();
    await activations.record(activation("t1", "research", { session: GROUP }));
    await activations.record(activation("t2", "research"));
    await activations.record(activation("t2", "briefing"));
    await activations.record(activation("t3", "research"));
    const { changed } = await activations.addFeedback({ user: ADA, helpful: true, ...given });
    expect(changed.map(({ id }) => id)).toEqual(means);
  });

  it.each([
    { title: "an unknown skill", given: { user: ADA, skill: "other" } },
    { title: "an unknown turn", given: { user: ADA, turn: "t9" } },
    { title: "another session", given: { user: ADA, session: GROUP } },
    { title: "an activation of another person", given: { user: BOB, turn: "t1" } },
  ])("refuses a verdict on $title", async ({ given }) => {
    const { activations } = setUp();
    await activations.record(activation("t1", "research"));
    await expect(activations.addFeedback({ ...given, helpful: true })).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("was recently activated for this person") as string,
    });
    expect(activations.stats()).toEqual({ research: count(1) });
  });

  it("counts what two processes write at a time", async () => {
    const { activations: one, store } = setUp();
    const { activations: other } = setUp(store);
    await Promise.all([
      ...["a", "b", "c"].map((turn) => one.record(activation(turn, "research"))),
      ...["c", "d", "e"].map((turn) => other.record(activation(turn, "research"))),
      other.record(activation("f", "research", { user: BOB })),
    ]);
    await Promise.all([
      one.addFeedback({ user: ADA, turn: "a", helpful: true }),
      other.addFeedback({ user: ADA, turn: "a", helpful: false }),
      other.addFeedback({ user: BOB, turn: "f", helpful: true }),
    ]);
    const { research } = await countedElsewhere(store);
    expect(research?.activations).toBe(6);
    expect((research?.helpful ?? 0) + (research?.notHelpful ?? 0)).toBe(2);
  });

  it("counts the same however often it is cut off", async () => {
    for (let writes = 0; writes < 12; writes += 1) {
      const store = memoryStore();
      const clock = fakeClock();
      const life = beginLife(store, clock, writes);
      const first = createActivations({ store: life.store, clock: life.clock });
      const work = async (of: typeof first) => {
        await of.record(activation("t1", "research"));
        await of.record(activation("t2", "research"));
        await of.addFeedback({ user: ADA, turn: "t1", helpful: true });
        await of.addFeedback({ user: ADA, turn: "t1", helpful: false });
      };
      void work(first);
      for (let step = 0; step < 200 && !life.killed; step += 1) await clock.advance(1);
      const second = createActivations({ store, clock });
      await second.load();
      await work(second);
      expect(second.stats(), `after ${writes} writes`).toEqual({ research: count(2, 0, 1) });
      expect(await countedElsewhere(store)).toEqual(second.stats());
    }
  });

  it("counts what was written and not counted", async () => {
    const { store, clock } = setUp();
    const life = beginLife(store, clock, 1);
    void createActivations({ store: life.store, clock }).record(activation("t1", "research"));
    for (let step = 0; step < 50; step += 1) await clock.advance(1);
    const { activations } = setUp(store);
    await activations.load();
    expect(activations.stats()).toEqual({ research: count(1) });
  });

  it.each([
    ["removed", null],
    ["of another format", { v: 99, skills: {}, read: {} }],
    ["damaged", { v: 1, skills: null, read: [] }],
    ["of logs that are gone", { v: 1, skills: { old: {} }, read: { "skill-activations/x/000001.jsonl": 4 } }],
  ])("makes statistics again that are %s", async (_, document) => {
    const { activations, store } = setUp();
    await activations.record(activation("t1", "research"));
    if (document === null) await store.remove(STATISTICS);
    else await store.put(STATISTICS, document);
    expect(await countedElsewhere(store)).toEqual({ research: count(1) });
  });

  it("keeps two logs of a person, and the counts of all", async () => {
    const { activations, store } = setUp();
    const total = 3 * MAX_ACTIVATION_RECORDS;
    for (let turn = 0; turn < total; turn += 1)
      await activations.record(activation(`t${turn}`, "research", { at: START_MS + turn }));
    expect(await keysIn(store, "skill-activations/")).toHaveLength(2);
    expect((await activations.recent(ADA, { limit: Infinity })).length).toBeLessThanOrEqual(2 * MAX_ACTIVATION_RECORDS);
    expect(activations.stats()).toEqual({ research: count(total) });
    expect(await countedElsewhere(store)).toEqual(activations.stats());
    // What left the log is not recorded once more, and nobody can say anything of it.
    expect(await activations.record(activation("t0", "research"))).toBe(false);
    await expect(activations.addFeedback({ user: ADA, turn: "t0", helpful: true })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("loses no count when it is cut off while it begins another log", async () => {
    const { activations: before, store: filled } = setUp();
    // One record of the second log is what it carries.
    for (let turn = 0; turn < 2 * MAX_ACTIVATION_RECORDS - 1; turn += 1)
      await before.record(activation(`t${turn}`, "research", { at: START_MS + turn }));
    for (let writes = 0; writes < 6; writes += 1) {
      const store = await copyOf(filled);
      const clock = fakeClock();
      const life = beginLife(store, clock, writes);
      const next = activation("next", "research", { at: START_MS + 10_000 });
      void createActivations({ store: life.store, clock }).record(next);
      for (let step = 0; step < 50 && !life.killed; step += 1) await clock.advance(1);
      const { activations } = setUp(store);
      await activations.record(next);
      expect(activations.stats(), `after ${writes} writes`).toEqual({ research: count(2 * MAX_ACTIVATION_RECORDS) });
      expect(await countedElsewhere(store)).toEqual(activations.stats());
    }
  });

  it("forgets a person: their logs, their counts, and what others did in a conversation of theirs", async () => {
    const { activations, store } = setUp();
    await activations.record(activation("t1", "research"));
    await activations.record(activation("t2", "research", { user: BOB, session: GROUP }));
    await activations.record(activation("t3", "research", { user: BOB }));
    for (const [user, turn] of [
      [ADA, "t1"],
      [BOB, "t2"],
      [BOB, "t3"],
    ] as const)
      await activations.addFeedback({ user, turn, helpful: true });
    await activations.forget(forgotten());
    expect(activations.stats()).toEqual({ research: count(1, 1) });
    expect(await textIn(store)).not.toContain("ada-7001");
    expect(await activations.recent(ADA)).toEqual([]);
    expect(await activations.recent(BOB)).toMatchObject([{ turn: "t2", feedback: true }]);
    await activations.forget(forgotten());
    expect(await countedElsewhere(store)).toEqual({ research: count(1, 1) });
  });

  it("ends to forget when it was cut off", async () => {
    for (let writes = 0; writes < 6; writes += 1) {
      const { activations, store, clock } = setUp();
      await activations.record(activation("t1", "research"));
      await activations.record(activation("t2", "research", { user: BOB, session: GROUP }));
      const life = beginLife(store, clock, writes);
      void createActivations({ store: life.store, clock }).forget(forgotten());
      for (let step = 0; step < 50 && !life.killed; step += 1) await clock.advance(1);
      const { activations: again } = setUp(store);
      await again.forget(forgotten());
      expect(again.stats(), `after ${writes} writes`).toEqual({ research: count(1) });
      expect(await textIn(store)).not.toContain("ada-7001");
    }
  });

  it("follows a person to another spelling", async () => {
    const { activations, store } = setUp();
    await activations.record(activation("t1", "research"));
    await activations.addFeedback({ user: ADA, turn: "t1", helpful: true });
    const renaming = createActivationRenaming({ store });
    const to = "telegram:Ada-7001";
    await moveKeys(store, (await renaming.userMoves?.(ADA, to)) ?? []);
    await renaming.dropUser?.(ADA);
    const { activations: again } = setUp(store);
    await again.load();
    expect(again.stats()).toEqual({ research: count(1, 1) });
    expect(await again.recent(to)).toMatchObject([{ user: to, feedback: true }]);
    expect(await again.recent(ADA)).toEqual([]);
  });
});

describe("moveUser()", () => {
  it("gives one name what another had, counts and verdicts as they were, however long the logs are", async () => {
    const { activations, store } = setUp();
    for (let n = 0; n < 2.5 * MAX_ACTIVATION_RECORDS; n += 1) {
      await activations.record({ ...activation(`a${n}`, "research"), at: START_MS + 2 * n });
      if (n % 3 === 0)
        await activations.record({ ...activation(`b${n}`, "research", { user: BOB }), at: START_MS + 2 * n + 1 });
    }
    await activations.addFeedback({ user: ADA, helpful: true });
    await activations.addFeedback({ user: BOB, helpful: false });
    const before = activations.stats();
    const everything = { limit: 1000 };
    const [adas, bobs] = [await activations.recent(ADA, everything), await activations.recent(BOB, everything)];
    expect(await activations.moveUser(BOB, ADA)).toBe(bobs.length);
    expect(await activations.moveUser(BOB, ADA)).toBe(0);
    expect(activations.stats()).toEqual(before);
    expect(await countedElsewhere(store)).toEqual(before);
    expect(await activations.recent(BOB)).toEqual([]);
    const all = await activations.recent(ADA, everything);
    expect(all).toHaveLength(adas.length + bobs.length);
    expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).sort((one, other) => other - one));
    expect(new Set(all.map(({ user }) => user))).toEqual(new Set([ADA]));
    await activations.record({ ...activation("later", "research"), at: START_MS + 10_000 });
    expect(await countedElsewhere(store)).toEqual(activations.stats());
    expect(activations.stats()["research"]?.activations).toBe((before["research"]?.activations ?? 0) + 1);
  });

  it("takes in what came under the other name since, and what is left of a crash once", async () => {
    const { activations, store } = setUp();
    for (const round of ["first", "second"]) {
      for (const n of [1, 2]) await activations.record(activation(`${round}${n}`, "research", { user: BOB }));
      const copy = await copyOf(store, "skill-activations/");
      await activations.moveUser(BOB, ADA);
      // Killed before the log went.
      for await (const { key } of copy.list("skill-activations/"))
        if (key.includes(BOB)) for await (const { record } of copy.read(key)) await store.append(key, record);
      await activations.moveUser(BOB, ADA);
    }
    expect(activations.stats()).toEqual({ research: count(4) });
    expect(await countedElsewhere(store)).toEqual(activations.stats());
    expect((await activations.recent(ADA)).map(({ turn }) => turn).sort()).toEqual([
      "first1",
      "first2",
      "second1",
      "second2",
    ]);
  });
});
