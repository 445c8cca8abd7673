import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool, memoryStore } from "../../entry.host.ts";
import type { LogRecord, Store } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { calls, delayed, fails, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { until } from "../support/until.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

const LONG = "long ".repeat(400);

async function setUp(options: TestAssistantOptions) {
  const t = await testAssistant({
    channel: { access: { dm: "open", groups: "mention" } },
    queue: { debounceMs: 0 },
    ...options,
  });
  /** Said in the group, and not to the assistant. */
  const hear = (text: string) => t.receive(text, { from: "7", group: "g", mentioned: false });
  return { ...t, hear };
}

async function recordsOf(store: Store, log = "sessions/main/memory:direct:42/log.jsonl"): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const { record } of store.read(log)) records.push(record);
  return records;
}

describe("/stop", () => {
  it("that is delivered again stops nothing that began since", async () => {
    const clock = fakeClock();
    const model = scriptedModel((_, call) => delayed(call === 0 ? 60_000 : 5000, says(`answer ${call}`)), { clock });
    const t = await setUp({ model, clock });
    await t.receive("one");
    await until(clock, () => model.callCount === 1, { stepMs: 10 });
    await t.receive("/stop", { id: "the-stop" });
    await until(clock, () => t.channel.textsTo("42").length === 1);
    await t.receive("two");
    await until(clock, () => model.callCount === 2, { stepMs: 10 });
    await t.receive("/stop", { id: "the-stop" });
    await until(clock, () => t.channel.textsTo("42").includes("answer 1"));
  });

  it("that had nothing to stop does not stop the next turn when it is delivered again", async () => {
    const clock = fakeClock();
    const model = scriptedModel((_, call) => delayed(5000, says(`answer ${call}`)), { clock });
    const t = await setUp({ model, clock });
    await t.receive("one");
    await until(clock, () => t.channel.textsTo("42").includes("answer 0"));
    await t.receive("/stop", { id: "the-stop" });
    await until(clock, () => t.channel.textsTo("42").length === 2);
    await t.receive("two");
    await until(clock, () => model.callCount === 2, { stepMs: 10 });
    await t.receive("/stop", { id: "the-stop" });
    await until(clock, () => t.channel.textsTo("42").includes("answer 1"));
  });

  it("ends a message that waits while older turns are put into a summary", async () => {
    const clock = fakeClock();
    let slow = false;
    const asked: string[] = [];
    const model = scriptedModel(
      (prompt) => {
        const text = JSON.stringify(prompt.at(-1));
        asked.push(text.includes("do it") ? "do it" : "other");
        return slow ? delayed(40_000, says("written")) : says(`ok ${LONG}`);
      },
      { clock },
    );
    const first = await setUp({ model, clock, context: { historyTokens: 100_000 } });
    for (let turn = 0; turn < 12; turn += 1) await first.assistant.send({ text: `say ${turn}`, session: "s" });
    await first.assistant.stop();
    // From the next start on less fits, so the next message finds a history over its budget.
    const t = await setUp({ model, clock, store: first.store, context: { historyTokens: 2000 } });
    slow = true;
    asked.length = 0;
    const answer = t.assistant.send({ text: "do it", session: "s" });
    await until(clock, () => asked.length === 1, { stepMs: 10 });
    expect(asked).toEqual(["other"]);
    expect((await t.assistant.send({ text: "/stop", session: "s" })).text).toContain("topped");
    const reply = await answer;
    expect(reply.error?.code).toBe("ABORTED");
    expect(asked, "the message itself is never shown to a model").toEqual(["other"]);
  });
});

