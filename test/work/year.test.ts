import { describe, expect, inject, it } from "vitest";
import { embeddedEngine, memoryStore } from "../../entry.host.ts";
import { createJobs, createRuns, nextRuns, parseSchedule } from "../../src/schedule/index.ts";
import { writeJobFile } from "../../src/schedule/job-file.ts";
import type { Job } from "../../src/schedule/index.ts";
import { createMetrics, silentLogger } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { createClaims, createScheduler } from "../../src/work/index.ts";
import { readJobKey } from "../../src/work/job-key.ts";
import { type Life, beginLife } from "../support/life.ts";
import { platform } from "../support/this-platform.ts";
import { THOROUGH, WHOLE } from "../support/thorough.ts";

const DAY = 86_400_000;
const ZONES = ["UTC", "Europe/Stockholm", "America/New_York", "Asia/Shanghai", "Australia/Lord_Howe", "Africa/Cairo"];
const PATTERNS = ["30 2 * * *", "0 9 * * 1-5", "0 0 29 2 *", "30 1,14 * * *", "0 */6 * * *", "15 2 1 * *", "0 0 * * 0"];
const START = Date.UTC(2028, 0, 1); // a leap year
const DAYS = THOROUGH ? 366 : WHOLE ? 100 : 40;
const JOBS = THOROUGH ? 200 : WHOLE ? 30 : 12;
const KILLS = THOROUGH ? 100 : WHOLE ? 25 : 8;

/** Numbers from 0 to 1, the same for the same seed. */
function seeded(): () => number {
  let state = inject("seed") >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixedBits = Math.imul(state ^ (state >>> 15), 1 | state);
    mixedBits = (mixedBits + Math.imul(mixedBits ^ (mixedBits >>> 7), 61 | mixedBits)) ^ mixedBits;
    return ((mixedBits ^ (mixedBits >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Jobs of all kinds, in six zones. */
function mixed(random: () => number): readonly Job[] {
  return Array.from({ length: JOBS }, (_, index): Job => {
    const tz = ZONES[index % ZONES.length]!;
    const at = new Date(START + Math.floor(random() * DAYS * DAY)).toISOString();
    const schedule =
      index % 10 === 7
        ? parseSchedule({ kind: "every", everyMs: (1 + (index % 5)) * 5 * 3_600_000 })
        : index % 10 === 3
          ? parseSchedule(at)
          : parseSchedule(PATTERNS[index % PATTERNS.length], { tz });
    return {
      id: `job-${index}`,
      name: `job ${index}`,
      schedule,
      task: "work",
      user: "app:ada",
      channel: "app",
      mode: "main",
      status: "active",
      maxConcurrency: 1,
      cooldownSeconds: 0,
      retryPolicy: { maxRetries: 0, backoffSeconds: 60 },
      maxConsecFailures: 3,
      deleteAfterRun: false,
      deliver: { mode: "none" },
      catchUp: "once",
      source: "dynamic",
      startedBy: "app:ada",
      roles: [],
      createdAt: new Date(START),
      nextRunAt: nextRuns(schedule, { from: new Date(START), anchor: new Date(START) })[0] ?? null,
      consecFailures: 0,
    };
  });
}

/** One life of a scheduler over a store; what it runs is written down by whoever looks. */
async function live(life: Life, ran: Map<string, number>): Promise<void> {
  const given = { store: life.store, clock: life.clock };
  const engine = embeddedEngine(given);
  const jobs = createJobs({ ...given, yaml: platform.yaml, logger: silentLogger });
  const runs = createRuns(given);
  const claims = createClaims({ runs, engine });
  const scheduler = createScheduler({ ...given, jobs, runs, claims, engine, metrics: createMetrics() });
  await engine.start(async (key) => {
    if (key === "schedule") return scheduler.handle();
    await claims.landed(key);
    const { id, planned } = readJobKey(key);
    const run = await runs.find(id, planned);
    if (run === undefined || run.ended !== undefined) return;
    await runs.end(id, planned, { status: "success", started: life.clock.now() });
    // The end is written once: whoever wrote it did the work.
    if (!life.killed) ran.set(run.runId, (ran.get(run.runId) ?? 0) + 1);
  });
  await scheduler.start();
}

describe("a year of jobs in six time zones", () => {
  it(
    "claims and ends every planned time once and none besides, whenever its process dies",
    { timeout: 600_000 },
    async () => {
      const random = seeded();
      const store = memoryStore();
      const clock = fakeClock(START);
      const jobs = mixed(random);
      for (const job of jobs) await store.put(`jobs/${job.id}.yaml`, writeJobFile(job));
      const end = START + DAYS * DAY;
      const ran = new Map<string, number>();
      let deaths = 0;
      while (clock.now() < end) {
        const isMortal = deaths < KILLS;
        const life = beginLife(store, clock, isMortal ? Math.floor(random() * 120) : Infinity);
        void live(life, ran).catch(() => {});
        const until = isMortal ? Math.min(end, clock.now() + DAY * Math.ceil(random() * (DAYS / KILLS) * 2)) : end;
        while (clock.now() < until) {
          await clock.advance(Math.min(until - clock.now(), 3_600_000));
          if (life.killed) break;
        }
        life.kill();
        if (isMortal) deaths += 1;
      }
      expect(deaths).toBe(KILLS);
      // What a last death left is done by the next life, at the same time.
      await live(beginLife(store, clock), ran);
      await clock.advance(1000);
      const runs = createRuns({ store, clock });
      for (const { id, schedule } of jobs) {
        const wanted = nextRuns(schedule, { from: new Date(START), anchor: new Date(START), count: 3000 })
          .map(Number)
          .filter((time) => time <= end);
        const ids: number[] = [];
        const ended: number[] = [];
        for await (const { record } of store.read(`jobs/runs/${id}.jsonl`)) {
          const planned = Date.parse(record["planned"] as string);
          if (record["type"] === "claimed") ids.push(planned);
          else if (record["type"] === "ended") ended.push(planned);
        }
        expect([id, ids.toSorted((a, b) => a - b)]).toEqual([id, wanted]);
        expect([id, ended.toSorted((a, b) => a - b)]).toEqual([id, wanted]);
        expect((await runs.list(id)).every(({ status }) => status === "success")).toBe(true);
      }
      expect([...ran.values()].every((times) => times === 1)).toBe(true);
    },
  );
});
