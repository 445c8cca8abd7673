import { APICallError, generateText, jsonSchema, streamText, tool } from "ai";
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ToolSet } from "ai";
import { describe, expect, it, vi } from "vitest";
import { polled } from "../support/within.ts";
import { DEFAULT_OPENAI_MODEL, checkModel, loadModel } from "../../adapters/models/from-config/index.ts";
import { memoryStore } from "../../adapters/storage/memory/index.ts";
import { AssistantError, createAssistant } from "../../entry.host.ts";
import { stubServer } from "./stub-server.ts";
import type { StubAnswer } from "./stub-server.ts";

const usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };
const completion = (message: object, finish_reason = "stop"): StubAnswer => ({
  json: {
    id: "c1",
    object: "chat.completion",
    created: 1,
    model: "qwen3",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
    usage,
  },
});
const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: "c1",
  object: "chat.completion.chunk",
  created: 1,
  model: "qwen3",
  choices: [{ index: 0, delta, finish_reason }],
});
const usageChunk = { id: "c1", object: "chat.completion.chunk", created: 1, model: "qwen3", choices: [], usage };
const tools: ToolSet = {
  weather: tool({
    description: "Tells the weather",
    inputSchema: jsonSchema({ type: "object", properties: { city: { type: "string" } } }),
  }),
};
const compatible = (baseUrl: string) =>
  loadModel({ provider: "openai-compatible", model: "qwen3", baseUrl, apiKey: "key-1" });

