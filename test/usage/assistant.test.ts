import { describe, expect, it } from "vitest";
import { calls, fails, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { testAssistant } from "../support/assistant.ts";

const DAY_MS = 24 * 3_600_000;

describe("an assistant with a budget", () => {
  it("asks no model over it, says so to the person, and answers again when it is open", async () => {
    const model = scriptedModel(() => says("hello"), { usage: { inputTokens: 90, outputTokens: 10 } });
    const { assistant, clock } = await testAssistant({ model, budget: { daily: { tokens: 100 } } });
    expect(await assistant.send({ text: "hi" })).toMatchObject({ text: "hello" });
    const over = await assistant.send({ text: "hi again" });
    expect(over.error?.code).toBe("BUDGET_EXCEEDED");
    expect(over.text).toContain("budget for language models is used up");
    expect(model.callCount).toBe(1);
    expect((await assistant.send({ text: "你好" })).text).toContain("预算已经用完");
    await clock.advance(DAY_MS);
    expect(await assistant.send({ text: "hi" })).toMatchObject({ text: "hello" });
  });

  it("keeps to it within one turn", async () => {
    const model = scriptedModel(() => calls(["time", {}]), { usage: { inputTokens: 40, outputTokens: 0 } });
    const { assistant } = await testAssistant({ model, budget: { daily: { tokens: 100 } } });
    expect((await assistant.send({ text: "hi" })).error?.code).toBe("BUDGET_EXCEEDED");
    expect(model.callCount).toBe(3);
  });

  it("in money does not start without prices", async () => {
    await expect(testAssistant({ model: scriptedModel([]), budget: { monthly: { cost: 5 } } })).rejects.toMatchObject({
      code: "OPTION_INVALID",
      message: expect.stringContaining("scripted/scripted has no price"),
    });
  });
});

describe("an assistant whose model cannot call tools", () => {
  it("runs tools that the model calls in its text, and goes on with another model that can", async () => {
    const written = scriptedModel(
      (_, index) =>
        index === 0 ? says('Let me look.\n<tool_call>\n{"name": "time", "arguments": {}}\n</tool_call>') : says("Noon"),
      { modelId: "written", record: true },
    );
    const { assistant, store } = await testAssistant({ model: written, modelInfo: { written: { protocol: "text" } } });
    const deltas: string[] = [];
    for await (const event of assistant.stream({ text: "What time is it?" })) {
      if (event.type === "text-delta") deltas.push(event.text);
      if (event.type === "reply") expect(event.reply).toMatchObject({ text: "Noon", toolCalls: [{ name: "time" }] });
    }
    expect(deltas.join("")).toBe("Let me look.\nNoon");
    expect(JSON.stringify(written.requests[1]?.prompt.at(-1))).toContain("<tool_result>");
    await assistant.stop({ graceMs: 0 });

    const native = scriptedModel(() => says("Still noon"), { modelId: "native", record: true });
    const { assistant: next } = await testAssistant({ model: native, store });
    expect((await next.send({ text: "And now?" })).text).toBe("Still noon");
    const parts = native.requests[0]?.prompt.flatMap(({ content }) =>
      typeof content === "string" ? [] : [...content],
    );
    expect(parts?.map(({ type }) => type)).toEqual(expect.arrayContaining(["tool-call", "tool-result"]));
  });
});

describe("an assistant with two models", () => {
  it("asks the one that failed last, in every conversation", async () => {
    const first = scriptedModel((_, index) => (index === 0 ? fails(529) : says("first")), { modelId: "first" });
    const second = scriptedModel(() => says("second"), { modelId: "second" });
    const { assistant, clock } = await testAssistant({ model: [first, second] });
    expect((await assistant.send({ text: "hi", session: "one" })).text).toBe("second");
    expect((await assistant.send({ text: "hi", session: "two" })).text).toBe("second");
    expect(first.callCount).toBe(1);
    await clock.advance(30_000);
    expect((await assistant.send({ text: "hi", session: "three" })).text).toBe("first");
  });
});
