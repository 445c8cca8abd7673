import { describe, expect, inject, it } from "vitest";
import { liveThroughJobs } from "../support/live-through-jobs.ts";
import { WHOLE } from "../support/thorough.ts";

/** Three of the zones change their clocks within the 25 days that follow. */
const START = Date.UTC(2028, 2, 9);

describe("weeks of jobs in six time zones", () => {
  it("claims and ends every planned time once and none besides, whenever its process dies", async () => {
    const kills = WHOLE ? 6 : 3;
    const weeks = { startMs: START, days: 25, count: 2 * kills, kills, seed: inject("seed") };
    expect(await liveThroughJobs(weeks)).toEqual({ deaths: kills, faults: [], again: [] });
  });
});
