import { describe, expect, it } from "vitest";
import { isContentFiltered } from "../../src/agent/content-filter.ts";
import { AssistantError } from "../../src/errors.ts";
import { apiFailure } from "./api-failure.ts";

describe("isContentFiltered()", () => {
  it.each([
    [
      "Azure",
      apiFailure(
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
      ),
    ],
    ["Azure, by its code", apiFailure("Bad Request", 400, '{"error":{"code":"content_filter","status":400}}')],
    ["OpenAI", apiFailure("Your request was rejected", 400, '{"error":{"code":"content_policy_violation"}}')],
    [
      "OpenAI, Responses",
      apiFailure("Invalid prompt: your prompt was flagged as potentially violating our usage policy."),
    ],
    ["Anthropic", apiFailure("Output blocked by content filtering policy")],
    [
      "OpenRouter",
      apiFailure('p/one requires moderation on openrouter.ai. Your input was flagged for "violence"', 403),
    ],
    ["DashScope", apiFailure("Input data may contain inappropriate content.", 400, '{"code":"DataInspectionFailed"}')],
    ["DashScope, as OpenAI", apiFailure("Bad Request", 400, '{"error":{"code":"data_inspection_failed"}}')],
    ["DeepSeek", apiFailure("Content Exists Risk")],
    ["Moonshot", apiFailure("The request was rejected because it was considered high risk")],
    ["MiniMax", apiFailure("input new_sensitive", 422)],
    ["a stream", new Error('The model\'s stream reported an error: {"code":"content_filter"}')],
    ["an answer that is withheld", new AssistantError("CONTENT_FILTERED", "It gave no answer")],
  ])("knows it from %s", (_, error) => {
    expect(isContentFiltered(error)).toBe(true);
  });

  it.each([
    ["a bad request", apiFailure("Invalid schema for function 'filter_content'")],
    ["a prompt that is too long", apiFailure("This model's maximum context length is 8192 tokens")],
    ["an account", apiFailure("Your account was flagged", 403)],
    ["a key", apiFailure("Incorrect API key provided", 401, '{"code":"content_filter"}')],
    ["a limit", apiFailure("Rate limit of content_filter calls", 429)],
    ["a server", apiFailure("content_filter is not reachable", 500)],
    ["no server", new AssistantError("MODEL_UNAVAILABLE", "content_filter")],
    ["something that is no error", "content_filter"],
  ])("is not misled by %s", (_, error) => {
    expect(isContentFiltered(error)).toBe(false);
  });
});
