import { APICallError } from "ai";

/**
 * What a server reports that answers 200 with an error in place of an answer, as OpenRouter and other gateways do: the SDK knows no more of it than that
 * it is no answer. With the error's own words and code it is retried, rests and is told of like any other.
 *
 * Source: docs/models-failures.md, "When a model fails".
 */
export function asReported(error: unknown): unknown {
  if (!APICallError.isInstance(error)) return error;
  const { url, requestBodyValues, statusCode = 400, responseHeaders, responseBody } = error;
  const reported = statusCode < 400 ? reportedIn(responseBody) : undefined;
  if (reported === undefined) return error;
  const { message, code } = reported;
  const status = Number(code);
  const isStatus = status >= 400 && status < 600;
  return new APICallError({
    message: code === undefined ? message : `${message} (${code})`,
    url,
    requestBodyValues,
    // Left out, the SDK says by the status whether another try is worth it.
    statusCode: isStatus ? status : statusCode,
    ...(responseHeaders !== undefined && { responseHeaders }),
    ...(responseBody !== undefined && { responseBody }),
    cause: error,
  });
}

function reportedIn(body = ""): { readonly message: string; readonly code: string | number | undefined } | undefined {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    if (typeof error === "string" && error !== "") return { message: error, code: undefined };
    const { message, code } = error as { message?: unknown; code?: unknown };
    if (typeof message !== "string") return undefined;
    return { message, code: typeof code === "string" || typeof code === "number" ? code : undefined };
  } catch {
    return undefined;
  }
}
