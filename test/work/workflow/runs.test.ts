import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { embeddedEngine } from "../../../adapters/engines/embedded/index.ts";
import type { Engine, Store } from "../../../kit.ts";
import { defineTool, memoryStore } from "../../../mod.ts";
import { ChannelSendError } from "../../../src/channel.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { inMemoryChannel } from "../../../src/testing/in-memory-channel.ts";
import { calls, fails, hangs, says } from "../../../src/testing/scripted-model.ts";
import { OWNER_TOKEN, testAssistant } from "../../support/assistant.ts";
import { beginLife } from "../../support/life.ts";
import { until } from "../../support/until.ts";

/** A tool that remembers the key of each effect. */
function effects() {
  const keys: string[] = [];
  const tool = defineTool({
    description: "Has an effect",
    inputSchema: v.looseObject({ value: v.optional(v.unknown()) }),
    execute: ({ value }, { callId }) => {
      keys.push(callId);
      return { value: value ?? null, list: [1, 2, 3], name: "ada" };
    },
  });
  return { keys, tool };
}

describe("a run of a workflow", () => {
  it("does steps in order, hands values on, and gives the last one's output", async () => {
    const { keys, tool } = effects();
    const t = await testAssistant({ tools: { effect: tool } });
    const { runId } = await t.assistant.workflows.run(
      {
        name: "chain",
        steps: [
          { id: "a", run: "tool", tool: "effect", with: { value: "${inputs.topic}" } },
          { id: "b", run: "tool", tool: "effect", with: { value: "${steps.a.output.list}" } },
          {
            id: "c",
            run: "tool",
            tool: "effect",
            with: { value: "of ${steps.a.output.name}: ${steps.b.output.value[1]}" },
          },
        ],
      },
      { inputs: { topic: "tea" } },
    );
    const run = await t.during(t.assistant.workflows.finished(runId));
    expect(run).toMatchObject({ status: "done", progress: { done: 3, total: 3 }, output: { value: "of ada: 2" } });
    expect(run.steps.map(({ status, attempt }) => [status, attempt])).toEqual([
      ["done", 1],
      ["done", 1],
      ["done", 1],
    ]);
    expect(keys).toEqual([`${runId}.a.1`, `${runId}.b.1`, `${runId}.c.1`]);
    expect(run.steps[1]?.needs).toEqual(["a"]);
    expect(run.spent).toMatchObject({ toolCalls: 3, tokens: 0 });
  });

  it("says of each step what it does, with what is known of it filled in", async () => {
    const t = await testAssistant();
    const { runId } = await t.assistant.workflows.run(
      {
        name: "report",
        inputs: { days: { type: "number", default: 7 }, style: { type: "string", required: false } },
        steps: [
          { id: "a", run: "wait", with: { days: "${inputs.days}" } },
          {
            id: "b",
            run: "approve",
            with: { text: "Report ${inputs.days} days ($${inputs.days})${inputs.style}?" },
            needs: ["a"],
          },
          { id: "c", run: "prompt", prompt: "${run.name}: sum up ${steps.a.output.waited}", needs: ["b"] },
        ],
      },
      {},
    );
    const { steps } = await t.assistant.workflows.get(runId);
    expect(steps.map(({ what }) => what)).toEqual([
      "days 7",
      "Report 7 days (${inputs.days})?",
      "report: sum up ${steps.a.output.waited}",
    ]);
  });

  it("says what a step does with what those before it gave, once they gave it", async () => {
    const t = await testAssistant({ script: () => says("green tea") });
    const text = "Buy ${steps.a.output}?";
    const { runId } = await t.assistant.workflows.run(
      {
        name: "buy",
        steps: [
          { id: "a", run: "prompt", prompt: "What is to be bought?" },
          { id: "b", run: "wait", with: { days: 1 }, needs: ["a"] },
          { id: "c", run: "approve", with: { text }, needs: ["b"] },
          { id: "d", run: "prompt", prompt: "How much?", forEach: "${inputs.shops}" },
          { id: "e", run: "approve", with: { text: "Pay ${steps.d.output}?" }, needs: ["b"] },
        ],
      },
      { inputs: { shops: ["A", "B"] } },
    );
    const whatOf = async () => (await t.assistant.workflows.get(runId)).steps.map(({ what }) => what);
    const asked = "Pay ${steps.d.output}?";
    expect(await whatOf()).toEqual(["What is to be bought?", "days 1", text, "How much?", asked]);
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).progress.done === 2);
    expect(await whatOf()).toEqual([
      "What is to be bought?",
      "days 1",
      "Buy green tea?",
      "How much?",
      'Pay ["green tea","green tea"]?',
    ]);
  });

  it("that a stop leaves for the next start is not waited for any more", async () => {
    const t = await testAssistant();
    const definition = { name: "long", steps: [{ id: "a", run: "wait", with: { days: 1 } }] } as const;
    const { runId } = await t.assistant.workflows.run(definition);
    const finished = expect(t.assistant.workflows.finished(runId)).rejects.toMatchObject({ code: "STOPPED" });
    await t.during(t.assistant.stop({ graceMs: 10 }));
    await finished;
  });

  it("is begun without reading again those that ended before, but for what was changed of them", async () => {
    const store = memoryStore();
    const get = store.get.bind(store);
    const read: string[] = [];
    store.get = (key) => {
      read.push(key);
      return get(key);
    };
    const t = await testAssistant({ store });
    const begin = async (days: number) => {
      const steps = [{ id: "a", run: "wait", with: { days } }] as const;
      return (await t.assistant.workflows.run({ name: "wait", steps })).runId;
    };
    const ended: string[] = [];
    for (let count = 0; count < 10; count += 1) {
      const runId = await begin(0);
      await t.during(t.assistant.workflows.finished(runId));
      ended.push(runId);
    }
    const live = await begin(1);
    const keyOf = (runId = "") => `workflows/${runId}.json`;
    read.length = 0;
    await begin(1);
    expect(ended.filter((runId) => read.includes(keyOf(runId)))).toEqual([]);
    expect(read).toContain(keyOf(live));

    // Other hands let one go on: it counts again, among the 20 that may.
    const [first] = ended;
    const kept = await get(keyOf(first));
    await store.put(keyOf(first), { ...(kept?.value as object), status: "waiting" });
    for (let count = 3; count < 20; count += 1) await begin(1);
    await expect(begin(1)).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  it("is begun and listed also where the document of another cannot be read", async () => {
    const t = await testAssistant();
    await t.store.put("workflows/run-01ke6js7x408a15y6paqwx2kpx.json", { v: 1 });
    const steps = [{ id: "a", run: "wait", with: { seconds: 0 } }] as const;
    const { runId } = await t.assistant.workflows.run({ name: "wait", steps });
    expect((await t.assistant.workflows.list()).map(({ id }) => id)).toEqual([runId]);
    await expect(t.assistant.workflows.get("run-01ke6js7x408a15y6paqwx2kpx")).rejects.toThrow(
      "it was damaged or changed by hand",
    );
  });

  it("takes events only up to what its document may hold, of one name the newest", async () => {
    const t = await testAssistant();
    const steps = [{ id: "a", run: "wait", with: { event: "paid" } }] as const;
    const { runId } = await t.assistant.workflows.run({ name: "wait", steps });
    const part = "x".repeat(100_000);
    for (const event of ["a", "b", "b"]) await t.assistant.workflows.signal(runId, event, part);
    const more = t.assistant.workflows.signal(runId, "c", part);
    await expect(more).rejects.toMatchObject({ code: "OPTION_INVALID" });
    const circle: Record<string, never> = {};
    Object.assign(circle, { circle });
    const none = t.assistant.workflows.signal(runId, "paid", circle);
    await expect(none).rejects.toThrow("Invalid data of the event: expected values that JSON can represent");
    await t.assistant.workflows.signal(runId, "paid", { by: "bo" });
    expect(await t.during(t.assistant.workflows.finished(runId))).toMatchObject({
      status: "done",
      output: { by: "bo" },
    });
  });

  it("asks a model in a conversation of its own", async () => {
    const t = await testAssistant({
      modelInfo: { "scripted/scripted": { price: { input: 1, output: 2 } } },
      script: (prompt) => says(`heard: ${JSON.stringify(prompt.at(-1)?.content).includes("tea") ? "tea" : "nothing"}`),
    });
    const { runId } = await t.assistant.workflows.run(
      {
        name: "ask",
        steps: [{ id: "write", run: "prompt", prompt: "Write about ${inputs.topic}" }],
      },
      { inputs: { topic: "tea" } },
    );
    const run = await t.during(t.assistant.workflows.finished(runId));
    expect(run).toMatchObject({ status: "done", output: "heard: tea" });
    // 10 tokens in and 5 out.
    expect(run.spent).toMatchObject({ tokens: 15, cost: (10 * 1 + 5 * 2) / 1_000_000 });
    expect(run.steps[0]?.tokens).toBe(15);
  });
});

describe("a step", () => {
  it("may be called as what every object has, and has its key", async () => {
    const { keys, tool } = effects();
    const t = await testAssistant({ tools: { effect: tool } });
    const { runId } = await t.assistant.workflows.run({
      name: "w",
      steps: [{ id: "constructor", run: "tool", tool: "effect" }],
    });
    expect((await t.during(t.assistant.workflows.finished(runId))).status).toBe("done");
    expect(keys).toEqual([`${runId}.constructor.1`]);
  });
});

describe("a prompt with a model that there is not", () => {
  it("fails, and asks no other", async () => {
    const t = await testAssistant();
    const steps = [{ id: "a", run: "prompt" as const, prompt: "Hello", model: "other/one" }];
    const { runId } = await t.assistant.workflows.run({ name: "w", steps });
    const view = await t.during(t.assistant.workflows.finished(runId));
    expect(view.error?.message).toBe(
      'The step a failed: model: there is no model "other/one": expected scripted/scripted',
    );
    expect(t.model.callCount).toBe(0);
  });
});

