import { describe, expect, it } from "vitest";
import { nextRuns, parseSchedule } from "../../src/schedule/index.ts";
import { HEARTBEAT_STEPS, heartbeatCron } from "../../src/work/heartbeat-times.ts";
import { wholeOnNode } from "../support/thorough.ts";

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

describe("heartbeatCron()", () => {
  it.each([
    { every: "30m", active: [8, 22], cron: "*/30 8-21 * * *" },
    { every: "5m", active: [0, 24], cron: "*/5 * * * *" },
    { every: "1h", active: [9, 10], cron: "0 9 * * *" },
    { every: "2h", active: [8, 22], cron: "0 8,10,12,14,16,18,20 * * *" },
    { every: "30m", active: [22, 2], cron: "*/30 0,1,22,23 * * *" },
    { every: "3h", active: [22, 6], cron: "0 1,4,22 * * *" },
    { every: "12h", active: [0, 24], cron: "0 0,12 * * *" },
    { every: "12h", active: [8, 12], cron: "0 8 * * *" },
  ])("is $cron for every $every of $active", ({ every, active, cron }) => {
    expect(heartbeatCron(every, active)).toBe(cron);
  });

  it("is a schedule for every step and all hours, and keeps within the hours", () => {
    for (const every of HEARTBEAT_STEPS)
      for (const from of wholeOnNode(HOURS, 5))
        for (let to = 0; to <= 24; to += 1) {
          if (to === from) continue;
          const [next] = nextRuns(parseSchedule(heartbeatCron(every, [from, to])), { from: new Date(0) });
          const hour = next?.getUTCHours() ?? -1;
          expect(from < to ? hour >= from && hour < to : hour >= from || hour < to).toBe(true);
        }
  });
});
