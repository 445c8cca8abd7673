import { describe, expect, it } from "vitest";
import { dayIn, readSchedule } from "../../src/schedule/dates.ts";

const TZ = "Asia/Shanghai";
const NOW = Date.UTC(2026, 10, 24, 3, 30); // a Tuesday, 11:30 in Shanghai

/** `2026-11-25 09:00` in Shanghai, five fields of cron, what is asked, or `refused`. */
async function read(text: string): Promise<string> {
  try {
    const found = await readSchedule(text, { tz: TZ, now: NOW });
    if ("ask" in found) return found.ask;
    if (found.schedule.kind !== "at") return found.schedule.kind === "cron" ? found.schedule.cron : "every";
    const local = new Date(Date.parse(found.schedule.at) + 8 * 3_600_000);
    return local.toISOString().slice(0, 16).replace("T", " ");
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
    ["tonight at 12", "2026-11-25 00:00"],
    ["tonight at midnight", "2026-11-25 00:00"],
    ["请在明天早上九点", "2026-11-25 09:00"],
    ["下周一早上九点半", "2026-11-30 09:30"],
    ["今晚十二点", "2026-11-25 00:00"],
    ["今晚八点", "2026-11-24 20:00"],
    ["下午三点一刻", "2026-11-24 15:15"],
    ["明天下午三点三刻", "2026-11-25 15:45"],
  ])("are read: %j", async (text, expected) => {
    expect(await read(text)).toBe(expected);
  });

  it.each([
    ["tomorrow at 5", "is it 5 am or 5 pm?"],
    ["tonight at 1", "at 1 am of which day?"],
    ["tomorrow morning", "at what time of the day?"],
    ["明天五点", "是上午5点还是下午5点？"],
    ["今晚一点", "是当天凌晨，还是第二天凌晨？"],
  ])("that can mean two times are asked about: %j", async (text, question) => {
    expect(await read(text)).toBe(question);
  });

  it.each([
    "3号上午十点",
    "下下周一早上九点",
    "每年3月3日上午9点",
    "隔天早上八点",
    "周末早上十点",
    "差一刻九点",
    "下午三点差五分",
    "月底下午五点",
    "圣诞节上午九点",
    "3rd at 10am",
    "not at 9",
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
  ])("%s: %s", async (said, day) => {
    expect(await dayIn(said, { tz: "UTC", now })).toBe(day);
  });

  it("counts days where the person is", async () => {
    expect(await dayIn("I'll call mum tomorrow", { tz: "Asia/Tokyo", now })).toBe("2026-11-28");
  });
});
