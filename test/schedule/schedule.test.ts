import { describe, expect, it } from "vitest";
import { dueJobs } from "../../src/schedule/due-jobs.ts";
import { parseSchedule } from "../../src/schedule/parse-schedule.ts";
import { nextRuns } from "../../src/schedule/schedule.ts";

const TZ = "Europe/Stockholm";
const NOW = Date.UTC(2026, 10, 23, 8); // a Monday, 09:00 in Stockholm
const cron = (text: string) => {
  const read = parseSchedule(text, { tz: TZ, now: NOW });
  return read.kind === "cron" ? read.cron : read.kind === "every" ? `every ${read.everyMs / 60_000} min` : read.at;
};

describe("parseSchedule()", () => {
  it.each([
    ["0 9 * * 1-5", "0 9 * * 1-5"],
    ["*/15  8-17 * *  MON-FRI", "*/15 8-17 * * MON-FRI"],
    ["2026-11-24T09:00", "2026-11-24T08:00:00.000Z"],
    ["2026-11-24 09:00", "2026-11-24T08:00:00.000Z"],
    ["2026-11-24T09:00:00+08:00", "2026-11-24T01:00:00.000Z"],
    ["2027-03-28T02:30", "2027-03-28T01:00:00.000Z"],
    ["2026-10-25T02:30", "2026-10-25T00:30:00.000Z"],
    ["2026-11-24T09:00:30", "2026-11-24T08:00:30.000Z"],
    ["in 20 minutes", "2026-11-23T08:20:00.000Z"],
    ["in one minute", "2026-11-23T08:01:00.000Z"],
    ["in half an hour", "2026-11-23T08:30:00.000Z"],
    ["in 2 hours and 30 minutes", "2026-11-23T10:30:00.000Z"],
    ["in an hour and a half", "2026-11-23T09:30:00.000Z"],
    ["every 2 hours", "every 120 min"],
    ["every minute", "every 1 min"],
    ["hourly", "every 60 min"],
    ["every weekday at 9", "0 9 * * 1-5"],
    ["every day at 8:30", "30 8 * * *"],
    ["daily at 5pm", "0 17 * * *"],
    ["every morning", "0 8 * * *"],
    ["every evening at 7", "0 19 * * *"],
    ["every day at 9 in the evening", "0 21 * * *"],
    ["every day at noon", "0 12 * * *"],
    ["every day at 05:30", "30 5 * * *"],
    ["on weekends at 10am", "0 10 * * 0,6"],
    ["every Monday at 9", "0 9 * * 1"],
    ["every Monday, Wednesday and Friday at 6:15 pm", "15 18 * * 1,3,5"],
    ["Mondays and Thursdays at 9", "0 9 * * 1,4"],
    ["fridays, at 10am", "0 10 * * 5"],
    ["on Tuesdays at 10am", "0 10 * * 2"],
    ["every Friday afternoon", "0 15 * * 5"],
    ["every month on the 1st at 9", "0 9 1 * *"],
    ["on the 1st of every month at 8", "0 8 1 * *"],
    ["on the first of each month at 8am", "0 8 1 * *"],
    ["every month on the first at 9", "0 9 1 * *"],
    ["the 15th of each month at 10:30", "30 10 15 * *"],
    ["every Monday to Friday at 9am", "0 9 * * 1-5"],
    ["Monday through Thursday at 10am", "0 10 * * 1-4"],
    ["every Friday to Sunday at 10am", "0 10 * * 0,5,6"],
    ["every Friday at midnight, at its end", "0 0 * * 6"],
    ["every Saturday and Sunday at midnight at the end of that day", "0 0 * * 0,1"],
    ["every Friday at midnight, at the beginning of that day", "0 0 * * 5"],
    ["周一到周五上午九点", "0 9 * * 1-5"],
    ["从周一至周四每天上午九点", "0 9 * * 1-4"],
    ["每周五到周日晚上八点", "0 20 * * 0,5,6"],
    ["每周五晚上十二点，第二天凌晨", "0 0 * * 6"],
    ["每周五晚上十二点，当天凌晨", "0 0 * * 5"],
    ["2.5小时后", "2026-11-23T10:30:00.000Z"],
    ["一小时又二十分钟后", "2026-11-23T09:20:00.000Z"],
    ["每天早上九点", "0 9 * * *"],
    ["每个工作日早上九点", "0 9 * * 1-5"],
    ["工作日早上八点半", "30 8 * * 1-5"],
    ["每天9:30", "30 9 * * *"],
    ["每天晚上八点半", "30 20 * * *"],
    ["每晚十点一刻", "15 22 * * *"],
    ["每周一上午十点", "0 10 * * 1"],
    ["每周一、三、五下午3点", "0 15 * * 1,3,5"],
    ["每个星期天中午十二点", "0 12 * * 0"],
    ["每月15号上午十点", "0 10 15 * *"],
    ["每隔两个小时", "every 120 min"],
    ["每30分钟", "every 30 min"],
    ["20分钟后", "2026-11-23T08:20:00.000Z"],
    ["半小时后", "2026-11-23T08:30:00.000Z"],
    ["两个小时以后", "2026-11-23T10:00:00.000Z"],
    ["三天后", "2026-11-26T08:00:00.000Z"],
    ["一个半小时后", "2026-11-23T09:30:00.000Z"],
    ["两小时半以后", "2026-11-23T10:30:00.000Z"],
    ["一小时二十分钟后", "2026-11-23T09:20:00.000Z"],
    ["每天晚上十二点", "0 0 * * *"],
    ["每晚一点", "0 1 * * *"],
    ["every evening at 12", "0 0 * * *"],
    ["every day at midnight", "0 0 * * *"],
  ])("reads %j", (text, expected) => {
    expect(cron(text)).toBe(expected);
  });

  it.each([
    ["every day at 5", "morning or in the afternoon"],
    ["every Friday at midnight", "beginning of that day, or at its end"],
    ["每周五晚上十二点", "是当天凌晨，还是第二天凌晨？"],
    ["every day", "what time"],
    ["every Monday", "what time"],
    ["每天三点", "上午3点还是下午3点"],
    ["每天", "几点"],
  ])("asks when %j can be two times", (text, question) => {
    expect(() => cron(text)).toThrow(question);
  });

  it.each([
    ["* * * * * *", "five fields"],
    ["@daily", "five fields"],
    ["0 0 30 2 *", "never occurs"],
    ["70 * * * *", "Invalid value for minute"],
    ["every 10 seconds", "too often: at least 60 s"],
    ["sometimes", "not understood"],
    ["", "not understood"],
    ["2026-13-45T09:00", "is not a time"],
    ["2027-02-30T09:00", "is not a time"],
    ["2027-02-29T09:00Z", "is not a time"],
    ["2027-02-28T24:30", "is not a time"],
  ])("refuses %j with its reason", (text, reason) => {
    expect(() => cron(text)).toThrow(reason);
  });

  it("takes a single time as a text, a date or milliseconds, and refuses what is none", () => {
    const at = "2026-11-24T08:00:00.000Z";
    for (const given of [at, new Date(at), Date.parse(at)])
      expect(parseSchedule({ kind: "at", at: given })).toEqual({ kind: "at", at });
    for (const given of [new Date(Number.NaN), Number.NaN, "soon"])
      expect(() => parseSchedule({ kind: "at", at: given })).toThrow(/is not a time in ISO 8601/);
  });

  it("refuses a zone that there is none of, and what comes too often", () => {
    expect(() => parseSchedule("0 9 * * *", { tz: "Europe/Atlantis" })).toThrow("Europe/Atlantis");
    expect(() => parseSchedule({ kind: "every", everyMs: 1000 })).toThrow("too often");
    for (const text of ["every 30 seconds", "每30秒"])
      expect(() => parseSchedule(text)).toThrow("every 30 s is too often: at least 60 s must lie between two times");
    expect(parseSchedule("every 90 seconds")).toEqual({ kind: "every", everyMs: 90_000 });
    expect(() => parseSchedule("* * * * *", { minIntervalMs: 300_000 })).toThrow("too often");
    expect(parseSchedule({ kind: "every", every_ms: 1000 }, { minIntervalMs: 500 })).toEqual({
      kind: "every",
      everyMs: 1000,
    });
    expect(() => parseSchedule("in 20 minutes")).toThrow("not understood");
    expect(() => parseSchedule("in 20 minutes")).toThrow("(from the option now)");
    expect(() => parseSchedule("some day", { now: 0 })).toThrow('"in 20 minutes", "每天早上九点"');
  });
});

