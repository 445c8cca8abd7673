import { describe, expect, it } from "vitest";
import { DEFAULT_OPENAI_MODEL, modelsFromEnvironment } from "../../adapters/models/from-config/from-environment.ts";

const baseUrl = "http://127.0.0.1:11434/v1";

describe("modelsFromEnvironment()", () => {
  it.each([
    ["nothing", {}, []],
    ["blank variables", { OPENAI_API_KEY: " ", OPENAI_BASE_URL: "", OPENAI_MODEL: "" }, []],
    ["a model's name alone", { OPENAI_MODEL: "qwen3" }, []],
    ["a key", { OPENAI_API_KEY: "key" }, [{ provider: "openai", model: DEFAULT_OPENAI_MODEL, apiKey: "key" }]],
    [
      "a key and a model",
      { OPENAI_API_KEY: " key ", OPENAI_MODEL: "gpt-x" },
      [{ provider: "openai", model: "gpt-x", apiKey: "key" }],
    ],
    [
      "an address and a model",
      { OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: "qwen3" },
      [{ provider: "openai-compatible", model: "qwen3", baseUrl }],
    ],
    [
      "an address and a key",
      { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: "key" },
      [{ provider: "openai-compatible", model: DEFAULT_OPENAI_MODEL, baseUrl, apiKey: "key" }],
    ],
  ])("makes of %s the right model", (_title, env, expected) => {
    expect(modelsFromEnvironment(env)).toEqual(expected);
  });
});
