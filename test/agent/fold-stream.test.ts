import { generateText, jsonSchema } from "ai";
import { describe, expect, it } from "vitest";
import { type ModelObject } from "../../src/agent/index.ts";
import { foldStream } from "../../src/agent/fold-stream.ts";
import { calls, says, scriptedModel, streams } from "../../src/testing/scripted-model.ts";

const tools = { add: { description: "adds", inputSchema: jsonSchema({ type: "object" }) } };

async function ask(model: ModelObject) {
  const { text, toolCalls, finishReason, usage } = await generateText({
    model,
    prompt: "hi",
    tools,
    maxRetries: 0,
  });
  return { text, calls: toolCalls.map(({ toolName, input }) => [toolName, input]), finishReason, usage };
}

describe("foldStream()", () => {
  it.each([
    { title: "a text", step: says("Hello there, how are you?") },
    { title: "a text and calls", step: calls("Let me see", ["add", { a: 1 }], ["add", { a: 2 }]) },
  ])("gives the same result as the model without streaming for $title", async ({ step }) => {
    const plain = await ask(scriptedModel(() => step));
    const deltas: string[] = [];
    const folded = await ask(
      foldStream(
        scriptedModel(() => step),
        ({ text }) => deltas.push(text),
      ),
    );
    expect(folded).toEqual(plain);
    expect(deltas.join("")).toBe(plain.text);
    expect(deltas.length).toBeGreaterThan(1);
  });

  it("throws the error that a stream reports", async () => {
    const model = scriptedModel(() =>
      streams([
        { type: "stream-start", warnings: [] },
        { type: "error", error: new Error("overloaded") },
      ]),
    );
    await expect(ask(foldStream(model, () => {}))).rejects.toThrow("overloaded");
  });

  it.each([
    { title: "with no end", ends: [] },
    { title: "with an end that says so", ends: [{ type: "finish", finishReason: { unified: "interrupted" } }] },
  ])("does not take a stream that was cut off for an answer, $title", async ({ ends }) => {
    const model = scriptedModel(() =>
      streams([{ type: "text-start", id: "1" }, { type: "text-delta", id: "1", delta: "half a sen" }, ...ends]),
    );
    await expect(ask(foldStream(model, () => {}))).rejects.toThrow("without saying that it was finished");
  });

  it("asks without a stream a server that answers JSON where a stream was asked for", async () => {
    const model = scriptedModel(() => says("All at once"));
    const asJson: ModelObject = {
      ...model,
      doStream: async () => ({
        stream: new ReadableStream({ start: (controller) => controller.close() }),
        response: { headers: { "content-type": "application/json; charset=utf-8" } },
      }),
    };
    expect((await ask(foldStream(asJson, () => {}))).text).toBe("All at once");
  });
});
