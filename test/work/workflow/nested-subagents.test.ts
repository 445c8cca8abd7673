import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool } from "../../../entry.host.ts";
import type { Subagent } from "../../../src/subagents/index.ts";
import { type ScriptedStep, calls, hangs, says } from "../../../src/testing/scripted-model.ts";
import { testAssistant } from "../../support/assistant.ts";
import { until } from "../../support/until.ts";

const OWNER = "memory:42";

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
  const subagents = async () => {
    const found: Subagent[] = [];
    for await (const { key } of t.store.list("subagents/sa-"))
      found.push((await t.store.get(key))?.value as unknown as Subagent);
    return found.toSorted((one, other) => one.depth - other.depth).map(({ state }) => state);
  };
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
  await t.receive("Begin");
  await until(t.clock, async () => (await t.assistant.approvals.list()).length === 1);
  await t.receive("/stop");
  await until(t.clock, async () => (await t.assistant.approvals.list()).length === 0);
  expect(await subagents()).toEqual(["cancelled", "cancelled"]);
  expect(ran).toEqual([]);
});
