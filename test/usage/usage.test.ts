import { describe, expect, it } from "vitest";
import { createEventBus, type EventOf } from "../../src/events/index.ts";
import { type Store, memoryStore } from "../../src/store/index.ts";
import { createMetrics, silentLogger } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { type UsageOptions, createUsage } from "../../src/usage/index.ts";

const HOUR_MS = 3_600_000;
/** 2026-01-05T08:00:00Z, a Monday. */
const MONDAY_MS = Date.UTC(2026, 0, 5, 8);

function setUp(options: Partial<UsageOptions> & { store?: Store } = {}) {
  const clock = fakeClock(MONDAY_MS);
  const store = options.store ?? memoryStore();
  const metrics = createMetrics();
  const lines: string[] = [];
  const logger = {
    ...silentLogger,
    warn: (text: string) => void lines.push(text),
    error: (text: string) => void lines.push(text),
  };
  const open = (more: Partial<UsageOptions> = {}) =>
    createUsage({ store, clock, timezone: "UTC", metrics, logger, ...options, ...more });
  return { clock, store, metrics, lines, open };
}

function use(inputTokens: number, outputTokens = 0, more: { model?: string; user?: string; cached?: number } = {}) {
  const { model = "a/b", user = "telegram:42", cached } = more;
  const usage = { inputTokens, outputTokens, ...(cached !== undefined && { cachedInputTokens: cached }) };
  return { model, user, sessionKey: "agent:main:main", usage };
}

async function keysOf(store: Store, prefix: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
}

/** What a process finds that starts now. */
async function storedCalls(store: Store): Promise<number> {
  const fresh = setUp({ store }).open();
  await fresh.load();
  return (await fresh.summary()).month.calls;
}

