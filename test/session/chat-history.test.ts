import { describe, expect, it } from "vitest";
import { memoryStore } from "../../src/store/index.ts";
import { createChatHistory, createSessions } from "../../src/session/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

const KEY = "agent:main:memory:group:g";
const usage = { inputTokens: 0, outputTokens: 0 };

function setUp() {
  const clock = fakeClock();
  const sessions = createSessions({ store: memoryStore(), clock });
  const page = createChatHistory({ sessions });
  const by = (user: string) => ({ user: `memory:${user}`, sender: { id: user } });
  return {
    sessions,
    page,
    hears: (id: string, user = "7") => sessions.append(KEY, { type: "heard", id, text: `heard ${id}`, ...by(user) }),
    asks: (id: string, user = "7", more = {}) =>
      sessions.append(KEY, {
        type: "in",
        id,
        turn: `turn-${id}`,
        text: `asked ${id}`,
        ...by(user),
        channel: "memory",
        account: "default",
        peer: { kind: "group", id: "g" },
        roles: ["user"],
        ...more,
      }),
    answers: (id: string, text = `answered ${id}`) =>
      sessions.append(KEY, {
        type: "out",
        turn: `turn-${id}`,
        of: [id],
        text,
        silent: text === "",
        parts: [],
        toolCalls: [],
        usage,
        steps: 1,
      }),
    resets: () => sessions.append(KEY, { type: "reset", by: "memory:7" }),
    async all(limit: number, isSeen = (_message: { readonly user: string }) => true) {
      const texts: string[] = [];
      let pages = 0;
      for (let before: number | undefined; ; pages += 1) {
        const { messages, nextBefore } = await page(KEY, { before, limit, isSeen });
        expect(messages.length).toBeLessThanOrEqual(limit);
        texts.unshift(...messages.map(({ text }) => text));
        if (nextBefore === undefined) return { texts, pages: pages + 1 };
        expect(nextBefore).toBeLessThan(before ?? Infinity);
        before = nextBefore;
      }
    },
  };
}

describe("createChatHistory()", () => {
  it("gives what people and the assistant said, the newest page first, also before /new", async () => {
    const t = setUp();
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
    const t = setUp();
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

  it("gives each message once, whatever the page and however long the log", async () => {
    const t = setUp();
    const said: string[] = [];
    for (let n = 0; n < 500; n += 1) {
      await t.asks(`${n}`, n % 3 === 0 ? "7" : "8");
      for (let filler = 0; filler < 4; filler += 1) await t.sessions.addNote(KEY, { source: "runtime", text: "x" });
      await t.answers(`${n}`);
      said.push(`asked ${n}`, `answered ${n}`);
    }
    for (const limit of [1, 7, 50, 999, 1000]) expect((await t.all(limit)).texts).toEqual(said);
    const ofOne = said.filter((text) => Number(text.split(" ")[1]) % 3 === 0);
    expect((await t.all(50, ({ user }) => user === "memory:7")).texts).toEqual(ofOne);
  });

  it("reads a part of a long log at a time, also where nothing was said", async () => {
    const t = setUp();
    await t.asks("first");
    for (let n = 0; n < 5000; n += 1) await t.sessions.addNote(KEY, { source: "runtime", text: "x" });
    const { texts, pages } = await t.all(20);
    expect(texts).toEqual(["asked first"]);
    expect(pages).toBe(2);
  });
});