describe("/new", () => {
  it("while the first model call runs keeps that turn out of the new conversation", async () => {
    const clock = fakeClock();
    const model = scriptedModel((_, call) => (call === 0 ? delayed(5000, says("the old answer")) : says("fresh")), {
      clock,
      record: true,
    });
    const t = await setUp({ model, clock });
    const old = t.assistant.send({ text: "the old question", session: "s" });
    await until(clock, () => model.callCount === 1, { stepMs: 10 });
    await t.assistant.send({ text: "/new", session: "s" });
    await clock.advance(6000);
    expect((await old).text).toBe("the old answer");
    await t.assistant.send({ text: "hello", session: "s" });
    expect(JSON.stringify(model.requests.at(-1)!.prompt)).not.toMatch(/old question|old answer/);
  });

  it("keeps out a turn that failed after it", async () => {
    const clock = fakeClock();
    const model = scriptedModel((_, call) => (call === 0 ? delayed(5000, fails(400)) : says("fresh")), {
      clock,
      record: true,
    });
    const t = await setUp({ model, clock });
    const old = t.assistant.send({ text: "the old question", session: "s" });
    await until(clock, () => model.callCount === 1, { stepMs: 10 });
    await t.assistant.send({ text: "/new", session: "s" });
    await clock.advance(6000);
    expect((await old).error).toBeDefined();
    await t.assistant.send({ text: "hello", session: "s" });
    expect(JSON.stringify(model.requests.at(-1)!.prompt)).not.toMatch(/old question/);
  });

  it.each(["steer", "interrupt"] as const)("what is said after it joins no turn from before it (%s)", async (mode) => {
    const clock = fakeClock();
    let letGo = () => {};
    const wait = defineTool({
      description: "Waits",
      inputSchema: v.object({}),
      execute: () => new Promise<string>((resolve) => (letGo = () => resolve("done"))),
    });
    const model = scriptedModel(
      (_, call) => (call === 0 ? calls(["wait", {}]) : says(call === 1 ? "the old answer" : "fresh")),
      { clock, record: true },
    );
    const t = await setUp({ model, clock, tools: { wait }, queue: { mode } });
    const old = t.assistant.send({ text: "the old question", session: "s" });
    await until(clock, () => model.callCount === 1, { stepMs: 10 });
    await t.assistant.send({ text: "/new", session: "s" });
    const next = t.assistant.send({ text: "hello", session: "s" });
    const log = "sessions/main/sdk:direct:s/log.jsonl";
    await until(clock, async () => (await recordsOf(t.store, log)).filter(({ type }) => type === "in").length === 2);
    letGo();
    expect((await old).text).toBe("the old answer");
    expect((await next).text).toBe("fresh");
    await t.assistant.send({ text: "and?", session: "s" });
    const prompt = JSON.stringify(model.requests.at(-1)!.prompt);
    expect(prompt).toContain("hello");
    expect(prompt).not.toMatch(/old question|old answer/);
  });

  it("ends what its first turn began, and begins once", async () => {
    const clock = fakeClock();
    const model = scriptedModel(() => delayed(5000, says("ok")), { clock });
    const t = await setUp({ model, clock });
    const told: string[] = [];
    t.assistant.events.subscribe("session.started", () => void told.push("started"), { name: "spy" });
    t.assistant.events.subscribe("session.ended", () => void told.push("ended"), { name: "spy" });
    const old = t.assistant.send({ text: "one", session: "s" });
    await until(clock, () => model.callCount === 1, { stepMs: 10 });
    await t.assistant.send({ text: "/new", session: "s" });
    await clock.advance(6000);
    await old;
    const next = t.assistant.send({ text: "two", session: "s" });
    await until(clock, () => model.callCount === 2, { stepMs: 10 });
    await clock.advance(6000);
    await next;
    expect(told).toEqual(["started", "ended", "started"]);
    const again = t.assistant.send({ text: "/retry", session: "s" });
    await until(clock, () => model.callCount === 3, { stepMs: 10 });
    await clock.advance(6000);
    await again;
    expect(told, "a repeated question begins nothing").toEqual(["started", "ended", "started"]);
  });
});