describe("loadModel() with an openai-compatible server", () => {
  it("asks for a chat completion, with the key and the model's name", async () => {
    await using server = await stubServer(() => completion({ content: "Hello" }));
    const result = await generateText({ model: await compatible(server.url), prompt: "hi", tools });
    expect(result.text).toBe("Hello");
    expect(result.usage).toMatchObject({ inputTokens: 12, outputTokens: 3 });
    expect(server.requests).toMatchObject([
      {
        method: "POST",
        path: "/v1/chat/completions",
        authorization: "Bearer key-1",
        body: { model: "qwen3", tools: [{ function: { name: "weather" } }] },
      },
    ]);
  });

  it("sends no key where none is set, also when the environment has one of OpenAI", async () => {
    await using server = await stubServer(() => completion({ content: "Hello" }));
    const model = await loadModel(
      { provider: "openai-compatible", model: "qwen3", baseUrl: `${server.url}/` },
      { env: { OPENAI_API_KEY: "other" } },
    );
    await generateText({ model, prompt: "hi" });
    expect(server.requests).toMatchObject([{ path: "/v1/chat/completions", authorization: undefined }]);
  });

  it("streams text and asks for the usage", async () => {
    await using server = await stubServer(() => ({
      events: [chunk({ role: "assistant", content: "Hel" }), chunk({ content: "lo" }), chunk({}, "stop"), usageChunk],
    }));
    const result = streamText({ model: await compatible(server.url), prompt: "hi" });
    const deltas: string[] = [];
    for await (const delta of result.textStream) deltas.push(delta);
    expect(deltas).toEqual(["Hel", "lo"]);
    expect(await result.usage).toMatchObject({ inputTokens: 12, outputTokens: 3 });
    expect(server.requests).toMatchObject([{ body: { stream: true, stream_options: { include_usage: true } } }]);
  });

  it("takes what a model thinks aloud for its thoughts, whole and streamed in pieces", async () => {
    const pieces = ["<th", "ink>\nThe user", " greets.</thi", "nk>\n\nHel", "lo"];
    await using server = await stubServer(({ body }) =>
      body["stream"] === true
        ? { events: [...pieces.map((content) => chunk({ content })), chunk({}, "stop"), usageChunk] }
        : completion({ content: pieces.join("") }),
    );
    const model = await compatible(server.url);
    for (const result of [await generateText({ model, prompt: "hi" }), streamText({ model, prompt: "hi" })]) {
      expect((await result.text).trim()).toBe("Hello");
      expect(await result.reasoningText).toContain("The user greets.");
    }
    const assistant = await createAssistant({ model, store: memoryStore() });
    expect((await assistant.send({ text: "hi" })).text.trim()).toBe("Hello");
    await assistant.stop();
  });

  it("takes thoughts that were cut off for thoughts, whole and streamed in pieces", async () => {
    const pieces = ["<th", "ink>\nThe user", " gree"];
    await using server = await stubServer(({ body }) =>
      body["stream"] === true
        ? { events: [...pieces.map((content) => chunk({ content })), chunk({}, "length"), usageChunk] }
        : completion({ content: pieces.join("") }, "length"),
    );
    const model = await compatible(server.url);
    for (const result of [await generateText({ model, prompt: "hi" }), streamText({ model, prompt: "hi" })]) {
      expect(await result.text).toBe("");
      expect(await result.reasoningText).toContain("The user gree");
    }
  });

  it("reads tool calls, whole and streamed in pieces", async () => {
    const call = { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } };
    const pieces = ['{"ci', 'ty":"Os', 'lo"}'];
    await using server = await stubServer(({ body }) =>
      body["stream"] === true
        ? {
            events: [
              ...pieces.map((text, at) =>
                chunk({
                  tool_calls: [
                    {
                      index: 0,
                      ...(at === 0 ? { id: "call_1", type: "function" } : {}),
                      function: { ...(at === 0 ? { name: "weather" } : {}), arguments: text },
                    },
                  ],
                }),
              ),
              chunk({}, "tool_calls"),
              usageChunk,
            ],
          }
        : completion({ content: null, tool_calls: [call] }, "tool_calls"),
    );
    const model = await compatible(server.url);
    for (const result of [
      await generateText({ model, tools, prompt: "hi" }),
      streamText({ model, tools, prompt: "hi" }),
    ]) {
      expect(await result.toolCalls).toMatchObject([
        { toolCallId: "call_1", toolName: "weather", input: { city: "Oslo" } },
      ]);
      expect(await result.finishReason).toBe("tool-calls");
    }
  });

  it.each([
    [401, {}, false],
    [404, {}, false],
    [429, { "retry-after": "7" }, true],
    [503, {}, true],
  ])("tells %i with its headers, and whether trying again may help", async (status, headers, isRetryable) => {
    await using server = await stubServer(() => ({
      status,
      headers,
      json: { error: { message: "no", type: "x", code: null, param: null } },
    }));
    const model = await compatible(server.url);
    const options: LanguageModelV4CallOptions = { prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }] };
    for (const request of [() => model.doGenerate(options), () => model.doStream(options)]) {
      const error: unknown = await Promise.resolve<unknown>(request()).catch((caught: unknown) => caught);
      expect(APICallError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({ statusCode: status, isRetryable, message: "no", responseHeaders: headers });
    }
  });

  it("tells a server that is not there as an error that may be tried again", async () => {
    const gone = await stubServer(() => undefined);
    await gone[Symbol.asyncDispose]();
    const asking = generateText({ model: await compatible(gone.url), prompt: "hi", maxRetries: 0 });
    await expect(asking).rejects.toMatchObject({ isRetryable: true });
  });

  it("lets go of a server that hangs when it is aborted, before and in the middle of an answer", async () => {
    await using server = await stubServer(({ body }) =>
      body["stream"] === true ? { events: [chunk({ content: "Hel" })], thenHang: true } : undefined,
    );
    const model = await compatible(server.url);
    const stop = new AbortController();
    const asking = generateText({ model, prompt: "hi", maxRetries: 0, abortSignal: stop.signal });
    const { stream } = await model.doStream({
      prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
      abortSignal: stop.signal,
    });
    const reader = stream.getReader();
    while ((await reader.read()).value?.type !== "text-delta");
    stop.abort();
    await expect(asking).rejects.toThrow();
    await expect(
      (async () => {
        for (;;) {
          const { done, value } = await reader.read();
          if (value?.type === "error") throw value.error;
          if (done) return;
        }
      })(),
    ).rejects.toThrow();
    await polled(() => server.hungUp).toBe(2);
  });
});

