import type { ModelConfig } from "../../../kit.ts";

/** Default when `OPENAI_MODEL` names no model: fast, cheap, and good with tools. */
export const DEFAULT_OPENAI_MODEL = "gpt-5.4-mini";

/** Variables of the process, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the model that the environment names, for a configuration that names none.
 *
 * `OPENAI_BASE_URL` names a server that speaks OpenAI's chat completions (Ollama, llama.cpp, vLLM, DeepSeek and many
 * more); `OPENAI_API_KEY` alone means OpenAI itself. `OPENAI_MODEL` is the model's name there, `OPENAI_API_KEY` the
 * key. Blank variables count as missing.
 *
 * Source: docs/models.md, "From the environment".
 *
 * @returns One model, or none: then there is only the offline model.
 */
export function modelsFromEnvironment(env: Environment): readonly ModelConfig[] {
  const [apiKey, baseUrl] = [given(env, "OPENAI_API_KEY"), given(env, "OPENAI_BASE_URL")];
  const model = given(env, "OPENAI_MODEL") ?? DEFAULT_OPENAI_MODEL;
  const key = apiKey === undefined ? {} : { apiKey };
  if (baseUrl !== undefined) return [{ provider: "openai-compatible", model, baseUrl, ...key }];
  return apiKey === undefined ? [] : [{ provider: "openai", model, apiKey }];
}

/** Returns a variable's value, trimmed; `undefined` when it is blank or not set. */
export function given(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}