describe("the mode interrupt", () => {
  it("cuts nothing off for a message that cannot join the turn", async () => {
    const clock = fakeClock();
    let aborted = 0;
    let letGo = () => {};
    const slow = defineTool({
      description: "Takes long",
      inputSchema: v.object({}),
      execute: (_input, { signal }) =>
        new Promise<string>((resolve, reject) => {
          letGo = () => resolve("result");
          signal.addEventListener("abort", () => {
            aborted += 1;
            reject(signal.reason);
          });
        }),
    });
    const model = scriptedModel((_, call) => (call === 0 ? calls(["slow", {}]) : says("done")), { clock });
    const t = await setUp({ model, clock, tools: { slow }, queue: { mode: "interrupt" } });
    const first = t.assistant.send({ text: "look", session: "s", user: "sdk:a" });
    await until(clock, () => model.callCount === 1, { stepMs: 10 });
    const command = t.assistant.send({ text: "/compact", session: "s", user: "sdk:a" });
    const other = t.assistant.send({ text: "me too", session: "s", user: "sdk:b" });
    const log = "sessions/main/sdk:direct:s/log.jsonl";
    await until(clock, async () => (await recordsOf(t.store, log)).filter(({ type }) => type === "in").length === 3);
    expect(aborted).toBe(0);
    letGo();
    const replies = await Promise.all([first, command, other]);
    expect(replies[0].toolCalls[0]).toMatchObject({ output: "result" });
    expect(new Set(replies.map(({ turnId }) => turnId)).size).toBe(3);
  });

  it("does not cut off /compact", async () => {
    const clock = fakeClock();
    let slow = false;
    const model = scriptedModel(() => (slow ? delayed(20_000, says("a summary")) : says(`ok ${LONG}`)), { clock });
    const t = await setUp({ model, clock, queue: { mode: "interrupt" }, compaction: { flushTurn: false } });
    for (let turn = 0; turn < 10; turn += 1) await t.assistant.send({ text: `say ${turn}`, session: "s" });
    slow = true;
    const before = model.callCount;
    const compacted = t.assistant.send({ text: "/compact", session: "s" });
    await until(clock, () => model.callCount === before + 1, { stepMs: 10 });
    const next = t.assistant.send({ text: "and now?", session: "s" });
    await until(clock, () => model.callCount === before + 2);
    await clock.advance(30_000);
    expect((await compacted).error).toBeUndefined();
    expect((await compacted).text).toContain("summary");
    expect((await next).text).toBe("a summary");
  });
});

describe("/retry", () => {
  it("of several messages answers each of them, also where each has a turn of its own", async () => {
    const clock = fakeClock();
    const model = scriptedModel((_, call) => (call === 0 ? delayed(1000, says("first")) : says(`answer ${call}`)), {
      clock,
    });
    const t = await setUp({ model, clock });
    await t.receive("zero");
    await until(clock, () => model.callCount === 1, { stepMs: 10 });
    await t.receive("one");
    await t.receive("two");
    await until(clock, () => t.channel.textsTo("42").includes("answer 1"));
    await t.receive("/queue followup");
    await t.receive("/retry");
    await until(clock, () => t.channel.textsTo("42").length === 5);
    expect(t.channel.textsTo("42").slice(-2)).toEqual(["answer 2", "answer 3"]);
    const outs = (await recordsOf(t.store)).filter(({ type }) => type === "out");
    expect(new Set(outs.map(({ turn }) => turn)).size).toBe(outs.length);
  });
});

describe("/retry in a group", () => {
  it("knows what the group had said, and what was edited", async () => {
    const clock = fakeClock();
    const model = scriptedModel((_, call) => says(`answer ${call}`), { clock, record: true });
    const t = await setUp({ model, clock, owner: { ids: ["memory:42"] } });
    await t.hear("lunch is at noon");
    await t.receive("when is lunch?", { group: "g" });
    await until(clock, () => t.channel.textsTo("g").includes("answer 0"));
    await t.receive("/retry", { group: "g" });
    await until(clock, () => t.channel.textsTo("g").includes("answer 1"));
    const prompt = JSON.stringify(model.requests.at(-1)!.prompt);
    expect(prompt).toContain("lunch is at noon");
    expect(prompt).not.toContain("answer 0");
    await t.receive("thanks", { group: "g" });
    await until(clock, () => t.channel.textsTo("g").includes("answer 2"));
    expect(JSON.stringify(model.requests.at(-1)!.prompt).split("lunch is at noon"), "told once").toHaveLength(2);
  });
});

