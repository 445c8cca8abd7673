import type { EmbeddingModelV4, LanguageModelV4 } from "@ai-sdk/provider";
import { AssistantError } from "../../../mod.ts";
import { type EmbedderConfig, type ModelConfig, withThoughtsApart } from "../../../kit.ts";
import { DEFAULT_OPENAI_MODEL, given } from "./from-environment.ts";
import type { Environment } from "./from-environment.ts";

/** Options of `loadModel`. */
export interface LoadModelOptions {
  /** Environment with `OPENAI_API_KEY`, for an OpenAI model without a key of its own. Default: empty. */
  readonly env?: Environment;
}

/**
 * Creates the model that a configuration describes. Loads its provider's package, and only that one.
 *
 * OpenAI's models use its Responses API, others chat completions. The reasoning of the latter between `<think>` and
 * `</think>` is not part of their text.
 *
 * Source: docs/models.md.
 *
 * @throws {AssistantError} "CONFIG_INVALID" when something is missing that the provider needs.
 */
export async function loadModel(config: ModelConfig, options: LoadModelOptions = {}): Promise<LanguageModelV4> {
  const { model = DEFAULT_OPENAI_MODEL, baseUrl } = config;
  const apiKey = keyOf(config, options.env);
  switch (config.provider) {
    case "offline": {
      const { offlineModel } = await import("../offline/index.ts");
      return offlineModel();
    }
    case "openai": {
      if (apiKey === undefined) {
        throw new AssistantError(
          "CONFIG_INVALID",
          `Cannot use the model ${JSON.stringify(model)} of OpenAI as there is no key: set OPENAI_API_KEY, or api_key in the configuration`,
        );
      }
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ apiKey, ...(baseUrl === undefined ? {} : { baseURL: baseUrl }) })(model);
    }
    case "openai-compatible": {
      if (baseUrl === undefined || config.model === undefined) {
        throw new AssistantError(
          "CONFIG_INVALID",
          `Cannot use an openai-compatible model without its ${baseUrl === undefined ? "address: set base_url, as http://127.0.0.1:11434/v1" : "name: set model, as qwen3"}`,
        );
      }
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const settings = { name: "openai-compatible", baseURL: baseUrl, includeUsage: true };
      return withThoughtsApart(
        createOpenAICompatible(apiKey === undefined ? settings : { ...settings, apiKey })(model),
      );
    }
    default:
      throw new AssistantError(
        "CONFIG_INVALID",
        `Cannot use a model of ${JSON.stringify(config.provider satisfies never)}: expected openai, openai-compatible or offline`,
      );
  }
}

/**
 * Creates the embedding model that a configuration describes, as `loadModel` does.
 *
 * @throws {AssistantError} "CONFIG_INVALID" when something is missing that the provider needs.
 */
export async function loadEmbedder(config: EmbedderConfig, options: LoadModelOptions = {}): Promise<EmbeddingModelV4> {
  const { model, baseUrl } = config;
  const apiKey = keyOf(config, options.env);
  if (config.provider === "openai") {
    if (apiKey === undefined) {
      throw new AssistantError(
        "CONFIG_INVALID",
        `Cannot use the embedding model ${JSON.stringify(model)} of OpenAI as there is no key: set OPENAI_API_KEY, or memory.embedder.api_key in the configuration`,
      );
    }
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({ apiKey, ...(baseUrl === undefined ? {} : { baseURL: baseUrl }) }).embeddingModel(model);
  }
  if (baseUrl === undefined) {
    throw new AssistantError(
      "CONFIG_INVALID",
      "Cannot use an openai-compatible embedding model without its address: set memory.embedder.base_url, as http://127.0.0.1:11434/v1",
    );
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const settings = { name: "openai-compatible", baseURL: baseUrl };
  return createOpenAICompatible(apiKey === undefined ? settings : { ...settings, apiKey }).embeddingModel(model);
}

/**
 * The key from the configuration, or for OpenAI itself also from the environment: that key is never sent to other
 * servers.
 */
export function keyOf(config: Pick<ModelConfig, "provider" | "apiKey">, env: Environment = {}): string | undefined {
  return config.apiKey ?? (config.provider === "openai" ? given(env, "OPENAI_API_KEY") : undefined);
}
