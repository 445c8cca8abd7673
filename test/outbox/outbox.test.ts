import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOutbox, outboxKey, parseOutboxKey } from "../../src/outbox/index.ts";
import { SETTLED_EVERY, TRIM_RECORDS } from "../../src/outbox/outbox.ts";
import { memoryStore } from "../../src/store/index.ts";
import type { Store } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

const target = { channel: "telegram", account: "default", chat: "42" };
const log = "outbox/telegram/default/42.jsonl";

function setUp(options: { store?: Store } = {}) {
  const store = options.store ?? memoryStore();
  const clock = fakeClock();
  const woken: string[] = [];
  const engine = {
    async wake(key: string) {
      woken.push(key);
    },
    async start() {},
    async stop() {},
  };
  return { store, clock, woken, engine, outbox: createOutbox({ store, engine, clock }) };
}

describe("outboxKey()", () => {
  const part = fc.string({ unit: fc.constantFrom("a", "%", ":", "/", "2", "5", "3", "A", "%3A", "é") });
  const address = fc.record({ channel: part, account: part, chat: part });

  it("is read back by parseOutboxKey()", () => {
    fc.assert(
      fc.property(address, (value) => {
        expect(parseOutboxKey(outboxKey(value))).toEqual(value);
      }),
    );
  });

  it.each(["session:a", "outbox:a:b", "outbox:a:b:c:d", "outbox:a:b:c%", "outbox:a:b:%41", ""])(
    "does not read %j",
    (key) => {
      expect(parseOutboxKey(key)).toBeNull();
    },
  );
});