describe("what a step may do", () => {
  const run = async (t: Awaited<ReturnType<typeof testAssistant>>, steps: readonly unknown[], more: object = {}) => {
    const { runId } = await t.assistant.workflows.run({ name: "w", steps, ...more } as never);
    return t.during(t.assistant.workflows.finished(runId));
  };
  const states = (view: { readonly steps: readonly { readonly id: string; readonly status: string }[] }) =>
    Object.fromEntries(view.steps.map(({ id, status }) => [id, status]));

  /** Fails so often, then works. */
  function flaky(times: number) {
    const keys: string[] = [];
    const tool = defineTool({
      description: "Fails at first",
      inputSchema: v.looseObject({}),
      execute: (_, { callId }) => {
        keys.push(callId);
        if (keys.length <= times) throw new Error("not now");
        return "fine";
      },
    });
    return { keys, tool };
  }

  it("is tried again after a pause, under a key of its own", async () => {
    const { keys, tool } = flaky(2);
    const t = await testAssistant({ tools: { flaky: tool } });
    const { runId } = await t.assistant.workflows.run({
      name: "w",
      steps: [{ id: "a", run: "tool", tool: "flaky", retry: { max: 2, backoffSeconds: 30 } }],
    });
    await until(t.clock, () => keys.length === 1);
    expect((await t.assistant.workflows.get(runId)).steps[0]).toMatchObject({ status: "pending", attempt: 1 });
    await t.clock.advance(30_000);
    await until(t.clock, () => keys.length === 2);
    await t.clock.advance(60_000);
    const view = await t.during(t.assistant.workflows.finished(runId));
    expect(view).toMatchObject({ status: "done", output: "fine" });
    expect(keys).toEqual([1, 2, 3].map((attempt) => `${runId}.a.${attempt}`));
  });

  it("ends the run when it fails for good, with a summary of what was done, what failed, and how to go on", async () => {
    const { tool } = effects();
    const t = await testAssistant({ tools: { effect: tool, flaky: flaky(9).tool } });
    const view = await run(t, [
      { id: "a", run: "tool", tool: "effect" },
      { id: "b", run: "tool", tool: "flaky", needs: ["a"] },
      { id: "c", run: "tool", tool: "effect", needs: ["b"] },
    ]);
    expect(states(view)).toEqual({ a: "done", b: "failed", c: "pending" });
    expect(view.error).toEqual({ code: "FAILED", message: "The step b failed: flaky failed: not now" });
    expect(view.summary).toBe(
      [
        "The step b failed: flaky failed: not now",
        "Done: a.",
        "Not done: c.",
        "Used: 0 tokens, 2 tool calls, 0 s.",
        `Resume where it stopped: wakeful workflows resume ${view.id}. Repeat one step: wakeful workflows retry ${view.id} b.`,
      ].join("\n"),
    );
  });

  it("says in the summary how many items are done of a step that ended too early", async () => {
    const { tool } = effects();
    const onlyTea = defineTool({
      description: "Takes tea alone",
      inputSchema: v.object({ what: v.string() }),
      execute: ({ what }) => {
        if (what !== "tea") throw new Error(`no ${what}`);
        return what;
      },
    });
    const t = await testAssistant({ tools: { effect: tool, tea: onlyTea } });
    const each = (id: string, list: string, onError: "fail" | "continue") =>
      ({ id, run: "tool", tool: "tea", with: { what: "${item}" }, forEach: `\${inputs.${list}}`, onError }) as const;
    const { runId } = await t.assistant.workflows.run(
      {
        name: "orders",
        steps: [
          each("none", "milk", "continue"),
          each("all", "tea", "fail"),
          { ...each("some", "both", "fail"), needs: ["none", "all"] },
          { id: "last", run: "tool", tool: "effect", needs: ["some"] },
        ],
      },
      { inputs: { milk: ["milk"], tea: ["tea"], both: ["tea", "tea", "milk"] } },
    );
    const { summary } = await t.during(t.assistant.workflows.finished(runId));
    expect(summary).toContain(
      "The step some failed: tea failed: no milk\nDone: none 0/1, all, some 2/3.\nNot done: last.",
    );
  });

  it("says how far a step came when the budget is used up between its items", async () => {
    const { tool, keys } = effects();
    const t = await testAssistant({ tools: { effect: tool } });
    const steps = [{ id: "each", run: "tool", tool: "effect", forEach: "${inputs.list}" }] as const;
    const begin = (maxToolCalls: number) =>
      t.assistant.workflows.run({ name: "n", steps }, { inputs: { list: [1, 2, 3, 4] }, budget: { maxToolCalls } });
    const { runId } = await begin(2);
    const { summary } = await t.during(t.assistant.workflows.finished(runId));
    expect(keys).toHaveLength(2);
    expect(summary).toContain("Done: each 2/4.\nNot done: each.");
  });

  it.each([
    ["skip", { a: "skipped", b: "skipped", c: "done" }],
    ["continue", { a: "failed", b: "done", c: "done" }],
  ] as const)("goes on after a failure with on_error: %s", async (onError, expected) => {
    const { tool } = effects();
    const t = await testAssistant({ tools: { effect: tool, flaky: flaky(9).tool } });
    const view = await run(t, [
      { id: "a", run: "tool", tool: "flaky", on_error: onError },
      { id: "b", run: "tool", tool: "effect", with: { value: "${steps.a.error.message}" } },
      { id: "c", run: "tool", tool: "effect" },
    ]);
    expect(view.status).toBe("done");
    expect(states(view)).toEqual(expected);
    if (onError === "continue") expect(view.steps[1]?.output).toMatchObject({ value: "flaky failed: not now" });
  });

  it("is left out by its condition, and what needs it goes on", async () => {
    const { tool } = effects();
    const t = await testAssistant({ tools: { effect: tool } });
    const view = await run(t, [
      { id: "a", run: "tool", tool: "effect", with: { value: 3 } },
      { id: "no", run: "tool", tool: "effect", if: "${steps.a.output.value} == 4" },
      { id: "yes", run: "tool", tool: "effect", if: "steps.a.output.name != 'bob'" },
      { id: "end", run: "tool", tool: "effect", with: { value: ["${steps.no.output}", "${steps.yes.status}"] } },
    ]);
    expect(states(view)).toEqual({ a: "done", no: "skipped", yes: "done", end: "done" });
    expect(view.output).toMatchObject({ value: [null, "done"] });
  });

  it("is done for each item, some at a time", async () => {
    let most = 0;
    let now = 0;
    const seen: unknown[] = [];
    const tool = defineTool({
      description: "Doubles",
      inputSchema: v.object({ n: v.number(), at: v.number() }),
      execute: async ({ n, at }, { callId }) => {
        most = Math.max(most, (now += 1));
        await Promise.resolve();
        now -= 1;
        seen.push(callId.split(".").slice(1).join("."), at);
        return n * 2;
      },
    });
    const t = await testAssistant({ tools: { double: tool }, workflow: { maxParallel: 3 } });
    const view = await run(
      t,
      [
        {
          id: "each",
          run: "tool",
          tool: "double",
          for_each: "${inputs.list}",
          with: { n: "${item.n}", at: "${index}" },
        },
        { id: "end", run: "wait", with: { seconds: 0 }, needs: ["each"] },
      ],
      { inputs: { list: { default: [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }] } }, output: "${steps.each.output}" },
    );
    expect(view).toMatchObject({ status: "done", output: [2, 4, 6, 8] });
    expect(view.steps[0]?.items).toEqual({ done: 4, failed: 0, total: 4 });
    expect(most).toBeLessThanOrEqual(3);
    expect(seen).toContain("each-3.1");
  });

  it.each([
    ["2026-03-08", "2026-03-08T05:00:00Z"],
    ["2026-03-08T12:00", "2026-03-08T16:00:00Z"],
    // There is no such time on that day, and on the other it comes twice.
    ["2026-03-08T02:30", "2026-03-08T07:00:00Z"],
    ["2026-11-01T01:30", "2026-11-01T05:30:00Z"],
    ["2026-03-08T12:00+01:00", "2026-03-08T11:00:00Z"],
  ])("waits until %s by the clock of its person", async (time, expected) => {
    const t = await testAssistant({ timezone: "America/New_York" });
    const steps = [{ id: "a", run: "wait", with: { until: time } }] as const;
    const { runId } = await t.assistant.workflows.run({ name: "w", steps });
    const waits = async () => (await t.assistant.workflows.get(runId)).steps[0]?.waitsFor?.until;
    await until(t.clock, async () => (await waits()) !== undefined);
    expect(new Date((await waits()) ?? 0)).toEqual(new Date(expected));
  });

  it.each([
    [
      { seconds: "${inputs.none}" },
      "with.seconds: expected a number of 0 or more, got nothing: the referenced value does not exist",
    ],
    [{ seconds: "${inputs.empty}" }, 'with.seconds: expected a number of 0 or more, got ""'],
    [{ until: "${inputs.none}", days: 1 }, "with.until: expected a time such as 2026-11-24T09:00:00Z, got nothing"],
    [{ until: "${inputs.five}" }, 'with.until: expected a time such as 2026-11-24T09:00:00Z, got "5"'],
    [{ until: "${inputs.day}" }, 'with.until: expected a time such as 2026-11-24T09:00:00Z, got "2026-02-30T09:00"'],
    [{ until: "9999-01-01" }, "with.until: expected a time within 36500 days"],
    [{ event: "${inputs.none}", days: 1 }, "with.event: expected the name of an event, got nothing"],
    [{ days: 1e9 }, "with.days: expected at most 36500 days in all, got 1000000000"],
    [{ days: 1e305 }, "with.days: expected at most 36500 days in all"],
  ])("fails when nobody can say how long it waits: %j", async (values, message) => {
    const t = await testAssistant();
    const view = await run(t, [{ id: "a", run: "wait", with: values }], {
      inputs: {
        none: { required: false },
        empty: { default: "" },
        five: { default: "5" },
        day: { default: "2026-02-30T09:00" },
      },
    });
    expect(view.error?.message).toContain(`The step a failed: ${message}`);
  });

  it("fails when it waits longer than it may, and ends the run that it waits for", async () => {
    const t = await testAssistant({
      workflow: { definitions: ["name: inner\nsteps:\n  - {id: a, run: wait, with: {event: never}}\n"] },
    });
    const { runId } = await t.assistant.workflows.run({
      name: "w",
      steps: [
        { id: "wait", run: "wait", with: { days: 1 }, timeoutSeconds: 60, onError: "continue" },
        { id: "sub", run: "workflow", workflow: "inner", timeoutSeconds: 60, onError: "continue" },
        { id: "short", run: "wait", with: { seconds: 30 }, timeoutSeconds: 60 },
        { id: "end", run: "tool", tool: "time", needs: ["wait", "sub", "short"] },
      ],
    });
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).status === "waiting");
    await t.clock.advance(61_000);
    const view = await t.during(t.assistant.workflows.finished(runId));
    const error = { code: "TIMEOUT", message: "The step took longer than 60 s" };
    expect(view.steps).toMatchObject([{ error }, { error }, { status: "done" }, { status: "done" }]);
    await until(t.clock, async () =>
      (await t.assistant.workflows.list({ name: "inner" })).every(({ status }) => status === "cancelled"),
    );
  });

  it.each([
    ["skip", { list: "skipped", after: "skipped", other: "done" }],
    ["continue", { list: "failed", after: "done", other: "done" }],
  ] as const)("has no list, and on_error: %s holds, after as many tries as it may have", async (onError, expected) => {
    const t = await testAssistant();
    const view = await run(
      t,
      [
        {
          id: "list",
          run: "tool",
          tool: "time",
          for_each: "${inputs.list}",
          retry: { max: 1, backoff_seconds: 1 },
          on_error: onError,
        },
        { id: "after", run: "tool", tool: "time", needs: ["list"] },
        { id: "other", run: "tool", tool: "time" },
      ],
      { inputs: { list: { default: "none" } } },
    );
    expect(view.status).toBe("done");
    expect(states(view)).toEqual(expected);
    expect(view.steps[0]).toMatchObject({ attempt: 2, error: { code: "BAD_VALUE" } });
  });

  it.each([
    ["was skipped", "skipped", { run: "tool", tool: "time", if: "${inputs.list} == 'some'" }],
    ["failed, and the run goes on", "failed", { run: "tool", tool: "no_such_tool", on_error: "continue" }],
  ] as const)("has no items where the step that gives the list %s", async (_, status, list) => {
    const t = await testAssistant();
    const view = await run(
      t,
      [
        { id: "list", ...list },
        { id: "each", run: "tool", tool: "time", for_each: "${steps.list.output.hits}" },
      ],
      { inputs: { list: { default: "none" } } },
    );
    expect(states(view)).toEqual({ list: status, each: "done" });
    expect(view).toMatchObject({ status: "done", output: [] });
  });

  it("fails with what was wrong when for_each is no list", async () => {
    const t = await testAssistant();
    const view = await run(t, [
      { id: "a", run: "wait", with: { seconds: 0 } },
      { id: "b", run: "tool", tool: "time", for_each: "${steps.a.output}" },
    ]);
    expect(view.error?.message).toContain("for_each: ${steps.a.output} is not a list");
  });

  it("waits thirty days without anything running, and goes on then, in another process", async () => {
    const { keys, tool } = effects();
    const t = await testAssistant({ tools: { effect: tool } });
    const { runId } = await t.assistant.workflows.run({
      name: "w",
      steps: [
        { id: "wait", run: "wait", with: { days: 30 } },
        { id: "then", run: "tool", tool: "effect", needs: ["wait"] },
      ],
    });
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).status === "waiting");
    await t.clock.advance(29 * 86_400_000);
    expect(keys).toEqual([]);
    const next = await t.restart();
    await next.clock.advance(86_400_000);
    const view = await next.during(next.assistant.workflows.finished(runId));
    expect(view.status).toBe("done");
    expect(keys).toEqual([`${runId}.then.1`]);
    expect(view.spent.seconds).toBe(0);
  });

  it("waits without a turn's place and without a timer, however many do", async () => {
    const t = await testAssistant({ owner: { ids: ["memory:42"] }, queue: { debounceMs: 0, maxConcurrent: 1 } });
    const steps = [
      { id: "time", run: "wait" as const, with: { days: 30 } },
      { id: "event", run: "wait" as const, with: { event: "paid" } },
    ];
    const ask = { id: "ask", run: "approve" as const, with: { text: "Go on?" } };
    const timers = async (users: readonly string[], ofEach: number) => {
      for (const user of users)
        for (let run = 0; run < ofEach; run += 1)
          await t.assistant.workflows.run({ name: "w", steps: run === 0 ? [...steps, ask] : steps }, { user });
      const states = async () => (await t.assistant.workflows.list({ limit: 100 })).map(({ status }) => status);
      await until(t.clock, async () => (await states()).every((status) => status === "waiting"));
      await t.clock.advance(10_000);
      return t.clock.pending;
    };
    const ofOne = await timers(["memory:42"], 1);
    expect(await timers(["memory:1", "memory:2", "memory:3"], 15)).toBe(ofOne);
    expect(await t.say("hello")).toBe("ok");
  });

  it("goes on at its time while another one takes long", async () => {
    const { keys, tool } = effects();
    const slow = defineTool({
      description: "Takes long",
      inputSchema: v.object({}),
      execute: async (_, { signal }) =>
        void (await new Promise((resolve) => signal.addEventListener("abort", resolve))),
    });
    const t = await testAssistant({ tools: { effect: tool, slow } });
    const { runId } = await t.assistant.workflows.run({
      name: "w",
      steps: [
        { id: "long", run: "tool", tool: "slow" },
        { id: "wait", run: "wait", with: { seconds: 30 } },
        { id: "then", run: "tool", tool: "effect", needs: ["wait"] },
      ],
    });
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).steps[1]?.status === "waiting");
    await t.clock.advance(31_000);
    await until(t.clock, () => keys.length === 1);
    expect((await t.assistant.workflows.get(runId)).steps[0]?.status).toBe("running");
    await t.assistant.workflows.cancel(runId);
    await t.during(t.assistant.workflows.finished(runId));
  });

  it("has its effect once when it ends while another one's wait is looked at", async () => {
    const called: string[] = [];
    const finish = new Map<string, () => void>();
    const pay = defineTool({
      description: "Pays",
      inputSchema: v.object({ who: v.string() }),
      async execute({ who }, { callId }) {
        called.push(callId);
        await new Promise<void>((resolve) => finish.set(who, resolve));
        return "paid";
      },
    });
    const inner = memoryStore();
    let hold: Promise<void> | undefined;
    let held = 0;
    const store: typeof inner = {
      ...inner,
      async get(key) {
        const found = await inner.get(key);
        if (hold !== undefined && key.startsWith("approvals/requests")) {
          held += 1;
          await hold;
        }
        return found;
      },
    };
    const t = await testAssistant({ store, tools: { pay }, owner: { ids: ["memory:42"] } });
    const { runId } = await t.assistant.workflows.run(
      {
        name: "w",
        steps: [
          { id: "ask", run: "approve", with: { text: "Ok?" } },
          { id: "a", run: "tool", tool: "pay", with: { who: "a" } },
          { id: "b", run: "tool", tool: "pay", with: { who: "b" } },
        ],
      },
      { user: "memory:42" },
    );
    const status = async (step: number) => (await t.assistant.workflows.get(runId)).steps[step]?.status;
    await until(t.clock, async () => finish.size === 2 && (await status(0)) === "waiting");
    let release = () => {};
    hold = new Promise((resolve) => (release = resolve));
    finish.get("a")?.();
    await until(t.clock, () => held > 0);
    finish.get("b")?.();
    await until(t.clock, async () => (await status(2)) === "done");
    hold = undefined;
    release();
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).status === "waiting");
    expect(called).toEqual([`${runId}.a.1`, `${runId}.b.1`]);
    const [asked] = await t.assistant.approvals.list();
    await t.during(t.assistant.approvals.answer(asked?.code ?? "", { answer: "once", user: "memory:42" }));
    const view = await t.during(t.assistant.workflows.finished(runId));
    expect(view.steps.map((step) => [step.status, step.attempt])).toEqual([1, 2, 3].map(() => ["done", 1]));
    expect(called).toHaveLength(2);
  });

  it("is another workflow for each item, each of them once", async () => {
    const clock = fakeClock();
    const keys: string[] = [];
    const slow = defineTool({
      description: "Takes a moment",
      inputSchema: v.looseObject({}),
      async execute(_, { callId }) {
        keys.push(callId);
        // Not for ever, so that a mistake ends.
        await (keys.length > 50 ? new Promise(() => {}) : clock.sleep(5));
      },
    });
    const t = await testAssistant({
      clock,
      tools: { slow },
      workflow: { definitions: ["name: inner\nsteps:\n  - {id: a, run: tool, tool: slow}\n"] },
    });
    const list = [1, 2, 3, 4, 5, 6, 7, 8];
    const view = await run(t, [{ id: "each", run: "workflow", workflow: "inner", for_each: "${inputs.list}" }], {
      inputs: { list: { default: list } },
    });
    expect(view.status).toBe("done");
    expect(view.steps[0]?.items).toEqual({ done: 8, failed: 0, total: 8 });
    expect(new Set(keys).size).toBe(8);
    expect(keys).toHaveLength(8);
  });

  it("keeps a long output as an artifact, and hands all of it on", async () => {
    const long = defineTool({
      description: "Tells much",
      inputSchema: v.looseObject({}),
      execute: () => ({ text: "x".repeat(30_000), end: { at: "the end" } }),
    });
    const { tool } = effects();
    const t = await testAssistant({
      tools: { long, effect: tool },
      workflow: { definitions: ["name: inner\nsteps:\n  - {id: a, run: tool, tool: long}\n"] },
    });
    const view = await run(t, [
      { id: "sub", run: "workflow", workflow: "inner" },
      { id: "b", run: "tool", tool: "effect", with: { value: "${steps.sub.output.end.at}" } },
    ]);
    expect(view.steps[0]?.artifact).toBeDefined();
    expect(JSON.stringify(view.steps[0]).length).toBeLessThan(3000);
    expect(view.output).toMatchObject({ value: "the end" });
  });

  describe("whose output is long", () => {
    const big = defineTool({
      description: "Tells much",
      inputSchema: v.object({ n: v.number(), chars: v.number() }),
      execute: ({ n, chars }) => ({ text: "x".repeat(chars), end: `END${n}` }),
    });
    const setUp = async () => testAssistant({ tools: { big, effect: effects().tool } });
    const artifacts = (t: Awaited<ReturnType<typeof setUp>>) =>
      t.assistant.artifacts.list({ session: "agent:main:sdk:direct:sdk" });

    it("hands all of it on, item by item", async () => {
      const t = await setUp();
      const view = await run(
        t,
        [
          {
            id: "each",
            run: "tool",
            tool: "big",
            for_each: "${inputs.list}",
            with: { n: "${item}", chars: 20_000 },
          },
          {
            id: "b",
            run: "tool",
            tool: "effect",
            with: { value: ["${steps.each.output[1].end}", "${steps.each.output.length}", "${steps.each.output[7]}"] },
          },
        ],
        { inputs: { list: { default: [1, 2] } }, output: ["${steps.b.output.value}", "${steps.each.output}"] },
      );
      expect(view.status).toBe("done");
      const content = (await artifacts(t)).map(({ name }) => name);
      expect(content).toEqual(["w each-0", "w each-1", "w output"]);
      const whole = await t.assistant.workflows.get(view.id);
      expect(JSON.stringify(whole.steps).length).toBeLessThan(5000);
      const [, , kept] = await artifacts(t);
      const read = await t.assistant.artifacts.read({ session: view.sessionKey, id: kept?.id ?? "" });
      expect(JSON.parse(String(read?.content))).toMatchObject([
        ["END2", 2, null],
        [{ end: "END1" }, { end: "END2" }],
      ]);
    });

    it("keeps the document small, however many items there are", async () => {
      const t = await setUp();
      const view = await run(
        t,
        [{ id: "each", run: "tool", tool: "big", for_each: "${inputs.list}", with: { n: "${item}", chars: 15_000 } }],
        {
          inputs: { list: { default: Array.from({ length: 120 }, (_, index) => index) } },
          output: "${steps.each.output[119].end}",
        },
      );
      expect(view).toMatchObject({ status: "done", output: "END119" });
      const { value } = (await t.store.get(`workflows/${view.id}.json`)) ?? {};
      expect(JSON.stringify(value).length).toBeLessThan(400_000);
    });

    const waiting = [
      { id: "a", run: "tool", tool: "big", with: { n: 7, chars: 20_000 } },
      { id: "w", run: "wait", with: { event: "go" }, needs: ["a"] },
      { id: "b", run: "tool", tool: "effect", with: { value: "${steps.a.output.end}" }, needs: ["w"] },
    ] as const;
    const begin = async () => {
      const t = await setUp();
      const { runId } = await t.assistant.workflows.run({ name: "w", steps: waiting });
      await until(t.clock, async () => (await t.assistant.workflows.get(runId)).status === "waiting");
      return { t, runId };
    };

    it("has it as long as it is under way, and no longer than others after that", async () => {
      const { t, runId } = await begin();
      await t.clock.advance(40 * 86_400_000);
      await t.assistant.workflows.signal(runId, "go");
      const view = await t.during(t.assistant.workflows.finished(runId));
      expect(view).toMatchObject({ status: "done", output: { value: "END7" } });
      expect(await artifacts(t)).toEqual([]);
    });

    it("has it again when it goes on after it had ended", async () => {
      const { t, runId } = await begin();
      const { workflows } = t.assistant;
      await workflows.cancel(runId);
      await t.during(workflows.finished(runId));
      await workflows.resume(runId);
      await until(t.clock, async () => (await workflows.get(runId)).status === "waiting");
      await t.clock.advance(40 * 86_400_000);
      await workflows.signal(runId, "go");
      expect(await t.during(workflows.finished(runId))).toMatchObject({ status: "done", output: { value: "END7" } });
    });

    it("is not given again when it cannot be kept", async () => {
      const keys: string[] = [];
      const long = defineTool({
        description: "Has an effect, and tells much of it",
        inputSchema: v.looseObject({}),
        execute: (_, { callId }) => (keys.push(callId), "x".repeat(20_000)),
      });
      const t = await testAssistant({ tools: { long }, artifacts: { maxBytes: 10_000 } });
      const view = await run(t, [{ id: "a", run: "tool", tool: "long", retry: { max: 2, backoff_seconds: 1 } }]);
      expect(view).toMatchObject({ status: "failed", error: { code: "TOO_LONG" } });
      expect(keys).toEqual([`${view.id}.a.1`]);
    });

    it("fails when it was removed, and does not go on with its beginning", async () => {
      const { t, runId } = await begin();
      const [kept] = await artifacts(t);
      await t.assistant.artifacts.remove({ session: "agent:main:sdk:direct:sdk", id: kept?.id ?? "" });
      await t.assistant.workflows.signal(runId, "go");
      const view = await t.during(t.assistant.workflows.finished(runId));
      expect(view).toMatchObject({ status: "failed", steps: [{}, {}, { error: { code: "NOT_FOUND" } }] });
      expect(view.error?.message).toContain("which was removed or has expired: retry the step a");
      await t.assistant.workflows.retry(runId, "a");
      expect((await t.during(t.assistant.workflows.finished(runId))).status).toBe("done");
    });
  });

  it("waits for an event, told before or after", async () => {
    const t = await testAssistant();
    const { runId } = await t.assistant.workflows.run({
      name: "w",
      steps: [
        { id: "first", run: "wait", with: { event: "paid" } },
        { id: "second", run: "wait", with: { event: "sent", days: 1 }, needs: ["first"] },
      ],
      output: ["${steps.first.output}", "${steps.second.output.by}"],
    });
    await t.assistant.workflows.signal(runId, "sent", { by: "post" });
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).status === "waiting");
    await t.assistant.workflows.signal(runId, "paid", 40);
    const view = await t.during(t.assistant.workflows.finished(runId));
    expect(view.output).toEqual([40, "post"]);
    await expect(t.assistant.workflows.signal(runId, "paid")).rejects.toMatchObject({ code: "CONFLICT" });
  });

  it("has an event that no step had that it follows: side by side one is enough", async () => {
    const t = await testAssistant();
    const { workflows } = t.assistant;
    const wait = (id: string, needs: readonly string[] = []) =>
      ({ id, run: "wait", with: { event: "paid" }, needs }) as const;
    const steps = [wait("a"), wait("b"), wait("c"), wait("d", ["a"]), wait("e", ["d"])];
    const { runId } = await workflows.run({
      name: "w",
      steps,
      output: steps.map(({ id }) => `\${steps.${id}.output}`),
    });
    const done = async () =>
      (await workflows.get(runId)).steps.flatMap(({ id, status }) => (status === "done" ? id : []));
    const waits = async (id: string) => {
      await until(t.clock, async () => (await workflows.get(runId)).steps.some((one) => one.id === id && one.waitsFor));
      await t.clock.advance(60_000);
    };
    // Early or not, and however many begin at a time.
    await workflows.signal(runId, "paid", 1);
    await waits("d");
    expect(await done()).toEqual(["a", "b", "c"]);
    // Two of them, one after the other, are not one.
    await workflows.signal(runId, "paid", 2);
    await workflows.signal(runId, "paid", 3);
    const view = await t.during(workflows.finished(runId));
    expect(view.output).toEqual([1, 1, 1, 2, 3]);
  });

  it("has an event that an earlier version told, which did not keep who had heard of it, and shares it with none that follows", async () => {
    const t = await testAssistant();
    const { runId } = await t.assistant.workflows.run({
      name: "w",
      steps: [
        // It is woken for its time.
        { id: "a", run: "wait", with: { event: "paid", minutes: 1 } },
        { id: "b", run: "wait", with: { event: "paid" }, needs: ["a"] },
      ],
    });
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).status === "waiting");
    await t.assistant.stop();
    // Its process died before the run went on.
    const key = `workflows/${runId}.json`;
    const kept = (await t.store.get(key))?.value as Record<string, never>;
    await t.store.put(key, { ...kept, events: { paid: 1 } });
    const { assistant } = await testAssistant({ store: t.store, clock: t.clock });
    await assistant.start();
    const states = async () => (await assistant.workflows.get(runId)).steps.map(({ status }) => status).join(" ");
    await until(t.clock, async () => (await states()) === "done waiting");
    await assistant.workflows.signal(runId, "paid", 2);
    expect(await t.during(assistant.workflows.finished(runId))).toMatchObject({ status: "done", output: 2 });
  });

  it("fails when its event does not come in time", async () => {
    const t = await testAssistant();
    const { runId } = await t.assistant.workflows.run({
      name: "w",
      steps: [{ id: "a", run: "wait", with: { event: "paid", hours: 2 } }],
    });
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).status === "waiting");
    await t.clock.advance(2 * 3_600_000);
    expect(await t.during(t.assistant.workflows.finished(runId))).toMatchObject({
      status: "failed",
      error: { message: "The step a failed: the event paid did not arrive in time" },
    });
  });

  it("runs another workflow, whose use counts, and whose failure is its own", async () => {
    const { tool } = effects();
    const t = await testAssistant({
      tools: { effect: tool, flaky: flaky(1).tool },
      workflow: {
        definitions: [
          "name: inner\ninputs: [x]\nsteps:\n  - {id: a, run: tool, tool: effect, with: {value: '${inputs.x}'}}\n",
          "name: broken\nsteps:\n  - {id: a, run: tool, tool: flaky}\n",
        ],
      },
    });
    const done = await run(t, [{ id: "sub", run: "workflow", workflow: "inner", with: { x: 7 } }]);
    expect(done).toMatchObject({ status: "done", output: { value: 7 }, spent: { toolCalls: 1 } });
    const failed = await run(t, [{ id: "sub", run: "workflow", workflow: "broken" }]);
    expect(failed.status).toBe("failed");
    expect(failed.error?.message).toContain("flaky failed: not now");
  });

  it("may not start itself for ever", async () => {
    const t = await testAssistant({
      workflow: { definitions: ["name: loop\nsteps:\n  - {id: again, run: workflow, workflow: loop}\n"] },
    });
    const { runId } = await t.assistant.workflows.run("loop");
    const view = await t.during(t.assistant.workflows.finished(runId));
    expect(view.error?.message).toContain("Workflows and sub-agents can start one another to a depth of at most 5");
  });
});

