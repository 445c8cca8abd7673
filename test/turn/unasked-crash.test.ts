import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { type HostMessage, defineTool, memoryStore } from "../../entry.host.ts";
import { calls, fakeClock, says } from "../../src/testing/index.ts";
import { beginLife } from "../support/life.ts";
import { until } from "../support/until.ts";
import { stride } from "../support/thorough.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

/** An approval is answered by a process that dies after so many writes; the next one has to tell what came of it. */
async function liveThrough(writes: number) {
  const store = memoryStore();
  const clock = fakeClock();
  const told: HostMessage[] = [];
  const options: TestAssistantOptions = {
    store,
    clock,
    channels: [],
    owner: { ids: ["memory:own"] },
    script: (prompt) =>
      JSON.stringify(prompt.at(-1)).includes("call danger") ? calls(["danger", {}]) : says("It was done"),
    tools: {
      danger: defineTool({
        description: "Does something that asks first",
        inputSchema: v.object({}),
        execute: () => "done it",
        meta: { dangerous: true, idempotent: true },
      }),
    },
    deliver: async (message) => {
      // The request itself is a notice.
      if (message.kind === "reply") told.push(message);
      return { id: message.id };
    },
  };

  const { assistant: calm } = await testAssistant({ ...options, start: false });
  await calm.send({ text: "call danger", user: "app:ada" });
  const [request] = await calm.approvals.list();
  await calm.stop();

  const first = beginLife(store, clock, writes);
  const { assistant: dying } = await testAssistant({ ...options, life: first, start: false });
  const answer = (assistant: typeof dying) =>
    assistant.approvals.answer(request!.code, { answer: "once", user: "memory:own" });
  void answer(dying).catch(() => {});
  await until(clock, async () => first.killed || told.length > 0);
  const survived = !first.killed;
  first.kill();

  const { assistant: second } = await testAssistant(options);
  await answer(second).catch(() => {});
  await until(clock, () => told.length > 0);
  for (let minute = 0; minute < 20; minute += 1) await clock.advance(60_000);
  await second.stop();
  return { survived, told };
}

describe("what is said unasked", () => {
  it("is told whenever the program dies, under one id", async () => {
    let writes = 0;
    for (let survived = false; !survived; writes += stride(3)) {
      const { told, survived: lived } = await liveThrough(writes);
      survived = lived;
      expect(new Set(told.map(({ id, text }) => `${id} ${text}`)).size, `killed after ${writes} writes`).toBe(1);
      expect(told.length, `killed after ${writes} writes`).toBeLessThanOrEqual(2);
    }
    expect(writes).toBeGreaterThan(5);
  });
});
