import { APICallError } from "ai";

/**
 * Extracts the failure that a server reported. OpenRouter and other gateways answer 200 with an error; Ollama and
 * vLLM use another error shape than OpenAI. The SDK then knows only the status, or that there was no answer. With the
 * error's own message and code it is retried, cooled down and reported like any other.
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
    // If omitted, the SDK derives it from the status.
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