describe("a step that waits for the owner", () => {
  const ask = async () => {
    const { keys, tool } = effects();
    const t = await testAssistant({ tools: { effect: tool }, owner: { ids: ["memory:42"] } });
    const { runId } = await t.assistant.workflows.run(
      {
        name: "w",
        steps: [
          { id: "ask", run: "approve", with: { text: "Send it?", workflow: "another", run: "run-0", step: "other" } },
          { id: "then", run: "tool", tool: "effect", with: { value: "${steps.ask.output.by}" } },
        ],
      },
      { user: "memory:42" },
    );
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).status === "waiting");
    const { waitsFor } = (await t.assistant.workflows.get(runId)).steps[0] ?? {};
    return { t, keys, runId, code: waitsFor?.approval?.code ?? "" };
  };

  it("goes on with a yes, three days later, in another process", async () => {
    const { t, keys, runId, code } = await ask();
    expect(t.channel.textsTo("42").join("\n")).toContain("Send it?");
    const [asked] = await t.assistant.approvals.list();
    expect(asked?.input).toEqual({ text: "Send it?", run: runId, workflow: "w", step: "ask" });
    await t.clock.advance(3 * 86_400_000);
    const next = await t.restart();
    await next.during(next.assistant.approvals.answer(code, { answer: "once", user: "memory:42" }));
    const view = await next.during(next.assistant.workflows.finished(runId));
    expect(view).toMatchObject({ status: "done", output: { value: "memory:42" } });
    expect(keys).toHaveLength(1);
  });

  it("is looked at after a minute, to see that it was shown, and then at its end, where no other process has the store", async () => {
    const clock = fakeClock();
    const store = memoryStore();
    const alone: Store = Object.assign(Object.create(store) as Store, { caps: { ...store.caps, exclusive: true } });
    const engine = embeddedEngine({ store: alone, clock });
    const wakes: string[] = [];
    const counted: Engine = {
      ...engine,
      start: (handle) => engine.start((key, signal) => (wakes.push(key), handle(key, signal))),
    };
    const t = await testAssistant({ store: alone, clock, engine: counted, owner: { ids: ["memory:42"] } });
    const steps = [{ id: "ask", run: "approve" as const, with: { text: "Send it?" }, timeoutSeconds: 3 * 86_400 }];
    const { runId } = await t.assistant.workflows.run({ name: "w", steps }, { user: "memory:42" });
    await until(clock, async () => (await t.assistant.workflows.get(runId)).status === "waiting");
    await clock.advance(60_000);
    await until(clock, () => wakes.some((key) => key.startsWith("approval:")));
    const before = wakes.length;
    await clock.advance(71 * 3_600_000);
    expect(wakes.slice(before)).toEqual([]);
    await clock.advance(3_600_000);
    expect((await t.during(t.assistant.workflows.finished(runId))).error?.message).toContain("no one answered in time");
  });

  it("is shown to the owner, and of a run for somebody else no word of it there", async () => {
    const t = await testAssistant({ owner: { ids: ["memory:42"] } });
    const steps = [{ id: "ask", run: "approve" as const, with: { text: "Send it?" } }];
    const { runId } = await t.assistant.workflows.run({ name: "w", steps }, { user: "memory:43" });
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).status === "waiting");
    await t.sent(1);
    await t.sent(2, "43");
    expect(t.channel.textsTo("42")[0]).toContain("Send it?");
    expect(t.channel.textsTo("43").join("\n")).not.toContain("Send it?");
    expect(t.channel.textsTo("43").join("\n")).toContain("the owner was asked before workflow_approve runs");
  });

  it("fails when nobody answers in time", async () => {
    const t = await testAssistant({ owner: { ids: ["memory:42"] } });
    const steps = [{ id: "ask", run: "approve" as const, with: { text: "Send it?" }, timeoutSeconds: 60 }];
    const { runId } = await t.assistant.workflows.run({ name: "w", steps }, { user: "memory:42" });
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).status === "waiting");
    await t.clock.advance(120_000);
    const view = await t.during(t.assistant.workflows.finished(runId));
    expect(view.error?.message).toBe("The step ask failed: no one answered in time");
  });

  it("fails with a no", async () => {
    const { t, keys, runId, code } = await ask();
    await t.during(t.assistant.approvals.answer(code, { answer: "deny", reason: "too early", user: "memory:42" }));
    const view = await t.during(t.assistant.workflows.finished(runId));
    expect(view.error?.message).toBe("The step ask failed: denied: too early");
    expect(keys).toEqual([]);
  });

  it("is not asked any more when the run is cancelled", async () => {
    const { t, keys, runId, code } = await ask();
    await t.assistant.workflows.cancel(runId, { user: "memory:42" });
    const view = await t.during(t.assistant.workflows.finished(runId));
    expect(view).toMatchObject({ status: "cancelled", error: { message: "It was cancelled by memory:42" } });
    await expect(t.assistant.approvals.answer(code, { answer: "once", user: "memory:42" })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    expect(keys).toEqual([]);
  });

  it("holds for a dangerous tool too, whose result becomes the step's", async () => {
    let ran = 0;
    const danger = defineTool({
      description: "Dangerous",
      inputSchema: v.object({ what: v.string() }),
      execute: () => ({ ran: (ran += 1) }),
      meta: { dangerous: true },
    });
    const t = await testAssistant({ tools: { danger }, owner: { ids: ["memory:42"] } });
    const { runId } = await t.assistant.workflows.run(
      { name: "w", steps: [{ id: "a", run: "tool", tool: "danger", with: { what: "all" } }] },
      { user: "memory:42" },
    );
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).status === "waiting");
    const [asked] = await t.assistant.approvals.list();
    await t.during(t.assistant.approvals.answer(asked?.code ?? "", { answer: "once", user: "memory:42" }));
    const view = await t.during(t.assistant.workflows.finished(runId));
    expect(view).toMatchObject({ status: "done", output: { ran: 1 } });
    // The conversation hears of the run, not of each call of it.
    expect(t.model.callCount).toBe(0);
  });
});

