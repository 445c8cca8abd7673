import { APICallError } from "ai";

/**
 * What a server reports that answers 200 with an error in place of an answer, as OpenRouter and other gateways do, or in another shape than OpenAI's, as
 * Ollama and vLLM do: the SDK knows no more of it than that it is no answer, or its status. With the error's own words and code it is retried, rests and is
 * told of like any other.
 *
 * Source: docs/models-failures.md, "When a model fails".
 */
export function asReported(error: unknown): unknown {
  if (!APICallError.isInstance(error)) return error;
  const { url, requestBodyValues, statusCode = 400, responseHeaders, responseBody } = error;
  const reported = reportedIn(responseBody);
  if (reported === undefined || (statusCode >= 400 && error.message.includes(reported.message))) return error;
  const { message, code } = reported;
  const status = Number(code);
  const isStatus = status >= 400 && status < 600;
  return new APICallError({
    message: code === undefined ? message : `${message} (${code})`,
    url,
    requestBodyValues,
    // Left out, the SDK says by the status whether another try is worth it.
    ...(statusCode >= 400 && { isRetryable: error.isRetryable }),
    statusCode: isStatus && statusCode < 400 ? status : statusCode,
    ...(responseHeaders !== undefined && { responseHeaders }),
    ...(responseBody !== undefined && { responseBody }),
    cause: error,
  });
}

function reportedIn(body = ""): { readonly message: string; readonly code: string | number | undefined } | undefined {
  try {
    const whole = JSON.parse(body) as { error?: unknown; detail?: unknown };
    const { error = whole.detail ?? whole } = whole;
    if (typeof error === "string" && error !== "") return { message: error, code: undefined };
    const { message, code } = error as { message?: unknown; code?: unknown };
    if (typeof message !== "string" || message === "") return undefined;
    return { message, code: typeof code === "string" || typeof code === "number" ? code : undefined };
  } catch {
    return undefined;
  }
}
