import { describe, expect, it } from "vitest";
import { offlineModel } from "../../adapters/models/offline/index.ts";
import { OWNER_TOKEN, testAssistant } from "../support/assistant.ts";
import { wholeOnNode } from "../support/thorough.ts";
import { until } from "../support/until.ts";

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
  it.each(
    wholeOnNode(
      [
        ["remind me in one minute to drink water", "2026-01-05T08:01 drink water"],
        ["Remind me in 20 minutes to call Ada", "2026-01-05T08:20 call Ada"],
        ["please remind me to call Ada in half an hour", "2026-01-05T08:30 call Ada"],
        ["remind me every weekday at 9 of the standup", "0 9 * * 1-5 the standup"],
        ["remind me every Monday at 10am to water the plants", "0 10 * * 1 water the plants"],
        ["mondays and thursdays at 9 remind me to water the plants", "0 9 * * 1,4 water the plants"],
        ["remind me to stretch every 2 hours", "every stretch"],
        ["remind me every evening at 9 to lock the door", "0 21 * * * lock the door"],
        ["remind me tomorrow at 9 to send the report", "2026-01-06T08:00 send the report"],
        ["remind me to buy bread tomorrow at 17:30", "2026-01-06T16:30 buy bread"],
        ["remind me on Friday at 3pm to leave early", "2026-01-09T14:00 leave early"],
        ["remind me on the first of next month at 9 to pay the rent", "2026-02-01T08:00 pay the rent"],
        ["下个月一号上午九点提醒我交房租", "2026-02-01T08:00 交房租"],
        ["remind me at noon to eat", "2026-01-05T11:00 eat"],
        ["set a reminder every month on the 1st at 9 to pay the rent", "0 9 1 * * pay the rent"],
        ["每个工作日早上九点提醒我站会", "0 9 * * 1-5 站会"],
        ["提醒我每天晚上十点吃药", "0 22 * * * 吃药"],
        ["20分钟后提醒我喝水", "2026-01-05T08:20 喝水"],
        ["半小时后提醒我关火", "2026-01-05T08:30 关火"],
        ["一刻钟后提醒我关火", "2026-01-05T08:15 关火"],
        ["提醒我三刻钟后关火", "2026-01-05T08:45 关火"],
        ["明天早上九点提醒我开会", "2026-01-06T08:00 开会"],
        ["提醒我明天下午三点半给妈妈打电话", "2026-01-06T14:30 给妈妈打电话"],
        ["每周一上午十点提醒我写周报", "0 10 * * 1 写周报"],
        ["每隔两个小时提醒我站起来", "every 站起来"],
        ["每隔一刻钟提醒我站起来", "every 站起来"],
        ["请每月15号上午十点提醒我交房租", "0 10 15 * * 交房租"],
      ],
      3,
    ),
  )("makes the right job of %j, and says when it comes", async (text, expected) => {
    const t = await open();
    const said = await t.say(text);
    expect(await made(t)).toBe(expected);
    expect(said).toMatch(/2026-\d\d-\d\d \d\d:\d\d \(Europe\/Stockholm\)/);
  });

  it.each(
    wholeOnNode(
      [
        ["remind me at 3pm tomorrow to call Bob", "2026-01-06T14:00 call Bob"],
        ["remind me at 9am on Friday to call Bob", "2026-01-09T08:00 call Bob"],
        ["remind me the day after tomorrow at noon to call Bob", "2026-01-07T11:00 call Bob"],
        ["remind me on the 1st of every month at 8 to call Bob", "0 8 1 * * call Bob"],
        ["remember to remind me tomorrow at 3pm to call Bob", "2026-01-06T14:00 call Bob"],
        ["don't let me forget to call Bob tomorrow at 3pm", "2026-01-06T14:00 call Bob"],
        ["I need a reminder every 2 hours to call Bob", "every call Bob"],
        ["记得提醒我明天下午两点开会", "2026-01-06T13:00 开会"],
        ["别让我忘了明天下午两点开会", "2026-01-06T13:00 开会"],
        ["工作日早上八点半提醒我开会", "30 8 * * 1-5 开会"],
        ["后天中午提醒我开会", "2026-01-07T11:00 开会"],
        ["remind me to call Bob at 17:30 tomorrow", "2026-01-06T16:30 call Bob"],
        ["remind me in 1 hour 30 minutes to call Bob", "2026-01-05T09:30 call Bob"],
        ["remind me in 2 days at 9am to call Bob", "2026-01-07T08:00 call Bob"],
        ["remind me in 3 weeks at 10am to call Bob", "2026-01-26T09:00 call Bob"],
        ["remind me on 2026-12-01 at 9am to call Bob", "2026-12-01T08:00 call Bob"],
        ["remind me every Monday to Friday at 9am of the standup", "0 9 * * 1-5 the standup"],
        ["set a reminder for 5pm to call Bob", "2026-01-05T16:00 call Bob"],
        ["remind me in 20 minutes to check every hour", "2026-01-05T08:20 check every hour"],
        ["remind me to buy a gift for 2 people in 20 minutes", "2026-01-05T08:20 buy a gift for 2 people"],
        ['remind me to watch "Friday at 9" tomorrow at 8pm', '2026-01-06T19:00 watch "Friday at 9"'],
        ["2.5小时后提醒我开会", "2026-01-05T10:30 开会"],
        ["一小时又二十分钟后提醒我开会", "2026-01-05T09:20 开会"],
        ["两天后上午九点提醒我开会", "2026-01-07T08:00 开会"],
        ["从周一到周五每天上午九点提醒我站会", "0 9 * * 1-5 站会"],
        ["下午三点提醒我开会", "2026-01-05T14:00 开会"],
        ["下周日上午十点提醒我开会", "2026-01-18T09:00 开会"],
        ["提醒我每天早上吃两片药", "0 8 * * * 吃两片药"],
      ],
      3,
    ),
  )("reads all that %j says of the time", async (text, expected) => {
    const t = await open();
    await t.say(text);
    expect(await made(t)).toBe(expected);
  });

  it.each(
    wholeOnNode(
      [
        "remind me every other Friday at 9am to water the plants",
        "remind me every second Tuesday at 9am of the bins",
        "remind me on the last day of the month at 9am to pay rent",
        "remind me every day at 9am and 5pm to stretch",
        "remind me every weekday except Friday at 9am of the standup",
        "remind me every year on March 3 at 9am of the birthday",
        "remind me every 2 hours until Friday to drink",
        "remind me 2 hours before 5pm to call Bob",
        "remind me at 9am UTC to call Bob",
        "remind me tomorrow at 9am Tokyo time to call Bob",
        "remind me at 9am to call Bob tomorrow",
        "remind me to call Bob tomorrow about the meeting at 9am",
        "remind me yesterday at 9am to call Bob",
        "remind me last Friday at 9am to call Bob",
        "下下周三上午十点提醒我开会",
        "每隔一周的周五上午九点提醒我浇花",
        "每天上午九点和下午五点提醒我喝水",
        "除了周五每天上午九点提醒我站会",
        "三小时后的下午提醒我开会",
        "提醒我明天上午九点东京时间开会",
        "明天提醒我下午三点开会",
        "昨天上午九点提醒我开会",
      ],
      3,
    ),
  )("makes no job of %j, which it cannot read", async (text) => {
    const t = await open();
    expect(await t.say(text)).not.toBe("");
    expect(await t.assistant.jobs.list()).toEqual([]);
  });

  it.each(["remind me tommorow at 9am to call Bob", "remind me in 20 minuts to call Bob"])(
    "takes a time that is misspelt for no part of what is to be done: %j",
    async (text) => {
      const t = await open();
      expect(await t.say(text)).toMatch(/^I am not sure when that is\./);
    },
  );

  it.each([
    "remind me at 8am and 8pm to take my pills",
    "remind me to take my pills every day at 8:00, 12:00 and 20:00",
    "remind me every day at 8 and 20 to take my pills",
    "remind me at 8am to take my pills and at 8pm to brush my teeth",
    "wake me tomorrow at 7 am and 8 am",
    "每天早上八点和晚上八点提醒我吃药",
    "明天8点、20点提醒我吃药",
  ])("asks for one time after the other: %j", async (text) => {
    const t = await open();
    expect(await t.say(text)).toMatch(/^(?:Each reminder has one time|一个提醒只有一个时间)/);
    expect(await t.assistant.jobs.list()).toEqual([]);
  });

  it("asks for one time after the other also where it had asked for the time", async () => {
    const t = await open();
    expect(await t.say("remind me twice a day to take my pills")).toBe("When should I remind you?");
    expect(await t.say("at 8am and 8pm")).toMatch(/^Each reminder has one time/);
    expect(await t.assistant.jobs.list()).toEqual([]);
  });

  it.each([
    ["remind me every 30 seconds to blink", "That is too often: at least 60 seconds must lie between two reminders."],
    ["每30秒提醒我眨眼", "这太频繁了：两次提醒之间至少要隔60秒。"],
  ])("says how far apart they must be to %j", async (text, expected) => {
    const t = await open();
    expect(await t.say(text)).toBe(expected);
    expect(await t.assistant.jobs.list()).toEqual([]);
  });

  it.each(
    wholeOnNode(
      [
        ["remind me tomorrow at 5 to run", ["Is it 5 am or 5 pm?"], ["pm"], "2026-01-06T16:00 run"],
        ["remind me on 3/4 at 9 to run", ["Is it March 4 or April 3?"], ["April"], "2026-04-03T07:00 run"],
        [
          "remind me on 03.04.2026 at 9 to run",
          ["Is it March 4, 2026 or April 3, 2026?"],
          ["4 March"],
          "2026-03-04T08:00 run",
        ],
        [
          "remind me on 3/4 to run",
          ["Is it March 4 or April 3?", "At what time of the day?"],
          ["april 3", "at 9"],
          "2026-04-03T07:00 run",
        ],
        ["remind me on 3/4 to run", ["Is it March 4 or April 3?"], ["Apr 3 at 9 pm"], "2026-04-03T19:00 run"],
        [
          "remind me at the weekend at 10 to call mum",
          ["This Saturday, this Sunday, or every weekend?"],
          ["Sunday"],
          "2026-01-11T09:00 call mum",
        ],
        [
          "周末上午十点提醒我给妈妈打电话",
          ["是这周六、这周日，还是每个周末？"],
          ["周日"],
          "2026-01-11T09:00 给妈妈打电话",
        ],
        [
          "remind me to call mum at the weekend at 10",
          ["This Saturday, this Sunday, or every weekend?"],
          ["every weekend"],
          "0 10 * * 0,6 call mum",
        ],
        [
          "提醒我周末上午十点给妈妈打电话",
          ["是这周六、这周日，还是每个周末？"],
          ["每个周末"],
          "0 10 * * 0,6 给妈妈打电话",
        ],
        [
          "remind me at the weekend at 10 to ring mum",
          ["This Saturday, this Sunday, or every weekend?"],
          ["every Saturday"],
          "0 10 * * 6 ring mum",
        ],
        ["周末上午十点提醒我给爸爸打电话", ["是这周六、这周日，还是每个周末？"], ["每周六"], "0 10 * * 6 给爸爸打电话"],
        [
          "remind me this weekend at 5 to run",
          ["Is it 5 in the morning or in the afternoon? Say 5 am or 5 pm?", "On Saturday or on Sunday?"],
          ["pm", "on Saturday"],
          "2026-01-10T16:00 run",
        ],
        [
          "这个周末五点提醒我跑步",
          ["是上午5点还是下午5点？", "周六还是周日？"],
          ["下午", "周六吧"],
          "2026-01-10T16:00 跑步",
        ],
        [
          "remind me on the first of next month to pay the rent",
          ["At what time of the day?"],
          ["at 9 am"],
          "2026-02-01T08:00 pay the rent",
        ],
        ["下个月一号提醒我交房租", ["几点？"], ["上午九点"], "2026-02-01T08:00 交房租"],
        ["remind me at 5 tomorrow to run", ["Is it 5 am or 5 pm?"], ["in the morning"], "2026-01-06T04:00 run"],
        [
          "remind me every Friday at midnight to rest",
          ["At the beginning of that day, or at its end?"],
          ["at its end"],
          "0 0 * * 6 rest",
        ],
        [
          "remind me every Friday at midnight to rest",
          ["At the beginning of that day, or at its end?"],
          ["the beginning"],
          "0 0 * * 5 rest",
        ],
        [
          "remind me tomorrow at midnight to rest",
          ["At the beginning of that day, or at its end?"],
          ["at its end"],
          "2026-01-06T23:00 rest",
        ],
        ["remind me tonight at 1 to rest", ["At 1 am of which day?"], ["tomorrow"], "2026-01-06T00:00 rest"],
        [
          "remind me tomorrow to run",
          ["At what time of the day?", "Is it 5 am or 5 pm?"],
          ["at 5", "pm"],
          "2026-01-06T16:00 run",
        ],
        [
          "remind me to run",
          ["When should I remind you?", "Is it 5 am or 5 pm?"],
          ["tomorrow at 5", "am"],
          "2026-01-06T04:00 run",
        ],
        ["提醒我明天五点起床", ["是上午5点还是下午5点？"], ["上午"], "2026-01-06T04:00 起床"],
        ["每周五晚上十二点提醒我休息", ["是当天凌晨，还是第二天凌晨？"], ["第二天"], "0 0 * * 6 休息"],
        [
          "remind me on saturday morning to run",
          ["At what time of the day?"],
          ["8 in the morning"],
          "2026-01-10T07:00 run",
        ],
        ["remind me on saturday morning to run", ["At what time of the day?"], ["at 8am"], "2026-01-10T07:00 run"],
        ["remind me next friday afternoon to call", ["At what time of the day?"], ["15:00"], "2026-01-16T14:00 call"],
        [
          "remind me tomorrow evening to rest",
          ["At what time of the day?"],
          ["8 in the evening"],
          "2026-01-06T19:00 rest",
        ],
        [
          "remind me on saturday to run",
          ["At what time of the day?"],
          ["half past eight in the evening"],
          "2026-01-10T19:30 run",
        ],
        ["remind me on saturday to run", ["At what time of the day?"], ["quarter to nine"], "2026-01-10T07:45 run"],
        ["remind me on saturday to run", ["At what time of the day?"], ["quarter to one"], "2026-01-10T11:45 run"],
        ["remind me on saturday to run", ["At what time of the day?"], ["eight thirty pm"], "2026-01-10T19:30 run"],
        [
          "remind me on saturday to run",
          ["At what time of the day?", "At what time of the day?"],
          ["in the morning", "at nine"],
          "2026-01-10T08:00 run",
        ],
        [
          "remind me on saturday to run",
          ["At what time of the day?"],
          ["15:00 in the afternoon"],
          "2026-01-10T14:00 run",
        ],
        ["周六提醒我跑步", ["几点？"], ["上午差一刻九点"], "2026-01-10T07:45 跑步"],
        ["周六提醒我跑步", ["几点？"], ["晚上差一刻十二点"], "2026-01-10T22:45 跑步"],
        ["下周三下午提醒我开会", ["几点？"], ["下午三点"], "2026-01-14T14:00 开会"],
        ["下周三下午提醒我开会", ["几点？"], ["15:00"], "2026-01-14T14:00 开会"],
        ["下周三下午提醒我开会", ["几点？"], ["15点半"], "2026-01-14T14:30 开会"],
        ["周六早上提醒我跑步", ["几点？"], ["早上八点"], "2026-01-10T07:00 跑步"],
        ["明天晚上提醒我休息", ["几点？"], ["晚上十点吧"], "2026-01-06T21:00 休息"],
        ["今晚一点提醒我休息", ["是当天凌晨，还是第二天凌晨？"], ["第二天凌晨"], "2026-01-06T00:00 休息"],
      ] as const,
      3,
    ),
  )("asks what %j leaves open, and takes the answer", async (text, questions, answers, expected) => {
    const t = await open();
    let said = await t.say(text);
    for (const [index, answer] of answers.entries()) {
      expect(said).toBe(questions[index]);
      said = await t.say(answer);
    }
    expect(await made(t)).toBe(expected);
  });

  it.each([
    ["delete all my reminders", "Deleted: 2.", "There are no reminders."],
    ["please cancel my reminders", "Deleted: 2.", "There are no reminders."],
    ["删除我所有的提醒", "已删除 2 个提醒。", "没有提醒。"],
    ["把所有提醒都删掉", "已删除 2 个提醒。", "没有提醒。"],
  ])("deletes all that are one's own on %j", async (text, said, none) => {
    const t = await open();
    await t.assistant.jobs.create({ schedule: "every day at 9am", task: "not mine", user: "memory:7" });
    for (const task of ["run", "eat"]) await t.say(`remind me every weekday at 9 to ${task}`);
    expect(await t.say(text)).toBe(said);
    expect((await t.assistant.jobs.list()).map(({ job }) => job.task)).toEqual(["not mine"]);
    expect(await t.say(text)).toBe(none);
  });

  it("says that a reminder of the configuration stays when all are deleted", async () => {
    const trigger = { name: "standup", schedule: "0 9 * * 1-5", task: "standup", user: "memory:42" };
    const t = await testAssistant({ ...OWNER, model: offlineModel(), scheduler: { triggers: [trigger] } });
    await t.say("remind me every weekday at 9 to run");
    expect(await t.say("delete all my reminders")).toMatch(/^Not all of them could be deleted: /);
    expect((await t.assistant.jobs.list()).map(({ job }) => job.id)).toEqual(["standup"]);
  });

  it("does not say that there are none where there are more than a prompt takes", async () => {
    const t = await open();
    for (let n = 0; n < 80; n++)
      await t.assistant.jobs.create({
        schedule: "every day at 9am",
        task: `Read page ${n} of the long book`,
        user: "memory:42",
      });
    for (const text of ["what are my reminders?", "delete all my reminders", "delete the reminder page 7"])
      expect(await t.say(text)).toBe("There are more reminders than I can read at once. Write /jobs to see them.");
    expect(await t.say("我有哪些提醒？")).toBe("提醒太多，我一次读不完。写 /jobs 可以看到它们。");
    expect(await t.assistant.jobs.list()).toHaveLength(80);
  });

  it("deletes by whole words alone, and says which there are when several fit", async () => {
    const t = await open();
    for (const task of ["brunch with Ann", "lunch with Ann", "run"])
      await t.say(`remind me every weekday at 9 to ${task}`);
    const names = async () => (await t.assistant.jobs.list()).map(({ job }) => job.name);
    expect(await t.say("delete the reminder unch")).toContain("no single reminder");
    const several = await t.say("delete the reminder Ann");
    expect(several).toContain("brunch");
    expect(several).not.toContain("- run");
    expect(await names()).toHaveLength(3);
    await t.say("delete the reminder run");
    expect(await names()).toEqual(["brunch with Ann", "lunch with Ann"]);
    await t.say("delete the reminder brunch");
    expect(await names()).toEqual(["lunch with Ann"]);
  });

  it("knows a reminder by other forms of its words, and the only one without its name", async () => {
    const t = await open();
    await t.say("remind me every weekday at 9 to stand up");
    expect(await t.say("pause that reminder")).toBe("It is paused.");
    expect(await t.say("resume the reminder about standing up")).toContain("It goes on");
    expect(await t.say("暂停这个提醒")).toBe("已暂停。");
    await t.say("remind me every weekday at 10 to take a break");
    expect(await t.say("delete that reminder")).toMatch(/^I found no single reminder "that"/);
    expect(await t.say("delete the reminder about taking a break")).toBe("It is deleted.");
    expect((await t.assistant.jobs.list()).map(({ job }) => job.name)).toEqual(["stand up"]);
  });

  it.each([
    ["remind me tomorrow at 5pm to call Bob", "cancel that", "It is deleted."],
    ["remind me every day at 9 to stretch", "never mind", "It is deleted."],
    ["set a timer for 10 minutes", "cancel it", "It is deleted."],
    ["set a timer for 10 minutes", "delete it", "It is deleted."],
    ["remind me every day at 9 to stretch", "Remove that one again.", "It is deleted."],
    ["明天下午五点提醒我给鲍勃打电话", "取消它", "已删除。"],
    ["明天下午五点提醒我给鲍勃打电话", "删掉这个吧", "已删除。"],
    ["remind me tomorrow at 9am to run\nremind me tomorrow at 10am to eat", "cancel", "It is deleted."],
    ["明天下午五点提醒我给鲍勃打电话", "取消", "已删除。"],
    ["明天下午五点提醒我给鲍勃打电话", "算了", "已删除。"],
  ])("takes back what was just made of %j on %j", async (text, takesBack, said) => {
    const t = await open();
    await t.say("remind me every weekday at 9 of the standup");
    await t.say(text);
    expect(await t.say(takesBack)).toBe(said);
    expect((await t.assistant.jobs.list()).map(({ job }) => job.name)).toEqual(["the standup"]);
  });

  it.each([
    [
      "my goal is to read 12 books",
      "The goal is noted already. To have it removed, say: delete the goal read 12 books",
    ],
    ["remember that I like tea", "I remember it already. To have it forgotten, say: forget I like tea"],
    ["我的目标是跑马拉松", "目标已经记下了。要去掉，请说：删除目标跑马拉松"],
    ["记住我喜欢茶", "已经记住了。要忘掉，请说：忘掉我喜欢茶"],
  ])("says after %j on a cancel that it stays, and how it goes", async (text, said) => {
    const t = await testAssistant({ ...OWNER, memory: { enabled: true }, model: offlineModel() });
    await t.say(text);
    expect(await t.say(/\p{Script=Han}/u.test(text) ? "取消" : "cancel that")).toBe(said);
    const remedy = /(?:say: |请说：)(.+)$/u.exec(said)?.[1] ?? "";
    expect(await t.say(remedy)).toMatch(/^(?:The goal is deleted|Forgotten|目标已删除|已忘掉)/);
    expect((await t.assistant.goals.read({ user: "memory:42" }))?.goals.goals ?? []).toEqual([]);
  });

  it.each([
    [["leave it"], "All right, I leave it."],
    [["what time is it?", "cancel that"], "All right, I leave it."],
    [
      ["what time is it?", "delete it"],
      "I am not sure what is to be deleted. Say it with its name: delete the reminder standup.",
    ],
    [["现在几点？", "删除它"], "要删掉什么？请带上名字：删除提醒站会。"],
  ])("takes nothing back on %j", async (words, last) => {
    const t = await open();
    await t.say("remind me tomorrow at 5pm to call Bob");
    let said = "";
    for (const text of words) said = await t.say(text);
    expect(said).toBe(last);
    expect(await t.assistant.jobs.list()).toHaveLength(1);
  });

  it.each([
    ["pause all reminders", "Paused: 2.", "resume all my reminders", "Resumed: 2."],
    ["pause all", "Paused: 2.", "resume all", "Resumed: 2."],
    ["暂停所有提醒", "已暂停 2 个提醒。", "把全部提醒都恢复", "已恢复 2 个提醒。"],
  ])("does with all reminders what %j says", async (pause, paused, resume, resumed) => {
    const t = await open();
    await t.say("remind me tomorrow at 5pm to call Bob");
    await t.say("remind me every weekday at 9 of the standup");
    const statuses = async () => (await t.assistant.jobs.list()).map(({ job }) => job.status);
    expect(await t.say(pause)).toBe(paused);
    expect(await statuses()).toEqual(["paused", "paused"]);
    expect(await t.say(pause)).toMatch(/call Bob: (?:paused|已暂停)/);
    expect(await t.say(resume)).toBe(resumed);
    expect(await statuses()).toEqual(["active", "active"]);
  });

  it("does something with the only reminder without its name", async () => {
    const t = await open();
    await t.say("remind me tomorrow at 5pm to call Bob");
    expect(await t.say("pause the reminder")).toBe("It is paused.");
    expect(await t.say("resume my reminder")).toContain("It goes on");
    await t.say("remind me tomorrow at 6pm to call Ada");
    expect(await t.say("cancel the reminder")).toMatch(/^I found no single reminder "the"/);
    await t.say("delete the Ada reminder");
    expect(await t.say("cancel my reminder")).toBe("It is deleted.");
    expect(await t.assistant.jobs.list()).toEqual([]);
  });

  it.each([
    ["remind me tomorrow at 9am to run\nremind me tomorrow at 10am to eat"],
    ["明天上午九点提醒我 run\n明天上午十点提醒我 eat"],
  ])("makes one of each line of %j", async (text) => {
    const t = await open();
    await t.say(text);
    expect((await t.assistant.jobs.list()).map(({ job }) => job.task).toSorted()).toEqual(["eat", "run"]);
  });

  it.each([
    ["remind me yesterday at 5pm to call Bob", "That time has passed. Please name a later one."],
    ["remind me today at 8am to stretch", "That time has passed. Please name a later one."],
    ["昨天下午三点提醒我开会", "这个时间已经过去了。请说一个之后的时间。"],
  ])("says of %j that it has passed", async (text, expected) => {
    const t = await open();
    expect(await t.say(text)).toBe(expected);
    expect(await t.assistant.jobs.list()).toEqual([]);
  });

  it.each(["remind me at five past three to call Bob", "remind me to call Bob at five past three"])(
    "takes a time that it cannot read for no part of what is to be done: %j",
    async (text) => {
      const t = await open();
      expect(await t.say(text)).toMatch(/^I am not sure when that is\./);
    },
  );

  it.each(
    wholeOnNode(
      [
        ["remind me at half past 3 to call Bob", "pm", "2026-01-05T14:30 call Bob"],
        ["remind me to call Bob at half past three", "in the afternoon", "2026-01-05T14:30 call Bob"],
        ["half past three remind me to call Bob", "am", "2026-01-06T02:30 call Bob"],
        ["remind me at a quarter to six to leave", "pm", "2026-01-05T16:45 leave"],
        ["at five, remind me to leave", "5pm", "2026-01-05T16:00 leave"],
        ["remind me every day at five to run", "pm", "0 17 * * * run"],
        ["remind me every day at 5 to run", "5 pm", "0 17 * * * run"],
        ["下周三下午提醒我看牙医", "三点半", "2026-01-14T14:30 看牙医"],
        ["remind me every day at 5 to run", "5pm", "0 17 * * * run"],
        ["remind me every day to run", "at 5:30pm please", "30 17 * * * run"],
        ["remind me every day to run", "5 p.m.", "0 17 * * * run"],
        ["每天三点提醒我喝茶", "下午", "0 15 * * * 喝茶"],
        ["remind me every Monday to water the plants", "at 10 am", "0 10 * * 1 water the plants"],
        ["remind me to call Ada", "in 20 minutes", "2026-01-05T08:20 call Ada"],
      ],
      3,
    ),
  )("asks about %j, which can be several times", async (text, answer, expected) => {
    const t = await open();
    expect(await t.say(text)).toMatch(/[?？]$/);
    expect(await t.assistant.jobs.list()).toEqual([]);
    await t.say(answer);
    expect(await made(t)).toBe(expected);
  });

  it("takes an answer to its question also where a notice came between", async () => {
    const t = await open();
    await t.say("remind me in one minute to drink water");
    expect(await t.say("下周三下午提醒我看牙医")).toBe("几点？");
    await until(t.clock, () => t.channel.textsTo("42").some((text) => /drink water/.test(text) && !/will/.test(text)));
    expect(await t.say("三点半")).toContain("看牙医");
    expect((await t.assistant.jobs.list()).map(({ job }) => job.task)).toContain("看牙医");
  });

  it.each(
    wholeOnNode(
      [
        ["set a timer for 10 minutes", "2026-01-05T08:10 the time is up"],
        ["Set a 10 minute timer", "2026-01-05T08:10 the time is up"],
        ["start a timer for an hour", "2026-01-05T09:00 the time is up"],
        ["set an alarm for 7am tomorrow", "2026-01-06T06:00 the alarm that you set"],
        ["set an alarm for tomorrow at 7:30", "2026-01-06T06:30 the alarm that you set"],
        ["set an alarm every weekday at 7am", "0 7 * * 1-5 the alarm that you set"],
        ["wake me up tomorrow at 7am", "2026-01-06T06:00 wake up"],
        ["wake me at noon", "2026-01-05T11:00 wake up"],
        ["定一个十分钟的闹钟", "2026-01-05T08:10 闹钟响了"],
        ["设一个20分钟的计时器", "2026-01-05T08:20 时间到了"],
        ["设个闹钟，明天早上七点", "2026-01-06T06:00 闹钟响了"],
        ["明天早上七点叫我起床", "2026-01-06T06:00 起床"],
      ],
      3,
    ),
  )("rings: %j", async (text, expected) => {
    const t = await open();
    const said = await t.say(text);
    expect([await made(t), said]).toEqual([expected, expect.stringMatching(/2026-\d\d-\d\d \d\d:\d\d/)]);
  });

  it.each([
    ["set a timer for the eggs", "I am not sure when that is"],
    ["wake me up when September ends", "I am not sure when that is"],
    ["定一个鸡蛋的闹钟", "什么时候提醒你？"],
  ])("guesses no time of an alarm: %j", async (text, expected) => {
    const t = await open();
    expect(await t.say(text)).toContain(expected);
    expect(await t.assistant.jobs.list()).toEqual([]);
  });

  it.each([
    ["could you remind me tonight at 8 to take out the bins please", "2026-01-05T19:00 take out the bins"],
    ["过十分钟提醒我关火", "2026-01-05T08:10 关火"],
    ["十分钟后告诉我该走了", "2026-01-05T08:10 该走了"],
    ["remind me every 48 hours to water the plants", "every water the plants"],
    ["每48小时提醒我浇花", "every 浇花"],
  ])("reads %j", async (text, expected) => {
    const t = await open();
    await t.say(text);
    expect(await made(t)).toBe(expected);
  });

  it.each([
    ["remind me every other day at 9am to water the plants", "remind me every 48 hours to water the plants"],
    ["remind me every 3 days at 9am to water the plants", "remind me every Monday, Wednesday and Friday"],
    ["每隔一天早上九点提醒我浇花", "每48小时提醒我浇花"],
  ])("says how some days between are asked for: %j", async (text, expected) => {
    const t = await open();
    expect(await t.say(text)).toContain(expected);
    expect(await t.assistant.jobs.list()).toEqual([]);
  });

  it.each(["remind me on the 15th to pay rent", "please remind me to pay rent on the 15th"])(
    "asks at what time of the day of a month's day: %j",
    async (text) => {
      const t = await open();
      expect(await t.say(text)).toBe("At what time of the day?");
      expect(await t.say("at 9am")).toBe("I will remind you at 2026-01-15 09:00 (Europe/Stockholm): pay rent");
    },
  );

  it("says which one is next", async () => {
    const t = await open();
    expect(await t.say("what's my next reminder?")).toBe("There are no reminders.");
    await t.say("remind me tomorrow at 3pm to call Bob");
    await t.say("remind me in 20 minutes to stretch");
    const next = "2026-01-05 09:20 (Europe/Stockholm)";
    for (const asked of ["what's my next reminder?", "my next reminder?", "how long until my next reminder?"])
      expect(await t.say(asked)).toBe(`Your next reminder is at ${next}: stretch`);
    for (const asked of ["我的下一个提醒是什么？", "我下一个提醒是什么"])
      expect(await t.say(asked)).toBe(`下一个提醒：${next}，stretch`);
  });

  it("tells the owner those of others when they ask for all, and not as their own", async () => {
    const t = await open();
    await t.say("remind me tomorrow at 3pm to call Bob", { from: "7" });
    expect(await t.say("what are my reminders?")).toBe("There are no reminders.");
    expect(await t.say("what's my next reminder?")).toBe("There are no reminders.");
    expect(await t.say("list reminders")).toContain("- call Bob: 2026-01-06 15:00");
  });

  it("counts for the owner what their program, their terminal and they elsewhere made", async () => {
    const t = await testAssistant({ ...OWNER, model: offlineModel(), server: { token: OWNER_TOKEN } });
    await t.assistant.jobs.create({ schedule: "every day at 9am", task: "back up" });
    await t.assistant.jobs.create({ schedule: "every day at 10am", task: "clean up", user: "cli" });
    await t.assistant.jobs.create({ schedule: "every day at 11am", task: "not mine", user: "memory:7" });
    await t.say("remind me tomorrow at 3pm to call Bob");
    const ask = async (text: string) =>
      ((await (await t.call("/messages", { body: { text, session: "page" } })).json()) as { text: string }).text;
    for (const said of [
      await ask("what are my reminders?"),
      await t.say("what are my reminders?"),
      await t.say("/jobs"),
    ]) {
      for (const name of ["back up", "clean up", "call Bob"]) expect(said).toContain(name);
      expect(said).not.toContain("not mine");
    }
    expect(await t.say("what are my reminders?", { from: "7" })).toMatch(/^Reminders:\n- not mine: [^\n]+$/);
  });

  it("deletes a goal, and none that is not the only one of that name", async () => {
    const t = await open();
    for (const goal of ["run a marathon", "run a shop"]) await t.say(`my goal is to ${goal}`);
    const both = "- run a marathon\n- run a shop";
    expect(await t.say("delete my goal to run")).toBe(`I found no single goal "run".\n${both}`);
    expect(await t.say("how are my goals?")).toBe(`Your goals:\n${both}`);
    expect(await t.say("forget my goal to run a marathon")).toBe("The goal is deleted.");
    expect(await t.say("把run a shop的目标删掉")).toBe("目标已删除。");
    expect(await t.say("how are my goals?")).toBe("You have no goals yet.");
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
