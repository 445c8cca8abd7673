import { describe, expect, it } from "vitest";
import { AssistantError } from "../../src/errors.ts";
import { type NewRecord, TurnLostError, createSessions } from "../../src/session/index.ts";
import { type Store, memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

const KEY = "agent:main:telegram:direct:42";
const LOG = "sessions/main/telegram:direct:42/log.jsonl";
const USAGE = { inputTokens: 1, outputTokens: 1 };

function message(id: string): NewRecord {
  return {
    type: "in",
    id,
    turn: `turn-${id}`,
    text: `text ${id}`,
    user: "telegram:42",
    roles: [],
    channel: "telegram",
    account: "default",
    peer: { kind: "direct", id: "42" },
    sender: { id: "42" },
  };
}
const step = (turn: string, of: string[]): NewRecord => ({
  type: "step",
  turn,
  step: 0,
  of,
  seen: 0,
  message: null,
  text: "",
  calls: [],
  usage: USAGE,
  finish: "stop",
  model: "m",
});
const out = (turn: string, of: string[], parts: string[] = []): NewRecord => ({
  type: "out",
  turn,
  of,
  text: `reply ${turn}`,
  silent: false,
  parts,
  ...(parts.length > 0 && { target: { channel: "telegram", account: "default", chat: "42" } }),
  toolCalls: [],
  usage: USAGE,
  steps: 1,
});

/** A disk on which messages are slow: they have their number at once, and are written, so also readable, when `write` is called. */
function slowDisk() {
  const inner = memoryStore();
  let write = () => {};
  const written = new Promise<void>((resolve) => (write = resolve));
  let hiddenFrom = Infinity;
  void written.then(() => (hiddenFrom = Infinity));
  const store: Store = {
    ...inner,
    async append(log, record, options) {
      const result = await inner.append(log, record, options);
      const [first] = [record].flat() as { readonly type?: unknown }[];
      if (first?.type !== "in") return result;
      hiddenFrom = Math.min(hiddenFrom, result.seq);
      await written;
      return result;
    },
    async *read(log, options) {
      for await (const entry of inner.read(log, options)) if (entry.seq < hiddenFrom) yield entry;
    },
  };
  return { store, write };
}

function setUp(store: Store = memoryStore()) {
  return { store, sessions: createSessions({ store, clock: fakeClock(), maxLoaded: 2 }) };
}

describe("createSessions()", () => {
  it("shows what waits, what was begun and what was answered", async () => {
    const { sessions } = setUp();
    const session = await sessions.open(KEY);
    await sessions.append(KEY, message("a"), { id: "a" });
    await sessions.append(KEY, message("b"), { id: "b" });
    expect(session.waiting.map(({ id }) => id)).toEqual(["a", "b"]);
    await sessions.appendTurn(session, step("turn-a", ["a"]));
    expect([session.waiting.length, session.open?.id]).toEqual([1, "turn-a"]);
    await sessions.appendTurn(session, out("turn-a", ["a"]));
    expect([session.open, session.history.length]).toEqual([undefined, 1]);
  });

  it("keeps so many turns in memory of sessions that nobody uses, those used last", async () => {
    const store = memoryStore();
    const read: string[] = [];
    const watched: Store = {
      ...store,
      read(log, options) {
        read.push(log);
        return store.read(log, options);
      },
    };
    const sessions = createSessions({ store: watched, clock: fakeClock(), maxTurns: 3 });
    const keys = ["a", "b", "c"].map((name) => `agent:main:web:direct:${name}`);
    for (const key of keys) {
      const session = await sessions.open(key);
      for (const id of ["1", "2"]) {
        await sessions.append(key, message(id), { id });
        await sessions.appendTurn(session, [step(`turn-${id}`, [id]), out(`turn-${id}`, [id])]);
      }
      sessions.release(key);
    }
    const used = async (key: string) => {
      read.length = 0;
      const { history } = await sessions.open(key);
      sessions.release(key);
      return { turns: history.length, reads: read.length };
    };
    // Two of them have four turns.
    expect(await used(keys[2] ?? "")).toEqual({ turns: 2, reads: 0 });
    expect(await used(keys[1] ?? "")).toEqual({ turns: 2, reads: 1 });
    expect(await used(keys[1] ?? "")).toEqual({ turns: 2, reads: 0 });
    // What is held counts for nothing, however much it is.
    for (const key of keys) await sessions.open(key);
    read.length = 0;
    for (const key of keys) await sessions.load(key);
    expect(read).toEqual([]);
  });

  it("is the same session when it is read back from the log", async () => {
    const { sessions, store } = setUp();
    const session = await sessions.open(KEY);
    for (const id of ["a", "b", "c"]) await sessions.append(KEY, message(id), { id });
    await sessions.appendTurn(session, [step("turn-a", ["a", "b"]), out("turn-a", ["a", "b"], ["one", "two"])]);
    await sessions.mark(KEY, { of: 5, part: 0, delivery: "sent" });
    await sessions.addNote(KEY, { text: "edited", source: "edit" });
    const again = await setUp(store).sessions.open(KEY);
    expect(again).toEqual(session);
    expect(again.deliveries.get("turn-a")?.marks).toHaveLength(1);
  });

  it("stops a turn whose log was continued by another process, but takes in its messages", async () => {
    const one = setUp();
    const other = setUp(one.store);
    const mine = await one.sessions.open(KEY);
    const theirs = await other.sessions.open(KEY);
    await other.sessions.append(KEY, message("a"), { id: "a" });
    await one.sessions.appendTurn(mine, step("t1", []));
    expect(mine.waiting.map(({ id }) => id)).toEqual(["a"]);
    await expect(other.sessions.appendTurn(theirs, step("t2", ["a"]))).rejects.toBeInstanceOf(TurnLostError);
    expect(await one.store.lastSeq(LOG)).toBe(2);
  });

  it("does not take its own side-by-side appends for another writer's", async () => {
    const { sessions } = setUp();
    const session = await sessions.open(KEY);
    const writes = Array.from({ length: 20 }, (_, index) =>
      index % 3 === 0
        ? sessions.append(KEY, message(`m${index}`), { id: `m${index}` })
        : sessions.appendTurn(session, { type: "tool", turn: "t", step: 0, index, name: "x", state: "done" }),
    );
    await Promise.all(writes);
    expect(session.seq).toBe(20);
    expect(session.waiting).toHaveLength(7);
  });

  it("knows that a part was sent while a message before its mark is still being written", async () => {
    const { store, write } = slowDisk();
    const { sessions } = setUp(store);
    const session = await sessions.open(KEY);
    await sessions.appendTurn(session, [step("turn-a", []), out("turn-a", ["a"], ["one"])]);
    const arriving = sessions.append(KEY, message("b"), { id: "b" });
    await sessions.mark(KEY, { of: 2, part: 0, delivery: "sent" });
    expect((await sessions.findOut(KEY, "turn-a"))?.marks).toMatchObject([{ part: 0, delivery: "sent" }]);
    write();
    await arriving;
    expect((await sessions.findOut(KEY, "turn-a"))?.marks).toHaveLength(1);
  });

  it("waits with a turn's records for a message that is still being written", async () => {
    const { store, write } = slowDisk();
    const { sessions } = setUp(store);
    const session = await sessions.open(KEY);
    const arriving = sessions.append(KEY, message("b"), { id: "b" });
    const appended = sessions.appendTurn(session, step("turn-a", []));
    for (let turn = 0; turn < 5000; turn += 1) await Promise.resolve();
    write();
    expect(await appended).toBe(2);
    await arriving;
    expect(session.waiting.map(({ id }) => id)).toEqual(["b"]);
  });

  it("finds the reply to an old message that memory has forgotten", async () => {
    const { sessions } = setUp();
    const session = await sessions.open(KEY);
    for (let number = 0; number < 400; number += 1) {
      await sessions.append(KEY, message(`m${number}`), { id: `m${number}` });
      await sessions.appendTurn(session, out(`turn-m${number}`, [`m${number}`]));
    }
    sessions.trim(session, 3);
    expect(session.history).toHaveLength(3);
    expect((await sessions.findReply(KEY, "m0"))?.turn).toBe("turn-m0");
    expect((await sessions.findOut(KEY, "turn-m1"))?.record.text).toBe("reply turn-m1");
    expect(await sessions.findReply(KEY, "never")).toBeNull();
  });

  it("keeps few sessions in memory, and never one that is in use", async () => {
    const { sessions } = setUp();
    const held = await sessions.open(KEY);
    for (let number = 0; number < 10; number += 1) await sessions.load(`agent:main:sdk:direct:${number}`);
    await sessions.append(KEY, message("a"), { id: "a" });
    expect(held.waiting).toHaveLength(1);
    expect(await sessions.load(KEY)).toBe(held);
  });

  it("lists and removes sessions, but not one that is at work", async () => {
    const { sessions } = setUp();
    await sessions.append(KEY, message("a"), { id: "a" });
    await sessions.append("agent:main:sdk:direct:a%2fb/c", message("b"), { id: "b" });
    expect((await sessions.list()).map(({ key }) => key)).toEqual(["agent:main:sdk:direct:a%2fb/c", KEY]);
    expect((await sessions.list({ after: "agent:main:sdk:direct:a%2fb/c" })).map(({ key }) => key)).toEqual([KEY]);
    await sessions.open(KEY);
    await expect(sessions.remove(KEY)).rejects.toMatchObject({ code: "CONFLICT" });
    sessions.release(KEY);
    expect([await sessions.remove(KEY), await sessions.remove(KEY)]).toEqual([true, false]);
    expect((await sessions.load(KEY)).seq).toBe(0);
  });

  it("refuses a log that a newer version wrote", async () => {
    const { sessions, store } = setUp();
    await store.append(LOG, { v: 99, type: "in" });
    await expect(sessions.load(KEY)).rejects.toSatisfy((error) => AssistantError.is(error, "FORMAT_TOO_NEW"));
  });

  it("does not know what is no session key", async () => {
    await expect(setUp().sessions.load("nonsense")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a log whose first lines are gone", () => {
  it("is read as what there is of it", async () => {
    const inner = memoryStore();
    const clock = fakeClock();
    const before = createSessions({ store: inner, clock });
    for (const id of ["1", "2", "3"]) {
      await before.append(KEY, message(id));
      await before.append(KEY, [step(`turn-${id}`, [id]), out(`turn-${id}`, [id])]);
    }
    const store: Store = {
      ...inner,
      async *read(log, options) {
        for await (const entry of inner.read(log, options)) if (entry.seq > 3) yield entry;
      },
    };
    const session = await createSessions({ store, clock }).load(KEY);
    expect(session.history.map(({ id }) => id)).toEqual(["turn-2", "turn-3"]);
  });
});
