import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool, memoryStore } from "../../../entry.host.ts";
import type { JsonValue, Store } from "../../../src/store/index.ts";
import type { Subagent } from "../../../src/subagents/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { type ScriptedStep, calls, delayed, hangs, says, scriptedModel } from "../../../src/testing/scripted-model.ts";
import { testAssistant } from "../../support/assistant.ts";
import { type Life, beginLife } from "../../support/life.ts";
import { until } from "../../support/until.ts";

const OWNER = "memory:42";

async function documentsOf(store: Store): Promise<Subagent[]> {
  const found: Subagent[] = [];
  for await (const { key } of store.list("subagents/sa-"))
    found.push((await store.get(key))?.value as unknown as Subagent);
  return found.toSorted((one, other) => one.depth - other.depth);
}

/** A prompt hands a task on to a sub-agent, and that to another one, which does `inner`: its first call of the model, and those after it. */
async function setUp(inner: readonly [ScriptedStep, ScriptedStep]) {
  const ran: string[] = [];
  const pay = defineTool({
    description: "Pays",
    inputSchema: v.object({}),
    execute: (_, { callId }) => (ran.push(callId), "paid"),
    meta: { dangerous: true },
  });
  const t = await testAssistant({
    owner: { ids: [OWNER] },
    session: { ownerMain: false },
    queue: { debounceMs: 0 },
    memory: { enabled: false },
    tools: { pay },
    script(prompt) {
      const asked = JSON.stringify(prompt.findLast(({ role }) => role === "user"));
      const isAnswered = prompt.at(-1)?.role === "tool";
      if (asked.includes("Pay now")) return inner[isAnswered ? 1 : 0];
      if (asked.includes("Have it paid"))
        return isAnswered ? says("handed on") : calls(["subagent", { task: "Pay now" }]);
      return isAnswered ? says("begun") : calls(["subagent", { task: "Have it paid" }]);
    },
  });
  const subagents = async () => (await documentsOf(t.store)).map(({ state }) => state);
  const start = async (budget = {}) => {
    const steps = [
      { id: "a", run: "prompt" as const, prompt: "Begin" },
      { id: "b", run: "wait" as const, with: { event: "go" }, needs: ["a"] },
    ];
    return (await t.assistant.workflows.run({ name: "w", steps, budget }, { user: OWNER })).runId;
  };
  return { t, ran, subagents, start };
}

describe("sub-agents of a run's sub-agents", () => {
  it.each([
    { title: "while it goes on", end: hangs(), before: ["running", "running"], after: ["cancelled", "cancelled"] },
    { title: "and are done", end: says("asked"), before: ["done", "done"], after: ["done", "done"] },
  ])("end with the run, and so does what they asked the owner $title", async ({ end, before, after }) => {
    const { t, ran, subagents, start } = await setUp([calls(["pay", {}]), end]);
    const { workflows, approvals } = t.assistant;
    const runId = await start();
    await until(t.clock, async () => (await approvals.list()).length === 1);
    await t.clock.advance(1000);
    await until(t.clock, async () => (await subagents()).join() === before.join());
    const [asked] = await approvals.list();
    await workflows.cancel(runId);
    expect((await t.during(workflows.finished(runId))).status).toBe("cancelled");
    expect(await subagents()).toEqual(after);
    await until(t.clock, async () => (await approvals.list()).length === 0);
    const late = approvals.answer(asked?.code ?? "", { answer: "once", user: OWNER });
    await expect(late).rejects.toMatchObject({ code: "CONFLICT" });
    expect(ran).toEqual([]);
  });

  it("are ended by the run's seconds, and its summary says so", async () => {
    const { t, subagents, start } = await setUp([hangs(), hangs()]);
    const runId = await start({ maxSeconds: 60 });
    await until(t.clock, async () => (await subagents()).length === 2);
    await t.clock.advance(61_000);
    const run = await t.during(t.assistant.workflows.finished(runId));
    expect(run).toMatchObject({ status: "failed", error: { code: "BUDGET_EXCEEDED" } });
    expect(run.summary).toContain("max_seconds: 60");
    expect(await subagents()).toEqual(["cancelled", "cancelled"]);
  });
});

