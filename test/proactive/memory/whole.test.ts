import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../entry.host.ts";
import type { Store } from "../../../kit.ts";
import { defineTool } from "../../../mod.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { calls, says } from "../../../src/testing/scripted-model.ts";
import { testAssistant } from "../../support/assistant.ts";
import { DAY_MS, remembering } from "../../memory/assistant.ts";

async function contents(t: Awaited<ReturnType<typeof remembering>>, userId = "telegram:1"): Promise<string[]> {
  const found: string[] = [];
  for await (const { content } of t.assistant.memory.list(userId)) found.push(content);
  return found;
}

const TEA = "I prefer green tea from Uji.";

describe("memory around the turns of an assistant", () => {
  it("does not take for new what it recalled, through many turns and a compaction", async () => {
    const t = await remembering();
    await t.say(TEA, "telegram:1");
    await t.clock.advance(DAY_MS);
    await t.say("/new", "telegram:1");
    const shown: string[] = [];
    for (let day = 0; day < 12; day += 1)
      shown.push(await t.say(`Which green tea should I buy on day ${day}?`, "telegram:1"));
    expect(shown.filter((prompt) => prompt.includes(TEA))).toHaveLength(12);
    await t.say("/compact", "telegram:1");
    expect((await contents(t)).filter((content) => content.includes("Uji"))).toEqual([TEA]);
    await t.assistant.stop();
  });

  it("recalls within a long turn what its tools came upon", async () => {
    let call = 0;
    const tools = {
      look: defineTool({
        description: "Looks",
        inputSchema: v.object({}),
        execute: () => ["nothing yet", "still nothing", "the Hotel Meridian has rooms"][(call += 1) - 1] ?? "done",
      }),
    };
    const t = await remembering({
      tools,
      script: (prompt) =>
        (JSON.stringify(prompt).match(/tool-result/g) ?? []).length < 4 ? calls(["look", {}]) : says("Done"),
    });
    await t.assistant.memory.save({ userId: "telegram:1", content: "Disliked the Hotel Meridian: too loud" });
    await t.say("Find me a place in Ghent", "telegram:1");
    const has = t.model.requests.map(({ prompt }) => JSON.stringify(prompt).split("too loud").length - 1);
    expect(has).toEqual([0, 0, 0, 1, 1]);
    const trace = [];
    for await (const entry of t.assistant.memory.list("telegram:1", { slots: { type: "workflow_trace" } }))
      trace.push(entry.slots["tool_seq"]);
    expect(trace).toEqual(["look→look→look→look"]);
    await t.assistant.stop();
  });

  it("forgets what was said a moment ago, before it is in memory", async () => {
    const clock = fakeClock();
    const memory = memoryStore();
    /** Takes its time with what is remembered. */
    const store: Store = {
      ...memory,
      put: async (key, value, options) => {
        if (key.startsWith("memory/")) await clock.sleep(2000);
        return memory.put(key, value, options);
      },
    };
    const t = await testAssistant({
      clock,
      store,
      queue: { debounceMs: 0 },
      script: (prompt) =>
        JSON.stringify(prompt.at(-1)).includes("Forget")
          ? calls(["memory_forget", { query: "green tea Uji" }])
          : says("ok"),
    });
    expect(await t.say(TEA)).toBe("ok");
    await t.say("Forget my tea.");
    const results = t.model.requests.at(-1)?.prompt.at(-1);
    expect(JSON.stringify(results).replaceAll("\\", "")).toContain('"forgotten":1,');
    await t.clock.advance(60_000);
    const left: string[] = [];
    for await (const { content } of t.assistant.memory.list("memory:42")) left.push(content);
    expect(left.filter((content) => content.includes("Uji") && !content.startsWith("Goal: Forget"))).toEqual([]);
  });
});
