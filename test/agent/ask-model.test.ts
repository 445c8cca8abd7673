import { APICallError, LoadAPIKeyError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import {
  type AgentOptions,
  type ModelCall,
  type ModelFailure,
  askModel,
  createCoolDowns,
} from "../../src/agent/index.ts";
import { createMetrics } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { type Script, calls, fails, hangs, says, scriptedModel, streams } from "../../src/testing/scripted-model.ts";
import { messageOf } from "../../src/errors.ts";
import { apiFailure } from "./api-failure.ts";
import { until } from "../support/until.ts";

const OVERFLOW = new APICallError({
  message: "This model's maximum context length is 8192 tokens",
  url: "http://scripted.invalid/",
  requestBodyValues: {},
  statusCode: 400,
  isRetryable: false,
});

/** What `openai("gpt-5")` throws where OPENAI_API_KEY is not set. */
const NO_KEY = new LoadAPIKeyError({
  message:
    "OpenAI API key is missing. Pass it using the 'apiKey' parameter or the OPENAI_API_KEY environment variable.",
});
const WRONG_KEY = new APICallError({
  message: "Incorrect API key provided",
  url: "http://scripted.invalid/",
  requestBodyValues: {},
  statusCode: 401,
  isRetryable: true,
});

function setUp(scripts: Readonly<Record<string, Script>>, more: Partial<AgentOptions> = {}) {
  const clock = fakeClock();
  const metrics = createMetrics();
  const coolDowns = createCoolDowns({ clock, metrics });
  const models = Object.entries(scripts).map(([modelId, script]) => scriptedModel(script, { provider: "p", modelId }));
  const failures: ModelFailure[] = [];
  const used: string[] = [];
  const options: AgentOptions = {
    models,
    clock,
    coolDowns,
    onFailure: (failure) => void failures.push(failure),
    onUsage: ({ model, usage }) => void used.push(`${model} ${usage.inputTokens}+${usage.outputTokens}`),
    ...more,
  };
  const call: ModelCall = {
    instructions: "Be brief",
    messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
    tools: [],
    signal: new AbortController().signal,
  };
  /** The model that answered, or the code of the error. */
  async function ask(given: Partial<ModelCall> = {}): Promise<string> {
    let outcome: string | undefined;
    void askModel(options, { ...call, ...given }).then(
      ({ model }) => void (outcome = model),
      (error: unknown) => void (outcome = (error as { code?: string }).code ?? messageOf(error)),
    );
    await until(clock, () => outcome !== undefined);
    return outcome ?? "";
  }
  const askedModels = () => models.map(({ callCount }) => callCount);
  return { clock, metrics, coolDowns, models, options, call, ask, askedModels, failures, used };
}

describe("askModel()", () => {
  it("asks a model that failed last until it has rested, and first again afterwards", async () => {
    const { ask, askedModels, clock, metrics, failures } = setUp({
      one: (_, index) => (index === 0 ? fails(529) : says("one")),
      two: () => says("two"),
    });
    expect(await ask()).toBe("p/two");
    expect(failures).toMatchObject([{ model: "p/one", coolDownMs: 30_000 }]);
    expect(await ask()).toBe("p/two");
    expect(askedModels()).toEqual([1, 2]);
    await clock.advance(30_000);
    expect(await ask()).toBe("p/one");
    expect(await ask()).toBe("p/one");
    expect(metrics.text()).toContain('model_cooldown_total{model="p/one"} 1');
  });

  it("counts what a server reports as numbers, and nothing else", async () => {
    const model = scriptedModel(() => says("hi"), { usage: { inputTokens: NaN, outputTokens: -3 } });
    const { ask, used } = setUp({}, { models: [model] });
    await ask();
    expect(used.map((one) => one.split(" ")[1])).toEqual(["0+0"]);
  });

  it("asks a resting model all the same when nobody else answers", async () => {
    const { ask, askedModels } = setUp({
      one: (_, index) => (index === 0 ? fails(503) : says("one")),
      two: (_, index) => (index === 0 ? says("two") : fails(400)),
    });
    expect(await ask()).toBe("p/two");
    expect(await ask()).toBe("p/one");
    expect(askedModels()).toEqual([2, 2]);
  });

  it("answers with its only model although that failed a moment ago", async () => {
    const { ask } = setUp({ one: (_, index) => (index < 3 ? fails(429) : says("one")) });
    expect(await ask()).toBe("MODEL_UNAVAILABLE");
    expect(await ask()).toBe("p/one");
  });

  it.each([
    {
      title: "is missing",
      error: NO_KEY,
      reason: "its key is missing: set the environment variable OPENAI_API_KEY, or give the provider its apiKey",
    },
    { title: "is refused", error: WRONG_KEY, reason: "the provider refused its key (401): Incorrect API key provided" },
  ])("says at once, and after one try, that a key $title", async ({ error, reason }) => {
    const { options, call, clock, askedModels, failures } = setUp({
      one: () => {
        throw error;
      },
    });
    await expect(askModel(options, call)).rejects.toThrow(`No model answered: p/one: ${reason}`);
    expect(failures).toMatchObject([{ model: "p/one", reason }]);
    expect(askedModels()).toEqual([1]);
    expect(clock.pending).toBe(0);
  });

  it("does not ask a model without a key again while another one is tried again", async () => {
    const { ask, askedModels } = setUp({
      one: () => {
        throw NO_KEY;
      },
      two: (_, index) => (index === 0 ? fails(503) : says("two")),
    });
    expect(await ask()).toBe("p/two");
    expect(askedModels()).toEqual([1, 2]);
  });

  it("lets a model rest that does not answer in time", async () => {
    const { ask, askedModels } = setUp({ one: () => hangs(), two: () => says("two") }, { modelTimeoutMs: 4000 });
    expect(await ask()).toBe("p/two");
    expect(await ask()).toBe("p/two");
    expect(askedModels()).toEqual([1, 2]);
  });

  it.each([{ onDelta: () => {} }, {}])("asks again a model that broke off without an answer: %j", async (given) => {
    const { ask, askedModels, failures } = setUp({
      one: (_, index) => (index === 0 ? says("", { finish: "error" }) : says("one")),
    });
    expect(await ask(given)).toBe("p/one");
    expect(askedModels()).toEqual([2]);
    expect(failures).toMatchObject([{ reason: "The model broke off without an answer", retryInMs: 1000 }]);
  });

  it.each([
    { title: "an overload", error: { message: "Overloaded", type: "server_error", code: 503 } },
    { title: "its early end", error: new Error("Response stream ended without a finish reason.") },
  ])("asks again a model whose stream reports $title", async ({ error }) => {
    const { ask, askedModels, failures } = setUp({
      one: (_, index) => (index === 0 ? streams([{ type: "error", error }]) : says("one")),
    });
    expect(await ask({ onDelta: () => {} })).toBe("p/one");
    expect(askedModels()).toEqual([2]);
    expect(failures).toMatchObject([{ retryInMs: 1000, coolDownMs: 30_000 }]);
  });

  it.each([
    { title: "a bad request", error: { message: "Bad request", code: 400 } },
    { title: "a timeout", error: new DOMException("The operation timed out", "TimeoutError") },
  ])("does not ask again a model whose stream reports $title", async ({ error }) => {
    const { ask, askedModels } = setUp({ one: () => streams([{ type: "error", error }]) });
    expect(await ask({ onDelta: () => {} })).toBe("MODEL_UNAVAILABLE");
    expect(askedModels()).toEqual([1]);
  });

  it.each([
    ['{"error":{"message":"Slow down","code":429}}', "Slow down (429)", 2],
    ['{"error":{"message":"Slow down","code":"rate_limit_exceeded"}}', "Slow down (rate_limit_exceeded)", 2],
    ['{"error":{"message":"No such model","code":404}}', "No such model (404)", 1],
    ['{"error":"Kein Guthaben"}', "Kein Guthaben", 1],
    ['{"error":{"message":"额度不足"}}', "额度不足", 1],
    ['{"error":null}', "Invalid JSON response", 1],
    ["<html>", "Invalid JSON response", 1],
  ])("takes an error that a server reports with status 200 for that error: %s", async (body, reason, asked) => {
    const noAnswer = apiFailure("Invalid JSON response", 200, body);
    const { ask, askedModels, failures } = setUp({ a: (_, at) => (at === 0 ? fails(noAnswer) : says("here")) });
    expect(await ask()).toBe(asked === 1 ? "MODEL_UNAVAILABLE" : "p/a");
    expect(askedModels()).toEqual([asked]);
    expect(failures[0]?.reason).toBe(reason);
  });

  it.each([
    ['{"error":"model \'x\' not found"}', "model 'x' not found"],
    ['{"object":"error","message":"No such model","code":404}', "No such model (404)"],
    ['{"detail":"Not authenticated"}', "Not authenticated"],
    ['{"detail":[{"loc":["body"]}]}', "Not Found"],
    ["<html>", "Not Found"],
  ])("tells the words of a server whose errors have another shape: %s", async (body, reason) => {
    const { ask, askedModels, failures } = setUp({ a: () => fails(apiFailure("Not Found", 404, body)) });
    expect(await ask()).toBe("MODEL_UNAVAILABLE");
    expect(askedModels()).toEqual([1]);
    expect(failures.map(({ reason: told }) => told)).toEqual([reason]);
  });

  it("survives an answer that a provider's client gives as an object", async () => {
    const failure = apiFailure("Responses API returned no output", 500, { choices: [] } as never);
    const { ask } = setUp({ a: () => fails(failure), b: () => says("b") });
    expect(await ask()).toBe("p/b");
  });

  it("takes what a model said before it broke off", async () => {
    const { ask, askedModels } = setUp({ one: () => says("Half", { finish: "error" }) });
    expect(await ask()).toBe("p/one");
    expect(askedModels()).toEqual([1]);
  });

  it("does not blame a model for a turn that was stopped", async () => {
    const { ask, coolDowns, models } = setUp({ one: () => hangs() });
    const stop = new AbortController();
    const asked = ask({ signal: stop.signal });
    stop.abort(new Error("stopped"));
    expect(await asked).toBe("stopped");
    expect(coolDowns.of(models[0]!)).toBeUndefined();
  });

  it.each([{ onDelta: () => {} }, {}])(
    "asks for no tool when a text has to come, streamed or not (%j)",
    async (watching) => {
      const model = scriptedModel(() => says("ok"), { record: true });
      const { ask } = setUp({}, { models: [model] });
      await ask({ ...watching, toolChoice: "none", tools: [{ modelName: "x", description: "x", jsonSchema: {} }] });
      expect(model.requests[0]).toMatchObject({ toolChoice: { type: "none" }, tools: [{ name: "x" }] });
    },
  );

  it("asks in characters that are whole, since servers refuse a prompt with half of one", async () => {
    let asked: unknown;
    const { ask } = setUp({ one: (prompt) => ((asked = prompt), says("one")) });
    const half = "😀 whole, half \uD83D";
    const output = { type: "json" as const, value: { rows: [half] } };
    await ask({
      instructions: half,
      messages: [
        { role: "user", content: [{ type: "text", text: half }] },
        { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "look", input: { at: half } }] },
        { role: "tool", content: [{ type: "tool-result", toolCallId: "c", toolName: "look", output }] },
        { role: "user", content: half },
      ],
    });
    const prompt = JSON.stringify(asked);
    expect(prompt.match(/😀 whole, half \uFFFD/g)).toHaveLength(5);
    expect(prompt).not.toContain("\\ud83d");
  });

  it("tells of what every answer cost", async () => {
    const { ask, used } = setUp({ one: [fails(500), calls(["x", {}])], two: [says("two")] });
    await ask();
    await ask();
    expect(used).toEqual(["p/two 10+5", "p/one 10+5"]);
  });

  describe("when a provider refuses the words", () => {
    const FILTERED = new APICallError({
      message: "The prompt triggered the content management policy",
      url: "http://scripted.invalid/",
      requestBodyValues: {},
      statusCode: 400,
    });

    it("asks the next model, whose provider may not", async () => {
      const { ask, coolDowns, models } = setUp({ one: () => fails(FILTERED), two: () => says("two") });
      expect(await ask()).toBe("p/two");
      expect(coolDowns.of(models[0]!)).toBeUndefined();
    });

    it("says so when no other one answers, and asks it once", async () => {
      const { ask, askedModels } = setUp({ one: () => fails(FILTERED), two: () => fails(503) });
      expect(await ask()).toBe("CONTENT_FILTERED");
      expect(askedModels()).toEqual([1, 3]);
    });

    it("is only out of reach when a fallback refuses them while the first one is overloaded", async () => {
      const { ask } = setUp({ one: () => fails(503), two: () => fails(FILTERED) });
      expect(await ask()).toBe("MODEL_UNAVAILABLE");
    });

    it("says so when the first one that has a key refuses them", async () => {
      const { ask } = setUp({ one: () => fails(WRONG_KEY), two: () => fails(FILTERED) });
      expect(await ask()).toBe("CONTENT_FILTERED");
    });

    it("takes an answer that is withheld as a whole for it", async () => {
      const { ask } = setUp({ one: () => says("", { finish: "content-filter" }) });
      expect(await ask()).toBe("CONTENT_FILTERED");
    });
  });

  describe("when the prompt is too long", () => {
    it("says so at once: no second try, no other model of unknown size, no rest", async () => {
      const { ask, askedModels, failures, coolDowns, models } = setUp({
        one: () => fails(OVERFLOW),
        two: () => says("two"),
      });
      expect(await ask()).toBe("CONTEXT_OVERFLOW");
      expect(askedModels()).toEqual([1, 0]);
      expect(failures).toMatchObject([{ model: "p/one" }]);
      expect(coolDowns.of(models[0]!)).toBeUndefined();
    });

    it("asks a model that is known to take more", async () => {
      const { ask, askedModels } = setUp(
        { one: () => fails(OVERFLOW), two: () => says("two"), three: () => says("three") },
        {
          modelInfo: { one: { contextWindow: 8192 }, two: { contextWindow: 8192 }, "p/three": { contextWindow: 8193 } },
        },
      );
      expect(await ask()).toBe("p/three");
      expect(askedModels()).toEqual([1, 0, 1]);
    });

    it("says so when the larger one fails for another reason, since a shorter prompt may be answered", async () => {
      const { ask, askedModels } = setUp(
        { one: () => fails(OVERFLOW), two: () => fails(503) },
        { modelInfo: { one: { contextWindow: 8192 }, two: { contextWindow: 100_000 } } },
      );
      expect(await ask()).toBe("CONTEXT_OVERFLOW");
      expect(askedModels()).toEqual([1, 1]);
    });

    it("says so when a fallback is too small while the first one is overloaded", async () => {
      const { ask } = setUp({ one: () => fails(529), two: () => fails(OVERFLOW) });
      expect(await ask()).toBe("CONTEXT_OVERFLOW");
    });

    it("knows it from a stream too", async () => {
      const { ask } = setUp({
        one: () => streams([{ type: "error", error: { code: "context_length_exceeded", message: "too long" } }]),
      });
      expect(await ask({ onDelta: () => {} })).toBe("CONTEXT_OVERFLOW");
    });
  });
});
