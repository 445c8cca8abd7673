import { describe, expect, it } from "vitest";
import { offlineModel } from "../../adapters/models/offline/index.ts";
import { testAssistant } from "../support/assistant.ts";

const OWNER = {
  owner: { ids: ["memory:42"] },
  queue: { debounceMs: 0 },
  timezone: "Europe/Stockholm",
  memory: { enabled: false },
} as const;
const open = () => testAssistant({ ...OWNER, model: offlineModel() });

/** The schedule of the only job, in a line. */
async function made(t: Awaited<ReturnType<typeof open>>): Promise<string> {
  const [planned] = await t.assistant.jobs.list();
  const { schedule, task } = planned?.job ?? {};
  const when = schedule?.kind === "cron" ? schedule.cron : schedule?.kind === "at" ? schedule.at.slice(0, 16) : "every";
  return `${when} ${task}`;
}

// The clock stands at Monday 2026-01-05, 09:00 in Stockholm.
describe("the offline model, asked for a reminder", () => {
  it.each([
    ["remind me in one minute to drink water", "2026-01-05T08:01 drink water"],
    ["Remind me in 20 minutes to call Ada", "2026-01-05T08:20 call Ada"],
    ["please remind me to call Ada in half an hour", "2026-01-05T08:30 call Ada"],
    ["remind me every weekday at 9 of the standup", "0 9 * * 1-5 the standup"],
    ["remind me every Monday at 10am to water the plants", "0 10 * * 1 water the plants"],
    ["remind me to stretch every 2 hours", "every stretch"],
    ["remind me every evening at 9 to lock the door", "0 21 * * * lock the door"],
    ["remind me tomorrow at 9 to send the report", "2026-01-06T08:00 send the report"],
    ["remind me to buy bread tomorrow at 17:30", "2026-01-06T16:30 buy bread"],
    ["remind me on Friday at 3pm to leave early", "2026-01-09T14:00 leave early"],
    ["remind me at noon to eat", "2026-01-05T11:00 eat"],
    ["set a reminder every month on the 1st at 9 to pay the rent", "0 9 1 * * pay the rent"],
    ["每个工作日早上九点提醒我站会", "0 9 * * 1-5 站会"],
    ["提醒我每天晚上十点吃药", "0 22 * * * 吃药"],
    ["20分钟后提醒我喝水", "2026-01-05T08:20 喝水"],
    ["半小时后提醒我关火", "2026-01-05T08:30 关火"],
    ["明天早上九点提醒我开会", "2026-01-06T08:00 开会"],
    ["提醒我明天下午三点半给妈妈打电话", "2026-01-06T14:30 给妈妈打电话"],
    ["每周一上午十点提醒我写周报", "0 10 * * 1 写周报"],
    ["每隔两个小时提醒我站起来", "every 站起来"],
    ["请每月15号上午十点提醒我交房租", "0 10 15 * * 交房租"],
  ])("makes the right job of %j, and says when it comes", async (text, expected) => {
    const t = await open();
    const said = await t.say(text);
    expect(await made(t)).toBe(expected);
    expect(said).toMatch(/2026-\d\d-\d\d \d\d:\d\d \(Europe\/Stockholm\)/);
  });

  it.each([
    ["remind me every day at 5 to run", "5 pm", "0 17 * * * run"],
    ["每天三点提醒我喝茶", "下午", "0 15 * * * 喝茶"],
    ["remind me every Monday to water the plants", "at 10 am", "0 10 * * 1 water the plants"],
    ["remind me to call Ada", "in 20 minutes", "2026-01-05T08:20 call Ada"],
  ])("asks about %j, which can be several times", async (text, answer, expected) => {
    const t = await open();
    expect(await t.say(text)).toMatch(/[?？]$/);
    expect(await t.assistant.jobs.list()).toEqual([]);
    await t.say(answer);
    expect(await made(t)).toBe(expected);
  });

  it("says it when it is due, lists, pauses and deletes", async () => {
    const t = await open();
    await t.say("remind me in one minute to drink water");
    await t.clock.advance(61_000);
    await t.sent(2);
    expect(t.channel.textsTo("42").at(-1)).toBe("Reminder: drink water");
    await t.say("每个工作日早上九点提醒我站会");
    expect(await t.say("what are my reminders?")).toContain("- 站会: 2026-01-06 09:00 (Europe/Stockholm)");
    expect(await t.say("暂停提醒站会")).toBe("已暂停。");
    expect(await t.say("恢复提醒站会")).toContain("2026-01-06 09:00");
    expect(await t.say("delete the reminder 站会")).toContain("deleted");
    expect(await t.say("我有哪些提醒？")).not.toContain("站会");
  });
});
