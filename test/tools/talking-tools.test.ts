import { describe, expect, it } from "vitest";
import type { Notice } from "../../src/notice.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { clarifyTool, messageTool, notifyTool, timeTool } from "../../src/tools/index.ts";
import { callTool, contextOf } from "./call-tool.ts";

function recorder() {
  const sent: { text: string; to?: string; callId: string }[] = [];
  const tools = messageTool({
    async send(message, { callId }) {
      sent.push({ ...message, callId });
      return { id: `m${sent.length}` };
    },
  });
  return { sent, tools };
}

const owner = contextOf({ userRoles: ["user", "owner"] });

describe("message", () => {
  it("sends to the chat of the session, once a call", async () => {
    const { sent, tools } = recorder();
    expect(await callTool(tools, "message", { text: "Half done" })).toEqual({ sent: true, id: "m1" });
    expect(sent).toEqual([{ text: "Half done", callId: "turn-1.0.0" }]);
  });

  it("takes the session's own chat by name from anybody", async () => {
    const { sent, tools } = recorder();
    await callTool(tools, "message", { text: "Hi", to: "memory:ada" });
    expect(sent).toEqual([{ text: "Hi", callId: "turn-1.0.0" }]);
  });

  it.each([
    { title: "another person", to: "memory:bob" },
    { title: "the same id on another channel", to: "telegram:ada" },
    { title: "a longer id", to: "memory:ada2" },
    { title: "another case", to: "memory:Ada" },
    { title: "a bare id", to: "bob" },
    { title: "an empty text", to: "" },
  ])("refuses $title to whoever is no owner", async ({ to }) => {
    const { sent, tools } = recorder();
    expect(await callTool(tools, "message", { text: "Hi", to })).toMatchObject({ refused: "FORBIDDEN" });
    expect(sent).toEqual([]);
  });

  it("refuses the private chat of the speaker when the session is a group", async () => {
    const { sent, tools } = recorder();
    const group = contextOf({ chatId: "family", sessionKey: "agent:main:memory:group:family" });
    expect(await callTool(tools, "message", { text: "Hi", to: "memory:ada" }, group)).toMatchObject({
      refused: "FORBIDDEN",
    });
    expect(sent).toEqual([]);
  });

  it("lets an owner write to anybody by channel and id", async () => {
    const { sent, tools } = recorder();
    await callTool(tools, "message", { text: "Hi", to: "telegram:-100:7" }, owner);
    expect(sent).toEqual([{ text: "Hi", to: "telegram:-100:7", callId: "turn-1.0.0" }]);
  });

  it.each(["bob", ":bob", "telegram:", "telegram: ", "tele gram:1"])(
    "tells an owner what an address looks like: %j",
    async (to) => {
      const { sent, tools } = recorder();
      expect(await callTool(tools, "message", { text: "Hi", to }, owner)).toMatchObject({
        refused: "BAD_INPUT",
        message: expect.stringContaining("channel:id") as string,
      });
      expect(sent).toEqual([]);
    },
  );

  it.each([{}, { text: "" }, { text: " \n" }, { text: "a".repeat(20_001) }, { text: "a", from: "b" }])(
    "refuses %j",
    async (input) => {
      expect(await callTool(recorder().tools, "message", input)).toMatchObject({ refused: "BAD_INPUT" });
    },
  );

  it("is of the group ui and not run twice", () => {
    expect(recorder().tools["message"]?.meta).toEqual({ category: "ui" });
  });
});

