import { describe, expect, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { delayed, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

const MINUTE = 60_000;

async function setUp(options: TestAssistantOptions = {}, { listen = true } = {}) {
  const t = await testAssistant({
    memory: { enabled: false },
    proactive: { patterns: { enabled: false } },
    ...options,
  });
  const { assistant } = t;
  const heard: string[] = [];
  const payloads: unknown[] = [];
  for (const type of listen ? (["session.started", "session.ended", "task.started"] as const) : []) {
    assistant.events.subscribe(
      type,
      ({ sessionId, payload }) => {
        heard.push(`${type} ${sessionId?.split(":").at(-1)}${"reason" in payload ? ` ${payload.reason}` : ""}`);
        if (type === "session.ended") payloads.push(payload);
      },
      { name: "spy" },
    );
  }
  return { ...t, heard, payloads };
}

describe("a session's beginning and end", () => {
  it("begins with its first message only", async () => {
    const { assistant, heard, clock } = await setUp();
    await assistant.send({ text: "one", session: "a" });
    await clock.advance(59 * MINUTE);
    await assistant.send({ text: "two", session: "a" });
    expect(heard).toEqual(["session.started a", "task.started a", "task.started a"]);
  });

  it("ends after an hour of silence, told when it happens and once, and begins anew with the next message", async () => {
    const { assistant, heard, payloads, clock } = await setUp();
    await assistant.send({ text: "one", session: "a" });
    await clock.advance(60 * MINUTE);
    expect(heard.splice(0)).toEqual(["session.started a", "task.started a", "session.ended a idle"]);
    expect(payloads).toEqual([
      {
        user: "sdk",
        channel: "sdk",
        peer: { kind: "direct", id: "a" },
        roles: ["user"],
        account: "default",
        reason: "idle",
      },
    ]);
    await clock.advance(300 * MINUTE);
    await assistant.send({ text: "two", session: "a" });
    expect(heard).toEqual(["session.started a", "task.started a"]);
  });

  it("is kept awake by each turn, with one timer for all sessions", async () => {
    const { assistant, heard, clock } = await setUp({ session: { idleMinutes: 10 } });
    const idleTimers = clock.pending;
    for (const session of ["a", "b", "c"]) {
      await assistant.send({ text: "hi", session });
      await clock.advance(MINUTE);
    }
    expect(clock.pending).toBe(idleTimers + 1);
    await clock.advance(6 * MINUTE);
    await assistant.send({ text: "still here", session: "a" });
    heard.splice(0);
    await clock.advance(2 * MINUTE);
    expect(heard.splice(0)).toEqual(["session.ended b idle"]);
    await clock.advance(MINUTE);
    expect(heard.splice(0)).toEqual(["session.ended c idle"]);
    await clock.advance(6 * MINUTE);
    expect(heard).toEqual([]);
    await clock.advance(MINUTE);
    expect(heard).toEqual(["session.ended a idle"]);
    expect(clock.pending).toBe(idleTimers);
  });

  it("does not end while a turn runs, however long that takes", async () => {
    const clock = fakeClock();
    const model = scriptedModel([says("ok"), delayed(5 * MINUTE, says("slow"))], { clock });
    const { assistant, heard } = await setUp({
      clock,
      model,
      session: { idleMinutes: 2 },
      agent: { maxTurnSeconds: 3600 },
      modelTimeoutMs: 60 * MINUTE,
    });
    await assistant.send({ text: "one", session: "a" });
    await clock.advance(MINUTE);
    const reply = assistant.send({ text: "two", session: "a" });
    await clock.advance(6 * MINUTE);
    await reply;
    expect(heard).toEqual(["session.started a", "task.started a", "task.started a"]);
    await clock.advance(2 * MINUTE);
    expect(heard.at(-1)).toBe("session.ended a idle");
  });

  it("is found to have ended at the next message after a restart, and nothing was written for it", async () => {
    const clock = fakeClock();
    const store = memoryStore();
    const first = await setUp({ clock, store });
    await first.assistant.send({ text: "one", session: "a" });
    const records = await store.lastSeq("sessions/main/sdk:direct:a/log.jsonl");
    await first.assistant.stop();
    await clock.advance(90 * MINUTE);
    expect(first.heard).toEqual(["session.started a", "task.started a"]);
    expect(await store.lastSeq("sessions/main/sdk:direct:a/log.jsonl")).toBe(records);
    const second = await setUp({ clock, store });
    await second.assistant.send({ text: "two", session: "a" });
    expect(second.heard).toEqual(["session.ended a idle", "session.started a", "task.started a"]);
  });

  it("ends when it is removed, and begins anew", async () => {
    const { assistant, heard, payloads, clock } = await setUp();
    await assistant.send({ text: "one", session: "a", user: "telegram:42" });
    const key = "agent:main:sdk:direct:a";
    expect(await assistant.sessions.remove(key)).toBe(true);
    expect(await assistant.sessions.remove(key)).toBe(false);
    expect(payloads).toEqual([
      {
        user: "telegram:42",
        channel: "telegram",
        peer: { kind: "direct", id: "42" },
        roles: ["user"],
        account: "default",
        reason: "removed",
      },
    ]);
    await clock.advance(120 * MINUTE);
    await assistant.send({ text: "two", session: "a" });
    expect(heard).toEqual([
      "session.started a",
      "task.started a",
      "session.ended a removed",
      "session.started a",
      "task.started a",
    ]);
  });

  it("ends once: what silence ended is not ended by its removal", async () => {
    const { assistant, heard, clock } = await setUp();
    await assistant.send({ text: "one", session: "a" });
    await clock.advance(60 * MINUTE);
    await assistant.sessions.remove("agent:main:sdk:direct:a");
    expect(heard.filter((line) => line.startsWith("session.ended"))).toEqual(["session.ended a idle"]);
  });

  it("never ends by silence with idleMinutes 0", async () => {
    const { assistant, heard, clock } = await setUp({ session: { idleMinutes: 0 } });
    await assistant.send({ text: "one", session: "a" });
    await clock.advance(10_000 * MINUTE);
    await assistant.send({ text: "two", session: "a" });
    expect(heard).toEqual(["session.started a", "task.started a", "task.started a"]);
  });

  it("leaves no timer behind when the assistant stops, and sets none without a listener", async () => {
    const listening = await setUp();
    await listening.assistant.send({ text: "one" });
    expect(listening.clock.pending).toBeGreaterThan(0);
    await listening.assistant.stop();
    expect(listening.clock.pending).toBe(0);
    const deaf = await setUp({}, { listen: false });
    const before = deaf.clock.pending;
    await deaf.assistant.send({ text: "one" });
    expect(deaf.clock.pending).toBe(before);
  });
});
