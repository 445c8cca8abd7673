import { describe, expect, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import type { Store } from "../../kit.ts";
import { createOldRuns, createRuns } from "../../src/schedule/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { testAssistant } from "../support/assistant.ts";
import { beginLife } from "../support/life.ts";
import { until } from "../support/until.ts";

const DAY = 86_400_000;
const SIGNAL = new AbortController().signal;

async function keysOf(store: Store, prefix: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
}

describe("audit lines", () => {
  it("go when their days are over, and stay for ever unless an option says so", async () => {
    const store = memoryStore();
    const days = ["2025-12-01", "2026-01-02", "2026-01-03"].map((day) => `audit/${day}.jsonl`);
    for (const day of days) await store.append(day, { v: 1 });
    await testAssistant({ store });
    expect(await keysOf(store, "audit/")).toEqual(expect.arrayContaining(days));
    const { clock } = await testAssistant({ store, retention: { audit: 2 } });
    await until(clock, async () => !(await keysOf(store, "audit/")).includes(days[1]!), { stepMs: 0 });
    const left = await keysOf(store, "audit/");
    expect(days.map((day) => left.includes(day))).toEqual([false, false, true]);
  });
});

describe("conversations", () => {
  it("go with what they keep when nothing was said for so many days, and no sooner than in 8", async () => {
    const t = await testAssistant({ retention: { sessions: 1 } });
    await t.assistant.send({ text: "hello", session: "old" });
    const [old] = await t.assistant.sessions.list();
    await t.assistant.artifacts.write({ session: "old", name: "a.txt", content: "a" });
    await t.clock.advance(4 * DAY);
    await t.say("hello", { from: "2" });
    await t.clock.advance(10_000);
    expect((await t.assistant.sessions.list()).map(({ key }) => key)).toContain(old!.key);
    // Each day something is done: the look for what is old comes with it.
    for (let day = 0; day < 6; day += 1) {
      await t.clock.advance(DAY);
      await t.say("hello", { from: "2" });
    }
    await until(t.clock, async () => (await t.assistant.sessions.list()).length === 1, { stepMs: 0 });
    expect((await t.assistant.sessions.list()).map(({ key }) => key)).not.toContain(old!.key);
    expect(await keysOf(t.store, "artifacts/")).toEqual([]);
  });

  it("stay when somebody writes in the moment in which they would go", async () => {
    const plain = memoryStore();
    let isWatched = false;
    const store: Store = {
      ...plain,
      async *read(log, options = {}) {
        yield* plain.read(log, options);
        if (!isWatched || options.last !== 1 || !log.includes("old")) return;
        isWatched = false;
        // Another process takes it.
        await plain.append(log, { v: 1, type: "note", at: 0, text: "just now" });
      },
    };
    const t = await testAssistant({ store, retention: { sessions: 8 } });
    await t.assistant.send({ text: "hello", session: "old" });
    const [old] = await t.assistant.sessions.list();
    isWatched = true;
    await t.clock.advance(9 * DAY);
    await t.say("hello", { from: "2" });
    await until(t.clock, () => !isWatched, { stepMs: 0 });
    await t.clock.advance(10_000);
    expect((await t.assistant.sessions.list()).map(({ key }) => key)).toContain(old!.key);
  });

  it("stay for ever unless an option says so", async () => {
    const t = await testAssistant({ heartbeat: { every: "12h" } }); // seldom: else 11,000 times in these days
    await t.say("hello", { from: "1" });
    await t.clock.advance(400 * DAY);
    await t.say("hello", { from: "2" });
    await t.clock.advance(10_000);
    expect(await t.assistant.sessions.list()).toHaveLength(2);
  });
});

describe("runs of jobs", () => {
  /** Ten runs, a day apart, the last of them just now. */
  async function setUp() {
    const store = memoryStore();
    const clock = fakeClock();
    const start = clock.now();
    const runs = createRuns({ store, clock });
    for (let day = 0; day < 10; day += 1) {
      await runs.claim("water", clock.now());
      await runs.end("water", clock.now(), { status: "success", started: clock.now(), output: `day ${day}` });
      if (day < 9) await clock.advance(DAY);
    }
    const jobs = { get: async () => ({ nextRunAt: new Date(clock.now() + DAY) }) as never };
    const outputs = async () => (await runs.list("water")).map(({ output }) => output);
    return { store, clock, start, runs, jobs, outputs };
  }

  it("go when their days are over; the newest stays, whose claim keeps its time from running again", async () => {
    const { store, clock, start, runs, jobs, outputs } = await setUp();
    await createOldRuns({ store, jobs, clock }, { days: 0 })({ signal: SIGNAL });
    expect(await outputs()).toHaveLength(10);
    await createOldRuns({ store, jobs, clock }, { days: 3 })({ signal: SIGNAL });
    expect(await outputs()).toEqual(["day 9", "day 8", "day 7", "day 6"]);
    expect([await runs.claim("water", start + 6 * DAY), await runs.claim("water", start + 9 * DAY)]).toEqual([
      false,
      false,
    ]);
    await clock.advance(300 * DAY);
    await createOldRuns({ store, jobs, clock }, { days: 3 })({ signal: SIGNAL });
    expect(await outputs()).toEqual(["day 9"]);
    expect(await keysOf(store, "jobs/runs/")).toEqual(["jobs/runs/water.jsonl"]);
  });

  it("stay while one of them is under way, or is to come in a moment", async () => {
    const { store, clock, runs, jobs, outputs } = await setUp();
    const soon = { get: async () => ({ nextRunAt: new Date(clock.now() + 30_000) }) as never };
    await createOldRuns({ store, jobs: soon, clock }, { days: 3 })({ signal: SIGNAL });
    expect(await outputs()).toHaveLength(10);
    await runs.claim("water", clock.now() + 1);
    await createOldRuns({ store, jobs, clock }, { days: 3 })({ signal: SIGNAL });
    expect(await outputs()).toHaveLength(11);
  });

  it("go also where the job's own time is what begins the look each day", async () => {
    const owner = { ids: ["memory:42"] };
    const t = await testAssistant({ retention: { runs: 3 }, timezone: "UTC", owner, memory: { enabled: false } });
    const { job } = await t.assistant.jobs.create({ schedule: "0 9 * * *", task: "look", user: "memory:42" });
    for (let hour = 0; hour < 10 * 24; hour += 1) await t.clock.advance(DAY / 24);
    expect((await t.assistant.jobs.runs(job.id)).map(({ planned }) => new Date(planned).getUTCDate())).toEqual([
      14, 13, 12, 11,
    ]);
  });

  it("go also of a job that is due every minute, which is never long without a next time", async () => {
    const { store, clock, runs, jobs, outputs } = await setUp();
    const everyMinute = { get: async () => ({ nextRunAt: new Date(clock.now() + 40_000) }) as never };
    expect(await createOldRuns({ store, jobs: everyMinute, clock }, { days: 3 })({ signal: SIGNAL })).toEqual({
      isBusy: false,
    });
    expect(await outputs()).toHaveLength(4);
    // While it runs, it is looked at again.
    const sweep = createOldRuns({ store, jobs, clock }, { days: 1 });
    const planned = clock.now() + 1;
    await runs.claim("water", planned);
    expect(await sweep({ signal: SIGNAL })).toEqual({ isBusy: true });
    expect(await outputs()).toHaveLength(5);
    await runs.end("water", planned, { status: "success", started: clock.now(), output: "now" });
    expect(await sweep({ signal: SIGNAL })).toEqual({ isBusy: false });
    expect(await outputs()).toHaveLength(3);
  });

  it("that stay are not lost when two processes sweep at once, however far one is behind the other", async () => {
    for (let behind = 0; behind < 150; behind += 1) {
      const { store, clock, jobs, outputs } = await setUp();
      const steps = async (count: number) => {
        for (let step = 0; step < count; step += 1) await Promise.resolve();
      };
      const slow: Store = {
        ...store,
        get: (...given) => steps(20).then(() => store.get(...given)),
        remove: (...given) => steps(20).then(() => store.remove(...given)),
      };
      const sweep = createOldRuns({ store, jobs, clock }, { days: 3 });
      await Promise.all([
        createOldRuns({ store: slow, jobs, clock }, { days: 3 })({ signal: SIGNAL }),
        steps(behind).then(() => sweep({ signal: SIGNAL })),
      ]);
      await sweep({ signal: SIGNAL });
      // Who writes at the same time may mix their order, and loses none.
      expect([behind, new Set(await outputs())]).toEqual([behind, new Set(["day 6", "day 7", "day 8", "day 9"])]);
      expect(await keysOf(store, "jobs/runs/")).toEqual(["jobs/runs/water.jsonl"]);
    }
  });

  it("that stay are not lost, whenever the process dies", async () => {
    for (let writes = 0; writes < 14; writes += 1) {
      const { store, clock, jobs, outputs } = await setUp();
      const life = beginLife(store, clock, writes);
      let isDone = false;
      const sweep = createOldRuns({ store: life.store, jobs, clock }, { days: 3 })({ signal: SIGNAL });
      void sweep.then(() => (isDone = true));
      await until(clock, () => isDone || life.killed, { stepMs: 0 });
      await createOldRuns({ store, jobs, clock }, { days: 3 })({ signal: SIGNAL });
      expect([writes, await outputs()]).toEqual([writes, ["day 9", "day 8", "day 7", "day 6"]]);
      expect(await keysOf(store, "jobs/runs/")).toEqual(["jobs/runs/water.jsonl"]);
    }
  });
});
