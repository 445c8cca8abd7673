import { describe, expect, it } from "vitest";
import { memoryStore } from "../../mod.ts";
import type { Store } from "../../kit.ts";
import { embeddedEngine } from "../../src/engine/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { HERS, type Held, filled, heldIn, plant, textOf } from "./held.ts";
import { ADA, BOB, GROUP, live, rooms } from "./support.ts";

const bobs = (held: readonly Held[]) => held.filter(({ key }) => key.includes("bob")).map(textOf);

describe("forgetting a person", () => {
  it("goes on at the next start with what the store and the engine keep of names, when that failed", async () => {
    const inner = memoryStore();
    const clock = fakeClock();
    const [theirs, others] = ["attention:memory:ada-7001", "attention:memory:bob"];
    const before = embeddedEngine({ store: inner, clock });
    for (const key of [theirs, others]) await before.wake(key, new Date(clock.now() + 86_400_000));
    await before.stop();
    const scrubbed: boolean[] = [];
    let isFull = true;
    const store: Store = {
      ...inner,
      async scrub(holds) {
        if (isFull) throw new Error("a full disk");
        scrubbed.push(holds("of memory:ada-7001"));
      },
    };
    await expect(rooms(store).forget({ userId: "memory:ada-7001" })).rejects.toThrow("a full disk");
    isFull = false;
    const engine = embeddedEngine({ store, clock });
    await rooms(store, clock, engine).recover();
    expect(new Set(scrubbed)).toEqual(new Set([true]));
    expect((await heldIn(store)).map(textOf).filter((text) => HERS.test(text))).toEqual([]);
    const handled: string[] = [];
    await engine.start(async (key) => void handled.push(key));
    await clock.advance(90_000_000);
    expect(handled).toContain(others);
    expect(handled).not.toContain(theirs);
    await engine.stop();
  });

  it("keeps what others said in a group, and the order of everything", async () => {
    const store = await filled(await plant());
    const key = `agent:main:memory:group:${GROUP}`;
    const before = rooms(store).sessions;
    const recordsOf = async (sessions: typeof before) => {
      const found = [];
      for await (const record of sessions.scan(key)) found.push(record);
      return found;
    };
    const old = await recordsOf(before);
    await rooms(store).forget({ userId: `memory:${ADA}` });
    const { sessions } = rooms(store);
    const now = await recordsOf(sessions);
    expect(now.map(({ type, seq }) => `${seq} ${type}`)).toEqual(old.map(({ type, seq }) => `${seq} ${type}`));
    const saidBy = (records: typeof old, user: string) =>
      records.flatMap((record) => (record.type === "in" && record.user === user ? [record.text] : []));
    expect(saidBy(now, `memory:${BOB}`)).toEqual(saidBy(old, `memory:${BOB}`));
    expect(saidBy(now, `memory:${BOB}`).length).toBe(3);
    expect(saidBy(now, "forgotten")).toEqual(["[forgotten]", "[forgotten]"]);
    const { history, waiting, open } = await sessions.load(key);
    expect({ waiting, open }).toEqual({ waiting: [], open: undefined });
    expect(history.length).toBeGreaterThan(0);
  });

  it("can be done again, also to somebody who never was", async () => {
    const planted = await plant();
    const store = await filled(planted);
    await rooms(store).forget({ userId: `memory:${ADA}` });
    const t = rooms(store);
    expect(await t.forget({ userId: `memory:${ADA}` })).toMatchObject({ entries: 0, sessions: 0 });
    expect(await t.forget({ userId: "telegram:nobody-9999" })).toMatchObject({ entries: 0, sessions: 0 });
    expect(await t.forget({ userId: "app:\ud800" })).toMatchObject({ entries: 0, sessions: 0 });
    await expect(t.forget({ userId: " " })).rejects.toMatchObject({ code: "OPTION_INVALID" });
    expect(bobs(await heldIn(store))).toEqual(bobs(planted));
  });

  it("keeps the sums of what was used, without the name", async () => {
    const store = await filled(await plant());
    const before = await rooms(store).usage.summary({ days: 1 });
    expect(Object.keys(before.days[0]?.users ?? {})).toContain(`memory:${ADA}`);
    await rooms(store).forget({ userId: `memory:${ADA}` });
    const after = await rooms(store).usage.summary({ days: 1 });
    expect(after.today).toEqual(before.today);
    expect(after.days[0]?.users["forgotten"]).toEqual(before.days[0]?.users[`memory:${ADA}`]);
  });

  it("means a linked person with all their ids", async () => {
    const store = await filled(await plant());
    const t = rooms(store);
    await t.forget({ userId: "other:lin-6006" });
    const left = (await heldIn(store)).filter((one) => !one.key.startsWith("engine/"));
    expect(left.filter((one) => /lin-5005|lin-6006|@lin/.test(textOf(one)))).toEqual([]);
    expect(left.filter((one) => HERS.test(textOf(one))).length).toBeGreaterThan(10);
  });

  it("leaves the owner the owner", async () => {
    const store = await filled(await plant());
    const t = rooms(store);
    const { sessions } = await t.forget({ userId: "@owner" });
    expect(sessions).toBe(1);
    expect(await t.sessions.size("agent:main:main")).toBe(0);
    const { say, assistant } = await live(store);
    expect(await say("1", "/whoami")).toContain("owner");
    await assistant.stop();
  });
});