it("what a sub-agent asked the owner is taken back when /stop ends it", async () => {
  const { t, ran, subagents } = await setUp([calls(["pay", {}]), hangs()]);
  const over: string[] = [];
  t.assistant.events.subscribe("session.ended", ({ sessionId }) => void over.push(sessionId ?? ""));
  await t.receive("Begin");
  await until(t.clock, async () => (await t.assistant.approvals.list()).length === 1);
  await t.receive("/stop");
  await until(t.clock, async () => (await t.assistant.approvals.list()).length === 0);
  expect(await subagents()).toEqual(["cancelled", "cancelled"]);
  expect(ran).toEqual([]);
  // Nothing of them is to come any more.
  const sessions = (await documentsOf(t.store)).map(({ sessionKey }) => sessionKey);
  await until(t.clock, () => sessions.every((one) => over.includes(one)));
});

describe("a run's budget", () => {
  const CALL = 500;
  const prompt = { run: "prompt", prompt: "Begin" } as const;
  const tool = { run: "tool", tool: "subagent", with: { task: "Outer" } } as const;

  /** A step hands a task on to a sub-agent, and that to another one; both then call a tool as long as they may. Each call of the model is 500 tokens. */
  function workers(task: { readonly budget?: number } = {}) {
    const effects = new Set<string>();
    const killed: { life?: Life; atEffect: number } = { atEffect: 2 };
    const work = defineTool({
      description: "Works",
      inputSchema: v.object({}),
      execute: (_, { callId, sessionKey }) => {
        effects.add(`${sessionKey} ${callId}`);
        if (effects.size === killed.atEffect) killed.life?.kill();
        return "worked";
      },
    });
    const clock = fakeClock();
    const model = scriptedModel(
      (messages) => {
        const asked = JSON.stringify(messages.findLast(({ role }) => role === "user"));
        const isAnswered = messages.at(-1)?.role === "tool";
        if (asked.includes("Inner")) return calls(["work", {}]);
        if (asked.includes("Outer")) return isAnswered ? calls(["work", {}]) : calls(["subagent", { task: "Inner" }]);
        return isAnswered ? says("all done") : calls(["subagent", { task: "Outer", ...task }]);
      },
      { clock, record: true, usage: { inputTokens: CALL - 100, outputTokens: 100 } },
    );
    const options = { store: memoryStore(), clock, model, tools: { work }, memory: { enabled: false } };
    return { options, effects, model, killed };
  }

  it.each([
    {
      title: "of tokens, asked for by a prompt",
      step: prompt,
      budget: { maxTokens: 5000 },
      asked: 10,
      called: 10,
      given: [4500, 4000],
    },
    {
      title: "of tokens, as a step",
      step: tool,
      budget: { maxTokens: 5000 },
      asked: 10,
      called: 11,
      given: [5000, 4500],
    },
    // Of five calls two hand on. The model is asked once more, and its sixth call does not begin.
    {
      title: "of calls, asked for by a prompt",
      step: prompt,
      budget: { maxToolCalls: 5 },
      asked: 6,
      called: 6,
      worked: 3,
    },
  ])(
    "$title is that of its sub-agents and of those that they start",
    async ({ step, budget, asked, called, given, worked }) => {
      const { options, effects, model } = workers();
      const t = await testAssistant(options);
      const { runId } = await t.assistant.workflows.run({ name: "w", budget, steps: [{ id: "a", ...step }] });
      const run = await t.during(t.assistant.workflows.finished(runId));
      // A sub-agent that is a step is done with what came of it.
      expect([run.status, run.error?.code]).toEqual(
        step === tool ? ["done", undefined] : ["failed", "BUDGET_EXCEEDED"],
      );
      expect(run.spent).toMatchObject({ tokens: asked * CALL, toolCalls: called });
      expect(model.callCount).toBe(asked);
      // Each had what was left when it was started.
      if (given) expect((await documentsOf(t.store)).map(({ limits }) => limits.maxTokens)).toEqual(given);
      if (worked !== undefined) expect(effects.size).toBe(worked);
    },
  );

  it.each([
    { budget: { maxTokens: 5000 }, used: { tokens: 5000, toolCalls: 10 }, worked: 8 },
    { budget: { maxToolCalls: 5 }, used: { tokens: 3000, toolCalls: 6 }, worked: 3 },
  ])("$budget counts on after a crash", async ({ budget, used, worked }) => {
    const { options, effects, model, killed } = workers();
    const { store, clock } = options;
    const life = beginLife(store, clock);
    killed.life = life;
    const dying = await testAssistant({ ...options, life });
    const { runId } = await dying.assistant.workflows.run({ name: "w", budget, steps: [{ id: "a", ...prompt }] });
    await until(clock, () => life.killed);
    const second = await testAssistant(options);
    const run = await second.during(second.assistant.workflows.finished(runId));
    expect(run).toMatchObject({ status: "failed", error: { code: "BUDGET_EXCEEDED" }, spent: used });
    expect([model.callCount, effects.size]).toEqual([used.tokens / CALL, worked]);
  });

  it("leaves a sub-agent its own, which is smaller", async () => {
    const { options } = workers({ budget: 2000 });
    const t = await testAssistant(options);
    const { runId } = await t.assistant.workflows.run({ name: "w", steps: [{ id: "a", ...prompt }] });
    const run = await t.during(t.assistant.workflows.finished(runId));
    expect(run).toMatchObject({ status: "done", spent: { tokens: 2 * CALL + 2000 + 2000, toolCalls: 9 } });
    const own = { state: "failed", error: { code: "BUDGET_EXCEEDED" }, tokens: 2000, toolCalls: 4 };
    expect(await documentsOf(t.store)).toMatchObject([own, own]);
  });

  it("gives to sub-agents side by side what those that run have not used yet of what they were given", async () => {
    const store = memoryStore();
    const clock = fakeClock();
    const usage = { inputTokens: CALL - 100, outputTokens: 100 };
    const model = scriptedModel(
      (messages) => {
        const text = JSON.stringify(messages.findLast(({ role }) => role === "user"));
        const results = messages.filter(({ role }) => role === "tool").length;
        if (text.includes("First")) return results === 0 ? calls(["time", {}]) : hangs();
        if (text.includes("Second")) return says("done");
        if (results === 0) return calls(["bg_dispatch", { task: "First", budget: 2000 }]);
        return results === 1 ? delayed(1000, calls(["subagent", { task: "Second" }])) : says("all done");
      },
      { clock, usage },
    );
    const t = await testAssistant({ store, clock, model, memory: { enabled: false } });
    const { runId } = await t.assistant.workflows.run({
      name: "w",
      budget: { maxTokens: 6000 },
      steps: [{ id: "a", ...prompt }],
    });
    const run = await t.during(t.assistant.workflows.finished(runId));
    expect(run).toMatchObject({ status: "done", spent: { tokens: 5 * CALL, toolCalls: 3 } });
    const given = (await documentsOf(store)).map(({ task, limits }) => [task, limits.maxTokens]);
    // The prompt has used 1,000, and 2,000 are the other one's.
    expect(Object.fromEntries(given)).toEqual({ First: 2000, Second: 6000 - 2 * CALL - 2000 });
  });

  it("goes on with documents of the version before, whose calls nobody knows", async () => {
    const { options, killed } = workers({ budget: 2000 });
    const { store, clock } = options;
    const life = beginLife(store, clock);
    // The inner one is done, and the outer one calls.
    Object.assign(killed, { life, atEffect: 5 });
    const dying = await testAssistant({ ...options, life });
    const { runId } = await dying.assistant.workflows.run({ name: "w", steps: [{ id: "a", ...prompt }] });
    await until(clock, () => life.killed);
    const inner = (await documentsOf(store)).find(({ depth }) => depth === 2);
    expect(inner).toMatchObject({ state: "failed", toolCalls: 4 });
    const { toolCalls: _calls, ...before } = inner!;
    await store.put(`subagents/${before.id}.json`, before as unknown as JsonValue);
    const second = await testAssistant(options);
    const run = await second.during(second.assistant.workflows.finished(runId));
    expect(run).toMatchObject({ status: "done", spent: { tokens: 2 * CALL + 2000 + 2000, toolCalls: 9 - 4 } });
  });
});