describe("steps that ask the owner", () => {
  const OWNER = "memory:42";
  /** Says yes to whatever is asked, as it comes, until the run has ended. */
  const agree = async (t: Awaited<ReturnType<typeof testAssistant>>, runId: string) => {
    const { workflows, approvals } = t.assistant;
    await until(t.clock, async () => {
      for (const { code } of await approvals.list())
        await t.during(approvals.answer(code, { answer: "once", user: OWNER }));
      return (await workflows.get(runId)).status === "done";
    });
  };

  it("have a request for each item, also of items that are alike, and an effect for each", async () => {
    const ran: string[] = [];
    const danger = defineTool({
      description: "Dangerous",
      inputSchema: v.object({ what: v.string() }),
      execute: (_, { callId }) => void ran.push(callId),
      meta: { dangerous: true },
    });
    const t = await testAssistant({ tools: { danger }, owner: { ids: [OWNER] } });
    const steps = [
      { id: "a", run: "tool" as const, tool: "danger", with: { what: "${item}" }, forEach: "${inputs.list}" },
    ];
    const { runId } = await t.assistant.workflows.run(
      { name: "w", steps },
      { user: OWNER, inputs: { list: ["one", "one", "one"] } },
    );
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).status === "waiting");
    expect(await t.assistant.approvals.list()).toHaveLength(3);
    await agree(t, runId);
    expect(ran.toSorted()).toEqual([0, 1, 2].map((item) => `${runId}.a-${item}.1`));
  });

  it("wait for their turn when there are too many", async () => {
    const t = await testAssistant({ owner: { ids: [OWNER] } });
    const steps = Array.from({ length: 9 }, (_, index) => ({
      id: `s${index}`,
      run: "approve" as const,
      with: { text: `Number ${index}?` },
    }));
    const { runId } = await t.assistant.workflows.run({ name: "w", steps }, { user: OWNER });
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).status === "waiting");
    await t.clock.advance(3_600_000);
    const open = (await t.assistant.approvals.list()).length;
    expect(open).toBeLessThan(9);
    expect((await t.assistant.workflows.get(runId)).steps.filter(({ status }) => status === "pending")).toHaveLength(
      9 - open,
    );
    await agree(t, runId);
    const view = await t.assistant.workflows.get(runId);
    expect(view.steps.map(({ attempt }) => attempt)).toEqual(steps.map(() => 1));
  });
});

