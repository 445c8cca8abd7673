import { describe, expect, it } from "vitest";
import type { AlertOptions } from "../../src/alerts/index.ts";
import { createRuns } from "../../src/schedule/index.ts";
import { silentLogger } from "../../src/telemetry/index.ts";
import { fails, says } from "../../src/testing/scripted-model.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";
import { until } from "../support/until.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const setUp = (options: TestAssistantOptions = {}) =>
  testAssistant({
    owner: { ids: ["memory:42"] },
    roles: { owner: ["memory:43"] },
    logger: silentLogger,
    users: { "memory:43": { language: "zh-CN", timezone: "Asia/Shanghai" } },
    queue: { debounceMs: 0 },
    ...options,
  });

type Given = Awaited<ReturnType<typeof setUp>>;

const alertsTo = (t: Given, chat: string) =>
  t.channel.textsTo(chat).filter((text) => /wakeful (jobs|doctor)|Event handlers|事件处理程序/.test(text));

async function failed(t: Given, id: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const before = (await t.assistant.jobs.runs(id, { limit: 100 })).filter(({ status }) => status === "failed").length;
    await t.assistant.jobs.run(id);
    const isOver = async () =>
      (await t.assistant.jobs.runs(id, { limit: 100 })).filter(({ status }) => status === "failed").length > before;
    await until(t.clock, isOver);
    await t.clock.advance(1000);
  }
}

