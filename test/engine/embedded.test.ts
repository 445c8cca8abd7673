import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AssistantError } from "../../src/errors.ts";
import { embeddedEngine } from "../../src/engine/index.ts";
import { memoryStore } from "../../src/store/memory.ts";
import type { Store } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { beginLife } from "../support/life.ts";
import { runs } from "../support/thorough.ts";

/** A store whose appends are held back until `commit`, as one that commits in groups does. */
function groupStore() {
  const inner = memoryStore();
  const held: (() => void)[] = [];
  const appends: { log: string; tick: number }[] = [];
  let tick = 0;
  const store: Store = {
    ...inner,
    append(log, record, options) {
      appends.push({ log, tick });
      if (options?.flush === false) return inner.append(log, record, options);
      return new Promise((resolve, reject) => {
        held.push(() => void inner.append(log, record, options).then(resolve, reject));
      });
    },
  };
  return {
    store,
    appends,
    nextTick: () => tick++,
    commit(count = held.length) {
      for (const write of held.splice(0, count)) write();
    },
    held,
  };
}

async function recordsOf(store: Store): Promise<number> {
  let count = 0;
  for await (const { key } of store.list("engine/wakes/")) count += await store.lastSeq(key);
  return count;
}

describe("embeddedEngine()", () => {
  it("appends the wake in the tick in which it is asked for", () => {
    const { store, appends } = groupStore();
    void embeddedEngine({ store, clock: fakeClock() }).wake("session:a");
    expect(appends.length).toBe(1);
  });

  it("resolves a wake only when its record is durable", async () => {
    const clock = fakeClock();
    const { store, commit } = groupStore();
    const engine = embeddedEngine({ store, clock });
    let durable = 0;
    void engine.wake("session:a").then(() => durable++);
    void engine.wake("session:a").then(() => durable++);
    await clock.advance(0);
    expect(durable).toBe(0);
    commit();
    await clock.advance(0);
    expect(durable).toBe(2);
  });

  it("writes nothing for a wake that a durable earlier one covers", async () => {
    const clock = fakeClock();
    const store = memoryStore();
    const engine = embeddedEngine({ store, clock });
    await engine.start(async () => {});
    await engine.wake("session:a", new Date(clock.now() + 1000));
    for (let ms = 1000; ms < 1050; ms++) await engine.wake("session:a", new Date(clock.now() + ms));
    expect(await recordsOf(store)).toBe(1);
  });

  it("starts a handler only when what was appended beside a merged wake can be read", async () => {
    const clock = fakeClock();
    const { store, commit, held } = groupStore();
    const engine = embeddedEngine({ store, clock });
    const seen: number[] = [];
    await engine.start(async () => void seen.push(await store.lastSeq("inbox")));
    void Promise.all([store.append("inbox", { n: 1 }), engine.wake("session:a")]);
    await clock.advance(0);
    void Promise.all([store.append("inbox", { n: 2 }), engine.wake("session:a")]);
    commit(2); // the first message and its wake; the second message is still on its way
    await clock.advance(0);
    expect(seen).toEqual([]);
    while (held.length > 0) {
      commit();
      await clock.advance(0);
    }
    expect(seen).toEqual([2]);
  });

  it("waits 1 s, 5 s, 25 s, 125 s and then 5 minutes after throws, and starts over after a success", async () => {
    const clock = fakeClock(0);
    const times: number[] = [];
    let fails = 6;
    const engine = embeddedEngine({ store: memoryStore(), clock });
    await engine.start(async () => {
      times.push(clock.now());
      if (fails-- > 0) throw new Error("not yet");
    });
    await engine.wake("a");
    await clock.advance(1_000_000);
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(waits).toEqual([1000, 5000, 25_000, 125_000, 300_000, 300_000]);
    fails = 1;
    times.length = 0;
    await engine.wake("a");
    await clock.advance(10_000);
    expect(times.map((time) => time - 1_000_000)).toEqual([0, 1000]);
  });

  it("remembers the throws over a restart, so that a key that always fails does not start in a hot loop", async () => {
    const clock = fakeClock();
    const store = memoryStore();
    const fail = async () => {
      throw new Error("never");
    };
    const first = embeddedEngine({ store, clock });
    await first.start(fail);
    await first.wake("a");
    await clock.advance(31_000); // four runs: at 0, 1, 6 and 31 s
    await first.stop();
    let runs = 0;
    await embeddedEngine({ store, clock }).start(() => {
      runs++;
      return fail();
    });
    await clock.advance(0);
    expect(runs).toBe(1);
    await clock.advance(299_000);
    expect(runs).toBe(1);
    await clock.advance(1000);
    expect(runs).toBe(2);
  });

  it("tells onError the key and the cause of each throw, and goes on when onError throws", async () => {
    const clock = fakeClock();
    const told: [unknown, unknown][] = [];
    const engine = embeddedEngine({
      store: memoryStore(),
      clock,
      onError(error, key) {
        told.push([(error as Error).message, key]);
        throw new Error("reporter is broken");
      },
    });
    let runs = 0;
    await engine.start(() => {
      runs++;
      throw new Error("boom");
    });
    await engine.wake("a");
    await clock.advance(1000);
    expect(runs).toBe(2);
    expect(told).toEqual([
      ["boom", "a"],
      ["boom", "a"],
    ]);
  });

  it("sets one timer for any number of keys, and none when nothing waits", async () => {
    const clock = fakeClock();
    const engine = embeddedEngine({ store: memoryStore(), clock });
    let runs = 0;
    await engine.start(async () => void runs++);
    for (let index = 0; index < 100; index++) {
      await engine.wake(`key:${index}`, new Date(clock.now() + 1000 + ((index * 37) % 100)));
    }
    expect(clock.pending).toBe(1);
    await clock.advance(2000);
    expect(runs).toBe(100);
    expect(clock.pending).toBe(0);
  });

  it("is at most a minute late when the host slept through a time", async () => {
    const clock = fakeClock();
    const engine = embeddedEngine({ store: memoryStore(), clock });
    let runs = 0;
    await engine.start(async () => void runs++);
    await engine.wake("job:a", new Date(clock.now() + 8 * 3_600_000));
    clock.step(9 * 3_600_000); // timers stood still while the time went on
    await clock.advance(60_000);
    expect(runs).toBe(1);
  });

  it("does not shut a key out for longer than a minute when the clock is set back", async () => {
    const clock = fakeClock();
    const engine = embeddedEngine({ store: memoryStore(), clock });
    const keys: string[] = [];
    let fails = 1;
    await engine.start(async (key) => {
      if (key === "failing" && fails-- > 0) throw new Error("once");
      keys.push(key);
    });
    await engine.wake("debounced", new Date(clock.now() + 1000));
    await engine.wake("failing");
    await engine.wake("job", new Date(clock.now() + 3_600_000));
    await clock.advance(0);
    clock.step(-7_200_000);
    await clock.advance(60_000);
    expect(keys.toSorted()).toEqual(["debounced", "failing"]);
    await clock.advance(3 * 3_600_000);
    expect(keys.toSorted()).toEqual(["debounced", "failing", "job"]);
  });

  it("keeps a short wait short, and a time of day where it is, when the clock was set back before a restart", async () => {
    const clock = fakeClock();
    const store = memoryStore();
    const dead = embeddedEngine({ store, clock });
    await dead.wake("debounced", new Date(clock.now() + 1000));
    await dead.wake("job", new Date(clock.now() + 3_600_000));
    clock.step(-25 * 3_600_000);
    const keys: string[] = [];
    const engine = embeddedEngine({ store, clock });
    await engine.start(async (key) => void keys.push(key));
    await clock.advance(999);
    expect(keys).toEqual([]);
    await clock.advance(1);
    expect(keys).toEqual(["debounced"]);
    await clock.advance(26 * 3_600_000);
    expect(keys).toEqual(["debounced", "job"]);
  });

  it("takes up what another process asked for, once, however often it is told that it ended", async () => {
    const clock = fakeClock();
    const store = memoryStore();
    const handled: string[] = [];
    const run = async (key: string) => void handled.push(key);
    const second = embeddedEngine({ store, clock });
    await second.start(run);
    const life = beginLife(store, clock);
    const first = embeddedEngine(life);
    await first.start(() => new Promise(() => {}));
    await Promise.all([first.wake("now"), first.wake("later", new Date(clock.now() + 1000))]);
    life.kill();
    await clock.advance(5000);
    expect(handled).toEqual([]);
    await Promise.all([second.takeUp?.(), second.takeUp?.()]);
    await clock.advance(0);
    await second.takeUp?.();
    await clock.advance(5000);
    expect(handled.toSorted()).toEqual(["later", "now"]);
  });

  it("refuses a second start while it runs", async () => {
    const engine = embeddedEngine({ store: memoryStore(), clock: fakeClock() });
    await engine.start(async () => {});
    await expect(engine.start(async () => {})).rejects.toThrow(TypeError);
  });

  it("starts again after a stop, and then handles what it was asked meanwhile", async () => {
    const clock = fakeClock();
    const engine = embeddedEngine({ store: memoryStore(), clock });
    const keys: string[] = [];
    const handle = async (key: string) => void keys.push(key);
    await engine.start(handle);
    await engine.stop();
    await engine.wake("a");
    await engine.start(handle);
    await clock.advance(0);
    expect(keys).toEqual(["a"]);
  });

  it("gives a stopped handler STOPPED as the reason, and a nudged one ABORTED", async () => {
    const clock = fakeClock();
    const engine = embeddedEngine({ store: memoryStore(), clock });
    const reasons: unknown[] = [];
    await engine.start(
      (_key, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            reasons.push(signal.reason);
            reject(signal.reason as Error);
          });
        }),
    );
    await engine.wake("a");
    await clock.advance(0);
    engine.nudge?.("a");
    await clock.advance(0);
    await engine.stop();
    expect(reasons.map((reason) => AssistantError.is(reason) && reason.code)).toEqual(["ABORTED", "STOPPED"]);
  });

  it("rejects the wake, and keeps nothing, when the store cannot write", async () => {
    const clock = fakeClock();
    const store: Store = {
      ...memoryStore(),
      append: () => Promise.reject(new AssistantError("STORE_FULL", "The disk is full")),
    };
    const engine = embeddedEngine({ store, clock });
    let runs = 0;
    await engine.start(async () => void runs++);
    await expect(engine.wake("a")).rejects.toThrow("The disk is full");
    await clock.advance(600_000);
    expect(runs).toBe(0);
  });

  it("refuses to start over wakes of a newer format", async () => {
    const store = memoryStore();
    await store.append("engine/wakes/01JZZZZZZZZZZZZZZZZZZZZZZZ-000001.jsonl", { v: 2, key: "a", n: 1 });
    const engine = embeddedEngine({ store, clock: fakeClock() });
    await expect(engine.start(async () => {})).rejects.toThrow("newer version");
  });

  it("keeps its log small over many wakes, and one log a run", async () => {
    const clock = fakeClock();
    const store = memoryStore();
    const engine = embeddedEngine({ store, clock });
    await engine.start(async () => {});
    await engine.wake("waits", new Date(clock.now() + 86_400_000));
    for (let index = 0; index < 10_000; index++) await engine.wake("busy");
    await clock.advance(0);
    expect((await recordsOf(store)) < 5000).toBe(true);
    const logs: string[] = [];
    for await (const { key } of store.list("engine/wakes/")) logs.push(key);
    expect(logs.length).toBe(1);
    await engine.stop();
    const keys: string[] = [];
    const next = embeddedEngine({ store, clock });
    await next.start(async (key) => void keys.push(key));
    await clock.advance(86_400_000);
    expect(keys).toEqual(["waits"]);
  });

  it("loses no wake when the process dies after any write (property)", async () => {
    const keys = ["a", "b", "c"] as const;
    const step = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          do: fc.constant("wake" as const),
          key: fc.constantFrom(...keys),
          ms: fc.constantFrom(0, 0, 5, 50),
        }),
      },
      { weight: 3, arbitrary: fc.record({ do: fc.constant("advance" as const), ms: fc.constantFrom(0, 1, 10, 1000) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("end" as const) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant("throw" as const) }) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ writes: fc.integer({ min: 0, max: 12 }), steps: fc.array(step, { maxLength: 14 }) }), {
          minLength: 1,
          maxLength: 4,
        }),
        async (lives) => {
          const store = memoryStore();
          const clock = fakeClock();
          let order = 0;
          const startOfLastSuccess = new Map<string, number>();
          const acknowledged: { key: string; asked: number }[] = [];
          for (const { writes, steps } of lives) {
            const life = beginLife(store, clock, writes);
            const engine = embeddedEngine({ ...life, rotateRecords: 3 });
            const running = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
            void engine.start((key) => {
              expect(running.has(key)).toBe(false);
              const started = ++order;
              return new Promise<void>((resolve, reject) => {
                running.set(key, {
                  resolve() {
                    running.delete(key);
                    startOfLastSuccess.set(key, started);
                    resolve();
                  },
                  reject(error) {
                    running.delete(key);
                    reject(error);
                  },
                });
              });
            });
            for (const each of steps) {
              if (life.killed) break;
              if (each.do === "wake") {
                const { key, ms } = each;
                const asked = ++order;
                void engine
                  .wake(key, ms === 0 ? undefined : new Date(clock.now() + ms))
                  .then(() => acknowledged.push({ key, asked }));
                await clock.advance(0);
              } else if (each.do === "advance") {
                await clock.advance(each.ms);
              } else {
                const [first] = running.values();
                if (each.do === "end") first?.resolve();
                else first?.reject(new Error("now and then"));
                await clock.advance(0);
              }
            }
            life.kill();
          }
          const last = embeddedEngine({ store, clock });
          const handled = new Set<string>();
          await last.start(async (key) => void handled.add(key));
          await clock.advance(1000);
          const lost = acknowledged.filter(
            ({ key, asked }) => (startOfLastSuccess.get(key) ?? 0) < asked && !handled.has(key),
          );
          expect(lost).toEqual([]);
        },
      ),
      { numRuns: runs(150) },
    );
  });
});