describe("dueJobs()", () => {
  it("gives those whose time has come, the earliest first, with times as dates or as milliseconds", () => {
    const at = (text: string) => Date.parse(text);
    const job = (id: string, next: string | null, more = {}) => ({
      id,
      schedule: parseSchedule("0 9 * * *"),
      status: "active" as const,
      nextRunAt: next === null ? null : at(next),
      createdAt: at("2026-11-01T00:00:00Z"),
      catchUp: "once" as const,
      ...more,
    });
    const jobs = [
      job("late", "2026-11-21T09:00:00Z"),
      job("now", "2026-11-23T08:00:00Z"),
      job("missed", "2026-11-21T09:00:00Z", { catchUp: "skip" }),
      job("paused", "2026-11-23T08:00:00Z", { status: "paused" }),
      job("later", "2026-11-23T08:00:01Z"),
      job("never", null),
    ];
    const due = dueJobs(jobs, at("2026-11-23T08:00:00Z"));
    expect(due).toEqual([
      { id: "late", planned: new Date("2026-11-22T09:00:00Z") },
      { id: "now", planned: new Date("2026-11-23T08:00:00Z") },
    ]);
    const dated = jobs.map(({ nextRunAt, createdAt, ...rest }) => ({
      ...rest,
      nextRunAt: nextRunAt === null ? null : new Date(nextRunAt),
      createdAt: new Date(createdAt),
    }));
    expect(dueJobs(dated, new Date("2026-11-23T08:00:00Z"))).toEqual(due);
  });
});

