import { APICallError } from "@ai-sdk/provider";
import { generateText, jsonSchema, streamText, tool } from "ai";
import type { ToolSet } from "ai";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { calls, delayed, fails, hangs, says, scriptedModel, streams } from "../../src/testing/scripted-model.ts";

const tools: ToolSet = { time: tool({ description: "Tells the time", inputSchema: jsonSchema({ type: "object" }) }) };
const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "hi" }] }];

describe("scriptedModel()", () => {
  it("says its lines in order through generateText and streamText", async () => {
    const model = scriptedModel([says("one two"), "three"]);
    expect((await generateText({ model, prompt: "hi" })).text).toBe("one two");
    const result = streamText({ model, prompt: "hi" });
    expect(await result.text).toBe("three");
    expect(model.callCount).toBe(2);
  });

  it("streams a text word by word", async () => {
    const deltas: string[] = [];
    for await (const delta of streamText({ model: scriptedModel([says("one two three")]), prompt: "hi" }).textStream)
      deltas.push(delta);
    expect(deltas).toEqual(["one ", "two ", "three"]);
  });

  it.each(["generate", "stream"])("calls tools with ids of its own or the given one (%s)", async (way) => {
    const model = scriptedModel([calls("Wait.", ["time", { zone: "UTC" }], ["time", {}, "mine"])]);
    const result =
      way === "generate"
        ? await generateText({ model, tools, prompt: "hi" })
        : streamText({ model, tools, prompt: "hi" });
    expect(await result.text).toBe("Wait.");
    expect((await result.toolCalls).map((call) => [call.toolCallId, call.toolName, call.input])).toEqual([
      ["call-0-0", "time", { zone: "UTC" }],
      ["mine", "time", {}],
    ]);
    expect(await result.finishReason).toBe("tool-calls");
  });

  it("sends a string input as it is, so that malformed arguments can be played", async () => {
    const { toolCalls } = await generateText({
      model: scriptedModel([calls(["time", "{ not JSON"])]),
      tools,
      prompt: "hi",
    });
    expect(toolCalls[0]).toMatchObject({ invalid: true });
  });

  it("fails with the provider's error, with its status and Retry-After", async () => {
    const model = scriptedModel([fails(429, { retryAfterSeconds: 7 }), fails(401), fails(0), fails(new Error("odd"))]);
    const errors = [];
    for (let call = 0; call < 4; call++) {
      errors.push(await Promise.resolve(model.doGenerate({ prompt })).catch((error: unknown) => error));
    }
    expect(errors.slice(0, 3).map((error) => APICallError.isInstance(error))).toEqual([true, true, true]);
    expect(errors[0]).toMatchObject({ statusCode: 429, isRetryable: true, responseHeaders: { "retry-after": "7" } });
    expect(errors[1]).toMatchObject({ statusCode: 401, isRetryable: false });
    expect(errors[2]).toMatchObject({ statusCode: undefined, isRetryable: true });
    expect(errors[3]).toEqual(new Error("odd"));
  });

  it("hangs until it is aborted, before and in the middle of a stream", async () => {
    const model = scriptedModel(() => hangs("so far"));
    const stop = new AbortController();
    const generating = Promise.resolve(model.doGenerate({ prompt, abortSignal: stop.signal }));
    const { stream } = await model.doStream({ prompt, abortSignal: stop.signal });
    const reader = stream.getReader();
    const seen = [];
    for (let part = 0; part < 4; part++) seen.push((await reader.read()).value?.type);
    expect(seen).toEqual(["stream-start", "text-start", "text-delta", "text-delta"]);
    const reading = reader.read();
    stop.abort(new Error("enough"));
    await expect(generating).rejects.toThrow("enough");
    await expect(reading).rejects.toThrow("enough");
    await expect(Promise.resolve(model.doGenerate({ prompt, abortSignal: stop.signal }))).rejects.toThrow("enough");
  });

  it("streams rubbish as it is told, and folds it where nothing is streamed", async () => {
    const parts = [
      { type: "text-delta", id: "?", delta: "a" },
      { type: "text-delta", id: "?", delta: "b" },
      null,
      { type: "no-such-part" },
    ];
    const model = scriptedModel(() => streams(parts));
    const { stream } = await model.doStream({ prompt });
    const seen = [];
    for await (const part of stream) seen.push(part);
    expect(seen).toEqual(parts);
    expect(await model.doGenerate({ prompt })).toMatchObject({
      content: [{ type: "text", text: "ab" }],
      finishReason: { unified: "interrupted" },
    });
    await expect(
      Promise.resolve(
        scriptedModel([streams([{ type: "error", error: new Error("cut off") }])]).doGenerate({ prompt }),
      ),
    ).rejects.toThrow("cut off");
  });

  it("waits on the given clock only", async () => {
    const clock = fakeClock();
    const model = scriptedModel([delayed(5000, "late")], { clock });
    let text: string | undefined;
    const answering = generateText({ model, prompt: "hi" }).then((result) => (text = result.text));
    await clock.advance(4999);
    expect(text).toBeUndefined();
    await clock.advance(1);
    await answering;
    expect(text).toBe("late");
    await expect(Promise.resolve(scriptedModel([delayed(1, "x")]).doGenerate({ prompt }))).rejects.toThrow(
      "without `clock`",
    );
  });

  it("asks a function for each step", async () => {
    const model = scriptedModel((messages, callIndex) => `${callIndex}: ${messages.length} messages`);
    await model.doGenerate({ prompt });
    expect((await generateText({ model, prompt: "hi" })).text).toBe("1: 1 messages");
  });

  it("refuses a call that the script does not know", async () => {
    const model = scriptedModel(["only"]);
    await model.doGenerate({ prompt });
    await expect(Promise.resolve(model.doGenerate({ prompt }))).rejects.toThrow(
      "call 2 of the scripted model as its script has 1 steps",
    );
  });

  it("keeps requests only when asked, the newest so many, and starts again after reset()", async () => {
    const quiet = scriptedModel(() => "ok");
    await quiet.doGenerate({ prompt });
    expect(quiet.requests).toEqual([]);
    const model = scriptedModel(["a", "b", "c"], { record: 2 });
    for (let call = 0; call < 3; call++) await model.doGenerate({ prompt, seed: call });
    expect(model.requests.map((request) => request.seed)).toEqual([1, 2]);
    model.reset();
    expect([model.callCount, model.requests.length]).toEqual([0, 0]);
    expect((await model.doGenerate({ prompt })).content).toEqual([{ type: "text", text: "a" }]);
  });

  it("reports the given usage", async () => {
    const model = scriptedModel(["a"], { usage: { inputTokens: 300, outputTokens: 2 } });
    expect((await generateText({ model, prompt: "hi" })).usage).toMatchObject({ inputTokens: 300, outputTokens: 2 });
  });
});