describe("createOutbox()", () => {
  it("issues the append and the wake in the tick of the call, in this order", () => {
    const calls: string[] = [];
    const inner = memoryStore();
    const store: Store = {
      ...inner,
      append: (...args) => {
        calls.push(`append ${args[0]}`);
        return inner.append(...args);
      },
    };
    const engine = { wake: async (key: string) => void calls.push(`wake ${key}`), async start() {}, async stop() {} };
    const outbox = createOutbox({ store, engine, clock: fakeClock() });
    void outbox.enqueue(target, { session: "s", turn: "t1" });
    expect(calls).toEqual([`append ${log}`, "wake outbox:telegram:default:42"]);
  });

  it("finds what was queued beside a wake that is answered before the entry is written", async () => {
    let write = () => {};
    const mayWrite = new Promise<void>((resolve) => (write = resolve));
    const inner = memoryStore();
    const store: Store = { ...inner, append: (...args) => mayWrite.then(() => inner.append(...args)) };
    const { outbox, woken } = setUp({ store });
    const queued = outbox.enqueue(target, { session: "s", turn: "t1" });
    expect(woken).toHaveLength(1);
    const found = outbox.pending(target);
    for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
    write();
    expect(await found).toMatchObject([{ session: "s", turn: "t1" }]);
    await queued;
  });

  it("looks for what is there when an entry could not be written", async () => {
    const inner = memoryStore();
    let isFull = false;
    const store: Store = {
      ...inner,
      append: async (...args) => {
        if (isFull) throw new Error("the disk is full");
        return inner.append(...args);
      },
    };
    const { outbox } = setUp({ store });
    await outbox.enqueue(target, { session: "s", turn: "t1" });
    isFull = true;
    const refused = expect(outbox.enqueue(target, { session: "s", turn: "t2" })).rejects.toThrow("the disk is full");
    expect(await outbox.pending(target)).toHaveLength(1);
    await refused;
  });

  it("returns what was queued in order, until it is settled", async () => {
    const { outbox, clock } = setUp();
    await outbox.enqueue(target, { session: "s", turn: "t1" });
    await outbox.enqueue({ ...target, thread: "7" }, { message: { id: "m1", text: "hi" } });
    const pending = await outbox.pending(target);
    expect(pending).toEqual([
      { type: "reply", seq: 1, at: clock.now(), session: "s", turn: "t1" },
      { type: "message", seq: 2, at: clock.now(), id: "m1", text: "hi", target: { ...target, thread: "7" }, marks: [] },
    ]);
    await outbox.settle(target, pending[0]!);
    expect((await outbox.pending(target)).map(({ seq }) => seq)).toEqual([2]);
    await outbox.settle(target, pending[1]!);
    expect(await outbox.pending(target)).toEqual([]);
  });

  it("keeps chats apart", async () => {
    const { outbox } = setUp();
    await outbox.enqueue(target, { session: "s", turn: "t1" });
    await outbox.enqueue({ ...target, chat: "4/2" }, { session: "s", turn: "t2" });
    expect(await outbox.pending(target)).toHaveLength(1);
    expect(await outbox.pending({ ...target, account: "second" })).toEqual([]);
  });

  it("gives a message its marks", async () => {
    const { outbox, clock } = setUp();
    await outbox.enqueue(target, { message: { id: "m1", text: "hi" } });
    await outbox.mark(target, 1, { part: 0, delivery: "pending", attempt: 1, nextAt: 5 });
    await outbox.mark(target, 1, { part: 0, delivery: "sent", platformId: "9" });
    const [entry] = await outbox.pending(target);
    expect(entry).toMatchObject({
      marks: [
        { part: 0, delivery: "pending", attempt: 1, nextAt: 5, at: clock.now() },
        { delivery: "sent", platformId: "9" },
      ],
    });
  });

  it("takes a message that is queued again under its id once, and a reply as often as it is queued", async () => {
    const { outbox, woken } = setUp();
    for (let round = 0; round < 2; round++) {
      await outbox.enqueue(target, { message: { id: "m1", text: "hi" } });
      await outbox.enqueue(target, { session: "s", turn: "t1" });
    }
    expect((await outbox.pending(target)).map((entry) => entry.type)).toEqual(["message", "reply", "reply"]);
    expect(woken).toHaveLength(4);
  });

  it("looks again at no more than a few settled entries after a restart", async () => {
    const { outbox, store, engine, clock } = setUp();
    for (let turn = 0; turn < 3 * SETTLED_EVERY + 5; turn++)
      await outbox.enqueue(target, { session: "s", turn: `t${turn}` });
    for (const entry of await outbox.pending(target)) await outbox.settle(target, entry);
    const restarted = createOutbox({ store, engine, clock });
    expect((await restarted.pending(target)).map((entry) => entry.type === "reply" && entry.turn)).toEqual(
      [48, 49, 50, 51, 52].map((turn) => `t${turn}`),
    );
  });

  it("removes a log that has grown and holds nothing to send, and starts it again", async () => {
    const { outbox, store } = setUp();
    for (let turn = 0; turn <= TRIM_RECORDS + SETTLED_EVERY; turn++) {
      await outbox.enqueue(target, { session: "s", turn: `t${turn}` });
      for (const entry of await outbox.pending(target)) await outbox.settle(target, entry);
    }
    expect(await store.lastSeq(log)).toBeLessThan(2 * SETTLED_EVERY);
    await outbox.enqueue(target, { session: "s", turn: "later" });
    expect((await outbox.pending(target)).map((entry) => entry.type === "reply" && entry.turn)).toEqual(["later"]);
  });

  it("keeps a log that somebody added to while it was about to be removed", async () => {
    const inner = memoryStore();
    let removals = 0;
    let turn = 0;
    const removed = async () => removals > 0;
    const store: Store = {
      ...inner,
      remove: async (key, options) => {
        removals++;
        await inner.append(key, { v: 1, type: "reply", at: 1, session: "s", turn: "just in time" });
        return inner.remove(key, options);
      },
    };
    const { outbox } = setUp({ store });
    while (!(await removed())) {
      await outbox.enqueue(target, { session: "s", turn: `t${turn++}` });
      for (const entry of await outbox.pending(target)) await outbox.settle(target, entry);
    }
    expect((await outbox.pending(target)).map((entry) => entry.type === "reply" && entry.turn)).toEqual([
      "just in time",
    ]);
  });

  it("notices when another process removed the log and began it again", async () => {
    const { outbox, store, engine, clock } = setUp();
    for (const turn of ["a", "b", "c"]) await outbox.enqueue(target, { session: "s", turn });
    for (const entry of await outbox.pending(target)) await outbox.settle(target, entry);
    await store.remove(log);
    clock.step(1);
    const other = createOutbox({ store, engine, clock });
    for (const turn of ["d", "e", "f", "g"]) await other.enqueue(target, { session: "s", turn });
    expect((await outbox.pending(target)).map((entry) => entry.type === "reply" && entry.turn)).toEqual([
      "d",
      "e",
      "f",
      "g",
    ]);
  });

  it("finds a message by its id with its marks, also once it is settled and after a restart", async () => {
    const { store, outbox } = setUp();
    for (let count = 0; count < SETTLED_EVERY + 1; count++)
      await outbox.enqueue(target, {
        message: { id: `m${count}`, text: `${count}`, buttons: [{ id: "/a", label: "A" }] },
      });
    for (const entry of await outbox.pending(target)) {
      await outbox.mark(target, entry.seq, { part: 0, delivery: "sent", platformId: `p${entry.seq}` });
      await outbox.settle(target, entry);
    }
    const found = { type: "message", id: "m3", text: "3", marks: [{ delivery: "sent", platformId: "p4" }] };
    expect(await outbox.find(target, "m3")).toMatchObject(found);
    expect(await setUp({ store }).outbox.find(target, "m3")).toMatchObject(found);
    expect(await outbox.find(target, "m99")).toBeUndefined();
    expect(await outbox.find({ ...target, chat: "43" }, "m3")).toBeUndefined();
    expect(await setUp({ store }).outbox.pending(target)).toHaveLength(1);
  });

  it("lists what was given up, the same part once", async () => {
    const { outbox } = setUp();
    const letter = { at: 1, target, id: "t1", session: "s", part: 0, text: "hi", error: "chat not found", attempts: 5 };
    await outbox.bury(letter);
    await outbox.bury(letter);
    await outbox.bury({ ...letter, part: 1 });
    expect(await outbox.listDead()).toEqual([letter, { ...letter, part: 1 }]);
    expect(await outbox.listDead({ limit: 1 })).toEqual([{ ...letter, part: 1 }]);
  });

  it("refuses records of a newer format", async () => {
    const { outbox, store } = setUp();
    await store.append(log, { v: 2, type: "reply" });
    await expect(outbox.pending(target)).rejects.toMatchObject({ code: "FORMAT_TOO_NEW" });
  });
});
