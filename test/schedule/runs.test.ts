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
});
