import { describe, expect, it } from "vitest";
import { memoryStore } from "../../src/store/index.ts";
import type { Store } from "../../src/store/index.ts";
import { LEASE_MS, type LeasesDeps, createLeases } from "../../src/listening/index.ts";
import { isFree } from "../../src/listening/leases.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.ts";
import { beginLife } from "../support/life.ts";

const logger = { debug() {}, info() {}, warn() {}, error() {} };
const NAME = ["listeners", "telegram", "default"];
const KEY = "leases/listeners/telegram/default";

/** A process that does something while it has the lease, until it is stopped. */
function contender(name: string, deps: Pick<LeasesDeps, "store" | "clock">) {
  const leases = createLeases({ ...deps, logger, processName: () => name });
  const stop = new AbortController();
  const seen = { works: false, times: 0, waitsFor: [] as string[] };
  const ended = leases
    .hold(NAME, stop.signal, {
      async run(signal) {
        seen.works = true;
        seen.times += 1;
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        seen.works = false;
      },
      onWaiting: (holder) => void seen.waitsFor.push(holder.name),
    })
    .catch(() => {}); // its signal aborted while it waited
  return {
    seen,
    ended,
    stop: () => stop.abort(new Error("stopped")),
  };
}

async function stopped(clock: FakeClock, ...all: readonly ReturnType<typeof contender>[]) {
  for (const one of all) one.stop();
  await clock.advance(1000);
  await Promise.all(all.map(({ ended }) => ended));
}

