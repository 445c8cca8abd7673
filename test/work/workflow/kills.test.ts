import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool, memoryStore } from "../../../mod.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { says } from "../../../src/testing/scripted-model.ts";
import { type TestAssistant, testAssistant } from "../../support/assistant.ts";
import { beginLife, beginLifeUpToApprovedCall } from "../../support/life.ts";
import { sampled } from "../../support/thorough.ts";
import { until } from "../../support/until.ts";

const STEPS = 20;
const STARTED = "the one start";

/** A server elsewhere, which knows an effect by its key: it outlives every process. */
function stub() {
  const calls = new Map<string, number>();
  return {
    calls,
    tool: defineTool({
      description: "Has an effect elsewhere",
      inputSchema: v.looseObject({}),
      execute: (_, { callId }) => {
        calls.set(callId, (calls.get(callId) ?? 0) + 1);
        return { ok: true, key: callId };
      },
    }),
  };
}

/** Tools, prompts, items and a wait, some of them side by side. */
const definition = {
  name: "long",
  steps: Array.from({ length: STEPS }, (_, index) => {
    const id = `s${index}`;
    const needs = index === 0 ? [] : [`s${index - 1 - (index % 3 === 2 ? 1 : 0)}`];
    if (index % 7 === 3) return { id, run: "prompt" as const, prompt: `Say ${index}`, needs };
    if (index === 9) return { id, run: "wait" as const, with: { seconds: 1 }, needs };
    if (index === 12)
      return { id, run: "tool" as const, tool: "effect", with: { n: "${item}" }, for_each: "${inputs.list}", needs };
    return { id, run: "tool" as const, tool: "effect", with: { n: index }, needs };
  }),
};

const expectedKeys = (runId: string) =>
  definition.steps
    .flatMap(({ id, run }, index) => (run !== "tool" ? [] : index === 12 ? [`${id}-0`, `${id}-1`, `${id}-2`] : [id]))
    .map((place) => `${runId}.${place}.1`)
    .toSorted();

/** Lives that each end after so many writes, until the run is done. @returns How many there were. */
async function liveThrough(writes: number) {
  const store = memoryStore();
  const clock = fakeClock();
  const { calls, tool } = stub();
  let lives = 0;
  let runId = "";
  for (; ; lives += 1) {
    if (lives > 2000) throw new Error("It does not come to an end");
    const life = beginLife(store, clock, lives < 400 ? writes : Infinity);
    const t: TestAssistant = await testAssistant({
      life,
      store,
      clock,
      start: false,
      tools: { effect: tool },
      script: () => says("said"),
      queue: { debounceMs: 0 },
      memory: { enabled: false },
    });
    void t.assistant.start().catch(() => undefined);
    void t.assistant.workflows
      .run(definition as never, { id: STARTED, inputs: { list: [1, 2, 3] } })
      .then((run) => (runId = run.runId))
      .catch(() => undefined);
    for (let step = 0; step < 4000 && !life.killed; step += 1) {
      await clock.advance(20);
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (step % 20 === 19 && runId !== "" && (await statusIn(store, runId)) === "done") break;
    }
    if (runId !== "" && (await statusIn(store, runId)) === "done") {
      life.kill();
      return { lives, runId, calls, store };
    }
    life.kill();
  }
}

/** The document is there to be read at every moment. */
async function statusIn(store: ReturnType<typeof memoryStore>, runId: string): Promise<string> {
  const { value } = (await store.get(`workflows/${runId}.json`)) ?? {};
  return (value as { readonly status: string }).status;
}

describe("a workflow of 20 steps whose process is killed in the middle of its writes", () => {
  // A start takes some fifteen writes by itself.
  const samples = sampled(
    Array.from({ length: 6 }, (_, index) => 20 + 3 * index),
    6,
  );
  it.each(samples)("has each step's effect once, with a kill after every %i writes", async (writes) => {
    const { lives, runId, calls } = await liveThrough(writes);
    expect(lives).toBeGreaterThan(2);
    // The same effect may be asked for again after a kill, but always under its key.
    expect([...calls.keys()].toSorted()).toEqual(expectedKeys(runId));
  });
});