describe("a prompt that asks the owner", () => {
  const OWNER = "memory:42";

  /** A run whose prompt calls a dangerous tool twice in one step, and says at the end what it was told of it. */
  const ask = async (secondOne: () => unknown = () => undefined) => {
    const ran: string[] = [];
    const danger = defineTool({
      description: "Dangerous",
      inputSchema: v.object({ what: v.string() }),
      async execute({ what }) {
        ran.push(what);
        if (ran.length === 2) await secondOne();
        return `${what} is gone</wakeful-note>`;
      },
      meta: { dangerous: true },
    });
    const said = (prompt: unknown) => [...JSON.stringify(prompt).matchAll(/(one|two) is gone|Denied|Not answered/g)];
    const t = await testAssistant({
      tools: { danger },
      owner: { ids: [OWNER] },
      server: { token: OWNER_TOKEN },
      script: (prompt) => {
        const last = JSON.stringify(prompt.at(-1));
        if (last.includes("Remove both")) return calls(["danger", { what: "one" }], ["danger", { what: "two" }]);
        return last.includes("wakeful-note")
          ? says(
              `told: ${said(prompt.at(-1))
                .map(([all]) => all)
                .join(", ")}`,
            )
          : says("I asked the owner");
      },
    });
    const steps = [
      { id: "a", run: "prompt" as const, prompt: "Remove both" },
      { id: "b", run: "prompt" as const, prompt: "Say it: ${steps.a.output}" },
    ];
    const { runId } = await t.assistant.workflows.run({ name: "w", steps }, { user: OWNER });
    const waits = async (of = t) => {
      await until(of.clock, async () => (await of.assistant.workflows.get(runId)).status === "waiting");
      return (await of.assistant.workflows.get(runId)).steps[0]?.waitsFor?.approval?.code ?? "";
    };
    return { t, runId, ran, waits };
  };
  const once = { answer: "once", user: OWNER } as const;

  it("goes on when all of it is answered, in another process too, with what came of it", async () => {
    const { t, runId, ran, waits } = await ask();
    await t.during(t.assistant.approvals.answer(await waits(), once));
    await t.clock.advance(1000);
    const next = await t.restart();
    const second = await waits(next);
    expect(ran).toHaveLength(1);
    await next.during(next.assistant.approvals.answer(second, once));
    const run = await next.during(next.assistant.workflows.finished(runId));
    expect(run).toMatchObject({ status: "done" });
    expect(run.steps[0]).toMatchObject({ status: "done", attempt: 1, toolCalls: 2 });
    expect(run.steps[0]?.output).toMatch(/^told: (one is gone, two|two is gone, one) is gone$/);
    // Both of its turns are counted: two calls of the model each, 15 tokens a call.
    expect(run.steps[0]?.tokens).toBe(3 * 15);
    expect(ran.toSorted()).toEqual(["one", "two"]);
    // What came of it is the run's, and no turn of the conversation.
    const told = next.model.requests.filter(({ prompt }) => JSON.stringify(prompt.at(-1)).includes("Approved ("));
    expect(told).toHaveLength(1);
    const shown = JSON.stringify(told[0]?.prompt.at(-1)?.content);
    expect(shown.match(/<wakeful-note source=\\"approval \w{6}\\">/g)).toHaveLength(2);
    // What the tool said cannot close it.
    expect(shown.match(/<\/wakeful-note>/g)).toHaveLength(2);
  });

  it("is answered over HTTP by whoever waits to hear more, of which there is none", async () => {
    const { t, runId, waits } = await ask();
    const body = { answer: "once", wait: true };
    for (let left = 2; left > 0; left -= 1) {
      const answered = await t.during(t.call(`/approvals/${await waits()}`, { body }));
      expect(answered.status).toBe(200);
      expect(await answered.json()).not.toHaveProperty("reply");
    }
    expect((await t.during(t.assistant.workflows.finished(runId))).status).toBe("done");
  });

  it("does not go on while what was allowed is still under way", async () => {
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const { t, runId, ran, waits } = await ask(() => finished);
    await t.during(t.assistant.approvals.answer(await waits(), once));
    const answering = t.assistant.approvals.answer(await waits(), once);
    await until(t.clock, () => ran.length === 2);
    // Something else has the run looked at meanwhile.
    await t.assistant.workflows.signal(runId, "look");
    await t.clock.advance(1000);
    expect((await t.assistant.workflows.get(runId)).status).toBe("waiting");
    finish();
    await t.during(answering);
    const run = await t.during(t.assistant.workflows.finished(runId));
    expect(run.steps[0]?.output).toMatch(/one is gone/);
    expect(run.steps[0]?.output).toMatch(/two is gone/);
  });

  it("is told of a no, and of an answer that did not come in time", async () => {
    const { t, runId, ran, waits } = await ask();
    await t.during(t.assistant.approvals.answer(await waits(), { answer: "deny", user: OWNER }));
    const [left] = await t.assistant.approvals.list();
    expect((left?.expiresAt.getTime() ?? 0) - (left?.requestedAt.getTime() ?? 0)).toBe(7 * 86_400_000);
    await t.clock.advance(30 * 86_400_000);
    const run = await t.during(t.assistant.workflows.finished(runId));
    expect(run.steps[0]?.output).toMatch(/^told: (Denied, Not answered|Not answered, Denied)$/);
    expect(ran).toEqual([]);
  });

  it("is not asked for any more when the run is cancelled", async () => {
    const { t, runId, ran, waits } = await ask();
    await waits();
    const codes = (await t.assistant.approvals.list()).map(({ code }) => code);
    expect(codes).toHaveLength(2);
    await t.assistant.workflows.cancel(runId, { user: OWNER });
    await t.during(t.assistant.workflows.finished(runId));
    for (const code of codes)
      await expect(t.assistant.approvals.answer(code, once)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(ran).toEqual([]);
  });
});

describe("what a prompt asked the owner is taken back", () => {
  /** A run whose prompt calls a dangerous tool, after which the model does `next`. */
  const ask = async (
    next: (callIndex: number) => ReturnType<typeof says | typeof fails | typeof hangs>,
    step: object = {},
    budget?: object,
  ) => {
    const danger = defineTool({
      description: "Dangerous",
      inputSchema: v.object({}),
      execute: () => "gone",
      meta: { dangerous: true },
    });
    const t = await testAssistant({
      tools: { danger },
      script: (prompt, index) => (prompt.at(-1)?.role === "tool" ? next(index) : calls(["danger", {}])),
    });
    const retry = { max: 1, backoff_seconds: 60 };
    const steps = [{ id: "a", run: "prompt", prompt: "Remove it", retry, ...step }];
    const { runId } = await t.assistant.workflows.run({ name: "w", steps, ...(budget && { budget }) } as never);
    return { t, runId };
  };

  it("when its try fails, so that the next one asks alone", async () => {
    const { t, runId } = await ask((index) => (index < 2 ? fails(400) : says("I asked")));
    const asked = () => t.assistant.approvals.list({ all: true });
    await until(t.clock, async () => (await asked()).length === 2);
    const [first, second] = await asked();
    expect(first?.outcome).toMatchObject({ verdict: "denied", reason: "its step failed" });
    expect(second?.state).toBe("open");
    await t.clock.advance(1000);
    expect((await t.assistant.workflows.get(runId)).steps[0]?.waitsFor?.approval?.code).toBe(second?.code);
  });

  it("when the run fails", async () => {
    const { t, runId } = await ask(() => fails(400));
    const over: string[] = [];
    t.assistant.events.subscribe("session.ended", ({ sessionId }) => void over.push(sessionId ?? ""));
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).status === "failed");
    expect(await t.assistant.approvals.list()).toEqual([]);
    const asked = await t.assistant.approvals.list({ all: true });
    expect(asked).toHaveLength(2);
    await until(t.clock, () => over.includes(asked[1]?.sessionKey ?? ""));
  });

  it("when its step is left out, as its time was over, and the run is done", async () => {
    const { t, runId } = await ask(() => hangs(), { on_error: "skip", retry: undefined }, { max_seconds: 60 });
    await until(t.clock, async () => (await t.assistant.approvals.list()).length === 1);
    await t.clock.advance(60_000);
    const run = await t.during(t.assistant.workflows.finished(runId));
    expect(run).toMatchObject({ status: "done", steps: [{ status: "skipped", error: { code: "BUDGET_EXCEEDED" } }] });
    expect(await t.assistant.approvals.list()).toEqual([]);
  });

  it("when the run is cancelled before its turn is over", async () => {
    const { t, runId } = await ask(() => hangs());
    await until(t.clock, async () => (await t.assistant.approvals.list()).length === 1);
    await t.assistant.workflows.cancel(runId);
    expect((await t.during(t.assistant.workflows.finished(runId))).status).toBe("cancelled");
    await t.clock.advance(1000);
    expect(await t.assistant.approvals.list()).toEqual([]);
  });
});

