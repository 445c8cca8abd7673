import { describe, expect, it } from "vitest";
import { createEventBus } from "../../src/events/index.ts";
import type { InRecord, OutRecord, Session } from "../../src/session/index.ts";
import { createMetrics, createTracing, silentLogger } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { createAnnouncements } from "../../src/turn/announcements.ts";
import { createBeginnings } from "../../src/turn/beginnings.ts";
import type { Ending } from "../../src/turn/replies.ts";
import { type TurnDeps, createTurns } from "../../src/turn/turn.ts";
import type { Audience, Turn } from "../../src/turn/turn-at-work.ts";

// A turn with fakes of what it is closed over: no store, no model, no assistant.

const KEY = "agent:main:memory:direct:ada";
const MESSAGE: InRecord = {
  v: 1,
  at: 0,
  type: "in",
  id: "m1",
  turn: "t1",
  text: "Good morning",
  user: "memory:ada",
  roles: ["user"],
  channel: "memory",
  account: "default",
  peer: { kind: "direct", id: "ada" },
  sender: { id: "ada" },
};
const START = { kind: "start", batch: [MESSAGE], summarized: [], stopped: false } as const;
const AGENT = { id: "main", models: [], maxSteps: 3, maxTurnSeconds: 60 };

function setUp(given: Partial<TurnDeps> = {}) {
  const clock = fakeClock();
  const events = createEventBus({ clock, metrics: createMetrics(), onFailure: () => {} });
  const told: string[] = [];
  const ended: Ending[] = [];
  const settled: OutRecord[] = [];
  const session = { key: KEY, seq: 1, open: undefined, notes: [], heard: [], history: [], waiting: [] };
  const audience = (turn: Omit<Turn, "audience">, messages: readonly InRecord[]): Audience => ({
    messages,
    newest: messages.at(-1) ?? MESSAGE,
    caller: {
      taskId: turn.id,
      speaker: { ...MESSAGE, sessionKey: KEY, agentId: "main" },
      inTurn: true,
      signal: turn.stop.signal,
    },
    tools: [],
    tell: undefined,
  });
  const out = (error?: OutRecord["error"]): OutRecord => ({
    v: 1,
    at: clock.now(),
    type: "out",
    turn: "t1",
    of: ["m1"],
    text: "",
    silent: false,
    parts: [],
    toolCalls: [],
    usage: { inputTokens: 0, outputTokens: 0 },
    steps: 0,
    ...(error && { error }),
  });
  const turns = createTurns({
    beginnings: createBeginnings({
      files: { keep: async (_, messages) => messages },
      audiences: { of: audience },
      agentOf: () => AGENT,
      contextOptions: () => ({}),
    }),
    presence: {
      enter: () => ({ work: () => void told.push("works"), leave: () => void told.push("left") }),
      claim: (_, ids) => void told.push(`claims ${ids.join(",")}`),
      isAbandoned: () => false,
    },
    announcements: createAnnouncements({
      events,
      life: { begin: async () => {}, rest: () => {} },
      tracing: createTracing({ find: () => undefined, metrics: createMetrics(), logger: silentLogger }),
      clock,
    }),
    prompts: {
      build: async () => (told.push("builds its prompt"), {}) as never, // the steps are fakes, so nothing reads it
      compact: async () => undefined,
    },
    steps: { take: async () => ({ text: "Good morning to you" }) },
    replies: {
      end: async (_, ending) => (ended.push(ending), out(ending.error)),
      fail: async () => out({ code: "FAILED", message: "could not be run" }),
      settle: (_, reply) => void settled.push(reply),
    },
    failureEnding: (_, error) => ({ text: "", error: { code: "FAILED", message: String(error) } }),
    clock,
    logger: silentLogger,
    ...given,
  });
  const run = (stop = new AbortController().signal) => turns.run(session as unknown as Session, START, stop);
  return { run, events, told, ended, settled };
}

describe("createTurns()", () => {
  it("announces the task, then builds the prompt, takes the steps, and ends with their reply", async () => {
    const { run, events, told, ended, settled } = setUp();
    events.subscribe("task.started", ({ payload }) => void told.push(`is told: ${payload.text}`), { name: "listener" });
    await run();
    expect(told).toEqual(["claims m1", "works", "is told: Good morning", "builds its prompt", "left", "left"]);
    expect(ended).toEqual([{ text: "Good morning to you" }]);
    expect(settled.length).toBe(1);
  });

  it("ends with the failure of its steps", async () => {
    const { run, ended } = setUp({ steps: { take: () => Promise.reject(new Error("no model")) } });
    await run();
    expect(ended).toEqual([{ text: "", error: { code: "FAILED", message: "Error: no model" } }]);
  });

  it("leaves the log as it is when the engine stops", async () => {
    const stop = new AbortController();
    const { run, ended, settled } = setUp({
      steps: { take: async () => (stop.abort(new Error("stopping")), Promise.reject(new Error("cut off"))) },
    });
    await expect(run(stop.signal)).rejects.toThrow("cut off");
    expect([ended, settled]).toEqual([[], []]);
  });

  it("fails a turn that cannot even be begun, once", async () => {
    const { run, ended, settled } = setUp({
      beginnings: { open: () => Promise.reject(new RangeError("no messages")) },
    });
    await run();
    expect(ended).toEqual([]);
    expect(settled.map(({ error }) => error?.code)).toEqual(["FAILED"]);
  });
});
