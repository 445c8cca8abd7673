import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { AssistantError, type WorkflowRunView, memoryStore } from "../../../entry.host.ts";
import type { Store } from "../../../kit.ts";
import { delayed, says } from "../../../src/testing/scripted-model.ts";
import { defineTool } from "../../../src/tools/index.ts";
import { type TestAssistant, testAssistant } from "../../support/assistant.ts";
import { failingOnce } from "../../support/failing-once.ts";
import { until } from "../../support/until.ts";

const OWNER = { owner: { ids: ["memory:42"] }, memory: { enabled: false } } as const;

const effects: string[] = [];
const effect = defineTool({
  description: "Has an effect",
  inputSchema: v.object({}),
  execute: (_, { callId }) => void effects.push(callId),
});
const risky = defineTool({
  description: "Has an effect that the owner allows",
  inputSchema: v.object({}),
  meta: { dangerous: true },
  execute: (_, { callId }) => void effects.push(callId),
});
const list = defineTool({
  description: "Gives a list that is kept as an artifact",
  inputSchema: v.object({}),
  execute: () => [1, 2].map((one) => `${one}`.repeat(20_000)),
});

async function ended(t: TestAssistant, runId: string): Promise<WorkflowRunView> {
  await until(t.clock, async () => {
    const [open] = await t.assistant.approvals.list();
    if (open) await t.assistant.approvals.answer(open.id, { answer: "once", user: "memory:42" });
    return ["done", "failed"].includes((await t.assistant.workflows.get(runId)).status);
  });
  return t.assistant.workflows.get(runId);
}

describe("a run goes on, each effect once, when the store failed for a moment", () => {
  it.each([
    ["where a prompt is asked", "append", /sub:run-.*a\/log/, [{ id: "a", run: "prompt", prompt: "hello" }]],
    ["where its first message is stored", "append", /^outbox\//, [{ id: "a", run: "tool", tool: "effect" }]],
    ["where another run begins", "put", /starts\/.*run-/, [{ id: "a", run: "workflow", workflow: "inner" }]],
    ["where the owner is asked", "put", /approvals\/requests/, [{ id: "a", run: "approve", with: { text: "Go on?" } }]],
    ["where a tool needs an approval", "put", /approvals\/requests/, [{ id: "a", run: "tool", tool: "risky" }]],
    [
      "where items are read",
      "get",
      /artifacts\/.*content/,
      [
        { id: "list", run: "tool", tool: "list" },
        { id: "a", run: "tool", tool: "effect", forEach: "${steps.list.output}" },
      ],
    ],
    ["where its output is read", "get", /artifacts\/.*content/, [{ id: "a", run: "tool", tool: "list" }]],
  ] as const)("%s", async (_, kind, key, steps) => {
    effects.length = 0;
    const { store, failed } = failingOnce(kind, key);
    const t = await testAssistant({ ...OWNER, store, tools: { effect, risky, list } });
    await store.put("workflows/defs/inner.yaml", "name: inner\nsteps:\n  - { id: x, run: tool, tool: effect }\n");
    const { runId } = await t.assistant.workflows.run({ name: "long", steps }, { user: "memory:42" });
    expect(await ended(t, runId)).toMatchObject({ status: "done" });
    expect(failed).toHaveLength(1);
    expect(effects).toEqual([...new Set(effects)]);
  });

  it("where one step ends while another's turn goes on, which is not cut off", async () => {
    let fail = false;
    const base = memoryStore();
    const store: Store = {
      ...base,
      async put(key, value, options) {
        if (fail && key.startsWith("workflows/run-")) {
          fail = false;
          throw new AssistantError("STORE_UNAVAILABLE", "the store is down");
        }
        return base.put(key, value, options);
      },
    };
    const t = await testAssistant({
      ...OWNER,
      store,
      script: (prompt) => {
        if (!JSON.stringify(prompt).includes("quick")) return delayed(60_000, says("slow answer"));
        fail = true;
        return says("quick answer");
      },
    });
    const steps = [
      { id: "a", run: "prompt", prompt: "quick" },
      { id: "b", run: "prompt", prompt: "slow" },
    ] as const;
    const { runId } = await t.assistant.workflows.run({ name: "both", steps }, { user: "memory:42" });
    const run = await ended(t, runId);
    expect(run).toMatchObject({ status: "done", output: "slow answer" });
    expect(fail).toBe(false);
    expect(t.model.requests).toHaveLength(2);
  });
});
