import { messageOf } from "../../../kit.ts";
import type { ModelConfig } from "../../../kit.ts";
import { DEFAULT_OPENAI_MODEL } from "./from-environment.ts";
import type { Environment } from "./from-environment.ts";
import { keyOf } from "./load-model.ts";

/** The result of a check, in sentences for people. */
export type ModelCheck =
  | { readonly ok: true; readonly detail: string }
  | { readonly ok: false; readonly problem: string; readonly remedy: string };

/** Options of `checkModel`. */
export interface CheckModelOptions {
  /** As for `loadModel`. */
  readonly env?: Environment;
  /** Cancels the check when it aborts. */
  readonly signal?: AbortSignal;
  /** How long the server may take to answer, in milliseconds. Default 5_000. */
  readonly timeoutMs?: number;
}

const OPENAI_URL = "https://api.openai.com/v1";
const SHOWN_MODELS = 5;

/**
 * Whether a model is usable: it has its key, and its server answers and knows the model. Requests the server's list of
 * models, which costs no tokens.
 *
 * Source: docs/models-failures.md, "When the model does not answer".
 *
 * @throws The signal's reason when the signal aborts; nothing else.
 */
export async function checkModel(config: ModelConfig, options: CheckModelOptions = {}): Promise<ModelCheck> {
  const { signal, timeoutMs = 5_000 } = options;
  if (config.provider === "offline") return { ok: true, detail: "The offline model is built in and needs no key" };
  const apiKey = keyOf(config, options.env);
  if (config.provider === "openai" && apiKey === undefined) {
    return {
      ok: false,
      problem: "There is no key for OpenAI",
      remedy:
        "Set OPENAI_API_KEY, or api_key in the configuration; keys are made at https://platform.openai.com/api-keys",
    };
  }
  const baseUrl = config.baseUrl ?? OPENAI_URL;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, "")}/models`, {
      headers: { accept: "application/json", ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    if (response.ok) return judgeList(await response.text(), config.model ?? DEFAULT_OPENAI_MODEL, baseUrl);
    await response.body?.cancel();
    return judgeStatus(response.status, baseUrl, apiKey !== undefined);
  } catch (error) {
    signal?.throwIfAborted();
    if (timeout.aborted) {
      return {
        ok: false,
        problem: `${baseUrl} did not answer within ${timeoutMs / 1000} s`,
        remedy: "Check the address and whether the server is busy, or try again",
      };
    }
    return {
      ok: false,
      problem: `${baseUrl} cannot be reached: ${reasonOf(error)}`,
      remedy: "Check the address and the network; a local server must be running (for Ollama: `ollama serve`)",
    };
  }
}

function judgeStatus(status: number, baseUrl: string, withKey: boolean): ModelCheck {
  if (status === 401 || status === 403) {
    return withKey
      ? {
          ok: false,
          problem: `${baseUrl} refused the key (${status})`,
          remedy: "Set a key of this server that is still valid",
        }
      : {
          ok: false,
          problem: `${baseUrl} wants a key (${status})`,
          remedy: "Set OPENAI_API_KEY, or api_key in the configuration",
        };
  }
  if (status === 429) {
    return {
      ok: false,
      problem: `${baseUrl} turns requests away at the moment (429)`,
      remedy: "Wait, or look at the limits and the credit of the account",
    };
  }
  if (status >= 500) {
    return { ok: false, problem: `${baseUrl} answers with an error of its own (${status})`, remedy: "Try again later" };
  }
  // Not every server has a list of models. The check can only tell that it answers.
  return { ok: true, detail: `${baseUrl} answers (it has no list of models: ${status})` };
}

function judgeList(body: string, model: string, baseUrl: string): ModelCheck {
  const names = modelNames(body);
  if (names === undefined) {
    return {
      ok: false,
      problem: `${baseUrl} answers, but not as a server of models does`,
      remedy: "Check the address: it usually ends in /v1",
    };
  }
  // Ollama knows `qwen3` as `qwen3:latest`. A few servers list nothing although they have models.
  if (names.length === 0 || names.includes(model) || names.includes(`${model}:latest`)) {
    return { ok: true, detail: `${baseUrl} answers and ${names.length === 0 ? "lists no models" : `knows ${model}`}` };
  }
  const shown = names.slice(0, SHOWN_MODELS).join(", ");
  const more = names.length > SHOWN_MODELS ? ` and ${names.length - SHOWN_MODELS} more` : "";
  return {
    ok: false,
    problem: `${baseUrl} does not know the model ${JSON.stringify(model)}`,
    remedy: `Set OPENAI_MODEL, or model in the configuration, to one that it has: ${shown}${more}`,
  };
}

function modelNames(body: string): readonly string[] | undefined {
  try {
    const list: unknown = JSON.parse(body);
    if (typeof list !== "object" || list === null || !("data" in list)) return undefined;
    if (!Array.isArray(list.data)) return list.data === null ? [] : undefined;
    return list.data.flatMap((entry: unknown) =>
      typeof entry === "object" && entry !== null && "id" in entry && typeof entry.id === "string" ? [entry.id] : [],
    );
  } catch {
    return undefined;
  }
}

/** Node puts the reason of a failed `fetch` into the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
  return code !== "" ? code : messageOf(cause instanceof Error ? cause : error);
}