describe("notify", () => {
  function noticed() {
    const notices: Notice[] = [];
    return { notices, tools: notifyTool({ notify: async (notice) => void notices.push(notice) }) };
  }

  it("speaks to the person of the turn, where they write from, once a call", async () => {
    const { notices, tools } = noticed();
    const target = { channel: "memory", account: "default", chat: "dm-1", thread: "t" };
    const input = { title: "Mail\n from Bob", text: " He is late. " };
    expect(await callTool(tools, "notify", input, contextOf({ target }))).toEqual({ notified: true });
    expect(notices).toEqual([
      {
        id: "turn-1.0.0",
        type: "note",
        requested: true,
        user: "memory:ada",
        text: "**Mail from Bob**\n\nHe is late.",
        sessionKey: "agent:main:memory:direct:ada",
        channel: "memory",
        account: "default",
        chat: "dm-1",
        thread: "t",
      },
    ]);
  });

  it.each([
    ["hold", { notified: true, later: true }],
    ["digest", { notified: true, later: true }],
    ["send", { notified: true }],
    ["drop", { notified: false, reason: "They want to be told less, or it came too late" }],
  ] as const)("says what became of it: %s", async (verdict, output) => {
    const tools = notifyTool({ notify: async () => verdict });
    expect(await callTool(tools, "notify", { text: "He is late." })).toEqual(output);
  });

  it("is unasked in a heartbeat, with how much it matters", async () => {
    const { notices, tools } = noticed();
    await callTool(tools, "notify", { text: "He is late.", priority: 0.9 }, contextOf({ origin: "heartbeat" }));
    expect(notices).toMatchObject([{ type: "heartbeat", priority: 0.9 }]);
    expect(notices[0]).not.toHaveProperty("requested");
  });

  it("finds their direct chat where the turn has no address", async () => {
    const { notices, tools } = noticed();
    await callTool(tools, "notify", { text: "He is late." });
    expect(notices[0]).toMatchObject({ user: "memory:ada", text: "He is late." });
    expect(notices[0]).not.toHaveProperty("chat");
  });

  it.each([
    { user: "memory:bob" },
    { to: "memory:bob" },
    { channel: "telegram" },
    { chat: "7" },
    { text: "" },
    { text: " \n" },
    { text: "a".repeat(20_001) },
    { title: " " },
  ])("takes no address and no empty text, not even from an owner: %j", async (input) => {
    const { notices, tools } = noticed();
    expect(await callTool(tools, "notify", { text: "Hi", ...input }, owner)).toMatchObject({ refused: "BAD_INPUT" });
    expect(notices).toEqual([]);
  });

  it.each(["group", "channel"] as const)("is refused in a %s, where others are", async (peerKind) => {
    const { notices, tools } = noticed();
    const target = { channel: "memory", account: "default", chat: "family" };
    const group = contextOf({ chatId: "family", peerKind, target, sessionKey: `agent:main:memory:${peerKind}:family` });
    expect(await callTool(tools, "notify", { text: "Hi" }, group)).toMatchObject({ refused: "FORBIDDEN" });
    expect(notices).toEqual([]);
  });

  it("is of the group ui, and said again after a crash under the same id", () => {
    expect(noticed().tools["notify"]?.meta).toMatchObject({ category: "ui", idempotent: true });
  });
});

describe("clarify", () => {
  it.each([
    { title: "a question", input: { question: " Which one? " }, reply: "Which one?" },
    { title: "a question with no options given", input: { question: "Which?", options: [] }, reply: "Which?" },
    {
      title: "a question with its options numbered",
      input: { question: "Which day?", options: ["Monday", " Tuesday\n(late) "] },
      reply: "Which day?\n\n1. Monday\n2. Tuesday (late)",
    },
  ])("replies with $title, which ends the turn", async ({ input, reply }) => {
    expect(await callTool(clarifyTool(), "clarify", input)).toMatchObject({ reply, forModel: { asked: true } });
  });

  it.each([
    {},
    { question: " " },
    { question: "a", options: [""] },
    { question: "a", options: [1] },
    { question: "a", options: Array(11).fill("x") },
  ])("refuses %j", async (input) => {
    expect(await callTool(clarifyTool(), "clarify", input)).toMatchObject({ refused: "BAD_INPUT" });
  });
});

describe("time", () => {
  const at = (iso: string, timezone = "Europe/Stockholm") => timeTool({ clock: fakeClock(Date.parse(iso)), timezone });

  it.each([
    {
      title: "the given zone",
      now: "2026-11-21T22:30:05Z",
      input: {},
      time: "2026-11-21T23:30:05+01:00",
      weekday: "Saturday",
    },
    {
      title: "summer time",
      now: "2026-07-01T22:30:00Z",
      input: {},
      time: "2026-07-02T00:30:00+02:00",
      weekday: "Thursday",
    },
    {
      title: "UTC",
      now: "2026-11-21T00:00:00Z",
      input: { timezone: "UTC" },
      time: "2026-11-21T00:00:00+00:00",
      weekday: "Saturday",
    },
    {
      title: "half an hour",
      now: "2026-11-21T23:59:59Z",
      input: { timezone: "Asia/Kolkata" },
      time: "2026-11-22T05:29:59+05:30",
      weekday: "Sunday",
    },
    {
      title: "the west",
      now: "2026-01-01T02:00:00Z",
      input: { timezone: "America/New_York" },
      time: "2025-12-31T21:00:00-05:00",
      weekday: "Wednesday",
    },
  ])("tells $title", async ({ now, input, time, weekday }) => {
    expect(await callTool(at(now), "time", input)).toMatchObject({ time, weekday });
    expect(Date.parse(time)).toBe(Date.parse(now));
  });

  it("asks for the caller's zone when it is given a question", async () => {
    const tools = timeTool({
      clock: fakeClock(0),
      timezone: ({ user }) => (user === "memory:ada" ? "Asia/Tokyo" : "UTC"),
    });
    expect(await callTool(tools, "time", {})).toMatchObject({
      timezone: "Asia/Tokyo",
      time: "1970-01-01T09:00:00+09:00",
    });
    expect(await callTool(tools, "time", {}, contextOf({ user: "memory:bob" }))).toMatchObject({ timezone: "UTC" });
  });

  it.each(["Mars/Olympus", "", "Europe/", "../etc"])("names a valid zone when there is none %j", async (timezone) => {
    expect(await callTool(at("2026-01-01T00:00:00Z"), "time", { timezone })).toMatchObject({
      refused: "BAD_INPUT",
      message: expect.stringContaining("Europe/Stockholm") as string,
    });
  });
});
