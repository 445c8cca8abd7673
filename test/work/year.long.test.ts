import { describe, expect, inject, it } from "vitest";
import { liveThroughJobs } from "../support/live-through-jobs.ts";
import { YEAR_DAYS, YEAR_START } from "../support/year-of-jobs.ts";

describe("a year of jobs in six time zones", () => {
  it(
    "claims and ends every planned time once and none besides, whenever its process dies",
    { timeout: 600_000 },
    async () => {
      const year = { startMs: YEAR_START, days: YEAR_DAYS, count: 200, kills: 100, seed: inject("seed") };
      expect(await liveThroughJobs(year)).toEqual({ deaths: 100, faults: [], again: [] });
    },
  );
});
