import { APICallError } from "@ai-sdk/provider";

/** What a provider's client throws when the server answers with an error. */
export function apiFailure(message: string, statusCode = 400, responseBody?: string): APICallError {
  return new APICallError({
    message,
    url: "http://scripted.invalid/",
    requestBodyValues: {},
    statusCode,
    ...(responseBody !== undefined && { responseBody }),
  });
}
