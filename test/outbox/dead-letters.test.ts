import { describe, expect, it } from "vitest";
import { DEAD_LETTERS_KEY, createDeadLetters, createOutbox, parseOutboxKey } from "../../src/outbox/index.ts";
import { type Store, memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

const target = { channel: "telegram", account: "default", chat: "42", thread: "7" };
const letter = { at: 1, target, id: "t1", session: "s", part: 0, text: "hi", error: "chat not found", attempts: 5 };

function setUp(store: Store = memoryStore()) {
  const clock = fakeClock();
  const woken: string[] = [];
  const engine = {
    async wake(key: string) {
      woken.push(key);
    },
    async start() {},
    async stop() {},
  };
  const outbox = createOutbox({ store, engine, clock });
  return { clock, woken, outbox, letters: createDeadLetters({ store, engine, clock, outbox }) };
}

/** Fails at the n-th append, counted from 1. */
function failingAt(inner: Store, time: number): Store {
  let appends = 0;
  return {
    ...inner,
    async append(log, record, options) {
      appends += 1;
      if (appends === time) throw new Error("killed");
      return inner.append(log, record, options);
    },
  };
}

describe("createDeadLetters()", () => {
  it("has a key that is no chat's", () => {
    expect(parseOutboxKey(DEAD_LETTERS_KEY)).toBe(null);
  });

  it("writes down that a letter is to be sent again, then queues it, then lets go of it", async () => {
    const { letters, outbox, woken, clock } = setUp();
    const other = { ...letter, id: "t2", at: 3 };
    await outbox.bury(letter);
    await outbox.bury(other);
    expect(await letters.sendAgain("t1.0")).toEqual(letter);
    expect(woken).toEqual([DEAD_LETTERS_KEY]);
    expect([await outbox.pending(target), await outbox.listDead()]).toEqual([[], [letter, other]]);
    clock.step(5);
    await letters.handle();
    expect(await outbox.pending(target)).toMatchObject([
      { type: "message", id: "again:1:t1.0", text: "hi", target, writtenAt: 1, marks: [] },
    ]);
    expect(await outbox.listDead()).toEqual([other]);
    await letters.handle();
    expect(await outbox.pending(target)).toHaveLength(1);
  });

  it("lists as many as were asked for, whatever was sent again", async () => {
    const { letters, outbox } = setUp();
    for (let part = 0; part < 4; part += 1) await outbox.bury({ ...letter, part });
    await letters.sendAgain("t1.3");
    await letters.handle();
    expect((await outbox.listDead({ limit: 2 })).map(({ part }) => part)).toEqual([1, 2]);
  });

  it.each([
    { title: "before it is written down", time: 1, queued: 0 },
    { title: "before it is queued", time: 2, queued: 0 },
    { title: "before it is let go of", time: 3, queued: 1 },
  ])("queues a letter once over a crash $title", async ({ time, queued }) => {
    const inner = memoryStore();
    await setUp(inner).outbox.bury(letter);
    const first = setUp(failingAt(inner, time));
    await expect(first.letters.sendAgain("t1.0").then(first.letters.handle)).rejects.toThrow("killed");
    expect(await first.outbox.pending(target)).toHaveLength(queued);
    expect(await first.outbox.listDead()).toEqual([letter]);

    const second = setUp(inner);
    await second.letters.handle();
    // Who was not answered asks once more.
    await second.letters.sendAgain("t1.0").catch(() => {});
    await second.letters.handle();
    expect(await second.outbox.pending(target)).toHaveLength(1);
    expect(await second.outbox.listDead()).toEqual([]);
  });

  it("says what it does not know, and what was sent again before", async () => {
    const { letters, outbox } = setUp();
    await outbox.bury(letter);
    await expect(letters.sendAgain("t9.0")).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: 'There is no undelivered message "t9.0": wakeful undelivered and GET /api/v1/dead-letters list them',
    });
    await letters.sendAgain("t1.0");
    await letters.handle();
    for (const ask of [letters.find, letters.sendAgain])
      await expect(ask("t1.0")).rejects.toMatchObject({
        code: "CONFLICT",
        message: expect.stringContaining("was sent again before") as string,
      });
  });
});