describe("an assistant on an openai-compatible server", () => {
  it.each(["openai-compatible", "openai"] as const)(
    "tells the error that a server of %s sends as JSON in place of a stream",
    async (provider) => {
      await using server = await stubServer(() => ({ json: { error: { message: "No such model", code: 404 } } }));
      const model = await loadModel({ provider, model: "qwen3", baseUrl: server.url, apiKey: "key-1" });
      const assistant = await createAssistant({ model, store: memoryStore() });
      const said: string[] = [];
      for await (const event of assistant.stream({ text: "hi" })) if (event.type === "error") said.push(event.message);
      expect(said).toEqual([expect.stringMatching(/: No such model \(404\)$/)]);
      // A stream, and the same without: not tried again.
      expect(server.requests.map(({ body }) => body["stream"] === true)).toEqual([true, false]);
      await assistant.stop({ graceMs: 0 });
    },
  );

  it("streams a turn with a tool call to whoever watches", async () => {
    await using server = await stubServer(({ body }) => {
      const answered = (body["messages"] as { role: string }[]).some(({ role }) => role === "tool");
      const call = {
        index: 0,
        id: "call_1",
        type: "function",
        function: { name: "time", arguments: '{"timezone":"UTC"}' },
      };
      return {
        events: answered
          ? [chunk({ content: "It is " }), chunk({ content: "late" }), chunk({}, "stop"), usageChunk]
          : [chunk({ tool_calls: [call] }), chunk({}, "tool_calls"), usageChunk],
      };
    });
    const assistant = await createAssistant({ model: await compatible(server.url), store: memoryStore() });
    try {
      const seen: string[] = [];
      for await (const event of assistant.stream({ text: "what time is it?" })) {
        seen.push(event.type === "text-delta" ? event.text : event.type);
      }
      expect(seen).toEqual(["tool-start", "tool-end", "It is ", "late", "reply", "end"]);
      expect(server.requests.map(({ body }) => body["stream"])).toEqual([true, true]);
    } finally {
      await assistant.stop({ graceMs: 0 });
    }
  });
});

