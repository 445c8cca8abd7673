import { describe, expect, it } from "vitest";
import { MAX_HELD } from "../../src/attention/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { beginLife } from "../support/life.ts";
import { until } from "../support/until.ts";
import { type FlowOptions, flow, flowAt, notice } from "./support.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOON = Date.parse("2026-11-25T12:00:00Z");
const NIGHT = Date.parse("2026-11-25T23:00:00Z");
const OFFER = { kind: "pattern", choices: [{ id: "yes", label: "Yes" }], data: {} };

const at = (startMs: number, options?: Omit<FlowOptions, "clock">) => flowAt(startMs, options);

describe("notify()", () => {
  it("says at once what may be said, and counts it", async () => {
    const t = await at(NOON);
    await t.notify(notice("a"));
    expect(await t.said()).toMatchObject([{ id: "a", user: "telegram:42", text: "about a", at: NOON }]);
    expect(await t.attention.view("telegram:42")).toMatchObject({
      sent: [{ id: "a", type: "note", at: NOON }],
      held: [],
    });
    expect(t.decided).toMatchObject([{ userId: "telegram:42", id: "a", verdict: "send", rule: "ok", priority: 0.7 }]);
  });

  it("holds at night, and says it when the night ends", async () => {
    const t = await at(NIGHT);
    await t.notify(notice("a"));
    expect(await t.said()).toEqual([]);
    await t.clock.advance(9 * HOUR_MS - 1);
    expect(await t.said()).toEqual([]);
    await t.clock.advance(1);
    expect(await t.said()).toMatchObject([{ id: "a", at: NIGHT + 9 * HOUR_MS }]);
    expect(t.decided.map(({ verdict, rule }) => `${verdict} ${rule}`)).toEqual(["hold quiet_hours", "send ok"]);
  });

  it("joins what waited in one digest, which counts once", async () => {
    const t = await at(NIGHT, { config: { maxDailyNotifications: 2 } });
    for (const id of ["a", "b", "c"]) await t.notify(notice(id, { type: id === "c" ? "alert" : "note" }));
    await t.clock.advance(DAY_MS / 2);
    const said = await t.said();
    expect(said).toMatchObject([{ id: "digest:a" }]);
    expect(said[0]?.text).toBe("3 things that could wait:\n\n1. about a\n\n2. about b\n\n3. about c");
    await t.notify(notice("d", { type: "job" }));
    expect((await t.said()).map(({ id }) => id)).toEqual(["digest:a", "d"]);
    await t.notify(notice("e", { type: "alert" }));
    expect(t.decided.at(-1)).toMatchObject({ id: "e", verdict: "digest", rule: "daily_cap" });
  });

  it("heads a digest in Chinese when most of it is", async () => {
    const t = await at(NIGHT);
    await t.notify(notice("a", { text: "今天下雨" }));
    await t.notify(notice("b", { text: "记得喝水" }));
    await t.clock.advance(DAY_MS / 2);
    expect((await t.said())[0]?.text).toBe("之前没打扰你的 2 件事：\n\n1. 今天下雨\n\n2. 记得喝水");
  });

  it("puts one question into a digest, at its end, and the next one into a later one", async () => {
    const t = await at(NIGHT);
    await t.notify(notice("ask-1", { offer: OFFER }));
    await t.notify(notice("ask-2", { offer: OFFER }));
    await t.notify(notice("tell"));
    await t.clock.advance(9 * HOUR_MS);
    const [first] = await t.said();
    expect(first).toMatchObject({ asks: true });
    expect(first?.text).toMatch(/1\. about tell\n\n2\. about ask-1$/);
    await t.clock.advance(HOUR_MS);
    expect(await t.said()).toMatchObject([{ id: "digest:ask-1" }, { id: "ask-2", asks: true }]);
  });

  it("keeps chats apart: what is for a group is not told in a direct chat", async () => {
    const t = await at(NIGHT);
    await t.notify(notice("a"));
    await t.notify(notice("b", { chat: "-100" }));
    await t.clock.advance(10 * HOUR_MS);
    expect((await t.said()).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("keeps for the next day what may not be said when its time comes", async () => {
    const t = await at(NOON, { config: { maxDailyNotifications: 2 } });
    await t.notify(notice("a"));
    await t.notify(notice("b"));
    await t.notify(notice("c", { type: "job" }));
    await t.clock.advance(HOUR_MS);
    expect(t.decided.at(-1)).toMatchObject({ id: "b", verdict: "digest", rule: "daily_cap" });
    await t.clock.advance(DAY_MS);
    expect((await t.said()).map(({ id }) => id)).toEqual(["a", "c", "b"]);
  });

  it("drops what expired while it was held, and says so", async () => {
    const t = await at(NIGHT);
    await t.notify(notice("a", { expiresAtMs: NIGHT + HOUR_MS }));
    await t.clock.advance(DAY_MS);
    expect(await t.said()).toEqual([]);
    expect(t.decided.at(-1)).toMatchObject({ id: "a", verdict: "drop", rule: "expired" });
    expect(await t.attention.view("telegram:42")).toMatchObject({ held: [] });
  });

  it("says one thing once, however often it is told", async () => {
    const t = await at(NOON);
    for (const _ of [1, 2, 3]) await t.notify(notice("a"));
    await t.clock.advance(2 * DAY_MS);
    expect(await t.said()).toHaveLength(1);
    expect(t.decided).toHaveLength(1);
  });

  it("says nothing again by itself that a digest said, however often and late it is told", async () => {
    const t = await at(NIGHT);
    const both = [notice("a"), notice("b")];
    for (const one of both) await t.notify(one);
    await t.clock.advance(9 * HOUR_MS);
    for (const wait of [0, HOUR_MS, 4 * DAY_MS]) {
      await t.clock.advance(wait);
      for (const one of both) expect(await t.notify(one)).toBe("send");
    }
    expect((await t.said()).map(({ id }) => id)).toEqual(["digest:a"]);
    expect(t.decided).toHaveLength(4);
  });

  it("knows what a digest said also when its decision is not among the newest", async () => {
    const t = await at(NIGHT);
    for (const id of ["a", "b"]) await t.notify(notice(id));
    await t.clock.advance(9 * HOUR_MS);
    for (let index = 0; index < 60; index += 1) await t.notify(notice(`dull-${index}`, { priority: 0.1 }));
    expect((await t.attention.view("telegram:42")).decisions.some(({ id }) => id === "a")).toBe(false);
    expect(await t.notify(notice("a"))).toBe("send");
    await t.clock.advance(DAY_MS);
    expect((await t.said()).map(({ id }) => id)).toEqual(["digest:a"]);
  });

  it("does not decide anew on what was taken back and waits, when its maker says it again", async () => {
    const t = await at(NIGHT - HOUR_MS - 1000);
    await t.notify(notice("a"));
    await t.clock.advance(HOUR_MS);
    // It was not sent before the night began.
    expect(await t.holdAgain(notice("a"))).toBe(true);
    expect(await t.notify(notice("a"))).toBe("send");
    expect((await t.attention.view("telegram:42")).held).toMatchObject([{ notice: { id: "a~" } }]);
    expect((await t.said()).map(({ id }) => id)).toEqual(["a"]);
  });

  it("decides once on what is held or dropped, however often it is told", async () => {
    const t = await at(NIGHT);
    for (const _ of [1, 2, 3]) await t.notify(notice("held"));
    expect(t.decided).toHaveLength(1);
    await t.clock.advance(9 * HOUR_MS);
    for (const _ of [1, 2, 3]) await t.notify(notice("dropped", { priority: 0.1 }));
    await t.notify(notice("held"));
    expect(t.decided.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(["held hold", "held send", "dropped drop"]);
    expect(await t.said()).toHaveLength(1);
  });

  it("does not count what a digest joined a second time", async () => {
    const t = await at(NIGHT);
    await t.notify(notice("a"));
    await t.notify(notice("b"));
    await t.clock.advance(9 * HOUR_MS);
    await t.notify(notice("b"));
    expect(t.decided).toHaveLength(4);
  });

  it("keeps the newer of two about the same thing that wait", async () => {
    const t = await at(NIGHT);
    await t.notify(notice("old", { dedupeKey: "disk" }));
    await t.notify(notice("new", { dedupeKey: "disk" }));
    expect(t.decided.map(({ id, verdict, rule }) => `${id} ${verdict} ${rule}`)).toEqual([
      "old hold quiet_hours",
      "old drop duplicate",
      "new hold quiet_hours",
    ]);
    await t.clock.advance(DAY_MS);
    expect((await t.said()).map(({ id }) => id)).toEqual(["new"]);
  });

  it("lets go of the least important when too much waits", async () => {
    const t = await at(NIGHT);
    for (let index = 0; index < MAX_HELD; index += 1)
      await t.notify(notice(`n${index}`, { priority: index === 7 ? 0.61 : 0.8 }));
    await t.notify(notice("one-more", { priority: 0.9 }));
    expect(t.decided.at(-1)).toMatchObject({ id: "n7", verdict: "drop", rule: "too_many" });
    expect((await t.attention.view("telegram:42")).held).toHaveLength(MAX_HELD);
  });

  it("has one account for all of a person's names", async () => {
    const t = await at(NOON, {
      names: { "telegram:42": "@ada", "slack:U1": "@ada" },
      config: { maxDailyNotifications: 1 },
    });
    await t.notify(notice("a"));
    await t.notify(notice("b", { user: "slack:U1", type: "alert" }));
    expect(t.decided.at(-1)).toMatchObject({ userId: "@ada", id: "b", rule: "daily_cap" });
  });

  it("says it where the person wants to be told, unless they asked for it", async () => {
    const t = await at(NOON, {
      names: { "telegram:42": "@ada", "slack:U1": "@ada" },
      reachAt: { "telegram:42": "slack:U1" },
    });
    await t.notify(notice("a", { chat: "77" }));
    await t.notify(notice("b", { requested: true }));
    expect(await t.said()).toMatchObject([
      { id: "a", user: "slack:U1" },
      { id: "b", user: "telegram:42" },
    ]);
    expect(t.decided[0]).toMatchObject({ channel: "slack" });
  });

  it("never says it to another person, whatever is configured", async () => {
    const t = await at(NOON, { reachAt: { "telegram:42": "slack:BOSS" } });
    await t.notify(notice("a"));
    expect(await t.said()).toMatchObject([{ id: "a", user: "telegram:42" }]);
  });

  it("asks the scorer how much it matters, but not of what was asked for", async () => {
    const seen: string[] = [];
    const t = await at(NOON, {
      score: async ({ id }) => {
        seen.push(id);
        return 0.1;
      },
    });
    await t.notify(notice("a", { priority: 0.9 }));
    await t.notify(notice("b", { requested: true }));
    expect(seen).toEqual(["a"]);
    expect(t.decided[0]).toMatchObject({ id: "a", verdict: "drop", rule: "threshold", priority: 0.1 });
  });

  it("says everything at once where limits are off", async () => {
    const t = await at(NIGHT, { enabled: false });
    await t.notify(notice("a", { priority: 0 }));
    expect(await t.said()).toHaveLength(1);
  });

  it("holds while muted, and says it when that ends", async () => {
    const t = await at(NOON);
    await t.attention.mute("telegram:42", NOON + 5 * HOUR_MS);
    await t.notify(notice("a"));
    await t.clock.advance(5 * HOUR_MS - 1);
    expect(await t.said()).toEqual([]);
    await t.clock.advance(1);
    expect(await t.said()).toHaveLength(1);
  });

  it("says what a mute held when the person ends it", async () => {
    const t = await at(NOON);
    await t.attention.mute("telegram:42", NOON + 5 * DAY_MS);
    await t.notify(notice("a"));
    await t.attention.mute("telegram:42", null);
    await t.clock.advance(1);
    expect(await t.said()).toHaveLength(1);
    expect(await t.attention.view("telegram:42")).not.toHaveProperty("mutedUntil");
  });

  it("says less of what the person wants less of", async () => {
    const t = await at(NOON);
    expect(await t.attention.wantLess("telegram:42", "note")).toBe(1);
    await t.notify(notice("a"));
    expect(t.decided).toMatchObject([{ rule: "threshold" }]);
    expect(await t.attention.wantLess("telegram:42", "note", 0)).toBe(0);
    await t.notify(notice("b"));
    expect((await t.said()).map(({ id }) => id)).toEqual(["b"]);
  });

  it("goes on after a restart in between", async () => {
    const t = await at(NIGHT);
    await t.notify(notice("a"));
    await t.stop();
    const after = await flow({ store: t.store, clock: t.clock });
    await t.clock.advance(9 * HOUR_MS);
    expect((await after.said()).map(({ id }) => id)).toEqual(["a"]);
    await after.notify(notice("b"));
    expect(after.decided.at(-1)).toMatchObject({ id: "b", verdict: "hold", rule: "min_interval" });
    await after.stop();
  });

  it("moves with a person who has another name now, counted and held", async () => {
    const t = await at(NIGHT);
    await t.notify(notice("a"));
    await t.notify(notice("b", { user: "slack:U1" }));
    expect(await t.attention.moveUser("telegram:42", "@ada")).toBe(1);
    expect(await t.attention.moveUser("slack:U1", "@ada")).toBe(1);
    expect(await t.attention.moveUser("slack:U1", "@ada")).toBe(0);
    expect(await t.attention.users()).toEqual(["@ada"]);
    await t.clock.advance(10 * HOUR_MS);
    expect((await t.said()).map(({ id }) => id).toSorted()).toEqual(["a", "b"]);
  });

  it("costs nothing while nothing waits", async () => {
    const t = await at(NOON);
    await t.notify(notice("a"));
    const before = t.clock.pending;
    await t.clock.advance(7 * DAY_MS);
    expect(await t.said()).toHaveLength(1);
    expect(t.clock.pending).toBeLessThanOrEqual(before);
  });
});

describe("holdAgain()", () => {
  it("lets what may still be said be sent", async () => {
    const t = await at(NOON);
    await t.notify(notice("a"));
    expect(await t.holdAgain(notice("a"))).toBe(false);
    expect(t.decided).toHaveLength(1);
  });

  it("holds at night what was to be said by day, once, and says it in the morning", async () => {
    const t = await at(NOON);
    await t.notify(notice("a"));
    await t.clock.advance(11 * HOUR_MS);
    for (const _ of [1, 2]) expect(await t.holdAgain(notice("a"))).toBe(true);
    expect(t.decided.at(-1)).toMatchObject({ id: "a~", verdict: "hold", rule: "quiet_hours" });
    await t.clock.advance(9 * HOUR_MS);
    expect((await t.said()).map(({ id }) => id)).toEqual(["a", "a~"]);
    // Asked once more, after it was said: the old message is not sent beside it.
    expect(await t.holdAgain(notice("a"))).toBe(true);
  });

  it("drops what expired meanwhile", async () => {
    const t = await at(NOON);
    const one = notice("a", { expiresAtMs: NOON + HOUR_MS });
    await t.notify(one);
    await t.clock.advance(2 * HOUR_MS);
    expect(await t.holdAgain(one)).toBe(true);
    await t.clock.advance(DAY_MS);
    expect(await t.said()).toHaveLength(1);
  });
});

describe("a kill at each write", () => {
  it.each([
    { title: "of what is said at once", start: NOON },
    { title: "of what is held and joined", start: NIGHT },
  ])("loses and doubles nothing $title", async ({ start }) => {
    let deaths = 0;
    for (let writes = 0; ; writes += 1) {
      const clock = fakeClock(start);
      const whole = await flow({ clock });
      const life = beginLife(whole.store, clock, writes);
      const dying = await Promise.race([flow({ store: life.store, clock: life.clock }), whenKilled(life, clock)]);
      const tellAll = async (to: { notify: typeof whole.notify }) => {
        for (const id of ["a", "b"]) await to.notify(notice(id, { type: id === "a" ? "note" : "alert" }));
      };
      let isDone = false;
      if (dying !== null) void tellAll(dying).then(() => (isDone = true));
      await until(clock, () => isDone || life.killed, { stepMs: 0 });
      if (isDone) await clock.advance(9 * HOUR_MS);
      const survived = !life.killed;
      life.kill();
      const after = await flow({ store: whole.store, clock });
      if (!isDone) await tellAll(after);
      await clock.advance(10 * HOUR_MS);
      const said = await after.said();
      expect(
        said.map(({ id }) => id),
        `after ${writes} writes`,
      ).toEqual(start === NOON ? ["a", "b"] : ["digest:a"]);
      await Promise.all([whole.stop(), after.stop()]);
      if (survived) break;
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(3);
  });
});

async function whenKilled(life: { readonly killed: boolean }, clock: ReturnType<typeof fakeClock>): Promise<null> {
  await until(clock, () => life.killed, { stepMs: 0 });
  return null;
}
