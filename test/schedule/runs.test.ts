import { describe, expect, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import { createRuns } from "../../src/schedule/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

const AT = Date.UTC(2026, 0, 5, 9);

describe("runs of a job", () => {
  it("are claimed once for each planned time, whoever claims", async () => {
    const store = memoryStore();
    const [one, other] = [createRuns({ store, clock: fakeClock() }), createRuns({ store, clock: fakeClock() })];
    expect(await Promise.all([one.claim("water", AT), other.claim("water", AT)])).toContain(false);
    expect(await other.claim("water", AT + 60_000)).toBe(true);
    expect((await one.list("water")).map(({ planned, status }) => [planned.getTime(), status])).toEqual([
      [AT + 60_000, "waiting"],
      [AT, "waiting"],
    ]);
    expect(await store.lastSeq("jobs/runs/water.jsonl")).toBe(2);
  });

  it("end once, and tell what they came to", async () => {
    const store = memoryStore();
    const runs = createRuns({ store, clock: fakeClock() });
    await runs.claim("water", AT);
    await runs.retry("water", AT, 1, "the model is down", AT + 60_000);
    expect(await runs.find("water", AT)).toMatchObject({ attempt: 1, error: "the model is down" });
    await runs.end("water", AT, { status: "success", started: AT, tokens: 15, output: "Drink water" });
    await runs.end("water", AT, { status: "failed", started: AT, error: "too late" });
    expect(await runs.find("water", AT)).toMatchObject({ status: "success", tokens: 15, output: "Drink water" });
    expect(await store.lastSeq("jobs/runs/water.jsonl")).toBe(3);
  });

  it("are found however many came after them, and listed whole however often each was tried", async () => {
    const runs = createRuns({ store: memoryStore(), clock: fakeClock() });
    await runs.claim("water", AT, true);
    await runs.retry("water", AT, 1, "the model is down", AT + 86_400_000);
    const minute = (count: number) => AT + count * 60_000;
    for (let count = 1; count <= 400; count += 1)
      await runs.skip("water", minute(count), "1 of its runs are in progress");
    expect(await runs.find("water", AT)).toMatchObject({ attempt: 1, byHand: true, status: "waiting" });
    expect(await runs.find("water", AT - 60_000)).toBeUndefined();
    expect(await runs.list("water", 1000)).toHaveLength(401);
    await runs.claim("water", minute(500));
    for (let attempt = 1; attempt <= 350; attempt += 1)
      await runs.retry("water", minute(500), attempt, "the model is down", minute(600));
    expect(await runs.list("water", 3)).toMatchObject([
      { planned: new Date(minute(500)), attempt: 350 },
      { planned: new Date(minute(400)), status: "skipped" },
      { planned: new Date(minute(399)), status: "skipped" },
    ]);
  });
});