describe("loadModel() with OpenAI", () => {
  const response = {
    id: "r1",
    object: "response",
    created_at: 1,
    status: "completed",
    model: DEFAULT_OPENAI_MODEL,
    output: [
      {
        type: "message",
        id: "m1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "Hello", annotations: [] }],
      },
    ],
    usage: { input_tokens: 12, output_tokens: 3, total_tokens: 15 },
  };

  it("has nothing stored there, and is sent words instead of ids that OpenAI forgets, and thoughts only within their turn", async () => {
    const thought = (id: string) => ({
      type: "reasoning",
      id,
      encrypted_content: `sealed ${id}`,
      summary: [{ type: "summary_text", text: "A thought" }],
    });
    const call = {
      type: "function_call",
      id: "fc1",
      call_id: "c1",
      name: "time",
      arguments: "{}",
      status: "completed",
    };
    const answers = [
      { ...response, output: [thought("rs1"), call] },
      { ...response, output: [thought("rs2"), ...response.output] },
      response,
    ];
    let asked = 0;
    await using server = await stubServer(() => ({ json: answers[asked++] }));
    const warned = vi.spyOn(process, "emitWarning");
    const model = await loadModel({ provider: "openai", model: "gpt-5", baseUrl: server.url, apiKey: "key-1" });
    const assistant = await createAssistant({ model, store: memoryStore(), memory: { enabled: false } });
    expect((await assistant.send({ text: "What time is it?" })).text).toBe("Hello");
    expect((await assistant.send({ text: "And now?" })).text).toBe("Hello");
    await assistant.stop();
    const bodies = server.requests.map(({ body }) => body as { store: unknown; input: readonly { type?: string }[] });
    expect(bodies.map(({ store }) => store)).toEqual([false, false, false]);
    const typesOf = (at: number) => bodies[at]?.input.map(({ type = "message" }) => type);
    expect(typesOf(1)).toEqual(["message", "message", "reasoning", "function_call", "function_call_output"]);
    expect(JSON.stringify(bodies[1]?.input)).toContain("sealed rs1");
    expect(typesOf(2)).toEqual(["message", "message", "function_call", "function_call_output", "message", "message"]);
    expect(JSON.stringify(bodies[2]?.input)).not.toMatch(/rs1|rs2|m1|fc1|sealed/);
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  it("asks through the Responses API, with the key of the configuration or of the environment", async () => {
    await using server = await stubServer(() => ({ json: response }));
    const own = await loadModel(
      { provider: "openai", baseUrl: server.url, apiKey: "key-1" },
      { env: { OPENAI_API_KEY: "key-2" } },
    );
    expect((await generateText({ model: own, prompt: "hi" })).text).toBe("Hello");
    const fromEnvironment = await loadModel(
      { provider: "openai", model: "gpt-x", baseUrl: server.url },
      { env: { OPENAI_API_KEY: "key-2" } },
    );
    await generateText({ model: fromEnvironment, prompt: "hi" });
    expect(server.requests).toMatchObject([
      { path: "/v1/responses", authorization: "Bearer key-1", body: { model: DEFAULT_OPENAI_MODEL } },
      { path: "/v1/responses", authorization: "Bearer key-2", body: { model: "gpt-x" } },
    ]);
  });

  it.each([
    [{ provider: "openai" } as const, "there is no key: set OPENAI_API_KEY, or api_key"],
    [{ provider: "openai-compatible", model: "qwen3" } as const, "set base_url, as http://"],
    [{ provider: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1" } as const, "set model, as qwen3"],
    [{ provider: "other" } as never, 'a model of "other": expected openai, openai-compatible or offline'],
  ])("refuses %j with what is missing", async (config, message) => {
    const error: unknown = await loadModel(config, { env: {} }).catch((caught: unknown) => caught);
    expect(AssistantError.is(error, "CONFIG_INVALID")).toBe(true);
    expect(String(error)).toContain(message);
  });

  it("knows the offline model", async () => {
    expect((await generateText({ model: await loadModel({ provider: "offline" }), prompt: "say one" })).text).toBe(
      "one",
    );
  });
});

describe("checkModel()", () => {
  const listing = (...ids: string[]): StubAnswer => ({
    json: { object: "list", data: ids.map((id) => ({ id, object: "model" })) },
  });

  it.each<[title: string, answer: StubAnswer, expected: object]>([
    ["the model in the list", listing("a", "qwen3"), { ok: true, detail: expect.stringContaining("knows qwen3") }],
    ["the model with Ollama's default tag", listing("qwen3:latest"), { ok: true }],
    ["an empty list", { json: { object: "list", data: null } }, { ok: true }],
    ["no list at all", { status: 404, json: "{}" }, { ok: true }],
    [
      "other models only",
      listing("a", "b", "c", "d", "e", "f", "g"),
      {
        ok: false,
        problem: expect.stringContaining('does not know the model "qwen3"'),
        remedy: expect.stringContaining("a, b, c, d, e and 2 more"),
      },
    ],
    ["a web page", { json: "<html></html>" }, { ok: false, remedy: expect.stringContaining("ends in /v1") }],
    ["some other JSON", { json: [] }, { ok: false, remedy: expect.stringContaining("ends in /v1") }],
    [
      "a refused key",
      { status: 401, json: {} },
      { ok: false, problem: expect.stringContaining("refused the key (401)") },
    ],
    ["a rate limit", { status: 429, json: {} }, { ok: false, problem: expect.stringContaining("429") }],
    ["an error of its own", { status: 502, json: {} }, { ok: false, remedy: "Try again later" }],
  ])("judges %s", async (_title, answer, expected) => {
    await using server = await stubServer(() => answer);
    const result = await checkModel({
      provider: "openai-compatible",
      model: "qwen3",
      baseUrl: server.url,
      apiKey: "key-1",
    });
    expect(result).toMatchObject(expected);
    expect(JSON.stringify(result)).not.toContain("key-1");
    expect(server.requests).toMatchObject([{ method: "GET", path: "/v1/models", authorization: "Bearer key-1" }]);
  });

  it("says that a key is missing without asking anyone", async () => {
    expect(await checkModel({ provider: "openai" })).toMatchObject({
      ok: false,
      problem: "There is no key for OpenAI",
    });
    await using server = await stubServer(() => ({ status: 401, json: {} }));
    const result = await checkModel({ provider: "openai-compatible", model: "qwen3", baseUrl: server.url });
    expect(result).toMatchObject({ ok: false, problem: expect.stringContaining("wants a key") });
  });

  it("says that a server is not there, or does not answer in time", async () => {
    await using hanging = await stubServer(() => undefined);
    const config = { provider: "openai-compatible", model: "qwen3" } as const;
    expect(await checkModel({ ...config, baseUrl: hanging.url }, { timeoutMs: 50 })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("within 0.05 s"),
    });
    const gone = await stubServer(() => undefined);
    await gone[Symbol.asyncDispose]();
    expect(await checkModel({ ...config, baseUrl: gone.url })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("cannot be reached"),
    });
  });

  it("stops when it is told to", async () => {
    await using hanging = await stubServer(() => undefined);
    const stop = new AbortController();
    const checking = checkModel(
      { provider: "openai-compatible", model: "qwen3", baseUrl: hanging.url },
      { signal: stop.signal },
    );
    stop.abort(new Error("enough"));
    await expect(checking).rejects.toThrow("enough");
  });

  it("has nothing to check for the offline model", async () => {
    expect(await checkModel({ provider: "offline" })).toMatchObject({ ok: true });
  });
});
