import { describe, expect, it } from "vitest";
import {
  DEFAULT_CONTEXT_WINDOW,
  checkModelInfo,
  contextWindowOf,
  modelFacts,
  modelName,
  pickModels,
  pricesOf,
} from "../../src/agent/index.ts";
import { scriptedModel } from "../../src/testing/scripted-model.ts";

const big = scriptedModel([], { provider: "openai.responses", modelId: "GPT-Big" });
const small = scriptedModel([], { provider: "openai-compatible.chat", modelId: "org/small" });
const models = [big, small];

describe("modelFacts()", () => {
  it.each([
    {
      title: "the full name",
      info: { "openai.responses/GPT-Big": { contextWindow: 3 }, "openai/GPT-Big": { contextWindow: 2 } },
      window: 3,
    },
    {
      title: "the provider's short name",
      info: { "openai/GPT-Big": { contextWindow: 2 }, "GPT-Big": { contextWindow: 1 } },
      window: 2,
    },
    { title: "the id alone", info: { "GPT-Big": { contextWindow: 1 } }, window: 1 },
    { title: "another model's", info: { "org/small": { contextWindow: 1 } }, window: undefined },
    { title: "what every object has", info: {}, window: undefined },
  ])("finds $title", ({ info, window }) => {
    expect(modelFacts(big, info).contextWindow).toBe(window);
  });

  it("finds nothing in what every object has", () => {
    expect(modelFacts({ provider: "p", modelId: "constructor" }, {})).toEqual({});
  });
});

describe("contextWindowOf()", () => {
  it("takes the model's own, then the one of all, then the default", () => {
    const modelInfo = { "org/small": { contextWindow: 4096 } };
    expect(contextWindowOf(small, { modelInfo, contextWindow: 16_000 })).toBe(4096);
    expect(contextWindowOf(big, { modelInfo, contextWindow: 16_000 })).toBe(16_000);
    expect(contextWindowOf(big)).toBe(DEFAULT_CONTEXT_WINDOW);
  });
});

describe("pricesOf()", () => {
  it("gives them under the names that models are counted by", () => {
    const price = { input: 1, output: 2 };
    expect(pricesOf(models, { "openai/GPT-Big": { price } })).toEqual({ [modelName(big)]: price });
  });
});

describe("checkModelInfo()", () => {
  it("refuses a name that no model has, and lists those there are", () => {
    expect(() => checkModelInfo(models, { "GPT-Big": {}, "org/small": {} })).not.toThrow();
    expect(() => checkModelInfo(models, { "gpt-9": {} })).toThrow(
      /no model "gpt-9", only openai\.responses\/GPT-Big, openai-compatible\.chat\/org\/small/,
    );
  });
});

describe("pickModels()", () => {
  it.each(["openai-compatible.chat/org/small", "OPENAI-COMPATIBLE/ORG/SMALL", "org/small", " Org/Small "])(
    "puts %j first and keeps the others behind it",
    (wanted) => {
      expect(pickModels(models, wanted)).toEqual([small, big]);
    },
  );

  it.each(["small", "", "openai", "gpt-big2", "constructor"])("refuses %j and lists the names", (wanted) => {
    expect(() => pickModels(models, wanted)).toThrow(
      /expected one of openai\.responses\/GPT-Big, openai-compatible\.chat\/org\/small/,
    );
  });
});