describe("createUsage()", () => {
  it("renames a person for good on a day, or in a month, in which no model was asked yet", async () => {
    for (const pauseMs of [24 * HOUR_MS, 40 * 24 * HOUR_MS]) {
      const { clock, store, open } = setUp();
      const usage = open();
      usage.record(use(10));
      usage.record(use(20, 0, { user: "telegram:7" }));
      await clock.advance(pauseMs);
      await usage.rename((user) => user === "telegram:42", "forgotten");
      await usage.settled();
      for (const key of await keysOf(store, "usage/")) {
        const kept: string[] = [];
        if (key.endsWith(".json")) kept.push(JSON.stringify((await store.get(key))?.value));
        else for await (const { record } of store.read(key)) kept.push(JSON.stringify(record));
        expect(kept.join("\n")).not.toContain("telegram:42");
      }
      const [day] = (await usage.summary({ days: 60 })).days;
      expect(Object.keys(day!.users).toSorted()).toEqual(["forgotten", "telegram:7"]);
    }
  });

  it("counts tokens and cost by day, month, model and person", async () => {
    const { open, metrics } = setUp({ prices: { "a/b": { input: 2, output: 10, cachedInput: 1 } } });
    const usage = open();
    usage.record(use(1_000_000, 100_000, { cached: 500_000 }));
    usage.record(use(10, 5, { model: "c/d", user: "sdk" }));
    const { days, today, month } = await usage.summary();
    expect(today).toEqual({
      calls: 2,
      inputTokens: 1_000_010,
      outputTokens: 100_005,
      cachedInputTokens: 500_000,
      cost: 2.5,
    });
    expect(month).toEqual(today);
    expect(days).toHaveLength(1);
    expect(days[0]).toMatchObject({ day: "2026-01-05", total: today });
    expect(Object.keys(days[0]?.models ?? {})).toEqual(["a/b", "c/d"]);
    expect(days[0]?.users["sdk"]).toMatchObject({ calls: 1, inputTokens: 10 });
    expect(metrics.text()).toContain("turn_cost_total 2.5");
  });

  it.each([
    { title: "after a clean stop", settle: true },
    { title: "after a crash right after the last call was handed over", settle: false },
  ])("knows everything again $title", async ({ settle }) => {
    const { open } = setUp();
    const before = open();
    await before.load();
    for (let call = 0; call < 3; call += 1) before.record(use(100, 10));
    if (settle) await before.settled();
    else for (let turns = 0; turns < 50; turns += 1) await Promise.resolve();
    const after = open();
    await after.load();
    expect((await after.summary()).month).toMatchObject({ calls: 3, inputTokens: 300, outputTokens: 30 });
    after.record(use(100));
    await after.settled();
    const third = open();
    await third.load();
    expect((await third.summary()).days[0]?.models["a/b"]).toMatchObject({ calls: 4, inputTokens: 400 });
  });

  it("does not fsync for a line", async () => {
    const inner = memoryStore();
    const flushes: (boolean | undefined)[] = [];
    const store: Store = {
      ...inner,
      append: (log, record, options) => {
        flushes.push(options?.flush);
        return inner.append(log, record, options);
      },
    };
    const usage = setUp({ store }).open();
    usage.record(use(1));
    await usage.settled();
    expect(flushes).toEqual([false]);
  });

  it("keeps what the store did not take, and writes it with the next call", async () => {
    const inner = memoryStore();
    let isDown = true;
    const store: Store = {
      ...inner,
      append: (...given) => (isDown ? Promise.reject(new Error("down")) : inner.append(...given)),
    };
    const { open, lines } = setUp({ store });
    const usage = open();
    usage.record(use(100));
    await usage.settled();
    expect((await usage.summary()).today.inputTokens).toBe(100);
    expect(lines.join()).toContain("written later");
    isDown = false;
    usage.record(use(1));
    await usage.settled();
    const after = open();
    await after.load();
    expect((await after.summary()).today).toMatchObject({ calls: 2, inputTokens: 101 });
  });

  it("counts what another process wrote to the same store, each call once", async () => {
    const { open } = setUp();
    const [one, two] = [open(), open()];
    await Promise.all([one.load(), two.load()]);
    for (let round = 0; round < 20; round += 1) {
      one.record(use(1));
      two.record(use(1));
      if (round % 3 === 0) await Promise.all([one.settled(), two.settled()]);
    }
    await one.settled();
    await two.settled();
    one.record(use(1));
    two.record(use(1));
    await one.settled();
    await two.settled();
    expect((await two.summary()).today.calls).toBe(42);
    const third = open();
    await third.load();
    expect((await third.summary()).today.calls).toBe(42);
  });

  it("counts what was recorded before it had read the store", async () => {
    const { open } = setUp();
    const before = open();
    before.record(use(100));
    await before.settled();
    const usage = open();
    usage.record(use(10));
    await usage.load();
    usage.record(use(1));
    await usage.settled();
    expect((await usage.summary()).today).toMatchObject({ calls: 3, inputTokens: 111 });
  });

  it("reads at start no more lines than those since the sums were saved", async () => {
    const inner = memoryStore();
    let read = 0;
    const store: Store = {
      ...inner,
      async *read(log, options) {
        for await (const line of inner.read(log, options)) {
          read += 1;
          yield line;
        }
      },
    };
    const { open } = setUp({ store });
    const usage = open();
    for (let call = 0; call < 1600; call += 1) usage.record(use(1));
    for (let turns = 0; turns < 2000; turns += 1) await Promise.resolve();
    const after = open();
    await after.load();
    expect((await after.summary()).today.calls).toBe(1600);
    expect(read).toBeLessThan(600);
  });

  it("keeps the sums of a day whose lines are gone", async () => {
    const { open, clock, store } = setUp();
    const usage = open();
    usage.record(use(100));
    await clock.advance(24 * HOUR_MS);
    usage.record(use(1));
    await usage.settled();
    await clock.advance(9 * 24 * HOUR_MS);
    usage.record(use(1));
    await usage.settled();
    const keys = [];
    for await (const { key } of store.list("usage/")) keys.push(key);
    expect(keys).toEqual([
      "usage/2026-01-05.json",
      "usage/2026-01-06.json",
      "usage/2026-01-15.json",
      "usage/2026-01-15.jsonl",
    ]);
    const after = open();
    await after.load();
    expect((await after.summary({ days: 30 })).days.map(({ day, total }) => [day, total.inputTokens])).toEqual([
      ["2026-01-15", 1],
      ["2026-01-06", 1],
      ["2026-01-05", 100],
    ]);
  });

  it("knows a month again when the clock is set back into it", async () => {
    const { open, clock } = setUp({ budget: { monthly: { tokens: 100 } } });
    const usage = open();
    await usage.load();
    usage.record(use(60));
    await clock.advance(24 * HOUR_MS);
    usage.record(use(40));
    await usage.settled();
    expect(usage.check().ok).toBe(false);
    clock.step(30 * 24 * HOUR_MS);
    usage.record(use(1));
    expect(usage.check().ok).toBe(true);
    await usage.settled();
    clock.step(-30 * 24 * HOUR_MS);
    usage.record(use(1));
    await usage.settled();
    expect((await usage.summary()).month).toMatchObject({ calls: 3, inputTokens: 101 });
    expect(usage.check().ok).toBe(false);
  });

  it("counts each call once although another process's lines could not be read for a while", async () => {
    const inner = memoryStore();
    const other = setUp({ store: inner }).open();
    let isDown = false;
    const store: Store = {
      ...inner,
      read: (log, options) => {
        if (isDown) throw new Error("down");
        return inner.read(log, options);
      },
    };
    const usage = setUp({ store }).open();
    await usage.load();
    usage.record(use(1));
    await usage.settled();
    other.record(use(1));
    await other.settled();
    isDown = true;
    usage.record(use(1));
    await usage.settled();
    isDown = false;
    usage.record(use(1));
    await usage.settled();
    usage.record(use(1));
    await usage.settled();
    expect((await usage.summary()).month.calls).toBe(5);
    expect(await storedCalls(inner)).toBe(5);
  });

  it("counts without a day that cannot be read, and says which", async () => {
    const { clock, open, store: inner } = setUp();
    const before = open();
    for (let day = 0; day < 3; day += 1) {
      before.record(use(1));
      await before.settled();
      await clock.advance(24 * HOUR_MS);
    }
    let broken = "2026-01-06";
    const store: Store = {
      ...inner,
      read: (log, options) => {
        if (log.includes(broken)) throw new Error("not yours to read");
        return inner.read(log, options);
      },
    };
    const { lines, open: openAgain } = setUp({ store });
    const usage = openAgain({ clock });
    await usage.load();
    expect((await usage.summary()).month.calls).toBe(2);
    expect(lines).toContain("A document cannot be read and is left out");
    usage.record(use(1));
    await clock.advance(10 * 24 * HOUR_MS);
    usage.record(use(1));
    await usage.settled();
    broken = "none";
    expect(await keysOf(inner, "usage/2026-01-06")).toHaveLength(2);
    expect(await keysOf(inner, "usage/2026-01-07")).toHaveLength(1);
    expect(await storedCalls(inner)).toBe(5);
  });

  it("starts beside what a newer version wrote, which stays as it is", async () => {
    const { open, store, lines } = setUp();
    await store.put("usage/2026-01-05.json", { v: 2 });
    const usage = open();
    await usage.load();
    expect(lines).toContain("A document cannot be read and is left out");
    usage.record(use(1));
    await usage.settled();
    expect((await usage.summary()).today.calls).toBe(1);
    expect((await store.get("usage/2026-01-05.json"))?.value).toEqual({ v: 2 });
  });

  it("takes names as they are", async () => {
    const { open } = setUp({ prices: {} });
    const usage = open();
    usage.record(use(1, 0, { model: "__proto__", user: "constructor" }));
    await usage.settled();
    const after = open();
    await after.load();
    const [day] = (await after.summary()).days;
    expect(Object.entries(day?.models ?? {}).map(([name]) => name)).toEqual(["__proto__"]);
    expect(day?.users["constructor"]?.calls).toBe(1);
  });
});

