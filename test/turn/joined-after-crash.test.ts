import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool, memoryStore } from "../../entry.host.ts";
import type { Store } from "../../kit.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { calls, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { beginLife } from "../support/life.ts";
import { until } from "../support/until.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

const LOG = "sessions/main/sdk:direct:trip/log.jsonl";

/** A conversation in a short window. Its tool runs until it is let go; a second one has much to tell. */
async function live(options: TestAssistantOptions) {
  const slow = { begun: 0, letGo: () => {} };
  const model = scriptedModel(
    (prompt, _call, { tools = [] }) => {
      if (tools.length === 0) return says("They talked about places.");
      const text = JSON.stringify(prompt);
      if (!text.includes("look it up")) return says("A nice place. ".repeat(60));
      if (!text.includes("was found slowly")) return calls(["slow", {}]);
      return text.includes("goes on for long") ? says("done") : calls(["long", {}]);
    },
    { record: true },
  );
  const { assistant } = await testAssistant({
    ...options,
    model,
    memory: { enabled: false },
    goals: { enabled: false },
    queue: { mode: "steer" },
    context: { contextWindow: 5900 },
    skills: { enabled: false },
    workflow: { enabled: false },
    subagents: { enabled: false },
    compaction: { reserveTokens: 500, keepLastTurns: 1 },
    tools: {
      slow: defineTool({
        description: "Takes long",
        inputSchema: v.object({}),
        meta: { idempotent: true },
        execute: () =>
          new Promise<string>((resolve) => {
            slow.begun += 1;
            slow.letGo = () => resolve("It was found slowly");
          }),
      }),
      long: defineTool({
        description: "Tells much",
        inputSchema: v.object({}),
        execute: () => "What was found goes on for long. ".repeat(400),
      }),
    },
  });
  const say = (text: string) => assistant.send({ text, session: "trip" });
  return { assistant, model, slow, say };
}

describe("a message that joins a turn which a crash cut off", () => {
  it("stands in the prompt once, also when older turns go into the summary after that", async () => {
    const store = memoryStore();
    const clock = fakeClock();
    const life = beginLife(store, clock);
    const first = await live({ store, clock, life });
    for (const place of ["Oslo", "Bergen", "Tromsø"]) await first.say(`We may go to ${place}`);
    void first.say("please look it up").catch(() => {});
    await until(clock, () => first.slow.begun === 1);
    life.kill();

    const second = await live({ store, clock });
    await until(clock, () => second.slow.begun === 1);
    const reply = second.say("only this year");
    await until(clock, async () => (await inputsOf(store)) === 5);
    second.slow.letGo();
    expect((await reply).text).toBe("done");
    const asked = second.model.requests.map(({ prompt }) => JSON.stringify(prompt));
    expect(asked.some((text) => text.includes("Write the new summary now."))).toBe(true);
    expect(asked.at(-1)).toContain("goes on for long");
    expect(asked.at(-1)?.split("only this year")).toHaveLength(2);
    await second.assistant.stop();
  });
});

async function inputsOf(store: Store): Promise<number> {
  let count = 0;
  for await (const { record } of store.read(LOG)) if (record["type"] === "in") count += 1;
  return count;
}