describe("nextRuns()", () => {
  const runs = (text: string, from: string, count = 3, tz = TZ) =>
    nextRuns(parseSchedule(text, { tz }), { from: new Date(from), count }).map((time) =>
      time.toISOString().slice(0, 16),
    );

  it("is strictly after the time that it is asked from", () => {
    expect(runs("0 9 * * *", "2026-11-23T08:00:00Z", 1)).toEqual(["2026-11-24T08:00"]);
    expect(runs("0 9 * * *", "2026-11-23T07:59:59.999Z", 1)).toEqual(["2026-11-23T08:00"]);
    const from = new Date("2026-11-23T08:00:00Z");
    for (const schedule of ["0 9 * * *", { kind: "every", everyMs: 60_000 }, "2026-12-01T10:00"].map((one) =>
      parseSchedule(one),
    ))
      expect(nextRuns(schedule, { from: from.getTime(), count: 2 })).toEqual(nextRuns(schedule, { from, count: 2 }));
  });

  it("follows the clock of the zone over the four edges: a skipped time comes right after the gap, a repeated one once", () => {
    expect(runs("30 2 * * *", "2026-03-28T12:00:00Z", 2)).toEqual(["2026-03-29T01:00", "2026-03-30T00:30"]);
    expect(runs("30 2 * * *", "2026-10-24T12:00:00Z", 2)).toEqual(["2026-10-25T00:30", "2026-10-26T01:30"]);
    expect(runs("30 2,14 * * *", "2026-10-24T20:00:00Z", 3)).toEqual([
      "2026-10-25T00:30",
      "2026-10-25T13:30",
      "2026-10-26T01:30",
    ]);
    expect(runs("15 2 * * *", "2026-10-03T00:00:00Z", 1, "Australia/Lord_Howe")).toEqual(["2026-10-03T15:30"]);
    expect(runs("0 0 29 2 *", "2026-03-01T00:00:00Z", 2, "UTC")).toEqual(["2028-02-29T00:00", "2032-02-29T00:00"]);
  });

  it("makes up for a time that a gap over midnight skips, as in Greenland, whose clocks go from 22:59 to 0:00", () => {
    const nuuk = "America/Nuuk";
    expect(runs("30 23 * * *", "2026-03-28T12:00:00Z", 2, nuuk)).toEqual(["2026-03-29T01:00", "2026-03-30T00:30"]);
    expect(runs("15 22-23 * * 6", "2026-03-28T12:00:00Z", 3, nuuk)).toEqual([
      "2026-03-29T00:15",
      "2026-03-29T01:00",
      "2026-04-04T23:15",
    ]);
    expect(runs("0 0,23 * * *", "2026-03-29T00:00:00Z", 2, nuuk)).toEqual(["2026-03-29T01:00", "2026-03-30T00:00"]);
    expect(runs("30 * * * *", "2026-03-29T00:00:00Z", 2, nuuk)).toEqual(["2026-03-29T00:30", "2026-03-29T01:30"]);
    expect(parseSchedule("2026-03-28T23:30", { tz: nuuk })).toEqual({ kind: "at", at: "2026-03-29T01:00:00.000Z" });
    expect(runs("30 23 * * *", "2026-10-24T12:00:00Z", 2, nuuk)).toEqual(["2026-10-25T00:30", "2026-10-26T01:30"]);
  });

  it("counts steps from when the job was made, so that they do not drift", () => {
    const every = parseSchedule({ kind: "every", everyMs: 90 * 60_000 });
    const given = { anchor: new Date("2026-11-23T08:00:00Z"), from: new Date("2026-11-23T11:10:00Z"), count: 2 };
    expect(nextRuns(every, given).map((time) => time.toISOString().slice(11, 16))).toEqual(["12:30", "14:00"]);
  });

  it("says what it cannot count from, and by which clock", () => {
    const daily = { kind: "cron", cron: "0 9 * * *", tz: "Mars/Phobos" } as const;
    expect(() => nextRuns(daily, { from: 0 })).toThrow(
      expect.objectContaining({
        code: "OPTION_INVALID",
        message:
          'Cannot read the schedule: the time zone "Mars/Phobos" is not known: use a name such as Europe/Stockholm',
      }),
    );
    expect(() => nextRuns({ ...daily, tz: TZ }, { from: new Date("soon") })).toThrow(
      expect.objectContaining({
        code: "OPTION_INVALID",
        message: "Invalid from for nextRuns(): expected a time, got Invalid Date",
      }),
    );
  });

  it("comes once when it is a time", () => {
    expect(runs("2026-11-24T09:00", "2026-11-23T08:00:00Z")).toEqual(["2026-11-24T08:00"]);
    expect(runs("2026-11-24T09:00", "2026-11-24T08:00:00Z")).toEqual([]);
  });
});
