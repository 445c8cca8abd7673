import { describe, expect, it } from "vitest";
import { offlineModel } from "../../adapters/models/offline/index.ts";
import { memoryStore } from "../../entry.host.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

/** It is 5 January 2026. What each of them stated, and when. */
const STATED: Readonly<Record<string, readonly (readonly [day: string, text: string])[]>> = {
  "@owner": [
    ["2025-05-03", "I'm allergic to peanuts."],
    ["2025-06-03", "My sister's name is Anna."],
    ["2025-01-04", "My dentist is Doctor Ada."],
    ["2025-11-04", "My dentist is Doctor Bo now."],
    ["2025-08-20", "I keep my spare key under the flowerpot."],
    ["2026-01-02", "Mum's birthday is on 4 June."],
    ["2025-05-03", "我妹妹叫小芳。"],
    ["2025-06-03", "我对花生过敏。"],
    ["2025-07-03", "我住在上海。"],
  ],
  "memory:43": [["2025-05-03", "I'm allergic to cats."]],
};

async function open(more: Partial<TestAssistantOptions> = {}) {
  const t = await testAssistant({
    owner: { ids: ["memory:42"] },
    queue: { debounceMs: 0 },
    model: offlineModel(),
    ...more,
  });
  for (const [userId, statements] of Object.entries(STATED)) {
    for (const [day, content] of statements)
      await t.assistant.memory.save({
        userId,
        content,
        createdAt: `${day}T10:00:00Z`,
        slots: { type: "statement", kind: "fact", lasting: true },
      });
  }
  return t;
}

describe("an assistant with the offline model, asked about what it remembers of a person", () => {
  it("answers the owner's questions from what was recalled, with the day", async () => {
    const t = await open();
    for (const [question, answer] of [
      [
        "am I allergic to anything?",
        /^Yes\. You are allergic to peanuts\. (?:You said so|I noted that) on 3 May 2025\.$/,
      ],
      ["what's my sister's name?", /^Your sister's name is Anna\. /],
      [
        "who is my dentist?",
        /^Your dentist is Doctor Bo now\. [^\n]*\nAn older memory says otherwise: .*Doctor Ada\.”$/,
      ],
      ["where do I keep my spare key?", /^You keep your spare key under the flowerpot\. /],
      ["when is mum's birthday?", /^Mum's birthday is on 4 June\. .* on 2 January\.$/],
      ["我妹妹叫什么？", /^你妹妹叫小芳。（/],
      ["我对什么过敏？", /^你对花生过敏。（/],
      ["我住在哪里？", /^你住在上海。（/],
      ["what is my shoe size?", /^I do not know/],
      ["我的鞋码是多少？", /^我不知道/],
    ] as const)
      expect(await t.say(question), question).toMatch(answer);
  });

  it("tells each person what they said themselves, and a person of whom nothing is known that", async () => {
    const t = await open();
    expect(await t.say("am I allergic to anything?", { from: "43" })).toMatch(/^Yes\. You are allergic to cats\./);
    expect(await t.say("am I allergic to anything?", { from: "44" })).toMatch(/^I do not know: /);
    expect(await t.say("what do you know about me?", { from: "44" })).toBe("I remember nothing about you yet.");
    const known = await t.say("what do you know about me?");
    expect(known).toMatch(/^This is what I know about you:\n- /);
    expect(known).toContain("You are allergic to peanuts.");
    expect(known).not.toContain("cats");
  });

  it("says that it read what somebody states, and tells it back", async () => {
    const t = await open();
    expect(await t.say("My dentist is Dr. Larsen.", { from: "45" })).toMatch(/^I have read that, and can tell you/);
    expect(await t.say("Who is my dentist?", { from: "45" })).toContain("Dr. Larsen");
    expect(await t.say("我妹妹叫小雨。", { from: "46" })).toMatch(/^我看到了，/);
    expect(await t.say("我妹妹叫什么？", { from: "46" })).toContain("小雨");
    expect(await t.say("Frobnicate the quux", { from: "45" })).toMatch(/^I did not understand that/);
  });

  it("answers from recall alone where the tool is not offered, and does not invent what was not recalled", async () => {
    const t = await open({ context: { excludeTools: ["memory_recall"] } });
    expect(await t.say("am I allergic to peanuts?")).toMatch(
      /^Yes\. You are allergic to peanuts\. You said so on 3 May 2025\.$/,
    );
    const blind = await open({ context: { excludeTools: ["memory_recall"] }, memory: { autoRecall: false } });
    expect(await blind.say("am I allergic to peanuts?")).toBe("I do not know: nothing that I remember says so.");
  });

  it("reads MEMORY.md, and USER.md in the owner's chats alone", async () => {
    const store = memoryStore();
    await store.put("persona/USER.md", "# User\n\nMy shoe size is 44.\n");
    await store.put("memory/@owner/MEMORY.md", "## User Preferences\n\n- My favourite colour is green (2025-12-24)\n");
    const t = await open({ store, memory: { autoRecall: false } });
    expect(await t.say("what is my shoe size?")).toBe("Your shoe size is 44. It stands in USER.md.");
    expect(await t.say("what is my favourite colour?")).toBe(
      "Your favourite colour is green. It stands in MEMORY.md, written on 24 December 2025.",
    );
    expect(await t.say("what is my shoe size?", { from: "43" })).toMatch(/^I do not know/);
  });

  it("knows what was said a moment ago, until that is forgotten", async () => {
    const t = await open();
    await t.say("My brother is called Max.");
    expect(await t.say("what's my brother's name?")).toBe("Your brother is called Max. You said so today.");
    await t.say("actually my brother is called Maxim now");
    expect(await t.say("what's my brother's name?")).toMatch(/^Your brother is called Maxim now\. You said so today\./);
    await t.say("remember that my hamster is called Rex");
    expect(await t.say("what's my hamster's name?")).toMatch(/^Your hamster is called Rex\./);
    expect(await t.say("forget that my hamster is called Rex")).toMatch(/^Forgotten/);
    expect(await t.say("what's my hamster's name?")).toMatch(/^I do not know/);
  });
});
