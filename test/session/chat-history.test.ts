import { describe, expect, it } from "vitest";
import { KEY, groupChat } from "./group-chat.ts";

describe("createChatHistory()", () => {
  it("gives what people and the assistant said, the newest page first, also before /new", async () => {
    const t = groupChat();
    await t.hears("1");
    await t.asks("2");
    await t.answers("2");
    await t.resets();
    await t.asks("3", "8");
    await t.answers("3");
    expect(await t.page(KEY, { limit: 2, isSeen: () => true })).toMatchObject({
      messages: [
        { from: "memory:8", text: "asked 3" },
        { from: "assistant", text: "answered 3" },
      ],
      nextBefore: 5,
    });
    expect(await t.page(KEY, { limit: 2, before: 5, isSeen: () => true })).toMatchObject({
      messages: [{ text: "asked 2" }, { text: "answered 2" }],
      nextBefore: 2,
    });
    expect(await t.page(KEY, { limit: 2, before: 2, isSeen: () => true })).toEqual({
      messages: [{ seq: 1, atMs: expect.any(Number), from: "memory:7", text: "heard 1" }],
    });
    expect(await t.page(KEY, { limit: 2, before: 1, isSeen: () => true })).toEqual({ messages: [] });
    expect(await t.page("agent:main:memory:group:other", { limit: 2, isSeen: () => true })).toEqual({ messages: [] });
  });

  it("leaves out what the runtime itself put there, silence, and what was asked again", async () => {
    const t = groupChat();
    await t.asks("job", "7", { source: "job water", origin: "job" });
    await t.answers("job", "Drink water");
    await t.asks("compact", "7", { command: "compact" });
    await t.asks("1");
    await t.answers("1", "");
    await t.asks("again", "7", { retries: "turn-1" });
    await t.answers("again");
    await t.sessions.addNote(KEY, { source: "runtime", text: "a note" });
    expect((await t.all(50)).texts).toEqual(["Drink water", "asked 1", "answered again"]);
  });

  it("gives a message as it reads by now, and none that its writer deleted, whatever page it is on", async () => {
    const t = groupChat();
    await t.hears("1");
    await t.asks("2");
    await t.answers("2");
    await t.asks("3");
    await t.hears("4");
    await t.asks("5", "8");
    await t.changes("1", "heard one");
    await t.changes("2", "asked two", { changedAtMs: 2 });
    await t.changes("2", "asked too early", { changedAtMs: 1 });
    await t.changes("3", "", { change: "deleted" });
    await t.changes("4", "", { change: "deleted" });
    await t.changes("5", "not the writer's", { user: "memory:7" });
    for (const limit of [1, 2, 50])
      expect((await t.all(limit)).texts).toEqual(["heard one", "asked two", "answered 2", "asked 5"]);
  });

  it("takes two accounts' messages of one number in a direct chat for two", async () => {
    const t = groupChat();
    const direct = { peer: { kind: "direct", id: "7" } };
    await t.asks("1", "7", direct);
    await t.asks("2", "7", { ...direct, account: "other", messageId: "m1" });
    await t.changes("1", "asked one", direct);
    expect((await t.all(50)).texts).toEqual(["asked one", "asked 2"]);
  });

  it("reads a part of a long log at a time, also where nothing was said", async () => {
    const t = groupChat();
    await t.asks("first");
    for (let n = 0; n < 5000; n += 1) await t.sessions.addNote(KEY, { source: "runtime", text: "x" });
    const { texts, pages } = await t.all(20);
    expect(texts).toEqual(["asked first"]);
    expect(pages).toBe(2);
  });
});
