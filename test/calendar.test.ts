import { describe, expect, it } from "vitest";
import { calendarOf, calendarOrUtc, dayAfter, isDay, isTimezone, weekdayOf } from "../src/calendar.ts";

describe("calendarOf()", () => {
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
    // A quarter of an hour, half an hour, and the zones that are furthest from UTC.
    {
      zone: "Asia/Kathmandu",
      at: "2026-01-31T18:15:00Z",
      day: "2026-02-01",
      next: "2026-02-01T18:15:00Z",
      month: "2026-02-28T18:15:00Z",
    },
    {
      zone: "Australia/Lord_Howe",
      at: "2026-04-04T14:00:00Z",
      day: "2026-04-05",
      next: "2026-04-05T13:30:00Z",
      month: "2026-04-30T13:30:00Z",
    },
    {
      zone: "Pacific/Kiritimati",
      at: "2024-02-29T09:59:59Z",
      day: "2024-02-29",
      next: "2024-02-29T10:00:00Z",
      month: "2024-02-29T10:00:00Z",
    },
    {
      zone: "Pacific/Pago_Pago",
      at: "2026-01-01T10:59:59Z",
      day: "2025-12-31",
      next: "2026-01-01T11:00:00Z",
      month: "2026-01-01T11:00:00Z",
    },
    // Samoa crossed the date line: it had no 30th.
    {
      zone: "Pacific/Apia",
      at: "2011-12-30T09:59:59Z",
      day: "2011-12-29",
      next: "2011-12-30T10:00:00Z",
      month: "2011-12-31T10:00:00Z",
    },
  ])("knows the day and the month of $at in $zone", ({ zone, at, day, next, month }) => {
    const calendar = calendarOf(zone);
    const ms = Date.parse(at);
    expect(calendar.dayOf(ms)).toBe(day);
    expect(new Date(calendar.endOf("day", ms)).toISOString()).toBe(new Date(next).toISOString());
    expect(new Date(calendar.endOf("month", ms)).toISOString()).toBe(new Date(month).toISOString());
    expect(calendar.dayOf(calendar.endOf("day", ms) - 1)).toBe(day);
    expect(calendar.dayOf(calendar.endOf("day", ms))).not.toBe(day);
  });

  it("follows a clock that is set back", () => {
    const calendar = calendarOf("UTC");
    expect(calendar.dayOf(Date.UTC(2026, 0, 5, 8))).toBe("2026-01-05");
    expect(calendar.dayOf(Date.UTC(2026, 0, 4, 8))).toBe("2026-01-04");
  });

  it("shows a time as the zone's clocks do", () => {
    expect(calendarOf("Asia/Shanghai").show(Date.UTC(2026, 0, 5, 16))).toBe("2026-01-06 00:00");
  });

  it("shows minutes of zones that are hours and a part of one away", () => {
    const ms = Date.UTC(2026, 0, 5, 16, 59, 59, 999);
    expect(calendarOf("Asia/Kathmandu").show(ms)).toBe("2026-01-05 22:44");
    expect(calendarOf("Asia/Kathmandu").show(ms + 1)).toBe("2026-01-05 22:45");
    expect(calendarOf("America/St_Johns").show(ms)).toBe("2026-01-05 13:29");
  });

  it("shows the hour that comes twice twice, and none that does not come", () => {
    const { show } = calendarOf("Europe/Stockholm");
    const shown = (...utc: string[]) => utc.map((at) => show(Date.parse(at)).slice(-5));
    expect(shown("2026-10-25T00:30Z", "2026-10-25T01:30Z")).toEqual(["02:30", "02:30"]);
    expect(shown("2026-03-29T00:59Z", "2026-03-29T01:00Z")).toEqual(["01:59", "03:00"]);
  });

  it("reads UTC by itself as any other zone is read", () => {
    const [utc, other] = [calendarOf("UTC"), calendarOf("Etc/UTC")];
    for (let time = 0; time < 3e12; time += 97_777_777_777) {
      expect(utc.show(time)).toBe(other.show(time));
      expect([utc.dayOf(time), utc.endOf("month", time)]).toEqual([other.dayOf(time), other.endOf("month", time)]);
    }
  });

  it("throws for a zone that the runtime does not know", () => {
    expect(() => calendarOf("Nowhere/Land")).toThrow(RangeError);
    expect(["UTC", "Asia/Kathmandu", "Nowhere/Land", ""].map(isTimezone)).toEqual([true, true, false, false]);
  });
});

describe("calendarOrUtc()", () => {
  it.each([
    { zone: "UTC", day: "2026-03-29", from: "2026-03-29T00:00:00Z", hours: 24 },
    { zone: "Europe/Stockholm", day: "2026-03-29", from: "2026-03-28T23:00:00Z", hours: 23 },
    { zone: "Europe/Stockholm", day: "2026-10-25", from: "2026-10-24T22:00:00Z", hours: 25 },
    { zone: "Pacific/Kiritimati", day: "2026-01-01", from: "2025-12-31T10:00:00Z", hours: 24 },
    { zone: "Pacific/Pago_Pago", day: "2026-01-01", from: "2026-01-01T11:00:00Z", hours: 24 },
    { zone: "America/Santiago", day: "2026-09-06", from: "2026-09-06T04:00:00Z", hours: 23 },
    { zone: "Nowhere/Land", day: "2026-01-01", from: "2026-01-01T00:00:00Z", hours: 24 },
  ])("begins $day in $zone at $from", ({ zone, day, from, hours }) => {
    const calendar = calendarOrUtc(zone);
    const start = calendar.startOf(day);
    expect(new Date(start).toISOString()).toBe(new Date(from).toISOString());
    expect(calendar.startOf(dayAfter(day, 1)) - start).toBe(hours * 3_600_000);
    expect(calendar.dayOf(start)).toBe(day);
    expect(calendar.dayOf(start - 1)).toBe(dayAfter(day, -1));
  });
});

describe("a day", () => {
  it("knows which days there are", () => {
    expect(["2026-02-28", "2026-02-29", "2024-02-29", "26-1-1", "2026-13-01"].map(isDay)).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  it("has one before and one after it, also across months and leap years", () => {
    expect([dayAfter("2024-02-28", 1), dayAfter("2026-03-01", -1), dayAfter("2026-12-31", 1)]).toEqual([
      "2024-02-29",
      "2026-02-28",
      "2027-01-01",
    ]);
  });

  it("has a weekday", () => {
    const week = Array.from({ length: 7 }, (_, index) => weekdayOf(dayAfter("2026-11-22", index)));
    expect(week).toEqual(["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]);
  });
});
