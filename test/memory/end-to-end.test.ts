import { describe, expect, it } from "vitest";
import { createAssistant, memoryStore } from "../../entry.host.ts";
import { calls, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { THOROUGH, wholeOnNode } from "../support/thorough.ts";
import { DAY_MS, remembering } from "./assistant.ts";

/** Turns between two facts: all that was said is compacted many times over on one runtime, some times on the others. */
const FILLERS = THOROUGH ? 3 : 1;
const LINKED = { session: { identityLinks: { alice: ["telegram:1", "slack:U1"] } } };
const PREFERENCE = "I prefer window seats and I am allergic to peanuts";

describe("a preference told on one channel", () => {
  it("is in the prompt of a question asked next day on another channel of the same person, and in nobody else's", async () => {
    const t = await remembering(LINKED);
    await t.say(PREFERENCE, "telegram:1");
    await t.say("hello there", "telegram:2");
    await t.clock.advance(DAY_MS);
    expect(await t.say("/new", "slack:U1")).toBe("");
    expect(await t.say("Which seat should I book on the train, do I prefer window or aisle?", "slack:U1")).toContain(
      "window seats",
    );
    for (const stranger of ["telegram:2", "slack:U2", "telegram:3"]) {
      const shown = await t.say("Which seat do I prefer, window or aisle? Am I allergic to peanuts?", stranger);
      expect(shown).toContain("allergic to peanuts?");
      expect(shown).not.toContain("window seats");
    }
    const group = await t.say("Which seat does Alice prefer, window or aisle? allergic to peanuts?", "telegram:1", {
      group: "-5",
    });
    expect(group).not.toContain("window seats");
    await t.assistant.stop();
  });

  it("is there after a restart", async () => {
    const t = await remembering(LINKED);
    await t.say(PREFERENCE, "telegram:1");
    await t.assistant.stop();
    const again = await remembering({ ...LINKED, store: t.store, clock: t.clock });
    await again.clock.advance(DAY_MS);
    await again.say("/new", "slack:U1");
    expect(await again.say("Which seat do I prefer on the train?", "slack:U1")).toContain("window seats");
    await again.assistant.stop();
  });

  it("of a group stays in that group", async () => {
    const t = await remembering(LINKED);
    await t.say("We decided that the deploy day is Thursday", "telegram:1", { group: "-5" });
    await t.clock.advance(DAY_MS);
    for (const [user, group] of [
      ["telegram:1", undefined],
      ["telegram:2", undefined],
      ["telegram:1", "-6"],
    ] as const) {
      const shown = await t.say("What did we decide about the deploy day?", user, group === undefined ? {} : { group });
      expect(shown).not.toContain("Thursday");
    }
    await t.say("/new", "telegram:2", { group: "-5" });
    expect(await t.say("What did we decide about the deploy day?", "telegram:2", { group: "-5" })).toContain(
      "Thursday",
    );
    await t.assistant.stop();
  });
});

describe("what was said right before a stop", () => {
  const listed = async (store: ReturnType<typeof memoryStore>) => {
    const { memory } = await createAssistant({ model: scriptedModel(() => says("ok")), store });
    const contents: string[] = [];
    for await (const { content } of memory.list("app:ada")) contents.push(content);
    return contents;
  };

  it("is kept already when the assistant has stopped", async () => {
    const store = memoryStore();
    const assistant = await createAssistant({ model: scriptedModel(() => says("ok")), store });
    await assistant.send({ text: PREFERENCE, user: "app:ada" });
    await assistant.stop();
    expect(await listed(store)).toEqual([PREFERENCE]);
  });

  it("waits for the next start where the store takes nothing, and holds up no stop", async () => {
    const store = memoryStore();
    let isFull = true;
    const put: typeof store.put = (key, ...rest) =>
      isFull && key.startsWith("memory/") ? Promise.reject(new Error("disk full")) : store.put(key, ...rest);
    const full = await createAssistant({ model: scriptedModel(() => says("ok")), store: { ...store, put } });
    await full.send({ text: PREFERENCE, user: "app:ada" });
    await full.stop();
    expect(await listed(store)).toEqual([]);
    isFull = false;
    const again = await createAssistant({ model: scriptedModel(() => says("ok")), store });
    await again.send({ text: "hello", user: "app:ada" });
    await again.stop();
    expect(await listed(store)).toEqual([PREFERENCE]);
  });
});

describe("the memory tools", () => {
  it("keep, find and forget for whoever speaks, whatever the model says", async () => {
    const t = await remembering({
      script: (prompt) => {
        const last = prompt.at(-1);
        const said = JSON.stringify(last?.content ?? "");
        if (last?.role === "tool") return says(`Done: ${said.slice(0, 400)}`);
        if (said.includes("keep it")) return calls(["memory_write", { content: "The gate code is 4711" }]);
        if (said.includes("look it up")) return calls(["memory_recall", { query: "gate code" }]);
        if (said.includes("forget it")) return calls(["memory_forget", { query: "gate code" }]);
        return says("Hm");
      },
    });
    await t.say("keep it", "telegram:1");
    expect(await t.say("look it up", "telegram:1")).toContain("The gate code is 4711");
    expect(await t.say("look it up", "telegram:2")).not.toContain("4711");
    await t.say("forget it", "telegram:2");
    const { memory } = t.assistant;
    expect(await memory.recall({ userId: "telegram:1", text: "gate code" })).not.toHaveLength(0);
    await t.say("forget it", "telegram:1");
    const left = await memory.recall({ userId: "telegram:1", text: "gate code" });
    expect(left.filter(({ entry }) => entry.content === "The gate code is 4711")).toEqual([]);
    await t.assistant.stop();
  });

  it("and everything else of memory are absent when it is off", async () => {
    const t = await remembering({ memory: { enabled: false } });
    await t.say(PREFERENCE, "telegram:1");
    expect(await t.say("Which seat do I prefer?", "telegram:1")).not.toContain("From memory");
    expect(t.assistant.tools.list().map(({ name }) => name)).not.toContain("memory_write");
    await t.assistant.stop();
  });
});

describe("what a compaction takes out of the prompt", () => {
  it("is found by recall or stands in the summary: every planted fact", async () => {
    const planted = [
      ["I prefer oat milk in my coffee", "milk in coffee", "oat milk"],
      ["Please always answer in metric units", "which units to answer in", "metric"],
      ["My dentist is Doctor Halvorsen", "who is my dentist", "Halvorsen"],
      ["We decided to host the site on Fastmail servers", "where do we host the site", "Fastmail"],
      ["I am allergic to penicillin", "what am I allergic to", "penicillin"],
      ["Remember that the alarm code is 9182", "alarm code", "9182"],
      ["My sister's name is Ingrid", "sister's name", "Ingrid"],
      ["From now on call me Captain", "what do you call me", "Captain"],
      ["I decided to take the train to Gothenburg on 14 May", "train to Gothenburg", "14 May"],
      ["Never book meetings before ten", "meetings in the morning", "before ten"],
      ["I will send the report to Malin by Friday", "report to Malin", "Friday"],
      ["I live in Uppsala near the river", "where do I live", "Uppsala"],
      ["My favourite colour is teal", "favourite colour", "teal"],
      ["I hate cilantro", "which herb do I hate", "cilantro"],
      ["The invoice number is INV-20931", "invoice number", "INV-20931"],
      ["我对芒果过敏", "我对什么过敏", "芒果"],
      ["我喜欢坐靠窗的位置", "我喜欢坐什么位置", "靠窗"],
      ["我老板叫王建国", "我老板叫什么", "王建国"],
      ["以后请用中文回答我", "用什么语言回答", "中文"],
      ["我下周三要去上海出差", "去上海出差", "上海"],
    ] as const;
    const facts = wholeOnNode(planted, 2);
    const t = await remembering({
      owner: { ids: ["telegram:1"] },
      context: { historyTokens: 1500, contextWindow: 6000 },
      compaction: { keepLastTurns: 2, summaryTokens: 400 },
      script: () => says(`Fine. ${"Something else was said here as well. ".repeat(6)}`),
    });
    for (const [said] of facts) {
      await t.say(said, "telegram:1");
      for (let turn = 0; turn < FILLERS; turn += 1)
        await t.say(
          `Tell me something about topic ${turn} of the weather, ${"it is grey today ".repeat(8)}`,
          "telegram:1",
        );
    }
    const key = "agent:main:main";
    const summaries = await t.assistant.sessions.summaries(key);
    expect(summaries.length).toBeGreaterThan(3);
    const summary = summaries.at(-1)?.summary ?? "";
    const lost: string[] = [];
    for (const [said, question, answer] of facts) {
      const recalled = await t.assistant.memory.recall({ userId: "@owner", text: question, limit: 5 });
      const found = recalled.some(({ entry }) => entry.content.includes(answer));
      if (!found && !summary.includes(answer)) lost.push(said);
    }
    expect(lost).toEqual([]);
    await t.assistant.stop();
  }, 30_000);
});