describe("a dangerous tool that a crash cut off", () => {
  it("is not called again, and a person decides", async () => {
    let begun = 0;
    const danger = defineTool({
      description: "Dangerous",
      inputSchema: v.object({ what: v.string() }),
      execute: async () => {
        begun += 1;
        return begun === 1 ? "allowed" : new Promise<string>(() => {});
      },
      meta: { dangerous: true },
    });
    const store = memoryStore();
    const clock = fakeClock();
    const life = beginLife(store, clock);
    const options = { tools: { danger }, owner: { ids: ["memory:42"] }, store, clock };
    const first = await testAssistant({ ...options, life });
    const asked = await first.assistant.tools.run("danger", { what: "all" }, { user: "memory:42" });
    const code = !asked.ok && "approval" in asked ? asked.approval.code : "";
    await first.during(first.assistant.approvals.answer(code, { answer: "always", user: "memory:42" }));
    const steps = [{ id: "a", run: "tool" as const, tool: "danger", with: { what: "all" } }];
    const { runId } = await first.assistant.workflows.run({ name: "w", steps }, { user: "memory:42" });
    await until(clock, () => begun === 2);
    life.kill();

    const next = await testAssistant(options);
    const run = await next.during(next.assistant.workflows.finished(runId));
    expect(run).toMatchObject({ status: "failed", steps: [{ error: { code: "INTERRUPTED" } }] });
    expect(begun).toBe(2);
  });
});

describe("a budget", () => {
  it("ends the run with what to do, and a larger one lets it go on", async () => {
    const { keys, tool } = effects();
    const t = await testAssistant({ tools: { effect: tool } });
    const steps = ["a", "b", "c", "d"].map((id, index, all) => ({
      id,
      run: "tool" as const,
      tool: "effect",
      ...(index > 0 && { needs: [all[index - 1] ?? ""] }),
    }));
    const { runId } = await t.assistant.workflows.run({ name: "w", budget: { maxToolCalls: 2 }, steps });
    const failed = await t.during(t.assistant.workflows.finished(runId));
    expect(failed).toMatchObject({
      status: "failed",
      error: { code: "BUDGET_EXCEEDED" },
      progress: { done: 2, total: 4 },
    });
    expect(failed.summary).toContain("Done: a, b.\nNot done: c, d.");
    expect(failed.summary).toContain(`wakeful workflows resume ${runId} --max-tool-calls 4.`);
    await t.assistant.workflows.resume(runId, { budget: { maxToolCalls: 10 } });
    const done = await t.during(t.assistant.workflows.finished(runId));
    expect(done.status).toBe("done");
    expect(keys).toEqual(["a", "b", "c", "d"].map((id) => `${runId}.${id}.1`));
  });

  it("of time stops what is under way", async () => {
    const slow = defineTool({
      description: "Takes long",
      inputSchema: v.object({}),
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
    });
    const t = await testAssistant({ tools: { slow } });
    const { runId } = await t.assistant.workflows.run({
      name: "w",
      budget: { maxSeconds: 60 },
      steps: [{ id: "a", run: "tool", tool: "slow" }],
    });
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).steps[0]?.status === "running");
    await t.clock.advance(61_000);
    const view = await t.during(t.assistant.workflows.finished(runId));
    expect(view).toMatchObject({ status: "failed", steps: [{ error: { code: "BUDGET_EXCEEDED" } }] });
    expect(view.summary).toContain("--max-seconds 12");
  });

  it("of tokens is that of all its prompts", async () => {
    const t = await testAssistant();
    const { runId } = await t.assistant.workflows.run({
      name: "w",
      budget: { maxTokens: 20 },
      steps: [
        { id: "a", run: "prompt", prompt: "one" },
        { id: "b", run: "prompt", prompt: "two", needs: ["a"] },
        { id: "c", run: "prompt", prompt: "three", needs: ["b"] },
      ],
    });
    const view = await t.during(t.assistant.workflows.finished(runId));
    expect(view).toMatchObject({
      status: "failed",
      error: { code: "BUDGET_EXCEEDED" },
      progress: { done: 2, total: 3 },
    });
    // What it says is enough to go on.
    const [, tokens] = /--max-tokens (\d+)/.exec(view.summary ?? "") ?? [];
    await t.assistant.workflows.resume(runId, { budget: { maxTokens: Number(tokens) } });
    expect((await t.during(t.assistant.workflows.finished(runId))).status).toBe("done");
  });
});

const INNER = `
name: inner
budget: { max_tokens: 10 }
steps:
  - { id: one, run: prompt, prompt: Go }
  - { id: two, run: prompt, prompt: Go on, needs: [one] }
`;

describe("a budget of the assistant's, for its models", () => {
  it("ends a run whose own is not used up, which goes on as it is when that is open again", async () => {
    const t = await testAssistant({ budget: { daily: { tokens: 10 } } });
    const steps = ["a", "b"].map((id) => ({
      id,
      run: "prompt" as const,
      prompt: "Write",
      needs: id === "b" ? ["a"] : [],
    }));
    const { runId } = await t.assistant.workflows.run({ name: "w", steps });
    const { error, summary } = await t.during(t.assistant.workflows.finished(runId));
    expect([error?.code, summary]).toEqual(["BUDGET_EXCEEDED", expect.stringContaining("opens again at")]);
    expect(summary).toContain(`Resume where it stopped: wakeful workflows resume ${runId}.`);
    await t.clock.advance(24 * 3_600_000);
    await t.assistant.workflows.resume(runId);
    expect((await t.during(t.assistant.workflows.finished(runId))).status).toBe("done");
  });
});

describe("a budget that the definition of another run gives it", () => {
  it("does not end that run again at once when the run that started it is resumed", async () => {
    const t = await testAssistant({ workflow: { definitions: [INNER] } });
    const { runId } = await t.assistant.workflows.run({
      name: "outer",
      steps: [{ id: "a", run: "workflow", workflow: "inner" }],
    });
    const failed = await t.during(t.assistant.workflows.finished(runId));
    expect(failed).toMatchObject({ status: "failed", error: { code: "BUDGET_EXCEEDED" }, spent: { tokens: 15 } });
    await t.assistant.workflows.resume(runId);
    const run = await t.during(t.assistant.workflows.finished(runId));
    expect(run).toMatchObject({ status: "done", output: "ok", spent: { tokens: 30 } });
    // The step that was done stays done.
    expect(t.model.callCount).toBe(2);
  });
});

describe("a budget of steps side by side", () => {
  /** Each prompt asks for one call after another: 15 tokens a time, until it may no more. */
  const setUp = async (steps: readonly object[], budget: object) => {
    const t = await testAssistant({
      tools: { effect: effects().tool },
      script: () => calls(["effect", {}]),
      workflow: { definitions: ["name: inner\nsteps:\n  - {id: a, run: prompt, prompt: Go}\n"] },
    });
    const { runId } = await t.assistant.workflows.run({ name: "w", budget, steps } as never);
    return t.during(t.assistant.workflows.finished(runId));
  };

  it.each([
    { title: "prompts", steps: ["a", "b"].map((id) => ({ id, run: "prompt", prompt: "Go" })) },
    { title: "other runs", steps: ["a", "b"].map((id) => ({ id, run: "workflow", workflow: "inner" })) },
  ])("is one for all of them: $title", async ({ steps }) => {
    const { status, error, spent } = await setUp(steps, { maxTokens: 150 });
    expect({ status, code: error?.code }).toEqual({ status: "failed", code: "BUDGET_EXCEEDED" });
    // One call of a model each beyond it, at most.
    expect(spent.tokens).toBeGreaterThanOrEqual(150);
    expect(spent.tokens).toBeLessThanOrEqual(180);
  });
});

