import { describe, expect, it, onTestFinished } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import { createJobs, createRuns } from "../../src/schedule/index.ts";
import { createMetrics, silentLogger } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { createClaims, createScheduler } from "../../src/work/index.ts";
import { keepJobs } from "../support/keep-jobs.ts";
import { platform } from "../support/this-platform.ts";
import { until } from "../support/until.ts";

const MINUTE = 60_000;
const NINE = Date.UTC(2026, 0, 5, 9);
const FILE = `schedule: "0 * * * *"
task: stretch
user_id: app:ada
channel: app
next_run_at: ${new Date(NINE).toISOString()}
`;

describe("the scheduler", () => {
  it.each([
    ["goes on with a run that was claimed, however late", true, "success"],
    ["leaves out a time that nobody claimed", false, "skipped"],
  ])("%s", async (_title, isClaimed, status) => {
    const [store, clock] = [memoryStore(), fakeClock(NINE + 10 * MINUTE)];
    const runs = createRuns({ store, clock });
    await store.put("jobs/stretch.yaml", FILE);
    // The process ended between the claim and the change of the job's file.
    if (isClaimed) await runs.claim("stretch", NINE);
    const life = await keepJobs({ store, clock });
    onTestFinished(() => life.stop());
    await until(clock, async () => (await runs.find("stretch", NINE))?.ended !== undefined, { stepMs: 0 });
    expect(await runs.find("stretch", NINE)).toMatchObject({ status });
    expect(life.nextDue()).toBe(NINE + 60 * MINUTE);
  });

  it("asks again for a wake that could not be stored", async () => {
    const [store, clock] = [memoryStore(), fakeClock()];
    const jobs = createJobs({ store, clock, yaml: platform.yaml, logger: silentLogger });
    onTestFinished(() => jobs.close());
    const woken: unknown[] = [];
    let isDown = true;
    const engine = {
      async wake(_key: string, at?: Date) {
        if (isDown) throw new Error("the disk is full");
        woken.push(at);
      },
    };
    const runs = createRuns({ store, clock });
    const claims = createClaims({ runs, engine });
    const scheduler = createScheduler({ jobs, runs, claims, engine, clock, metrics: createMetrics() });
    await store.put("jobs/stretch.yaml", FILE);
    await jobs.load();
    await expect(scheduler.arm()).rejects.toThrow("the disk is full");
    isDown = false;
    await scheduler.arm();
    await scheduler.arm();
    expect(woken).toEqual([new Date(NINE)]);
  });

  it("keeps the steps of a file that does not say when it was made", async () => {
    const [store, clock] = [memoryStore(), fakeClock(NINE)];
    await store.put("jobs/stretch.yaml", `schedule: every 2 hours\ntask: stretch\nuser_id: app:ada\nchannel: app\n`);
    const life = await keepJobs({ store, clock });
    onTestFinished(() => life.stop());
    await until(clock, () => life.nextDue() === NINE + 120 * MINUTE, { stepMs: 0 });
    await clock.advance(120 * MINUTE);
    await until(clock, () => life.nextDue() > clock.now() && !life.isBusy(), { stepMs: 0 });
    // One that starts later, without what the first has in memory.
    clock.step(30 * MINUTE);
    await store.remove(".index/jobs");
    const next = await keepJobs({ store, clock });
    onTestFinished(() => next.stop());
    await until(clock, () => next.nextDue() < Infinity, { stepMs: 0 });
    expect(next.nextDue()).toBe(NINE + 240 * MINUTE);
  });

  it("is done with a single time that was missed and is not made up for", async () => {
    const [store, clock] = [memoryStore(), fakeClock(NINE + 10 * MINUTE)];
    const at = new Date(NINE).toISOString();
    await store.put("jobs/stretch.yaml", `${FILE.replace('"0 * * * *"', `{ kind: at, at: "${at}" }`)}catch_up: skip\n`);
    const life = await keepJobs({ store, clock });
    onTestFinished(() => life.stop());
    await until(clock, () => life.nextDue() === Infinity, { stepMs: 0 });
    expect((await store.get("jobs/stretch.yaml"))?.value).toContain("status: done\n");
  });
});