it("counts the owner's yes to a step, whatever a kill cut off after it", async () => {
  const store = memoryStore();
  const clock = fakeClock();
  const owner = { ids: ["memory:42"] };
  const life = beginLifeUpToApprovedCall(store, clock);
  const first = await testAssistant({ life, store, clock, owner });
  const steps = [{ id: "a", run: "approve" as const, with: { text: "Go on?" } }];
  const { runId } = await first.assistant.workflows.run({ name: "w", steps });
  await until(clock, async () => (await first.assistant.approvals.list()).length === 1);
  const [asked] = await first.assistant.approvals.list();
  void first.assistant.approvals.answer(asked?.id ?? "", { answer: "once", user: "memory:42" });
  await until(clock, () => life.killed);
  const next = await testAssistant({ store, clock, owner });
  const run = await next.during(next.assistant.workflows.finished(runId));
  expect(run).toMatchObject({ status: "done", output: { approved: true, by: "memory:42" } });
});

describe("a run on a store whose documents take their time", () => {
  it("is not missed by whoever is woken for it", async () => {
    const inner = memoryStore();
    const { calls, tool } = stub();
    const store: typeof inner = {
      ...inner,
      async put(key, value, options) {
        for (let tick = 0; tick < 5; tick += 1) await new Promise((resolve) => setTimeout(resolve, 0));
        return inner.put(key, value, options);
      },
    };
    const t = await testAssistant({ store, tools: { effect: tool } });
    const { runId } = await t.assistant.workflows.run({
      name: "w",
      steps: [
        { id: "a", run: "wait", with: { event: "go" } },
        { id: "b", run: "tool", tool: "effect", needs: ["a"] },
      ],
    });
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).status === "waiting");
    await t.assistant.workflows.signal(runId, "go");
    expect((await t.during(t.assistant.workflows.finished(runId))).status).toBe("done");
    expect([...calls.keys()]).toEqual([`${runId}.b.1`]);
  });
});

describe("a run that is cancelled while something of it begins", () => {
  /** Documents whose text fits wait until they are let go, or for ever. */
  function gated(fits: (key: string, text: string) => boolean) {
    const inner = memoryStore();
    let open = () => {};
    const isOpen = new Promise<void>((resolve) => (open = resolve));
    const gate = { isReached: false, open: () => open() };
    const store: typeof inner = {
      ...inner,
      async put(key, value, options) {
        if (!gate.isReached && fits(key, JSON.stringify(value))) {
          gate.isReached = true;
          await isOpen;
        }
        return inner.put(key, value, options);
      },
    };
    return { inner, store, gate };
  }

  it("takes back a question that a kill left without a step that waits for it", async () => {
    const { inner, store, gate } = gated((key, text) => key.includes("/run-") && text.includes('"wait":{"approval"'));
    const clock = fakeClock();
    const life = beginLife(store, clock);
    const first = await testAssistant({ life, store, clock, owner: { ids: ["memory:42"] } });
    const { runId } = await first.assistant.workflows.run({
      name: "w",
      steps: [{ id: "a", run: "approve", with: { text: "Go on?" } }],
    });
    await until(clock, () => gate.isReached);
    life.kill();
    const t = await testAssistant({ store: inner, clock, start: false, owner: { ids: ["memory:42"] } });
    expect(await t.assistant.approvals.list()).toHaveLength(1);
    await t.assistant.workflows.cancel(runId);
    expect((await t.during(t.assistant.workflows.finished(runId))).status).toBe("cancelled");
    expect(await t.assistant.approvals.list()).toEqual([]);
  });

  it("ends a run that a tool of it was starting", async () => {
    const { store, gate } = gated((key, text) => key.includes("/run-") && text.includes('"name":"child","steps"'));
    const child = { name: "child", steps: [{ id: "a", run: "wait", with: { event: "never" } }] };
    const t = await testAssistant({ store, workflow: { definitions: [child as never] } });
    const { runId } = await t.assistant.workflows.run({
      name: "w",
      steps: [{ id: "a", run: "tool", tool: "workflow_run", with: { name: "child", inputs: {} } }],
    });
    await until(t.clock, () => gate.isReached);
    await t.assistant.workflows.cancel(runId);
    await t.during(t.assistant.workflows.finished(runId));
    gate.open();
    const states = async () => (await t.assistant.workflows.list()).map(({ status }) => status);
    await until(t.clock, async () => (await states()).join(" ") === "cancelled cancelled");
  });
});