describe("a budget of a run whose prompt begins other runs", () => {
  it("is one for all of them", async () => {
    const t = await testAssistant({
      tools: { effect: effects().tool },
      // The first prompt begins three runs, whose prompts ask for one call after another: 15 tokens a time.
      script: (prompt) => {
        const text = JSON.stringify(prompt);
        if (!text.includes("Begin others")) return calls(["effect", {}]);
        return text.includes('"tool-call"')
          ? says("begun")
          : calls(["workflow_run", { name: "a" }], ["workflow_run", { name: "b" }], ["workflow_run", { name: "c" }]);
      },
      workflow: {
        definitions: ["a", "b", "c"].map((name) => `name: ${name}\nsteps:\n  - {id: a, run: prompt, prompt: Go}\n`),
      },
    });
    const { workflows } = t.assistant;
    await workflows.run({
      name: "w",
      budget: { maxTokens: 300 },
      steps: [{ id: "a", run: "prompt", prompt: "Begin others" }],
    });
    const ended = async () => (await workflows.list()).filter(({ status }) => status === "failed").length === 3;
    await until(t.clock, ended);
    const spent = (await workflows.list()).map(({ spent: { tokens } }) => tokens);
    const all = spent.reduce((sum, tokens) => sum + tokens, 0);
    expect(all).toBeGreaterThanOrEqual(300);
    // One call of a model each beyond it, at most.
    expect(all).toBeLessThanOrEqual(345);
  });
});

describe("a budget of a run that hands tasks on", () => {
  /** A sub-agent answers at once; a prompt hands on two tasks, one after the other, or so many times so many at once. Each call of the model is 15 tokens. */
  const setUp = async (step: object, maxTokens: number, { times = 2, atOnce = 1, more = {} } = {}) => {
    const t = await testAssistant({
      script: (prompt) => {
        const text = JSON.stringify(prompt);
        if (!text.includes("Hand on")) return says("done");
        const count = text.split('"tool-call"').length - 1;
        const task = (_: unknown, index: number) => ["subagent", { task: `task ${count + index}`, ...more }] as const;
        return count < times * atOnce ? calls(...Array.from({ length: atOnce }, task)) : says("all done");
      },
    });
    const steps = [{ id: "a", ...step }];
    const { runId } = await t.assistant.workflows.run({ name: "w", budget: { maxTokens }, steps } as never);
    const run = await t.during(t.assistant.workflows.finished(runId));
    const given: number[] = [];
    for await (const { key } of t.store.list("subagents/sa-"))
      given.push(((await t.store.get(key))!.value as { limits: { maxTokens: number } }).limits.maxTokens);
    return { run, given: given.toSorted((one, other) => one - other) };
  };

  it("counts what sub-agents of a prompt use, which get what is left of it", async () => {
    const { run, given } = await setUp({ run: "prompt", prompt: "Hand on" }, 5000);
    expect(run).toMatchObject({ status: "done", spent: { tokens: 5 * 15, toolCalls: 2 } });
    expect(given).toEqual([5000 - 3 * 15, 5000 - 15]);
  });

  it("counts what all of them use, however many there are", async () => {
    // Each has a part, as those side by side share what is left.
    const many = { times: 14, atOnce: 4, more: { budget: 2000 } };
    const { run } = await setUp({ run: "prompt", prompt: "Hand on" }, 20_000, many);
    expect(run).toMatchObject({ status: "done", spent: { tokens: (14 * 5 + 1) * 15, toolCalls: 56 } });
  });

  it("counts what one uses that is a step", async () => {
    const { run, given } = await setUp({ run: "tool", tool: "subagent", with: { task: "it" } }, 5000);
    expect(run).toMatchObject({ status: "done", spent: { tokens: 15, toolCalls: 1 } });
    expect(given).toEqual([5000]);
  });

  it("begins none when too little is left", async () => {
    const { run, given } = await setUp({ run: "prompt", prompt: "Hand on" }, 1000);
    expect(run).toMatchObject({ status: "done", spent: { tokens: 3 * 15 } });
    expect(given).toEqual([]);
  });
});

describe("a budget that is none", () => {
  it.each([
    [{ maxTokens: 0 }, "Invalid budget: max_tokens: expected"],
    [{ maxSeconds: "60" }, "Invalid budget: max_seconds: expected"],
    [{ maxToolCalls: Number.NaN }, "Invalid budget: max_tool_calls: expected"],
    [{ tokens: 5 }, "Invalid budget: tokens: unknown key"],
  ])("is refused, and nothing begins: %j", async (budget, message) => {
    const t = await testAssistant();
    const steps = [{ id: "now", run: "tool", tool: "time" }] as const;
    const wrong = { budget } as never;
    const { workflows } = t.assistant;
    await expect(workflows.run({ name: "w", steps }, wrong)).rejects.toThrow(message);
    expect(await workflows.list()).toEqual([]);
    const { runId } = await workflows.run({ name: "w", steps });
    await t.during(workflows.finished(runId));
    await expect(workflows.resume(runId, wrong)).rejects.toThrow(message);
    await expect(workflows.retry(runId, "now", wrong)).rejects.toThrow(message);
    expect((await workflows.get(runId)).status).toBe("done");
  });
});

describe("a run whose step is another run", () => {
  const inner = (more = "") =>
    `name: inner\n${more}steps:\n  - {id: a, run: tool, tool: effect}\n  - {id: b, run: tool, tool: flaky, needs: [a]}\n  - {id: c, run: wait, with: {event: go}, needs: [b]}\n`;
  const setUp = async (fails: number) => {
    const { keys, tool } = effects();
    let left = fails;
    const flaky = defineTool({
      description: "Fails at first",
      inputSchema: v.looseObject({}),
      execute: () => {
        if ((left -= 1) >= 0) throw new Error("not now");
        return "fine";
      },
    });
    const t = await testAssistant({ tools: { effect: tool, flaky }, workflow: { definitions: [inner()] } });
    const { workflows } = t.assistant;
    const steps = [{ id: "sub", run: "workflow" as const, workflow: "inner" }];
    const { runId } = await workflows.run({ name: "w", steps });
    const children = async () => workflows.list({ name: "inner" });
    const end = async () => {
      const waits = async () => (await children()).find(({ status }) => status === "waiting");
      await until(t.clock, async () => (await waits()) !== undefined);
      await workflows.signal((await waits())?.id ?? "", "go");
      return t.during(workflows.finished(runId));
    };
    return { t, keys, workflows, runId, children, end };
  };

  it("goes on with that run when it is resumed, and what was done in it stays done", async () => {
    const { t, keys, workflows, runId, children, end } = await setUp(1);
    expect((await t.during(workflows.finished(runId))).status).toBe("failed");
    await workflows.resume(runId);
    const view = await end();
    expect(view).toMatchObject({ status: "done", spent: { toolCalls: 3 } });
    expect(await children()).toHaveLength(1);
    expect(keys).toHaveLength(1);
  });

  it("goes on with it after it was cancelled, and begins anew when the step is retried", async () => {
    const { t, keys, workflows, runId, children, end } = await setUp(0);
    await until(t.clock, async () => (await children())[0]?.status === "waiting");
    await workflows.cancel(runId);
    await t.during(workflows.finished(runId));
    await workflows.resume(runId);
    expect(await end()).toMatchObject({ status: "done", spent: { toolCalls: 2 } });
    expect(keys).toHaveLength(1);
    await workflows.retry(runId, "sub");
    expect((await end()).status).toBe("done");
    expect(await children()).toHaveLength(2);
    expect(keys).toHaveLength(2);
  });

  it("goes on with it as soon as it has ended when it is resumed before that", async () => {
    const { t, workflows, runId, children, end } = await setUp(0);
    await until(t.clock, async () => (await children())[0]?.status === "waiting");
    await workflows.cancel(runId);
    await t.during(workflows.finished(runId));
    await until(t.clock, async () => (await children())[0]?.status === "cancelled");
    const key = `workflows/${(await children())[0]?.id ?? ""}.json`;
    const ended = (await t.store.get(key))?.value as object;
    await t.store.put(key, { ...ended, status: "waiting", cancel: { at: 0, by: "sdk" } });
    await workflows.resume(runId);
    await until(t.clock, async () => (await workflows.get(runId)).status === "waiting");
    await t.store.put(key, ended as never);
    const since = t.clock.now();
    expect((await end()).status).toBe("done");
    expect(t.clock.now() - since).toBeLessThan(30_000);
  });

  it("counts its seconds, and lets it use no more than is left, nor more than it wants", async () => {
    const clock = fakeClock();
    const slow = defineTool({
      description: "Takes a minute",
      inputSchema: v.looseObject({}),
      execute: (_, { signal }) => clock.sleep(60_000, signal),
    });
    const t = await testAssistant({
      clock,
      tools: { slow },
      owner: { ids: ["memory:42"] },
      script: (prompt) =>
        JSON.stringify(prompt.at(-1)).includes("Begin it") ? calls(["workflow_run", { name: "other" }]) : says("begun"),
      workflow: {
        definitions: [
          "name: inner\nbudget: {max_tokens: 1000}\nsteps:\n  - {id: a, run: tool, tool: slow}\n",
          "name: other\nbudget: {max_tool_calls: 150}\nsteps:\n  - {id: a, run: wait, with: {seconds: 0}}\n",
        ],
      },
    });
    const { workflows } = t.assistant;
    const { runId } = await workflows.run(
      {
        name: "w",
        budget: { maxTokens: 5000, maxSeconds: 600, maxToolCalls: 100 },
        steps: [
          { id: "sub", run: "workflow", workflow: "inner" },
          { id: "ask", run: "prompt", prompt: "Begin it", needs: ["sub"] },
        ],
      },
      { user: "memory:42" },
    );
    await until(t.clock, async () => (await workflows.get(runId)).status === "done");
    expect((await workflows.get(runId)).spent.seconds).toBeGreaterThanOrEqual(60);
    const [inner] = await workflows.list({ name: "inner" });
    expect(inner?.budget).toMatchObject({ maxTokens: 1000, maxSeconds: 600, maxToolCalls: 100 });
    const [other] = await workflows.list({ name: "other" });
    expect(other?.budget).toMatchObject({ maxTokens: 5000, maxToolCalls: 99 });
    expect(other?.budget.maxSeconds).toBeLessThanOrEqual(540);
  });
});

