import { describe, expect, it } from "vitest";
import { ask as askWith, assistant, everyTool, offering, ran, user } from "./ask.ts";

/** Questions are asked in words where there is no tool for them. */
const tools = offering(everyTool.filter((name) => name !== "clarify"));
const ask = (prompt: Parameters<typeof askWith>[0]) => askWith(prompt, { tools });

const TEA = { id: "a", content: "I prefer tea", date: "2026-01-05" };
const MILK = { id: "b", content: "I prefer oat milk", date: "2026-01-06" };

describe("the offline model and what is remembered", () => {
  it("tells what it found, with dates, in the language of the question", async () => {
    const output = ran([["memory_recall", { query: "tea" }]], [{ memories: [TEA, MILK] }]);
    expect(await ask([user("what do you know about tea?"), ...output])).toBe(
      "I remember:\n- 2026-01-05: I prefer tea\n- 2026-01-06: I prefer oat milk",
    );
    expect(await ask([user("关于茶你记得什么？"), ...output])).toContain("我记得：\n- 2026-01-05");
    const nothing = ran([["memory_recall", { query: "tea" }]], [{ memories: [] }]);
    expect(await ask([user("what do you know about tea?"), ...nothing])).toBe("I remember nothing about that.");
  });

  it("says that a name goes with the conversation only where there is no memory", async () => {
    expect(await ask("my name is Ada")).toBe("Hello, Ada!");
    expect(await askWith("my name is Ada", { tools: [] })).toBe(
      "Hello, Ada! I know your name as long as this conversation lasts.",
    );
    expect(await ask("我叫小明")).toBe("你好，小明！");
    expect(await askWith("我叫小明", { tools: [] })).toBe("你好，小明！在这段对话里我记得你的名字。");
  });

  it("says what it keeps and what it forgot", async () => {
    const saved = ran([["memory_write", { content: "I prefer tea" }]], [{ saved: true, id: "a" }]);
    expect(await ask([user("remember that I prefer tea"), ...saved])).toBe("I will remember: I prefer tea");
    const gone = ran([["memory_forget", { query: "tea" }]], [{ forgotten: 1, was: TEA }]);
    expect(await ask([user("forget about tea"), ...gone])).toBe("Forgotten: I prefer tea");
    const none = ran([["memory_forget", { query: "tea" }]], [{ forgotten: 0 }]);
    expect(await ask([user("忘掉茶"), ...none])).toBe("我没有记住这方面的内容。");
  });

  it("says how everything is forgotten, what it remembers until then, and not that there is nothing", async () => {
    const found = ran([["memory_recall", { days: 3660, limit: 20 }]], [{ memories: [TEA] }]);
    expect(await ask([user("forget everything you know about me"), ...found])).toMatch(
      /^I have forgotten nothing yet\. I remember:\n- 2026-01-05: I prefer tea\n.*wakeful memory forget --user/,
    );
    expect(await ask([user("忘掉关于我的一切"), ...found])).toMatch(
      /^我还没有忘掉什么。我记得：\n.*\n.*wakeful memory forget/,
    );
    const none = ran([["memory_recall", { days: 3660, limit: 20 }]], [{ memories: [] }]);
    expect(await ask([user("forget me"), ...none])).toMatch(/^I forget one thing at a time: .*wakeful memory forget/);
  });

  describe("when several things fit", () => {
    const several = ran(
      [["memory_forget", { query: "what I prefer" }]],
      [{ forgotten: 0, ask: "?", memories: [TEA, MILK] }],
    );
    const asked = async () => {
      const question = await ask([user("forget about what I prefer"), ...several]);
      return [user("forget about what I prefer"), ...several, assistant(String(question))];
    };

    it("asks which, and forgets that one only", async () => {
      const before = await asked();
      const question = JSON.stringify(before.at(-1));
      expect(question).toContain("1. I prefer tea");
      expect(question).toContain("2. I prefer oat milk");
      const answered = [...before, user("2")];
      expect(await ask(answered)).toEqual([["memory_recall", { query: "what I prefer", limit: 20 }]]);
      const found = ran([["memory_recall", { query: "what I prefer", limit: 20 }]], [{ memories: [TEA, MILK] }]);
      expect(await ask([...answered, ...found])).toEqual([["memory_forget", { ids: ["b"] }]]);
      const gone = ran([["memory_forget", { ids: ["b"] }]], [{ forgotten: 1 }]);
      expect(await ask([...answered, ...found, ...gone])).toBe("Forgotten");
    });

    it.each([
      ["1 and 2", ["a", "b"]],
      ["oat milk", ["b"]],
    ])("takes %j as an answer", async (said, ids) => {
      const answered = [...(await asked()), user(said)];
      const found = ran([["memory_recall", { query: "what I prefer", limit: 20 }]], [{ memories: [TEA, MILK] }]);
      expect(await ask([...answered, ...found])).toEqual([["memory_forget", { ids }]]);
    });

    it("keeps them all when the person does not want that, or means another", async () => {
      expect(await ask([...(await asked()), user("none")])).toBe("All right, I keep them.");
      const found = ran([["memory_recall", { query: "what I prefer", limit: 20 }]], [{ memories: [TEA, MILK] }]);
      expect(await ask([...(await asked()), user("7"), ...found])).toBe(
        "I did not find which one you mean, and kept them all.",
      );
    });
  });

  it.each([
    ["my name is Ada", "Hello, Ada"],
    ["remember my name is Ada", "Hello, Ada"],
    ["forget it", "All right"],
    ["记住，我叫小明", "小明"],
  ])("leaves %j to what it meant before", async (said, expected) => {
    expect(await ask(said)).toContain(expected);
  });

  it.each(["remember", "forget everything", "do you remember it?", "忘了吧"])("calls nothing for %j", async (said) => {
    expect(typeof (await ask(said))).toBe("string");
  });
});
