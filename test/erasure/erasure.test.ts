import { describe, expect, it } from "vitest";
import { type JsonValue, memoryStore } from "../../mod.ts";
import type { Store } from "../../kit.ts";
import type { LogRecord } from "../../src/store/index.ts";
import { embeddedEngine } from "../../src/engine/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { beginLife } from "../support/life.ts";
import { THOROUGH } from "../support/thorough.ts";
import { ADA, BOB, GROUP, live, remembered, rooms, used } from "./support.ts";

const HERS = /ada.{0,4}7001|canary/i;

type Held = { readonly key: string; readonly records?: readonly LogRecord[]; readonly value?: JsonValue | Uint8Array };

async function heldIn(store: Store): Promise<Held[]> {
  const held: Held[] = [];
  for await (const { key } of store.list("")) {
    // The key of a document is a TypeError.
    if ((await store.lastSeq(key).catch(() => 0)) > 0) {
      const records: LogRecord[] = [];
      for await (const { record } of store.read(key)) records.push(record);
      held.push({ key, records });
      continue;
    }
    const value = (await store.get(key))?.value;
    if (value !== undefined) held.push({ key, value });
  }
  return held;
}

async function filled(held: readonly Held[]): Promise<Store> {
  const store = memoryStore();
  for (const { key, records, value } of held) {
    if (records) for (const record of records) await store.append(key, record);
    else if (value !== undefined) await store.put(key, value);
  }
  return store;
}

const textOf = ({ key, records, value }: Held) =>
  `${key} ${value instanceof Uint8Array ? new TextDecoder().decode(value) : JSON.stringify(records ?? value)}`;

/** Keys of what holds something of hers. The log of wakes is the engine's to replace. */
async function tracesIn(store: Store): Promise<string[]> {
  const held = await heldIn(store);
  return held.filter((one) => !one.key.startsWith("engine/") && HERS.test(textOf(one))).map(({ key }) => key);
}

const bobs = (held: readonly Held[]) => held.filter(({ key }) => key.includes("bob")).map(textOf);

async function plant(): Promise<Held[]> {
  const store = memoryStore();
  await used(store, fakeClock());
  await remembered(store);
  return heldIn(store);
}

describe("forgetting a person", () => {
  it("goes on after a crash at any write, and comes to the same end", async () => {
    const planted = await plant();
    const whole = await filled(planted);
    await rooms(whole).forget({ userId: `memory:${ADA}` });
    expect(await tracesIn(whole)).toEqual([]);
    const withoutAudit = async (store: Store) =>
      (await heldIn(store)).filter(({ key }) => !/^(audit|engine|\.index)/.test(key)).map(textOf);
    const end = await withoutAudit(whole);
    let crashes = 0;
    for (let writes = 0; ; writes += THOROUGH ? (crashes < 12 ? 1 : 7) : 17) {
      const store = await filled(planted);
      const life = beginLife(store, fakeClock(), writes);
      const died = new Promise<"died">((resolve) => {
        const look = () => (life.killed ? resolve("died") : setTimeout(look, 0));
        look();
      });
      const first = rooms(life.store).forget({ userId: `memory:${ADA}` });
      if ((await Promise.race([first, died])) !== "died") {
        life.kill();
        break;
      }
      crashes += 1;
      const next = rooms(store);
      await next.recover();
      await next.forget({ userId: `memory:${ADA}` });
      expect(await tracesIn(store), `after ${writes} writes`).toEqual([]);
      expect(await withoutAudit(store), `after ${writes} writes`).toEqual(end);
    }
    expect(crashes).toBeGreaterThan(THOROUGH ? 20 : 4);
  }, 60_000);

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
