import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AssistantError, ConflictError } from "../../src/errors.ts";
import { createRateCounter, createSharedRateCounter } from "../../src/guard/index.ts";
import { type Store, memoryStore } from "../../src/store/index.ts";
import { silentLogger } from "../../src/telemetry/index.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.ts";
import { runs } from "../support/thorough.ts";

const windowMs = 60_000;

/** By how much a clock is set back. */
const BACK = [
  { title: "a minute", ms: 60_000 },
  { title: "an hour", ms: 3_600_000 },
  { title: "a year", ms: 365 * 86_400_000 },
];

/** Lets code that waits for the store go on. */
async function settled<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  await clock.advance(0);
  return work;
}

function allowedOf(hits: readonly { readonly hits: number }[], limit: number): number {
  return hits.filter((count) => count.hits <= limit).length;
}

describe("createRateCounter()", () => {
  it("lets in exactly the limit in a window, and as many in the next", () => {
    const clock = fakeClock();
    const counter = createRateCounter({ clock, windowMs, limit: 3 });
    const hits = () => counter.hit("a").hits;
    expect([hits(), hits(), hits(), hits(), hits()]).toEqual([1, 2, 3, 4, 4]);
    clock.step(windowMs - 1);
    expect(hits()).toBe(4);
    clock.step(1);
    expect([hits(), hits()]).toEqual([1, 2]);
  });

  it("opens a key's window with its first hit", () => {
    const clock = fakeClock();
    const counter = createRateCounter({ clock, windowMs, limit: 3 });
    const { endsMs } = counter.hit("a");
    expect(endsMs).toBe(clock.now() + windowMs);
    clock.step(1000);
    expect(counter.hit("a").endsMs).toBe(endsMs);
    expect(counter.hit("b").endsMs).toBe(endsMs + 1000);
  });

  it.each(BACK)(
    "goes on counting when the clock is set back by $title, and locks nobody out for longer than a window",
    ({ ms }) => {
      const clock = fakeClock();
      const counter = createRateCounter({ clock, windowMs, limit: 3 });
      const hits = () => counter.hit("a").hits;
      expect([hits(), hits()]).toEqual([1, 2]);
      clock.step(-ms);
      expect([hits(), hits()]).toEqual([3, 4]);
      expect(counter.hit("a").endsMs).toBe(clock.now() + windowMs);
      clock.step(windowMs - 1);
      expect(hits()).toBe(4);
      clock.step(1);
      expect([hits(), hits(), hits(), hits()]).toEqual([1, 2, 3, 4]);
    },
  );

  it("remembers a bounded number of keys, and forgets the window that opened first", () => {
    const clock = fakeClock();
    const counter = createRateCounter({ clock, windowMs, limit: 5, maxKeys: 2 });
    counter.hit("a");
    counter.hit("b");
    counter.hit("a");
    counter.hit("c");
    expect([counter.hit("b").hits, counter.hit("c").hits, counter.hit("a").hits]).toEqual([2, 2, 1]);
  });
});

