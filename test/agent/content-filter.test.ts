import { APICallError } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { isContentFiltered } from "../../src/agent/content-filter.ts";
import { AssistantError } from "../../src/errors.ts";

function failure(message: string, statusCode = 400, responseBody?: string) {
  return new APICallError({
    message,
    url: "http://scripted.invalid/",
    requestBodyValues: {},
    statusCode,
    ...(responseBody !== undefined && { responseBody }),
  });
}

describe("isContentFiltered()", () => {
  it.each([
    [
      "Azure",
      failure(
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
      ),
    ],
    ["Azure, by its code", failure("Bad Request", 400, '{"error":{"code":"content_filter","status":400}}')],
    ["OpenAI", failure("Your request was rejected", 400, '{"error":{"code":"content_policy_violation"}}')],
    [
      "OpenAI, Responses",
      failure("Invalid prompt: your prompt was flagged as potentially violating our usage policy."),
    ],
    ["Anthropic", failure("Output blocked by content filtering policy")],
    ["OpenRouter", failure('p/one requires moderation on openrouter.ai. Your input was flagged for "violence"', 403)],
    ["DashScope", failure("Input data may contain inappropriate content.", 400, '{"code":"DataInspectionFailed"}')],
    ["DashScope, as OpenAI", failure("Bad Request", 400, '{"error":{"code":"data_inspection_failed"}}')],
    ["DeepSeek", failure("Content Exists Risk")],
    ["Moonshot", failure("The request was rejected because it was considered high risk")],
    ["MiniMax", failure("input new_sensitive", 422)],
    ["a stream", new Error('The model\'s stream reported an error: {"code":"content_filter"}')],
    ["an answer that is withheld", new AssistantError("CONTENT_FILTERED", "It gave no answer")],
  ])("knows it from %s", (_, error) => {
    expect(isContentFiltered(error)).toBe(true);
  });

  it.each([
    ["a bad request", failure("Invalid schema for function 'filter_content'")],
    ["a prompt that is too long", failure("This model's maximum context length is 8192 tokens")],
    ["an account", failure("Your account was flagged", 403)],
    ["a key", failure("Incorrect API key provided", 401, '{"code":"content_filter"}')],
    ["a limit", failure("Rate limit of content_filter calls", 429)],
    ["a server", failure("content_filter is not reachable", 500)],
    ["no server", new AssistantError("MODEL_UNAVAILABLE", "content_filter")],
    ["something that is no error", "content_filter"],
  ])("is not misled by %s", (_, error) => {
    expect(isContentFiltered(error)).toBe(false);
  });
});
