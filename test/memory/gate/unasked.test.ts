import { describe, expect, it } from "vitest";
import { DAY_MS, remembering } from "../assistant.ts";

const USER = "telegram:1";

describe("what comes into a prompt unasked", () => {
  it("is nothing for small talk and tasks of their own, and who asks is told why", async () => {
    const t = await remembering();
    const closed: (string | undefined)[] = [];
    t.assistant.events.subscribe("proactive.memory.recalled", ({ payload }) => void closed.push(payload.closed), {
      name: "closed",
    });
    await t.assistant.memory.save({ userId: USER, content: "We will write to the landlord about the boiler" });
    await t.assistant.memory.save({ userId: USER, content: "Works at the bank near the harbour" });
    for (const text of ["thanks, please go on", "who wrote Hamlet?", "write a haiku about work", "你是谁？"])
      expect(await t.say(text, USER)).not.toMatch(/landlord|harbour/);
    expect(await t.say("the boiler is leaking again", USER)).toContain("landlord");
    expect(closed.at(-1)).toBeUndefined();
    expect(closed.filter((reason) => reason?.startsWith("no memory shares enough")).length).toBeGreaterThanOrEqual(2);

    const [session] = await t.assistant.sessions.list();
    const asked = { session: session?.key ?? "", text: "write a haiku about work" };
    const { parts } = await t.assistant.explainContext(asked);
    expect(parts.find(({ name }) => name === "memory_recall")).toMatchObject({
      tokens: 0,
      source: expect.stringContaining("no memory shares enough"),
      cut: "left out",
    });
    await t.assistant.stop();
  });

  it("is what they said of themselves, a hundred days and twenty entries later", async () => {
    const t = await remembering();
    await t.say("My dentist is Dr. Larsen", USER);
    for (let day = 0; day < 100; day += 5) {
      await t.clock.advance(5 * DAY_MS);
      await t.assistant.memory.save({ userId: USER, content: `Goal: note ${day} of the garden\nTools: look` });
    }
    await t.assistant.memory.save({ userId: USER, content: "I went to the dentist on Monday" });
    await t.assistant.memory.tidy({ userId: USER });
    await t.say("/new", USER);
    const shown = await t.say("who is my dentist?", USER);
    expect(shown).toContain("My dentist is Dr. Larsen");
    const [first] = await t.assistant.memory.recall({ userId: USER, text: "who is my dentist?" });
    expect(first?.entry.content).toContain("Dr. Larsen");
    await t.assistant.stop();
  });

  it("is what is known of a person who asks for just that", async () => {
    const t = await remembering();
    await t.say("I'm allergic to peanuts", USER);
    await t.say("My sister is called Mei", USER);
    await t.assistant.memory.save({ userId: USER, content: "Goal: weather in Oslo\nTools: look" });
    await t.say("/new", USER);
    for (const text of ["what do you know about me?", "你都知道我什么？"]) {
      const shown = await t.say(text, USER);
      expect(shown).toContain("peanuts");
      expect(shown).toContain("Mei");
      expect(shown).not.toContain("weather in Oslo");
    }
    await t.assistant.stop();
  });

  it.each([
    ["My name is Ada", "what is my name?"],
    ["我叫小明", "你知道我的名字吗"],
  ])("is the name, as %s, of a person who asks %s", async (told, asked) => {
    const t = await remembering();
    const counts: number[] = [];
    t.assistant.events.subscribe("proactive.memory.recalled", ({ payload }) => void counts.push(payload.count));
    await t.say(told, USER);
    await t.say("/new", USER);
    await t.say(asked, USER);
    expect(counts).toEqual([0, 1]);
    await t.assistant.stop();
  });

  it("is what they said last, also before the day's facts are written", async () => {
    const t = await remembering();
    await t.say("I live in Oslo", USER);
    await t.clock.advance(DAY_MS);
    await t.say("I live in Bergen now", USER);
    await t.say("/new", USER);
    expect(await t.say("where do I live?", USER)).toContain("Bergen");
    await t.assistant.stop();
  });
});