describe("createSharedRateCounter()", () => {
  function counterOn(store: Pick<Store, "get" | "put">, clock: FakeClock, limit = 10, lines: string[] = []) {
    const log = (message: string) => void lines.push(message);
    const logger = { ...silentLogger, warn: log, info: log };
    return createSharedRateCounter({ clock, windowMs, limit, store, name: "test", logger });
  }

  /** Counts what goes over the wire. */
  function counted(store: Store) {
    const trips = { gets: 0, puts: 0 };
    const wire: Pick<Store, "get" | "put"> = {
      get: (key) => (trips.gets++, store.get(key)),
      put: (key, value, options) => (trips.puts++, store.put(key, value, options)),
    };
    return { trips, wire };
  }

  it("lets in exactly the limit of a hundred at once, in a few writes", async () => {
    const clock = fakeClock();
    const { trips, wire } = counted(memoryStore());
    const counter = counterOn(wire, clock);
    const hits = await settled(clock, Promise.all(Array.from({ length: 100 }, async () => counter.hit("a"))));
    expect(allowedOf(hits, 10)).toBe(10);
    expect(trips.puts).toBeLessThanOrEqual(2);
    expect(trips.gets).toBe(1);
  });

  it("costs one write for a request alone, and none for one that is over the limit", async () => {
    const clock = fakeClock();
    const { trips, wire } = counted(memoryStore());
    const counter = counterOn(wire, clock, 3);
    for (let hit = 0; hit < 4; hit++) await settled(clock, Promise.resolve(counter.hit("a")));
    expect(trips).toEqual({ gets: 1, puts: 4 });
    for (let hit = 0; hit < 50; hit++) await counter.hit("a");
    expect(trips).toEqual({ gets: 1, puts: 4 });
    clock.step(windowMs);
    expect((await settled(clock, Promise.resolve(counter.hit("a")))).hits).toBe(1);
  });

  it("lets in exactly the limit over any number of processes, whatever the order of their writes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 2, maxLength: 5 }),
        fc.integer({ min: 1, max: 20 }),
        fc.scheduler(),
        async (processes, limit, scheduler) => {
          const store = memoryStore();
          const slow: Pick<Store, "get" | "put"> = {
            get: (key) => scheduler.schedule(store.get(key)),
            put: (key, value, options) =>
              scheduler.schedule(Promise.resolve()).then(() => store.put(key, value, options)),
          };
          const clock = fakeClock();
          const hits = processes.flatMap((count) => {
            const counter = counterOn(slow, clock, limit);
            return Array.from({ length: count }, async () => counter.hit("a"));
          });
          const all = Promise.all(hits);
          await scheduler.waitFor(all);
          expect(allowedOf(await all, limit)).toBe(Math.min(limit, hits.length));
          expect(clock.pending).toBe(0);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it("goes on from what it knows when the store fails, says so once, and asks again after five seconds", async () => {
    const clock = fakeClock();
    const lines: string[] = [];
    const store = memoryStore();
    let down = false;
    let asked = 0;
    const failing: Pick<Store, "get" | "put"> = {
      get: (key) => store.get(key),
      put(key, value, options) {
        asked++;
        if (down) return Promise.reject(new AssistantError("STORE_UNAVAILABLE", "gone"));
        return store.put(key, value, options);
      },
    };
    const counter = counterOn(failing, clock, 5, lines);
    const hit = async () => (await settled(clock, Promise.resolve(counter.hit("a")))).hits;
    expect([await hit(), await hit()]).toEqual([1, 2]);
    down = true;
    expect([await hit(), await hit(), await hit(), await hit()]).toEqual([3, 4, 5, 6]);
    expect([asked, lines.length]).toEqual([3, 1]);
    down = false;
    clock.step(5000);
    // Over the limit nothing is asked; another key shows that the store is used again.
    expect(await hit()).toBe(6);
    expect((await settled(clock, Promise.resolve(counter.hit("b")))).hits).toBe(1);
    expect(asked).toBe(4);
    expect(lines).toHaveLength(2);
  });

  it.each(BACK)(
    "goes on counting when the clock is set back by $title, in this process and in one that is new",
    async ({ ms }) => {
      const clock = fakeClock();
      const store = memoryStore();
      const first = counterOn(store, clock, 3);
      const hit = async (counter = first) => (await settled(clock, Promise.resolve(counter.hit("a")))).hits;
      expect([await hit(), await hit(), await hit(), await hit()]).toEqual([1, 2, 3, 4]);
      clock.step(-ms);
      expect(await hit()).toBe(4);
      const second = counterOn(store, clock, 3);
      expect(await hit(second)).toBeGreaterThan(3);
      clock.step(windowMs - 1);
      expect(await hit()).toBeGreaterThan(3);
      expect(await hit(second)).toBeGreaterThan(3);
      clock.step(1);
      expect([await hit(second), await hit(), await hit(), await hit()]).toEqual([1, 2, 3, 4]);
    },
  );

  it("asks the store again when the clock was set back while it failed", async () => {
    const clock = fakeClock();
    const store = memoryStore();
    let asked = 0;
    let down = true;
    const failing: Pick<Store, "get" | "put"> = {
      get: store.get,
      put(...given) {
        asked++;
        return down ? Promise.reject(new AssistantError("STORE_UNAVAILABLE", "gone")) : store.put(...given);
      },
    };
    const counter = counterOn(failing, clock, 5);
    const hit = async () => (await settled(clock, Promise.resolve(counter.hit("a")))).hits;
    expect([await hit(), await hit(), asked]).toEqual([1, 2, 1]);
    down = false;
    clock.step(-3_600_000);
    expect([await hit(), asked]).toEqual([3, 2]);
  });

  it("does not wait longer than a second for a store that does not answer", async () => {
    const clock = fakeClock();
    const silent: Pick<Store, "get" | "put"> = { get: () => new Promise(() => {}), put: () => new Promise(() => {}) };
    const counter = counterOn(silent, clock, 2);
    const hits = Promise.all([1, 2, 3].map(async () => counter.hit("a")));
    await clock.advance(1000);
    expect((await hits).map((count) => count.hits)).toEqual([1, 2, 3]);
    expect(clock.pending).toBe(0);
  });

  it("counts alone when others always write first", async () => {
    const clock = fakeClock();
    const contested: Pick<Store, "get" | "put"> = {
      get: async () => null,
      put: () => Promise.reject(new ConflictError("Somebody else was first", "2")),
    };
    const counter = counterOn(contested, clock, 2);
    expect((await settled(clock, Promise.resolve(counter.hit("a")))).hits).toBe(1);
  });

  it("keeps the higher count when the store comes back with a lower one", async () => {
    const clock = fakeClock();
    const store = memoryStore();
    const counter = counterOn(store, clock, 10);
    for (let hit = 0; hit < 3; hit++) await settled(clock, Promise.resolve(counter.hit("a")));
    const found = await store.get("rate/test/a");
    await store.put("rate/test/a", { hits: 1, endsMs: clock.now() + windowMs });
    expect(found?.value).toMatchObject({ hits: 3 });
    expect((await settled(clock, Promise.resolve(counter.hit("a")))).hits).toBe(4);
  });

  it("takes a document that is none of its own for an empty one", async () => {
    const clock = fakeClock();
    const store = memoryStore();
    await store.put("rate/test/a", { hits: "many" });
    expect((await settled(clock, Promise.resolve(counterOn(store, clock).hit("a")))).hits).toBe(1);
  });
});