describe("a budget", () => {
  it.each([
    { title: "tokens of a day", budget: { daily: { tokens: 150 } }, kind: "tokens", opensAt: "2026-01-06 00:00" },
    { title: "tokens of a month", budget: { monthly: { tokens: 150 } }, kind: "tokens", opensAt: "2026-02-01 00:00" },
    { title: "cost of a day", budget: { daily: { cost: 0.0003 } }, kind: "cost", opensAt: "2026-01-06 00:00" },
    {
      title: "the month when both are used",
      budget: { daily: { tokens: 1 }, monthly: { cost: 0.0001 } },
      kind: "cost",
      opensAt: "2026-02-01 00:00",
    },
  ])("closes when it is used, and says until when: $title", async ({ budget, kind, opensAt }) => {
    const { open, clock } = setUp({ budget, models: ["a/b"], prices: { "a/b": { input: 1, output: 2 } } });
    const usage = open();
    expect(usage.check()).toEqual({ ok: true });
    usage.record(use(100, 100));
    const state = usage.check();
    expect(state).toMatchObject({ ok: false, kind, opensAt });
    if (state.ok) throw new Error("open");
    expect(state.reason).toContain("is used up");
    await clock.advance(state.untilMs - clock.now() - 1);
    expect(usage.check().ok).toBe(false);
    await clock.advance(1);
    expect(usage.check().ok).toBe(true);
  });

  it("is closed again after a restart", async () => {
    const { open, lines } = setUp({ budget: { monthly: { tokens: 100 } } });
    const before = open();
    before.record(use(100));
    await before.settled();
    expect(lines).toHaveLength(2);
    const after = open();
    await after.load();
    expect(after.check().ok).toBe(false);
    expect(lines, "what was said is not said again").toHaveLength(2);
  });

  it("says once at 80 % and once at 100 % of each period, in the log and as an event", async () => {
    const clock = fakeClock(MONDAY_MS);
    const events = createEventBus({ clock, metrics: createMetrics(), onFailure: () => {} });
    const heard: EventOf<"usage.budget">[] = [];
    events.subscribe("usage.budget", (event) => void heard.push(event), { name: "test" });
    const { open, lines } = setUp({ clock, events, budget: { daily: { tokens: 100 }, monthly: { tokens: 220 } } });
    const usage = open();
    const day = async (...tokens: number[]) => {
      for (const count of tokens) usage.record(use(count));
      await clock.advance(24 * HOUR_MS);
    };
    await day(79, 1, 19, 1, 5);
    await day(80);
    await day(35, 10);
    expect(heard.map(({ payload }) => `${payload.budget} ${payload.share}`)).toEqual([
      "daily 0.8",
      "daily 1",
      "daily 0.8",
      "monthly 0.8",
      "monthly 1",
    ]);
    expect(heard[0]?.payload).toMatchObject({ kind: "tokens", used: 80, limit: 100, untilMs: Date.UTC(2026, 0, 6) });
    expect(lines).toHaveLength(5);
  });

  it("in money needs a price for every model, and says how to give one", () => {
    const { open } = setUp({
      budget: { daily: { cost: 1 } },
      models: ["a/b", "local/free"],
      prices: { "a/b": { input: 1, output: 1 } },
    });
    expect(() => open()).toThrow(/budget\.daily\.cost: local\/free has no price.*"local\/free": \{ price/);
    expect(() =>
      open({ prices: { "a/b": { input: 1, output: 1 }, "local/free": { input: 0, output: 0 } } }),
    ).not.toThrow();
    expect(() => open({ budget: { daily: { tokens: 1 } } })).not.toThrow();
  });

  it.each([
    {
      title: "no number for what was cached",
      usage: { inputTokens: 1e6, outputTokens: 0, cachedInputTokens: NaN },
      cost: 2,
    },
    { title: "less than nothing for the prompt", usage: { inputTokens: -5e6, outputTokens: 1e6 }, cost: 10 },
    {
      title: "less than nothing for what was cached",
      usage: { inputTokens: 1e6, outputTokens: 0, cachedInputTokens: -1e6 },
      cost: 2,
    },
    { title: "no end of the prompt", usage: { inputTokens: Infinity, outputTokens: 1e6 }, cost: 10 },
  ])("counts the rest of a call of which a server reports $title", async ({ usage: reported, cost }) => {
    const { open, metrics } = setUp({ prices: { "a/b": { input: 2, output: 10, cachedInput: 1 } } });
    const usage = open({ budget: { daily: { cost: 1 } } });
    usage.record({ ...use(0), usage: reported });
    expect((await usage.summary()).today.cost).toBe(cost);
    expect(metrics.text()).toContain(`turn_cost_total ${cost}\n`);
    expect(usage.check().ok).toBe(false);
  });

  it("is used up by ten tenths of it", () => {
    const { open, lines } = setUp({ prices: { "a/b": { input: 0.1, output: 1 } } });
    const usage = open({ budget: { daily: { cost: 1 } } });
    for (let calls = 0; calls < 10; calls += 1) {
      expect(usage.check().ok).toBe(true);
      usage.record(use(1_000_000));
    }
    expect(usage.check()).toMatchObject({ ok: false, reason: expect.stringContaining("(1 so far)") as string });
    expect(lines).toHaveLength(2);
  });

  it("warns once of a model that reports no tokens", () => {
    const { open, lines } = setUp({ budget: { daily: { tokens: 10 } } });
    const usage = open();
    usage.record(use(0));
    usage.record(use(0));
    expect(lines).toEqual(["A model reports no tokens, so its calls do not count in any budget"]);
  });
});
