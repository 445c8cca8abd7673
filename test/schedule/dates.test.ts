import { describe, expect, it } from "vitest";
import { dayIn, readSchedule } from "../../src/schedule/dates.ts";
import { showTime } from "../../src/schedule/schedule.ts";

const TZ = "Asia/Shanghai";
const NOW = Date.UTC(2026, 10, 24, 3, 30); // a Tuesday, 11:30 in Shanghai

/** `2026-11-25 09:00` in the zone, five fields of cron, what is asked, or `refused`. */
async function read(text: string, tz = TZ, now = NOW): Promise<string> {
  try {
    const found = await readSchedule(text, { tz, now });
    if ("ask" in found) return found.ask;
    if (found.schedule.kind !== "at") return found.schedule.kind === "cron" ? found.schedule.cron : "every";
    return showTime(Date.parse(found.schedule.at), tz);
  } catch {
    return "refused";
  }
}

describe("dates in words", () => {
  it.each([
    ["tomorrow at 9", "2026-11-25 09:00"],
    ["tomorrow morning at 9", "2026-11-25 09:00"],
    ["Fri evening at 7", "2026-11-27 19:00"],
    ["at 9 please", "2026-11-25 09:00"],
    ["on December 24 at 18:00", "2026-12-24 18:00"],
    ["on 25/12/2026 at 9", "2026-12-25 09:00"],
    ["12/25 at 9", "2026-12-25 09:00"],
    ["4/4/2027 at 9am", "2027-04-04 09:00"],
    ["2027/04/03 at 9am", "2027-04-03 09:00"],
    ["on the 15th at 9", "2026-12-15 09:00"],
    ["at 3pm on the 24th", "2026-11-24 15:00"],
    ["on the 31st at noon, please", "2026-12-31 12:00"],
    ["on the 32nd at noon", "refused"],
    ["on the first of next month at 9", "2026-12-01 09:00"],
    ["下个月一号上午九点", "2026-12-01 09:00"],
    ["at 3pm on the 15th of next month", "2026-12-15 15:00"],
    ["下月15号下午三点", "2026-12-15 15:00"],
    ["on the 30th of this month at noon", "2026-11-30 12:00"],
    ["这个月三十号中午", "2026-11-30 12:00"],
    ["每个周末上午十点", "0 10 * * 0,6"],
    ["every weekend at 10", "0 10 * * 0,6"],
    ["tonight at 12", "2026-11-25 00:00"],
    ["tonight at midnight", "2026-11-25 00:00"],
    ["today at midnight", "2026-11-25 00:00"],
    ["tonight at 1am", "2026-11-25 01:00"],
    ["tomorrow at 1am", "2026-11-25 01:00"],
    ["tomorrow night at 12", "2026-11-26 00:00"],
    ["tomorrow at midnight, at the beginning of that day", "2026-11-25 00:00"],
    ["tomorrow at midnight, at its end", "2026-11-26 00:00"],
    ["请在明天早上九点", "2026-11-25 09:00"],
    ["下周一早上九点半", "2026-11-30 09:30"],
    ["今晚十二点", "2026-11-25 00:00"],
    ["今晚八点", "2026-11-24 20:00"],
    ["下午三点一刻", "2026-11-24 15:15"],
    ["明天下午三点三刻", "2026-11-25 15:45"],
    ["2026-12-01T08:10:00.000Z", "2026-12-01 16:10"],
    [" 2026-12-01 08:10+01:00", "2026-12-01 15:10"],
    ["2026-12-01T08:10", "2026-12-01 08:10"],
  ])("are read: %j", async (text, expected) => {
    expect(await read(text)).toBe(expected);
  });

  // 11:30 on that Tuesday in each of them: whatever zone this process is in, one of them is on another day.
  describe.each([
    ["Asia/Shanghai", Date.UTC(2026, 10, 24, 3, 30)],
    ["Pacific/Kiritimati", Date.UTC(2026, 10, 23, 21, 30)],
    ["America/New_York", Date.UTC(2026, 10, 24, 16, 30)],
  ])("are those of the person, in %s", (tz, now) => {
    it.each([
      ["on 24 November at 3pm", "2026-11-24 15:00"],
      ["on 24 November at 9am", "2027-11-24 09:00"],
      ["Tuesday at 3pm", "2026-11-24 15:00"],
      ["Tuesday at 9am", "2026-12-01 09:00"],
      ["next Tuesday at 3pm", "2026-12-01 15:00"],
      ["today at 3pm", "2026-11-24 15:00"],
      ["tomorrow at 9", "2026-11-25 09:00"],
      ["at 3pm", "2026-11-24 15:00"],
      ["at 9", "2026-11-25 09:00"],
      ["in 2 days at 9am", "2026-11-26 09:00"],
      ["in 1.5 hours", "2026-11-24 13:00"],
      ["the day after tomorrow at noon", "2026-11-26 12:00"],
      ["后天中午", "2026-11-26 12:00"],
      ["下周三中午", "2026-12-02 12:00"],
      ["11月24日下午三点", "2026-11-24 15:00"],
      ["11月24日上午九点", "2027-11-24 09:00"],
      ["周二下午三点", "2026-11-24 15:00"],
      ["周二上午十点", "2026-12-01 10:00"],
      ["今天下午三点", "2026-11-24 15:00"],
      ["明天上午九点", "2026-11-25 09:00"],
      ["上午九点", "2026-11-25 09:00"],
      ["两天后上午九点", "2026-11-26 09:00"],
    ])("%j", async (text, expected) => {
      expect(await read(text, tz, now)).toBe(expected);
    });
  });

  it.each([
    ["下周日上午十点", "2026-11-24 09:30", "2026-12-06 10:00"],
    ["这周日上午十点", "2026-11-24 09:30", "2026-11-29 10:00"],
    ["本周五下午三点", "2026-11-24 09:30", "2026-11-27 15:00"],
    ["下周一上午十点", "2026-11-29 09:30", "2026-11-30 10:00"],
    ["下星期六上午十点", "2026-11-29 09:30", "2026-12-05 10:00"],
    ["周日上午十点", "2026-11-29 09:30", "2026-11-29 10:00"],
    ["周日上午九点", "2026-11-29 09:30", "2026-12-06 09:00"],
  ])("count weeks from Monday in Chinese: %j", async (text, now, expected) => {
    expect(await read(text, "UTC", Date.parse(`${now.replace(" ", "T")}Z`))).toBe(expected);
  });

  it("are of the next day right after midnight too", async () => {
    const now = Date.UTC(2026, 10, 24, 0, 0, 40);
    expect(await read("tomorrow at 9", "UTC", now)).toBe("2026-11-25 09:00");
    expect(await read("明天上午九点", "UTC", now)).toBe("2026-11-25 09:00");
    expect(await read("at noon", "UTC", now)).toBe("2026-11-24 12:00");
  });

  it("keep their hour where clocks are changed, and what is counted from now its length", async () => {
    const evening = Date.UTC(2026, 9, 24, 20, 30);
    expect(await read("at 9", "Europe/Stockholm", evening)).toBe("2026-10-25 09:00");
    expect(await read("tonight at 12", "Europe/Stockholm", evening)).toBe("2026-10-25 00:00");
    const { schedule } = (await readSchedule("in 4.5 hours", { tz: "Europe/Stockholm", now: evening })) as {
      schedule: { at: string };
    };
    expect(schedule.at).toBe("2026-10-25T01:00:00.000Z");
    expect(await read("on March 29 at 02:30", "Europe/Stockholm", Date.UTC(2026, 2, 1))).toBe("2026-03-29 03:00");
  });

  it.each(["tomorrow at 9am PST", "at 9am UTC", "tomorrow at 9 Tokyo time"])(
    "that name another zone are refused: %j",
    async (text) => {
      expect(await read(text)).toBe("refused");
    },
  );

  it.each(["yesterday at 9", "last Friday at 9am", "this morning at 9"])(
    "that have passed stay so: %j",
    async (text) => {
      expect((await read(text)) < "2026-11-24 11:30").toBe(true);
    },
  );

  it.each([
    ["tomorrow at 5", "is it 5 am or 5 pm?"],
    ["on 3/4 at 9am", "is it March 4 or April 3?"],
    ["03/04/2027 09:00", "is it March 4, 2027 or April 3, 2027?"],
    ["12.1.2027", "is it December 1, 2027 or January 12, 2027?"],
    ["tonight at 1", "at 1 am of which day?"],
    ["tomorrow night at 1am", "at 1 am of which day?"],
    ["tomorrow at midnight", "at the beginning of that day, or at its end?"],
    ["midnight on Friday", "at the beginning of that day, or at its end?"],
    ["on the first of next month", "at what time of the day?"],
    ["下个月一号", "几点？"],
    ["at the weekend at 10", "this Saturday, this Sunday, or every weekend?"],
    ["周末上午十点", "是这周六、这周日，还是每个周末？"],
    ["周末早上十点", "是这周六、这周日，还是每个周末？"],
    ["this weekend at 10", "on Saturday or on Sunday?"],
    ["这个周末上午十点", "周六还是周日？"],
    ["next weekend at 10am, please", "on Saturday or on Sunday?"],
    ["请在下周末上午十点", "周六还是周日？"],
    ["at the weekend at 5", "is it 5 in the morning or in the afternoon? Say 5 am or 5 pm"],
    ["周末五点", "是上午5点还是下午5点？"],
    ["at the weekend", "at what time of the day?"],
    ["周末", "几点？"],
    ["明晚凌晨一点", "是当天凌晨，还是第二天凌晨？"],
    ["tomorrow morning", "at what time of the day?"],
    ["明天五点", "是上午5点还是下午5点？"],
    ["下周三下午", "几点？"],
    ["周六早上", "几点？"],
    ["12月1号的晚上", "几点？"],
    ["今晚一点", "是当天凌晨，还是第二天凌晨？"],
  ])("that can mean two times are asked about: %j", async (text, question) => {
    expect(await read(text)).toBe(question);
  });

  it.each([
    "3号上午十点",
    "下下周一早上九点",
    "每年3月3日上午9点",
    "隔天早上八点",
    "上周末上午十点",
    "下下周末上午十点",
    "the weekend after next at 10",
    "every other weekend at 10",
    "下个月三十二号上午九点",
    "on the 32nd of next month at 9",
    "下下个月一号上午九点",
    "the month after next on the first at 9",
    "下周三下午晚上",
    "差一刻九点",
    "下午三点差五分",
    "月底下午五点",
    "圣诞节上午九点",
    "3rd at 10am",
    "not at 9",
    "tomorrow at half past nine",
    "2 hours before 5pm",
    "2 hours after 5pm",
    "every weekday except Friday at 9",
    "除了周五每天上午九点",
  ])("are refused when a word around them means something: %j", async (text) => {
    expect(await read(text)).toBe("refused");
  });
});

