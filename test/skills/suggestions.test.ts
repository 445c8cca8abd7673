import { describe, expect, it } from "vitest";
import {
  MAX_OPEN_SUGGESTIONS,
  OFFER_AGAIN_MS,
  createSuggestionRenaming,
  createSuggestions,
} from "../../src/skills/index.ts";
import { type Store, memoryStore, moveKeys } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { ADA, BOB, forgotten, learnt, keysIn, textIn } from "./support.ts";

function setUp(store: Store = memoryStore()) {
  const clock = fakeClock();
  const suggestions = createSuggestions({ store, clock });
  return { store, clock, suggestions };
}

describe("createSuggestions()", () => {
  it("keeps what was learnt once, with its newest numbers", async () => {
    const { suggestions } = setUp();
    expect(await suggestions.add(ADA, [learnt("a"), learnt("b", { confidence: 0.9 })])).toHaveLength(2);
    expect(await suggestions.add(ADA, [learnt("a", { occurrences: 7 })])).toEqual([]);
    expect(await suggestions.list(ADA)).toMatchObject([
      { id: "b", state: "open" },
      { id: "a", state: "open", occurrences: 7, offeredAt: [] },
    ]);
    expect(await suggestions.list(BOB)).toEqual([]);
  });

  it("puts aside what is not learnt any more, and remembers when it was offered", async () => {
    const { suggestions, store } = setUp();
    const ids = async () => (await suggestions.list(ADA)).map(({ id }) => id);
    await suggestions.add(ADA, [learnt("a"), learnt("b"), learnt("c"), learnt("d")]);
    await suggestions.decide(ADA, "c", "declined");
    await suggestions.name(ADA, "d", "being-written");
    await suggestions.add(ADA, [learnt("b")], { isAll: true });
    expect(await ids()).toEqual(["b", "c", "d"]);
    expect((await suggestions.all()).map(({ id }) => id)).toEqual(["b", "c", "d"]);
    expect((await suggestions.offer(ADA, "t1"))?.id).toBe("b");
    expect((await suggestions.offer(ADA, "t2"))?.id).toBe("d");
    expect(await suggestions.offer(ADA, "t3")).toBeUndefined();
    expect(await suggestions.add(ADA, [learnt("a"), learnt("b")], { isAll: true })).toEqual([]);
    expect(await ids()).toEqual(["a", "b", "c", "d"]);
    expect((await suggestions.offer(ADA, "t4"))?.id).toBe("a");
    await suggestions.add(ADA, [], { isAll: true });
    // A button that is pressed late still counts.
    await suggestions.decide(ADA, "a", "accepted");
    expect(await ids()).toEqual(["a", "c", "d"]);
    await suggestions.add(ADA, [learnt("b")], { isAll: true });
    expect(await suggestions.offer(ADA, "t5")).toBeUndefined();
    expect(await textIn(store)).not.toContain("isOutdated");
  });

  it("writes nothing when nothing is new", async () => {
    const { suggestions, store } = setUp();
    await suggestions.add(ADA, [learnt("a")]);
    const before = await keysIn(store, "skill-suggestions/");
    await suggestions.add(ADA, [learnt("a")]);
    expect(await keysIn(store, "skill-suggestions/")).toEqual(before);
  });

  it("remembers a no: neither the suggestion nor its sequence comes again", async () => {
    const { suggestions, clock } = setUp();
    await suggestions.add(ADA, [learnt("a")]);
    await suggestions.decide(ADA, "a", "declined");
    expect(await suggestions.add(ADA, [learnt("a", { occurrences: 40 })])).toEqual([]);
    expect(await suggestions.add(ADA, [learnt("other", { toolSequence: learnt("a").toolSequence })])).toEqual([]);
    clock.step(10 * OFFER_AGAIN_MS);
    expect(await suggestions.offer(ADA, "t")).toBeUndefined();
    expect(await suggestions.list(ADA, { state: "open" })).toEqual([]);
  });

  it("offers each suggestion once a week, the surest first", async () => {
    const { suggestions, clock } = setUp();
    await suggestions.add(ADA, [learnt("a"), learnt("b", { confidence: 0.9 })]);
    expect(await suggestions.offer(ADA, "t1")).toMatchObject({ id: "b", offeredAt: [clock.now()] });
    expect(await suggestions.offer(ADA, "t2")).toMatchObject({ id: "a" });
    expect(await suggestions.offer(ADA, "t3")).toBeUndefined();
    clock.step(OFFER_AGAIN_MS - 1);
    expect(await suggestions.offer(ADA, "t4")).toBeUndefined();
    clock.step(1);
    expect(await suggestions.offer(ADA, "t5")).toMatchObject({ id: "b" });
  });

  it("offers it again in the turn of the offer, which a crash may have cut off", async () => {
    const { suggestions } = setUp();
    await suggestions.add(ADA, [learnt("a")]);
    expect(await suggestions.offer(ADA, "t1")).toMatchObject({ id: "a" });
    expect(await suggestions.offer(ADA, "t1")).toMatchObject({ id: "a" });
  });

  it("does not count an offer that is only looked at", async () => {
    const { suggestions } = setUp();
    await suggestions.add(ADA, [learnt("a")]);
    expect(await suggestions.offer(ADA, "t1", { dryRun: true })).toMatchObject({ id: "a" });
    expect(await suggestions.offer(ADA, "t2")).toMatchObject({ id: "a" });
  });

  it("offers it in one of two processes", async () => {
    const { suggestions, store } = setUp();
    await suggestions.add(ADA, [learnt("a")]);
    const other = setUp(store).suggestions;
    const offered = await Promise.all([suggestions.offer(ADA, "t1"), other.offer(ADA, "t2")]);
    expect(offered.filter((one) => one !== undefined)).toHaveLength(1);
  });

  it("puts one off for a week", async () => {
    const { suggestions, clock } = setUp();
    await suggestions.add(ADA, [learnt("a")]);
    await suggestions.offer(ADA, "t1");
    clock.step(OFFER_AGAIN_MS);
    await suggestions.putOff(ADA, "a");
    expect(await suggestions.offer(ADA, "t1")).toBeUndefined();
    clock.step(OFFER_AGAIN_MS);
    expect(await suggestions.offer(ADA, "t2")).toMatchObject({ id: "a" });
  });

  it("takes the same answer twice, and no other one", async () => {
    const { suggestions } = setUp();
    await suggestions.add(ADA, [learnt("a")]);
    await suggestions.decide(ADA, "a", "accepted");
    expect(await suggestions.decide(ADA, "SKILL-A", "accepted")).toMatchObject({ state: "accepted" });
    await expect(suggestions.decide(ADA, "a", "declined")).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(suggestions.decide(ADA, "nothing", "declined")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(suggestions.decide(BOB, "a", "declined")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("keeps the surest that are open, and what was answered", async () => {
    const { suggestions } = setUp();
    await suggestions.add(ADA, [learnt("no")]);
    await suggestions.decide(ADA, "no", "declined");
    const many = Array.from({ length: MAX_OPEN_SUGGESTIONS + 5 }, (_, at) =>
      learnt(`x${at}`, { confidence: 0.5 + at / 100 }),
    );
    expect(await suggestions.add(ADA, many)).toHaveLength(MAX_OPEN_SUGGESTIONS);
    const open = await suggestions.list(ADA, { state: "open" });
    expect(open.map(({ id }) => id)).not.toContain("x0");
    expect(await suggestions.get(ADA, "no")).toMatchObject({ state: "declined" });
  });

  it("forgets a person", async () => {
    const { suggestions, store } = setUp();
    await suggestions.add(ADA, [learnt("a")]);
    await suggestions.add(BOB, [learnt("b", { userId: BOB })]);
    await suggestions.forget(forgotten());
    expect(await textIn(store)).not.toContain("ada-7001");
    expect(await suggestions.list(BOB)).toHaveLength(1);
  });

  it("follows a person to another spelling", async () => {
    const { suggestions, store } = setUp();
    await suggestions.add(ADA, [learnt("a")]);
    const to = "telegram:Ada-7001";
    const renaming = createSuggestionRenaming({ store });
    await moveKeys(store, (await renaming.userMoves?.(ADA, to)) ?? []);
    expect(await suggestions.list(to)).toMatchObject([{ id: "a", userId: to }]);
    expect(await renaming.userMoves?.("nobody", to)).toEqual([]);
  });
});