describe("a lease", () => {
  it("is of one process at a time, and the other says who has it", async () => {
    const [store, clock] = [memoryStore(), fakeClock()];
    const first = contender("one:1", { store, clock });
    await clock.advance(0);
    const second = contender("two:2", { store, clock });
    await clock.advance(10 * LEASE_MS);
    expect(first.seen).toEqual({ works: true, times: 1, waitsFor: [] });
    expect(second.seen).toEqual({ works: false, times: 0, waitsFor: ["one:1"] });
    await stopped(clock, first, second);
  });

  it("goes to one of two that ask at once", async () => {
    const [store, clock] = [memoryStore(), fakeClock()];
    const both = ["one", "two"].map((name) => contender(name, { store, clock }));
    await clock.advance(0);
    expect(both.map(({ seen }) => seen.works).filter(Boolean)).toEqual([true]);
    await clock.advance(3 * LEASE_MS);
    expect(both.reduce((times, { seen }) => times + seen.times, 0)).toBe(1);
    await stopped(clock, ...both);
  });

  it("is given back by a process that stops, and taken soon", async () => {
    const [store, clock] = [memoryStore(), fakeClock()];
    const first = contender("one", { store, clock });
    await clock.advance(0);
    const second = contender("two", { store, clock });
    await clock.advance(5000);
    first.stop();
    await clock.advance(2000);
    expect([first.seen.works, second.seen.works]).toEqual([false, true]);
    await stopped(clock, first, second);
    expect(await store.get(KEY)).toBe(null);
  });

  it("of a process that died is taken over when it is over, not before", async () => {
    const [store, clock] = [memoryStore(), fakeClock()];
    const life = beginLife(store, clock);
    contender("one", life);
    await clock.advance(0);
    const second = contender("two", { store, clock });
    await clock.advance(20_000);
    life.kill();
    // It was renewed at 20 s, so it holds until 35 s.
    await clock.advance(14_000);
    expect(second.seen.works).toBe(false);
    await clock.advance(4000);
    expect(second.seen.works).toBe(true);
    await stopped(clock, second);
  });

  it("of a dead process whose clock was a day ahead is taken over all the same", async () => {
    const [store, clock] = [memoryStore(), fakeClock()];
    const dayMs = 86_400_000;
    const lease = { v: 1, holder: "x", name: "one", since: clock.now(), until: clock.now() + dayMs };
    await store.put(KEY, lease);
    const second = contender("two", { store, clock });
    await clock.advance(LEASE_MS + 4000);
    expect(second.seen).toMatchObject({ works: true, waitsFor: ["one"] });
    await stopped(clock, second);
  });

  it("that another process took ends the work, which goes on when the lease comes back", async () => {
    const [store, clock] = [memoryStore(), fakeClock()];
    const first = contender("one", { store, clock });
    await clock.advance(1000);
    // As after a process stood still: somebody else found it over.
    await store.put(KEY, { v: 1, holder: "x", name: "two", since: clock.now(), until: clock.now() + LEASE_MS });
    await clock.advance(6000);
    expect(first.seen).toEqual({ works: false, times: 1, waitsFor: ["two"] });
    expect((await store.get(KEY))?.value).toMatchObject({ holder: "x" });
    await clock.advance(LEASE_MS);
    expect(first.seen).toMatchObject({ works: true, times: 2 });
    await stopped(clock, first);
  });

  it("that cannot be renewed ends the work before another process may begin", async () => {
    const clock = fakeClock();
    const store = memoryStore();
    let isDown = false;
    const failing: Store = Object.assign(Object.create(store) as Store, {
      put: async (...given: Parameters<Store["put"]>) => {
        if (isDown) throw new Error("the store is down");
        return store.put(...given);
      },
    });
    const first = contender("one", { store: failing, clock });
    await clock.advance(0);
    isDown = true;
    await clock.advance(LEASE_MS - 1);
    expect(first.seen.works).toBe(false);
    isDown = false;
    await clock.advance(4000);
    expect(first.seen).toMatchObject({ works: true, times: 2 });
    await stopped(clock, first);
  });

  it("is known as one's own when the answer to its renewal was lost", async () => {
    const clock = fakeClock();
    const store = memoryStore();
    let lose = false;
    const losing: Store = Object.assign(Object.create(store) as Store, {
      put: async (...given: Parameters<Store["put"]>) => {
        const version = await store.put(...given);
        if (lose) throw new Error("connection reset");
        return version;
      },
    });
    const first = contender("one", { store: losing, clock });
    await clock.advance(0);
    lose = true;
    await clock.advance(5000);
    lose = false;
    await clock.advance(60_000);
    expect(first.seen).toMatchObject({ works: true, times: 1 });
    await stopped(clock, first);
  });

  it("is not needed where no other process can have the store open", async () => {
    const clock = fakeClock();
    const store = memoryStore();
    await store.put(KEY, { v: 1, holder: "x", name: "killed", since: 0, until: clock.now() + LEASE_MS });
    const alone: Store = Object.assign(Object.create(store) as Store, { caps: { ...store.caps, exclusive: true } });
    const first = contender("one", { store: alone, clock });
    await clock.advance(0);
    expect(first.seen).toEqual({ works: true, times: 1, waitsFor: [] });
    await stopped(clock, first);
  });
});

describe("isFree()", () => {
  const lease = { holder: "x", until: 1000 };
  it.each([
    { title: "nobody's lease", lease: undefined, nowMs: 0, unchangedMs: 0, free: true },
    { title: "a lease that holds", lease, nowMs: 999, unchangedMs: 0, free: false },
    { title: "a lease that is over", lease, nowMs: 1000, unchangedMs: 0, free: true },
    { title: "one's own lease", lease: { ...lease, holder: "me" }, nowMs: 0, unchangedMs: 0, free: true },
    { title: "a lease that was watched for a while", lease, nowMs: 0, unchangedMs: LEASE_MS - 1, free: false },
    { title: "a lease that nobody renewed", lease, nowMs: 0, unchangedMs: LEASE_MS, free: true },
  ])("says $free of $title", ({ lease: given, nowMs, unchangedMs, free }) => {
    expect(isFree(given, { ownId: "me", nowMs, unchangedMs })).toBe(free);
  });
});