describe("an alert about a job", () => {
  const stubborn = { scheduler: { maxConsecFailures: 50 }, script: () => fails(400) } as const;
  const job = { schedule: "in 300 days", task: "Look at the news", name: "News", user: "memory:7" } as const;

  it("goes to the owner, once a day, and never to the person of the job", async () => {
    const t = await setUp(stubborn);
    const { id } = (await t.assistant.jobs.create(job)).job;
    await failed(t, id, 2);
    expect(alertsTo(t, "42")).toEqual([]);
    await failed(t, id, 3);
    await until(t.clock, () => alertsTo(t, "42").length > 0);
    expect(alertsTo(t, "42")).toEqual([
      `The job "News" has failed 3 times in a row, since 2026-01-05 08:00: No model answered: scripted/scripted: The scripted model answered 400
See its runs with \`wakeful jobs show ${id}\` or on the page under Jobs. When the cause is mended, \`wakeful jobs run ${id}\` tries it now; \`wakeful jobs pause ${id}\` stops it until then.`,
    ]);
    // Another account of the owner's is the same person.
    expect(alertsTo(t, "43")).toEqual([]);
    expect(alertsTo(t, "7")).toEqual([]);
    await t.clock.advance(DAY);
    await failed(t, id, 1);
    await until(t.clock, () => alertsTo(t, "42").length > 1);
    expect(alertsTo(t, "42")[1]).toContain("has failed 6 times in a row, since 2026-01-05 08:00");
  });

  it("says since when, however many times were skipped in between", async () => {
    const t = await setUp(stubborn);
    const { id } = (await t.assistant.jobs.create(job)).job;
    await failed(t, id, 1);
    await t.clock.advance(HOUR);
    const runs = createRuns({ store: t.store, clock: t.clock });
    for (let second = 1; second <= 60; second += 1)
      await runs.skip(id, t.clock.now() - second * 1000, "it is cooling down");
    await failed(t, id, 2);
    await until(t.clock, () => alertsTo(t, "42").length > 0);
    expect(alertsTo(t, "42")[0]).toContain("has failed 3 times in a row, since 2026-01-05 08:00");
  });

  it("is in the owner's language, with times of their zone", async () => {
    const t = await setUp({ ...stubborn, owner: { ids: ["memory:43"] }, roles: {} });
    const { id } = (await t.assistant.jobs.create(job)).job;
    await failed(t, id, 3);
    await until(t.clock, () => alertsTo(t, "43").length > 0);
    expect(alertsTo(t, "43")[0]).toContain("任务“News”自 2026-01-05 16:00 起已经连续失败 3 次");
  });

  it("waits for the morning", async () => {
    const t = await setUp({ ...stubborn, users: { "memory:42": { timezone: "America/New_York" } } });
    const { id } = (await t.assistant.jobs.create(job)).job;
    await failed(t, id, 3);
    await t.clock.advance(HOUR);
    expect(alertsTo(t, "42")).toEqual([]);
    await t.clock.advance(5 * HOUR);
    expect(alertsTo(t, "42")).toHaveLength(1);
  });

  describe("that waits for the morning", () => {
    const night = { users: { "memory:42": { timezone: "America/New_York" } } } as const;
    const morning = async (t: Given) => {
      await t.clock.advance(6 * HOUR);
      return alertsTo(t, "42");
    };

    it("is not said when the job works again", async () => {
      let works = false;
      const t = await setUp({ ...stubborn, ...night, script: () => (works ? says("NO_REPLY") : fails(400)) });
      const { id } = (await t.assistant.jobs.create(job)).job;
      await failed(t, id, 3);
      works = true;
      await t.assistant.jobs.run(id);
      await until(t.clock, async () => (await t.assistant.jobs.get(id)).job.consecFailures === 0);
      await t.clock.advance(1000);
      works = false;
      await failed(t, id, 2);
      expect(await morning(t)).toEqual([]);
      // On the same day.
      await failed(t, id, 1);
      await until(t.clock, () => alertsTo(t, "42").length > 0);
      expect(alertsTo(t, "42")).toHaveLength(1);
    });

    it("is not said when the job is paused before", async () => {
      const t = await setUp({ ...stubborn, ...night, scheduler: { maxConsecFailures: 5 } });
      const { id } = (await t.assistant.jobs.create(job)).job;
      await failed(t, id, 5);
      await until(t.clock, () => t.channel.textsTo("42").some((text) => text.includes("is paused")));
      expect(await morning(t)).toEqual([]);
    });
  });

  it("says since when the failures are that it counts", async () => {
    const t = await setUp({ scheduler: { maxConsecFailures: 500 }, script: () => fails(400) });
    const { id } = (await t.assistant.jobs.create(job)).job;
    await failed(t, id, 2);
    await t.clock.advance(HOUR);
    await failed(t, id, 53);
    await t.clock.advance(DAY);
    await failed(t, id, 1);
    await until(t.clock, () => alertsTo(t, "42").length > 1);
    expect(alertsTo(t, "42")[1]).toContain("has failed 56 times in a row, since 2026-01-05 08:00");
    await t.assistant.jobs.pause(id);
    await t.assistant.jobs.resume(id);
    await t.clock.advance(DAY);
    await failed(t, id, 3);
    await until(t.clock, () => alertsTo(t, "42").length > 2);
    expect(alertsTo(t, "42")[2]).toContain("has failed 3 times in a row, since 2026-01-07 09:");
  });

  it("is not said again after a restart on the same day", async () => {
    const t = await setUp(stubborn);
    const { id } = (await t.assistant.jobs.create(job)).job;
    await failed(t, id, 3);
    await until(t.clock, () => alertsTo(t, "42").length > 0);
    const again = await t.restart();
    await failed(again, id, 2);
    await again.clock.advance(HOUR);
    expect(alertsTo(again, "42")).toHaveLength(1);
  });

  it("is not said when they were just told that it is paused", async () => {
    const t = await setUp({ script: () => fails(400) });
    const { id } = (await t.assistant.jobs.create(job)).job;
    await failed(t, id, 3);
    const isPaused = (chat: string) => t.channel.textsTo(chat).some((text) => text.includes("is paused"));
    await until(t.clock, () => ["7", "42"].every(isPaused));
    await t.clock.advance(HOUR);
    // Another account of the owner's is the same person.
    expect(t.channel.textsTo("43")).toEqual([]);
    expect(alertsTo(t, "42")).toEqual([]);
  });

  // Who compiles without exactOptionalPropertyTypes may write so.
  const JOB_FAILURES_UNDEFINED: AlertOptions = JSON.parse("{}", () => ({ jobFailures: undefined }));

  it("has its default where an option is given as undefined", async () => {
    const t = await setUp({ ...stubborn, alerts: JOB_FAILURES_UNDEFINED });
    const { id } = (await t.assistant.jobs.create(job)).job;
    await failed(t, id, 2);
    await t.clock.advance(HOUR);
    expect(alertsTo(t, "42")).toEqual([]);
    await failed(t, id, 1);
    await until(t.clock, () => alertsTo(t, "42").length > 0);
  });

  it("follows the options", async () => {
    const t = await setUp({ ...stubborn, alerts: { jobFailures: 1 } });
    const { id } = (await t.assistant.jobs.create(job)).job;
    await failed(t, id, 1);
    await until(t.clock, () => alertsTo(t, "42").length > 0);
    const silent = await setUp({ ...stubborn, alerts: { enabled: false } });
    const other = (await silent.assistant.jobs.create(job)).job;
    await failed(silent, other.id, 4);
    await silent.clock.advance(HOUR);
    expect(alertsTo(silent, "42")).toEqual([]);
  });
});