describe("a run that is cancelled", () => {
  it("stops its prompt and the runs that it started", async () => {
    const t = await testAssistant({
      script: () => hangs(),
      workflow: { definitions: ["name: inner\nsteps:\n  - {id: think, run: prompt, prompt: Think long}\n"] },
    });
    const { runId } = await t.assistant.workflows.run({
      name: "w",
      steps: [{ id: "sub", run: "workflow", workflow: "inner" }],
    });
    await until(t.clock, () => t.model.callCount === 1);
    await t.assistant.workflows.cancel(runId);
    expect((await t.during(t.assistant.workflows.finished(runId))).status).toBe("cancelled");
    await until(t.clock, async () =>
      (await t.assistant.workflows.list({ name: "inner" })).every(({ status }) => status === "cancelled"),
    );
    const [inner] = await t.assistant.workflows.list({ name: "inner" });
    expect(inner?.parent).toEqual({ run: runId, step: "sub" });
  });

  it.each(["cancelled", "failed"] as const)(
    "ends what its prompts began when it is %s: sub-agents, other runs",
    async (status) => {
      const t = await testAssistant({
        owner: { ids: ["memory:42"] },
        script: (prompt) => {
          const last = JSON.stringify(prompt.at(-1));
          if (last.includes("Begin both"))
            return calls(["bg_dispatch", { task: "Think long" }], ["workflow_run", { name: "inner" }]);
          return last.includes("Think long") ? hangs() : says("begun");
        },
        workflow: { definitions: ["name: inner\nsteps:\n  - {id: a, run: wait, with: {event: never}}\n"] },
      });
      const steps = [
        { id: "a", run: "prompt" as const, prompt: "Begin both" },
        { id: "b", run: "wait" as const, with: { event: "go", seconds: 30 }, needs: ["a"] },
      ];
      const { workflows } = t.assistant;
      const { runId } = await workflows.run({ name: "w", steps }, { user: "memory:42" });
      const subagents = async () => {
        const states: unknown[] = [];
        for await (const { key } of t.store.list("subagents/sa-"))
          states.push(((await t.store.get(key))?.value as { readonly state?: string } | undefined)?.state);
        return states;
      };
      await until(t.clock, async () => (await workflows.get(runId)).status === "waiting");
      expect(await subagents()).toEqual(["running"]);
      const [inner] = await workflows.list({ name: "inner" });
      expect(inner?.status).toBe("waiting");
      if (status === "cancelled") await workflows.cancel(runId);
      else await t.clock.advance(30_000);
      expect((await t.during(workflows.finished(runId))).status).toBe(status);
      expect(await subagents()).toEqual(["cancelled"]);
      expect((await t.during(workflows.finished(inner?.id ?? ""))).status).toBe("cancelled");
    },
  );

  it("goes on when it is resumed, and does a step again when that is asked for, under new keys", async () => {
    const { keys, tool } = effects();
    const t = await testAssistant({ tools: { effect: tool } });
    const { runId } = await t.assistant.workflows.run({
      name: "w",
      steps: [
        { id: "a", run: "tool", tool: "effect" },
        { id: "b", run: "wait", with: { event: "go" }, needs: ["a"] },
        { id: "c", run: "tool", tool: "effect", needs: ["b"] },
      ],
    });
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).status === "waiting");
    await t.assistant.workflows.cancel(runId);
    const cancelled = await t.during(t.assistant.workflows.finished(runId));
    expect(cancelled.steps.map(({ status }) => status)).toEqual(["done", "pending", "pending"]);
    expect(cancelled.steps[1]).not.toHaveProperty("waitsFor");
    await expect(t.assistant.workflows.signal(runId, "go")).rejects.toMatchObject({ code: "CONFLICT" });
    await t.assistant.workflows.resume(runId);
    await t.assistant.workflows.signal(runId, "go");
    expect((await t.during(t.assistant.workflows.finished(runId))).status).toBe("done");
    await expect(t.assistant.workflows.resume(runId)).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(t.assistant.workflows.retry(runId, "x")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await t.assistant.workflows.retry(runId, "a");
    expect((await t.during(t.assistant.workflows.finished(runId))).status).toBe("done");
    expect(keys).toEqual([`${runId}.a.1`, `${runId}.c.1`, `${runId}.a.2`, `${runId}.c.2`]);
  });
});

describe("a run is told", () => {
  it("in one message of the conversation, which is changed as it goes on", async () => {
    const { tool } = effects();
    const edits: string[] = [];
    const channel = {
      ...inMemoryChannel(),
      edit: (_target: unknown, id: string, { text }: { readonly text: string }) =>
        Promise.resolve(void edits.push(`${id}: ${text}`)),
    };
    const t = await testAssistant({ tools: { effect: tool }, channel });
    const { runId } = await t.assistant.workflows.run(
      {
        name: "report",
        steps: [
          { id: "a", run: "tool", tool: "effect" },
          { id: "b", run: "wait", with: { event: "go" }, needs: ["a"] },
        ],
        output: "All is well",
      },
      { user: "memory:42" },
    );
    await t.sent(1);
    await until(t.clock, () => edits.length > 0);
    expect(edits.at(-1)).toContain("⏸ report: 1 of 2 steps. b waits for go.\n✓ a\n⏸ b");
    await t.assistant.workflows.signal(runId, "go");
    await t.during(t.assistant.workflows.finished(runId));
    expect(edits.at(-1)).toContain("✅ report: done, 2 of 2 steps");
    expect(edits.at(-1)).toContain("All is well");
    expect(new Set(edits.map((edit) => edit.split(":", 1)[0])).size).toBe(1);
    expect(t.channel.textsTo("42")).toHaveLength(1);
  });

  it("in a message of its own at the end where it is longer than the one that is changed may be", async () => {
    let shown = "";
    const channel = {
      ...inMemoryChannel({ limits: { maxTextLength: 100 } }),
      edit: (_target: unknown, _id: string, { text }: { readonly text: string }) =>
        Promise.resolve(void (shown = text)),
    };
    const t = await testAssistant({ channel });
    const output = `${"All is well. ".repeat(10)}That was all.`;
    const { runId } = await t.assistant.workflows.run(
      { name: "report", steps: [{ id: "a", run: "wait", with: { seconds: 0 } }], output },
      { user: "memory:42" },
    );
    await t.during(t.assistant.workflows.finished(runId));
    await until(t.clock, () => t.channel.textsTo("42").at(-1)?.endsWith("That was all.") === true);
    const [, ...end] = t.channel.textsTo("42");
    expect(end.join(" ").replaceAll(/\s+/g, " ")).toBe(`✅ report: done, 1 of 1 steps in 0 s. ${output}`);
    expect(shown).toBe("✅ report: done, 1 of 1 steps in 0 s.");
  });

  it("with what it asks the owner, in the language that it is written in", async () => {
    const t = await testAssistant({ owner: { ids: ["memory:42"] } });
    const steps = [{ id: "a", run: "approve", with: { text: "可以吗？" } }] as const;
    await t.assistant.workflows.run({ name: "report", steps }, { user: "memory:42" });
    await t.sent(2);
    const [started, asked] = t.channel.textsTo("42");
    expect(started).toMatch(/^⏳ report：已完成 0\/1 步/);
    expect(asked).toMatch(/^审批 \w{6}：memory:42 要运行 workflow_approve/);
  });

  it("without anybody's no under a question that its end took back", async () => {
    const edits: string[] = [];
    const channel = {
      ...inMemoryChannel(),
      edit: (_target: unknown, _id: string, { text }: { readonly text: string }) =>
        Promise.resolve(void edits.push(text)),
    };
    const t = await testAssistant({ owner: { ids: ["memory:42"] }, channel });
    const steps = [{ id: "a", run: "approve", with: { text: "Send it?" } }] as const;
    const { runId } = await t.assistant.workflows.run({ name: "report", steps }, { user: "memory:42" });
    await t.sent(2);
    await t.during(t.assistant.workflows.cancel(runId));
    await until(t.clock, () => edits.some((text) => text.startsWith("Approval")));
    expect(edits.find((text) => text.startsWith("Approval"))).toMatch(/Not answered in time, or no longer valid\.$/);
    await expect(t.assistant.approvals.answer(`${runId}.a.1`, { answer: "once", user: "memory:42" })).rejects.toThrow(
      /^The request \w{6} cannot be used: its workflow has ended$/,
    );
  });

  it("as one that ran its steps, in Chinese too, where the last of them failed", async () => {
    const t = await testAssistant({
      tools: {
        breaks: defineTool({
          description: "Breaks",
          inputSchema: v.object({}),
          execute: () => Promise.reject(new Error("no paper")),
        }),
      },
    });
    const { runId } = await t.assistant.workflows.run(
      { name: "report", description: "每周的报告", steps: [{ id: "a", run: "tool", tool: "breaks" }] },
      { user: "memory:42" },
    );
    await t.during(t.assistant.workflows.finished(runId));
    await t.sent(1);
    expect(t.channel.textsTo("42").at(-1)).toMatch(/^❌ report 失败，已运行 1\/1 步。\n.*no paper\n没有完成任何步骤。/);
  });

  it("by its end at last, however long an earlier change takes at the platform", async () => {
    let shown = "";
    let land = () => {};
    const channel = {
      ...inMemoryChannel(),
      async edit(_target: unknown, _id: string, { text }: { readonly text: string }) {
        if (text.includes("b waits for go")) await new Promise<void>((resolve) => (land = resolve));
        shown = text;
      },
    };
    const t = await testAssistant({ channel });
    const { runId } = await t.assistant.workflows.run(
      { name: "report", steps: [{ id: "b", run: "wait", with: { event: "go" } }] },
      { user: "memory:42" },
    );
    await t.sent(1);
    await t.clock.advance(3000);
    await t.assistant.workflows.signal(runId, "go");
    await t.clock.advance(1000);
    land();
    await t.during(t.assistant.workflows.finished(runId));
    expect(shown).toContain("✅ report: done, 1 of 1 steps");
    expect(t.channel.textsTo("42")).toHaveLength(1);
  });

  it("by the state that it is in, also where the platform puts a change off", async () => {
    let shown = "";
    let putOff = 0;
    const channel = {
      ...inMemoryChannel(),
      async edit(_target: unknown, _id: string, { text }: { readonly text: string }) {
        if (putOff-- > 0) throw new ChannelSendError("Too many requests", { retryable: true, retryAfterMs: 20_000 });
        shown = text;
      },
    };
    const t = await testAssistant({ channel });
    const { runId } = await t.assistant.workflows.run(
      { name: "report", steps: [{ id: "b", run: "wait", with: { event: "go" } }], output: "All is well" },
      { user: "memory:42" },
    );
    await t.sent(1);
    putOff = 2;
    await until(t.clock, () => shown.includes("b waits for go"));
    putOff = 1;
    await t.assistant.workflows.signal(runId, "go");
    await t.during(t.assistant.workflows.finished(runId));
    // The result does not wait for it, and is said once.
    await t.sent(2);
    expect(t.channel.textsTo("42")[1]).toContain("All is well");
    await until(t.clock, () => shown.includes("✅"));
    expect(shown).toContain("✅ report: done, 1 of 1 steps");
    expect(shown).not.toContain("All is well");
  });

  it("in a new message where the channel changes none", async () => {
    const t = await testAssistant();
    await t.assistant.workflows.run(
      { name: "report", steps: [{ id: "a", run: "wait", with: { seconds: 0 } }], output: "All is well" },
      { user: "memory:42" },
    );
    await t.sent(2);
    expect(t.channel.textsTo("42")[0]).toContain("⏳ report");
    expect(t.channel.textsTo("42")[1]).toContain("✅ report: done, 1 of 1 steps");
    expect(t.channel.textsTo("42")[1]).toContain("All is well");
    // The conversation knows of it.
    await t.say("how was it?");
    expect(JSON.stringify(t.model.requests.at(-1)?.prompt)).toContain("All is well");
  });
});