describe("a turn that messages have joined", () => {
  it("ends when nobody waits for it any more", async () => {
    const clock = fakeClock();
    const model = scriptedModel(() => delayed(60_000, says("late")), { clock });
    const t = await setUp({ model, clock, queue: { mode: "interrupt" } });
    const [one, two] = [new AbortController(), new AbortController()];
    const first = t.assistant.send({ text: "one", session: "s", signal: one.signal });
    await until(clock, () => model.callCount === 1, { stepMs: 10 });
    const second = t.assistant.send({ text: "two", session: "s", signal: two.signal });
    await until(clock, () => model.callCount === 2, { stepMs: 10 });
    one.abort();
    two.abort();
    await Promise.all([first, second].map((reply) => expect(reply).rejects.toThrow("abort")));
    const log = "sessions/main/sdk:direct:s/log.jsonl";
    await until(clock, async () => (await recordsOf(t.store, log)).some(({ type }) => type === "out"), { stepMs: 10 });
    const out = (await recordsOf(t.store, log)).find(({ type }) => type === "out");
    expect(out).toMatchObject({ error: { code: "ABORTED" }, silent: true });
    expect(out!["of"]).toHaveLength(2);
  });

  it("answers them too when it cannot be ended as it should be", async () => {
    const clock = fakeClock();
    let letGo = () => {};
    const wait = defineTool({
      description: "Waits",
      inputSchema: v.object({}),
      execute: () => new Promise<string>((resolve) => (letGo = () => resolve("done"))),
    });
    const model = scriptedModel((_, call) => (call < 2 ? calls(["wait", {}]) : says("fine")), { clock });
    const t = await setUp({ model, clock, tools: { wait }, queue: { mode: "steer", debounceMs: 0 } });
    const { limits } = t.channel;
    const ins = async () => (await recordsOf(t.store)).filter(({ type }) => type === "in").length;
    await t.receive("one", { id: "e1" });
    await until(clock, () => model.callCount === 1, { stepMs: 10 });
    await t.receive("two", { id: "e2" });
    await until(clock, async () => (await ins()) === 2, { stepMs: 10 });
    letGo();
    await until(clock, () => model.callCount === 2, { stepMs: 10 });
    let failures = 0;
    Object.defineProperty(t.channel, "limits", {
      get() {
        failures += 1;
        if (failures === 1) throw new TypeError("a channel with a fault");
        return limits;
      },
    });
    letGo();
    await until(clock, async () => (await recordsOf(t.store)).some(({ type }) => type === "out"));
    await clock.advance(5000);
    const outs = (await recordsOf(t.store)).filter(({ type }) => type === "out");
    expect(outs.flatMap(({ of }) => of)).toEqual(["memory:default:e1", "memory:default:e2"]);
    await t.receive("three");
    await until(
      clock,
      async () => (await recordsOf(t.store)).filter(({ type }) => type === "out").length > outs.length,
    );
  });

  it("ends at its next step when it was stopped in another process", async () => {
    const clock = fakeClock();
    let letGo = () => {};
    const wait = defineTool({
      description: "Waits",
      inputSchema: v.object({}),
      execute: () => new Promise<string>((resolve) => (letGo = () => resolve("done"))),
    });
    const model = scriptedModel(() => calls(["wait", {}]), { clock });
    const store = memoryStore();
    const one = await setUp({ model, clock, store, tools: { wait } });
    const answer = one.assistant.send({ text: "work", session: "s" });
    await until(clock, () => model.callCount === 1, { stepMs: 10 });
    // Only written: the process that obeys the command does not take the turn from the one that runs it.
    await store.append("sessions/main/sdk:direct:s/log.jsonl", { v: 1, at: 0, type: "stop", by: "sdk:x" });
    letGo();
    expect((await answer).error?.code).toBe("ABORTED");
    expect(model.callCount).toBe(1);
  });
});