describe("an alert about event handlers", () => {
  it("names the one that fails, and says it once", async () => {
    const t = await setUp();
    t.assistant.events.subscribe("task.completed", () => Promise.reject(new Error("broken")), { name: "my-listener" });
    for (let message = 0; message < 25; message += 1) await t.say(`hello ${message}`);
    await until(t.clock, () => alertsTo(t, "42").length > 0);
    await t.clock.advance(HOUR);
    expect(alertsTo(t, "42")).toHaveLength(1);
    expect(alertsTo(t, "42")[0]).toMatch(
      /^Event handlers have failed 11 times within a minute, since 2026-01-05 08:0\d; most often "my-listener"\./,
    );
  });
});

describe("an alert about compaction", () => {
  const compacting = {
    script: () => says("I see."),
    compaction: { keepLastTurns: 1, flushTurn: false },
    memory: { autoCapture: false },
    alerts: { compactionsWithoutFlush: 2 },
  } as const;

  async function compacted(t: Given, text: string): Promise<void> {
    await t.say(text);
    await t.say("good");
    await t.say("/compact");
  }

  it("says that memory kept nothing for a day, also over a restart", async () => {
    const t = await setUp(compacting);
    await compacted(t, "la la la");
    await t.clock.advance(HOUR);
    expect(alertsTo(t, "42")).toEqual([]);
    const again = await t.restart();
    await compacted(again, "tra la la");
    await until(again.clock, () => alertsTo(again, "42").length > 0);
    expect(alertsTo(again, "42")[0]).toMatch(
      /^Since 2026-01-05 08:\d\d, conversations that became too long were put into a summary 2 times/,
    );
  });

  it("waits for as many as it is set to, be they hundreds", async () => {
    const t = await setUp({ ...compacting, alerts: { compactionsWithoutFlush: 150 } });
    const at = Array.from({ length: 149 }, () => t.clock.now());
    await t.store.put("alerts/compactions", { v: 1, at, kept: 0 });
    await compacted(t, "la la la");
    await until(t.clock, () => alertsTo(t, "42").length > 0);
    expect(alertsTo(t, "42")[0]).toContain("put into a summary 150 times");
  });

  it("is not said where memory kept something, or had it already", async () => {
    const t = await setUp(compacting);
    for (let round = 0; round < 4; round += 1) await compacted(t, "I prefer green tea with my lunch.");
    await t.clock.advance(HOUR);
    expect(alertsTo(t, "42")).toEqual([]);
  });

  it.each([
    ["memory is off", { memory: { enabled: false } }],
    ["the flush is off", { compaction: { ...compacting.compaction, flush: false } }],
  ])("is not said where %s", async (_, options) => {
    const t = await setUp({ ...compacting, ...options });
    for (let round = 0; round < 3; round += 1) await compacted(t, `la la la ${round}`);
    await t.clock.advance(HOUR);
    expect(alertsTo(t, "42")).toEqual([]);
  });
});

describe("without a configured owner", () => {
  it("an alert waits for the person at the terminal", async () => {
    const t = await testAssistant({
      script: () => fails(400),
      logger: silentLogger,
      alerts: { jobFailures: 1 },
      server: { token: "owner-token-0123456789" },
    });
    const { job } = await t.assistant.jobs.create({
      schedule: "in 300 days",
      task: "x",
      name: "News",
      user: "memory:7",
    });
    await failed(t, job.id, 1);
    const waiting = async () =>
      (await (await t.call("/notifications")).json()) as {
        readonly notifications: readonly { readonly text: string; readonly user: string }[];
      };
    await until(t.clock, async () => (await waiting()).notifications.length > 0);
    expect((await waiting()).notifications).toMatchObject([{ user: "cli", text: expect.stringContaining("News") }]);
  });
});