describe("dayIn()", () => {
  // A Thursday.
  const now = Date.UTC(2026, 10, 26, 22);
  it.each([
    ["I'll send the report to Anna by Friday", "2026-11-27"],
    ["I will renew the passport by December 3rd", "2026-12-03"],
    ["I'll call mum tomorrow", "2026-11-27"],
    ["We spoke on Monday, and I'll write it by 2026-12-04", "2026-12-04"],
    ["我会在周五之前把合同发给李雷", "2026-11-27"],
    ["我下周五之前交报告", "2026-12-04"],
    ["我答应审阅论文", undefined],
    ["I promised to review the thesis", undefined],
    ["I did it on 3 March 2020", undefined],
    ["I'll send it by Thursday", "2026-11-26"],
    ["周日之前交报告", "2026-11-29"],
    ["I'll send it by 3/4", undefined],
    ["I'll send it by 4/13", "2027-04-13"],
    ["I'll send it by 4/4", "2027-04-04"],
  ])("%s: %s", async (said, day) => {
    expect(await dayIn(said, { tz: "UTC", now })).toBe(day);
  });

  it("counts days where the person is", async () => {
    expect(await dayIn("I'll call mum tomorrow", { tz: "Asia/Tokyo", now })).toBe("2026-11-28");
    expect(await dayIn("I'll call mum tomorrow", { tz: "America/New_York", now })).toBe("2026-11-27");
  });
});
