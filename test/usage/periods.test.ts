import { describe, expect, it } from "vitest";
import { createPeriods } from "../../src/usage/periods.ts";

describe("createPeriods()", () => {
  it.each([
    {
      zone: "UTC",
      at: "2026-01-05T08:00:00Z",
      day: "2026-01-05",
      next: "2026-01-06T00:00:00Z",
      month: "2026-02-01T00:00:00Z",
    },
    {
      zone: "Asia/Shanghai",
      at: "2026-01-31T16:00:00Z",
      day: "2026-02-01",
      next: "2026-02-01T16:00:00Z",
      month: "2026-02-28T16:00:00Z",
    },
    // 23 hours, and 25.
    {
      zone: "Europe/Stockholm",
      at: "2026-03-28T23:30:00Z",
      day: "2026-03-29",
      next: "2026-03-29T22:00:00Z",
      month: "2026-03-31T22:00:00Z",
    },
    {
      zone: "Europe/Stockholm",
      at: "2026-10-25T12:00:00Z",
      day: "2026-10-25",
      next: "2026-10-25T23:00:00Z",
      month: "2026-10-31T23:00:00Z",
    },
    // There is no midnight on this day.
    {
      zone: "America/Santiago",
      at: "2026-09-05T12:00:00Z",
      day: "2026-09-05",
      next: "2026-09-06T04:00:00Z",
      month: "2026-10-01T03:00:00Z",
    },
    {
      zone: "America/Los_Angeles",
      at: "2026-12-31T23:00:00Z",
      day: "2026-12-31",
      next: "2027-01-01T08:00:00Z",
      month: "2027-01-01T08:00:00Z",
    },
  ])("knows the day and the month of $at in $zone", ({ zone, at, day, next, month }) => {
    const periods = createPeriods(zone);
    const ms = Date.parse(at);
    expect(periods.dayOf(ms)).toBe(day);
    expect(new Date(periods.endOf("day", ms)).toISOString()).toBe(new Date(next).toISOString());
    expect(new Date(periods.endOf("month", ms)).toISOString()).toBe(new Date(month).toISOString());
    expect(periods.dayOf(periods.endOf("day", ms) - 1)).toBe(day);
    expect(periods.dayOf(periods.endOf("day", ms))).not.toBe(day);
  });

  it("follows a clock that is set back", () => {
    const periods = createPeriods("UTC");
    expect(periods.dayOf(Date.UTC(2026, 0, 5, 8))).toBe("2026-01-05");
    expect(periods.dayOf(Date.UTC(2026, 0, 4, 8))).toBe("2026-01-04");
  });

  it("shows a time as the zone's clocks do", () => {
    expect(createPeriods("Asia/Shanghai").show(Date.UTC(2026, 0, 5, 16))).toBe("2026-01-06 00:00");
  });
});
