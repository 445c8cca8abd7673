import { describe, expect, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { calls, delayed, fails, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { until } from "../support/until.ts";
import { THOROUGH } from "../support/thorough.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

/** An assistant whose groups it answers when it is named, and what its audit says. */
async function setUp(options: TestAssistantOptions) {
  const t = await testAssistant({
    channel: { access: { dm: "open", groups: "mention" } },
    queue: { debounceMs: 0 },
    ...options,
  });
  return { ...t, audit: () => t.records("audit/") };
}

const OWNER = { owner: { ids: ["memory:42"] } };

describe("commands of a conversation", () => {
  it("say what there is, who somebody is, and what waits", async () => {
    const t = await setUp({ model: scriptedModel(() => says("ok")), ...OWNER });
    expect(await t.say("/help")).toMatch(/\/status[^]*\/new[^]*\/compact[^]*\/queue[^]*\/stop[^]*\/retry/);
    // What Telegram's button Start sends, with or without where it was found.
    for (const start of ["/start", "/start campaign_7"]) expect(await t.say(start)).toBe(await t.say("/help"));
    expect(await t.say("/whoami")).toBe("You are memory:42. Roles: owner, user. This conversation: agent:main:main.");
    await t.say("hello");
    const status = await t.say("/status");
    expect(status).toContain("Model: scripted/scripted");
    expect(status).toMatch(/about \d+ of 32768 tokens, 1 turns/);
    expect(status).toContain("Queue: collect, 0 waiting, idle");
  });

  it("are another bot's where a group hears everything and the assistant was not addressed", async () => {
    const channel = { access: { dm: "open", groups: "always" } } as const;
    const t = await setUp({ model: scriptedModel(() => says("ok"), { record: true }), channel, ...OWNER });
    expect(await t.say("/whoami@other_bot", { group: "g", mentioned: false })).toBe("ok");
    expect(await t.say("/whoami", { group: "g", mentioned: true })).toContain("You are memory:42");
    expect(await t.say("/whoami", { mentioned: false })).toContain("You are memory:42");
  });

  it("say that there is nothing to show of what is not there yet", async () => {
    const t = await setUp({ model: scriptedModel(() => says("ok")), skills: { enabled: false } });
    expect(await t.say("/skills")).toContain("nothing to show in this version");
  });

  it("show what is remembered of whoever asks, and of nobody else", async () => {
    const t = await setUp({ model: scriptedModel(() => says("ok")), ...OWNER });
    const { memory } = t.assistant;
    await memory.save({ userId: "memory:7", content: "Likes oat milk\nin coffee" });
    for (let number = 0; number < 7; number += 1)
      await memory.save({ userId: "@owner", content: `Milk of farm ${number} ${"x".repeat(300)}` });
    await memory.save({ userId: "group:memory:g", content: "The group shares its milk" });
    expect(await t.say("/memory", { from: "7" })).toContain("Remembered here: 1, archived: 0");
    expect(await t.say("/memory milk", { from: "7" })).toBe("2026-01-05  Likes oat milk in coffee");
    const owners = (await t.say("/memory milk")).split("\n");
    expect(owners).toHaveLength(5);
    for (const line of owners) expect(line).toMatch(/^2026-01-05 {2}Milk of farm \d x{185,190}…$/);
    expect(await t.say("/memory user:memory:7 oat")).toBe("I remember nothing like that here.");
    expect(await t.say("/memory milk", { from: "7", group: "g" })).toBe("2026-01-05  The group shares its milk");
    expect(await t.say("/memory 牛奶", { from: "8" })).toBe("这里没有记住类似的内容。");
    expect(await t.audit()).toEqual([]);
  });

  it("are answered in the language of the conversation", async () => {
    const t = await setUp({ model: scriptedModel(() => says("好")) });
    await t.say("你好");
    expect(await t.say("/new")).toContain("新的对话");
  });

  it("are no messages: no model is asked and nothing of them is in the next prompt", async () => {
    const model = scriptedModel(() => says("ok"), { record: true });
    const t = await setUp({ model });
    for (const command of ["/status", "/help", "/queue", "/compact", "/stop"]) await t.say(command);
    expect(model.callCount).toBe(0);
    await t.say("hello");
    expect(JSON.stringify(model.requests[0]!.prompt)).not.toMatch(/\/status|\/compact/);
  });

  it("that do not exist are answered clearly, and written down", async () => {
    const model = scriptedModel(() => says("ok"));
    const t = await setUp({ model });
    for (const text of ["/frobnicate now", "/constructor", "/toString", "/valueof"])
      expect(await t.say(text), text).toMatch(/There is no command \/\w+\. \/help lists them/i);
    expect(model.callCount).toBe(0);
    const lines = (await t.audit()).filter(({ what }) => what === "command");
    expect(lines.map(({ verdict, reason }) => [verdict, reason])).toEqual(
      Array.from({ length: 4 }, () => ["refused", "no such command"]),
    );
  });

  it.each(["/etc/hosts is broken", "/ what", "5/6 of it", "see /help", "//"])("%j is a message", async (text) => {
    const model = scriptedModel(() => says("ok"));
    const t = await setUp({ model });
    expect(await t.say(text)).toBe("ok");
  });

  it("work for programs, too", async () => {
    const t = await setUp({ model: scriptedModel(() => says("ok")) });
    const reply = await t.assistant.send({ text: "/whoami", session: "s" });
    expect(reply.text).toContain("agent:main:sdk:direct:s");
    expect((await t.assistant.send({ text: "/compact", session: "s" })).text).toContain("nothing to summarize");
  });

  it("are answered only so often in a minute", async () => {
    const t = await setUp({ model: scriptedModel(() => says("ok")) });
    for (let number = 0; number < 60; number += 1) await t.receive("/help");
    await t.clock.advance(30_000);
    expect(t.channel.textsTo("42")).toHaveLength(21);
    expect(t.channel.textsTo("42").at(-1)).toContain("more commands than I answer in a minute");
  });

  it("are refused in the language of the conversation when they are too many", async () => {
    const t = await setUp({ model: scriptedModel(() => says("好的")) });
    await t.say("你好，今天怎么样？");
    for (let number = 0; number < 21; number += 1) await t.receive("/help");
    await t.clock.advance(30_000);
    expect(t.channel.textsTo("42").at(-1)).toBe("一分钟内的命令太多了，请稍等一会儿。");
    await t.clock.advance(61_000);
    expect(await t.say("/help")).toContain("/status");
  });

  it("that change a conversation are the owner's in a group", async () => {
    const t = await setUp({ model: scriptedModel(() => says("ok")), ...OWNER });
    for (const command of ["/new", "/compact", "/queue steer", "/retry", "/stop"])
      expect(await t.say(command, { from: "7", group: "g" }), command).toMatch(/Only my owner may use/);
    expect(await t.say("/whoami", { from: "7", group: "g" })).toContain("memory:7");
    expect(await t.say("/new", { from: "42", group: "g" })).toContain("new conversation");
    const refused = (await t.audit()).filter(({ what, verdict }) => what === "command" && verdict === "refused");
    expect(refused).toHaveLength(5);
  });

  it("in a group are not meant for the assistant unless it is addressed", async () => {
    const t = await setUp({ model: scriptedModel(() => says("ok")) });
    await t.receive("/help", { from: "7", group: "g", mentioned: false });
    await t.clock.advance(10_000);
    expect(t.channel.sent).toHaveLength(0);
  });
});

describe("/jobs", () => {
  it("lists the jobs of whoever asks, the next one first, in their zone, and /status counts them", async () => {
    const t = await setUp({
      model: scriptedModel(() => says("ok")),
      users: { "memory:7": { timezone: "Asia/Shanghai" } },
      timezone: "UTC",
      ...OWNER,
    });
    const { jobs } = t.assistant;
    expect(await t.say("/status", { from: "7" })).not.toContain("Jobs");
    expect(await t.say("/jobs", { from: "7" })).toContain("You have no jobs here");
    await jobs.create({ schedule: "30 18 * * *", task: "Water the plants", user: "memory:7" });
    await jobs.create({ schedule: "0 10 * * *", timezone: "UTC", task: "Stand up", user: "memory:7" });
    const { job } = await jobs.create({ schedule: "0 9 * * *", task: "Swim", user: "memory:7" });
    await jobs.pause(job.id);
    await jobs.create({ schedule: "0 9 * * *", task: "Secret of the owner", user: "memory:42" });
    await jobs.create({ schedule: "0 9 * * *", task: "Secret of another", user: "memory:77" });
    expect(await t.say("/jobs", { from: "7" })).toBe(
      [
        "Stand up: 2026-01-05 18:00 (Asia/Shanghai)",
        "Water the plants: 2026-01-05 18:30 (Asia/Shanghai)",
        "Swim: paused",
        "Tell me in your own words to pause, resume or delete one.",
      ].join("\n"),
    );
    expect(await t.say("/status", { from: "7" })).toContain("Jobs: 3, next 2026-01-05 18:00 (Asia/Shanghai)");
    expect(await t.say("/jobs")).toMatch(/^Secret of the owner: [^\n]+\nTell me/);
    expect(await t.audit()).toEqual([]);
  });

  it("lists the jobs of all accounts of one person, in Chinese for whoever writes it", async () => {
    const t = await setUp({
      model: scriptedModel(() => says("好")),
      session: { identityLinks: { ada: ["memory:7", "other:ada"] } },
      timezone: "Asia/Shanghai",
    });
    await t.assistant.jobs.create({ schedule: "0 9 * * *", task: "喝水", user: "other:ada" });
    expect(await t.say("/jobs 看看", { from: "7" })).toBe(
      "喝水：2026-01-06 09:00 (Asia/Shanghai)\n想暂停、恢复或删除某一个，直接告诉我就行。",
    );
  });

  it("shows in a group only what its speaker made there, and ten lines at most", async () => {
    const t = await setUp({
      model: scriptedModel((prompt) => {
        const last = prompt.at(-1);
        const asked = /make (\w+)/.exec(JSON.stringify(last?.content));
        return last?.role === "user" && asked
          ? calls(["scheduler_create", { schedule: "every day at 9:00", task: asked[1] }])
          : says("ok");
      }),
      ...OWNER,
    });
    await t.say("make private", { from: "7" });
    await t.say("make shared", { from: "7", group: "g" });
    await t.say("make others", { from: "8", group: "g" });
    expect(await t.say("/jobs", { from: "7", group: "g" })).toMatch(/^shared: [^\n]+\nTell me/);
    expect(await t.say("/jobs", { from: "7" })).toMatch(/^private: [^\n]+\nshared: [^\n]+\nTell me/);
    for (let number = 0; number < 10; number += 1)
      await t.assistant.jobs.create({ schedule: "0 9 * * *", task: `n${number}`, user: "memory:7" });
    const lines = (await t.say("/jobs", { from: "7" })).split("\n");
    expect(lines).toHaveLength(12);
    expect(lines.at(-2)).toBe("and 2 more");
  });

  it("says that there are none where jobs are switched off", async () => {
    const t = await setUp({ model: scriptedModel(() => says("ok")), scheduler: { enabled: false } });
    expect(await t.say("/jobs")).toContain("You have no jobs here");
  });
});

describe("/model", () => {
  const small = scriptedModel(() => says("small"), { modelId: "small" });
  const large = scriptedModel(() => says("large"), { modelId: "large" });
  const MODELS = { model: [small, large], ...OWNER };

  it("shows the model and those that may be chosen, changes it for this conversation, and takes that back", async () => {
    const t = await setUp(MODELS);
    expect(await t.say("/model")).toBe(
      "Model of this conversation: scripted/small. /model NAME changes it: scripted/small, scripted/large, default.",
    );
    expect(await t.say("/model LARGE")).toBe("From now on I ask scripted/large first in this conversation.");
    expect(await t.say("hello")).toBe("large");
    expect(await t.say("hello", { from: "7" })).toBe("small");
    expect(await t.say("/status")).toContain("Model: scripted/large");
    expect(await t.say("/model default")).toContain("scripted/small first");
    expect(await t.say("hello")).toBe("small");
    const lines = (await t.audit()).filter(({ what, verdict }) => what === "command" && verdict === "ok");
    expect(lines).toHaveLength(3);
  });

  it("holds after a restart and after /new, as the queue mode does", async () => {
    const t = await setUp(MODELS);
    await t.say("/model large");
    const again = await t.restart(MODELS);
    expect(await again.say("hello")).toBe("large");
    await again.say("/new");
    expect(await again.say("hello")).toBe("large");
  });

  it("takes a name that the configuration has, and says the nearest to another one", async () => {
    const t = await setUp(MODELS);
    expect(await t.say("/model scripted/larg")).toBe(
      'There is no model "scripted/larg". Did you mean scripted/large? Write /model and one of scripted/small, scripted/large, default.',
    );
    expect(await t.say("/model other/gpt")).toMatch(/^There is no model "other\/gpt". Write \/model/);
    expect(await t.say("hello")).toBe("small");
  });

  it.each([
    { title: "in a direct chat", writing: { from: "7" } },
    { title: "in a group", writing: { from: "7", group: "g" } },
  ])("is the owner's alone, $title", async ({ writing }) => {
    const t = await setUp(MODELS);
    for (const text of ["/model", "/model large"])
      expect(await t.say(text, writing)).toBe("Only my owner may use /model here.");
    expect(await t.say("hello", writing)).toBe("small");
  });

  it("answers in Chinese where Chinese is spoken", async () => {
    const t = await setUp(MODELS);
    await t.say("你好");
    expect(await t.say("/model large")).toBe("从现在起，这个对话先用 scripted/large。");
  });
});

describe("/new", () => {
  it("begins without what was said before, keeps it in the log, and tells listeners", async () => {
    const model = scriptedModel(() => says("ok"), { record: true });
    const t = await setUp({ model });
    const told: string[] = [];
    t.assistant.events.subscribe("session.ended", ({ payload }) => void told.push(`ended ${payload.reason}`), {
      name: "ended",
    });
    t.assistant.events.subscribe("session.started", () => void told.push("started"), { name: "started" });
    await t.say("the code is 1234");
    await t.say("/new");
    await t.receive("/new", { id: "again" });
    await t.receive("/new", { id: "again" });
    await t.say("hello");
    expect(JSON.stringify(model.requests.at(-1)!.prompt)).not.toContain("1234");
    expect(told).toEqual(["started", "ended new", "started"]);
    const shown = await t.assistant.sessions.show("agent:main:memory:direct:42");
    expect(JSON.stringify(shown)).toContain("1234");
  });

  it("holds after a restart", async () => {
    const store = memoryStore();
    const clock = fakeClock();
    const one = await setUp({ model: scriptedModel(() => says("ok")), store, clock });
    await one.say("the code is 1234");
    await one.say("/new");
    await one.assistant.stop();
    const model = scriptedModel(() => says("ok"), { record: true });
    const two = await setUp({ model, store, clock });
    await two.receive("hello", { id: "later" });
    await until(clock, () => model.callCount === 1);
    expect(JSON.stringify(model.requests[0]!.prompt)).not.toContain("1234");
  });
});

describe("/queue", () => {
  it("says the mode, changes it for this conversation alone, and takes it back", async () => {
    const t = await setUp({ model: scriptedModel(() => says("ok")) });
    expect(await t.say("/queue")).toContain("while I work: collect");
    expect(await t.say("/queue Steer")).toContain("while I work: steer");
    expect(await t.say("/queue")).toContain("steer");
    expect(await t.say("/queue", { from: "7" })).toContain("collect");
    expect(await t.say("/queue fast")).toContain('no mode "fast"');
    expect(await t.say("/queue default")).toContain("while I work: collect");
  });

  it("is remembered after many turns and a restart", async () => {
    const store = memoryStore();
    const clock = fakeClock();
    const one = await setUp({ model: scriptedModel(() => says("ok")), store, clock });
    await one.assistant.send({ text: "/queue interrupt", session: "s" });
    for (let number = 0; number < (THOROUGH ? 300 : 60); number += 1)
      await one.assistant.send({ text: `m${number}`, session: "s" });
    await one.assistant.stop();
    const two = await setUp({ model: scriptedModel(() => says("ok")), store, clock });
    expect((await two.assistant.send({ text: "/queue", session: "s" })).text).toContain("while I work: interrupt");
  });
});

describe("/stop", () => {
  it("ends the turn at once, and what waits with it", async () => {
    const clock = fakeClock();
    const model = scriptedModel((_, call) => (call === 0 ? delayed(60_000, says("never")) : says("next")), { clock });
    const t = await setUp({ model, clock });
    await t.receive("one");
    await until(clock, () => model.callCount === 1, { stepMs: 10 });
    await t.receive("two");
    const startedMs = clock.now();
    expect(await t.say("/stop")).toContain("Stopped");
    await clock.advance(100);
    expect(clock.now() - startedMs).toBeLessThan(5000);
    expect(await t.say("three")).toBe("next");
    expect(model.callCount).toBe(2);
    expect(t.channel.textsTo("42")).not.toContain("never");
  });

  it("counts the call that it cut off", async () => {
    const clock = fakeClock();
    const t = await setUp({ model: scriptedModel(() => delayed(60_000, says("never")), { clock }), clock, ...OWNER });
    expect(await t.say("/status", { from: "7" }), "nobody else's business").not.toContain("in all conversations");
    expect(await t.say("/status")).toContain("in all conversations: 0 tokens");
    await t.receive("one");
    await clock.advance(10);
    await t.say("/stop");
    expect(await t.say("/status")).toMatch(/in all conversations: [1-9]\d* tokens/);
  });

  it("holds when the program dies right after it", async () => {
    const store = memoryStore();
    const clock = fakeClock();
    const one = await setUp({ model: scriptedModel(() => delayed(60_000, says("never")), { clock }), store, clock });
    await one.receive("one");
    await clock.advance(10);
    await one.receive("/stop");
    void one.assistant.stop({ graceMs: 0 });
    const model = scriptedModel(() => says("answered all the same"));
    const two = await setUp({ model, store, clock });
    await clock.advance(10_000);
    expect(model.callCount).toBe(0);
    expect(two.channel.textsTo("42").join()).not.toContain("answered");
  });

  it("is for whoever asked, in a group too", async () => {
    const clock = fakeClock();
    const model = scriptedModel(() => delayed(60_000, says("never")), { clock });
    const t = await setUp({ model, clock, ...OWNER });
    await t.receive("one", { from: "7", group: "g" });
    await until(clock, () => model.callCount === 1, { stepMs: 10 });
    expect(await t.say("/stop", { from: "8", group: "g" })).toContain("Only my owner");
    expect(await t.say("/stop", { from: "7", group: "g" })).toContain("Stopped");
  });
});

describe("/retry", () => {
  it("asks again what failed, once, without the failed try in the prompt", async () => {
    const model = scriptedModel((_, call) => (call < 1 ? fails(new Error("down")) : says("there it is")), {
      record: true,
    });
    const t = await setUp({ model });
    expect(await t.say("what is it?")).toContain("cannot reach a language model");
    expect(await t.say("/retry")).toBe("there it is");
    const prompt = JSON.stringify(model.requests.at(-1)!.prompt);
    expect(prompt.split("what is it?")).toHaveLength(2);
    await t.say("and now?");
    expect(JSON.stringify(model.requests.at(-1)!.prompt).split("what is it?")).toHaveLength(2);
  });

  it("answers a good reply again, and does it once for a command that is delivered twice", async () => {
    let count = 0;
    const t = await setUp({ model: scriptedModel(() => says(`answer ${(count += 1)}`)) });
    await t.say("a");
    await t.receive("/retry", { id: "r" });
    await t.receive("/retry", { id: "r" });
    await t.sent(2);
    await t.clock.advance(10_000);
    expect(t.channel.textsTo("42")).toEqual(["answer 1", "answer 2"]);
  });

  it("has nothing to do in an empty conversation, and waits for one that runs", async () => {
    const clock = fakeClock();
    const t = await setUp({ model: scriptedModel(() => delayed(5000, says("ok")), { clock }), clock });
    expect(await t.say("/retry")).toContain("nothing here to answer again");
    await t.receive("one");
    await clock.advance(10);
    expect(await t.say("/retry")).toContain("still working");
  });
});
