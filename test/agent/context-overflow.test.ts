import { describe, expect, it } from "vitest";
import { isContextOverflow } from "../../src/agent/context-overflow.ts";
import { apiFailure } from "./api-failure.ts";

describe("isContextOverflow()", () => {
  it.each([
    [
      "OpenAI",
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130012 tokens.",
    ],
    [
      "OpenAI, Responses",
      "Your input exceeds the context window of this model. Please adjust your input and try again.",
    ],
    ["Azure", "This model's maximum context length is 8192 tokens, however you requested 9000 tokens"],
    ["Anthropic", "prompt is too long: 210000 tokens > 200000 maximum"],
    [
      "Anthropic, with an answer's length",
      "input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000, decrease input length",
    ],
    ["Bedrock", "Input is too long for requested model."],
    ["Gemini", "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."],
    ["Gemini, older", "The input token count exceeds the maximum number of tokens allowed 1048576."],
    [
      "llama.cpp",
      "the request exceeds the available context size. try increasing the context size or enable context shift",
    ],
    [
      "llama.cpp, with numbers",
      "request (5120 tokens) exceeds the available context size (4096 tokens), try increasing it",
    ],
    ["Ollama", "the input length exceeds the context length"],
    ["Ollama, prompt", "prompt is too long for this model"],
    [
      "LM Studio",
      "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
    ],
    ["LM Studio, older", "The number of tokens to keep from the initial prompt is greater than the context length."],
    ["vLLM", "The decoder prompt (length 5120) is longer than the maximum model length of 4096."],
    [
      "vLLM, chat",
      "This model's maximum context length is 4096 tokens. However, you requested 5120 tokens in the messages",
    ],
    ["xAI", "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
    [
      "Mistral",
      "Prompt contains 40012 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    ],
    ["OpenRouter", "This endpoint's maximum context length is 65536 tokens. However, you requested about 70000 tokens"],
    [
      "Text Generation Inference",
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000 `inputs` tokens",
    ],
    ["Cohere", "too many tokens: total number of tokens in the prompt cannot exceed 4081"],
    ["Moonshot", "Invalid request: Your request exceeded model token limit: 8192"],
    ["DashScope", "Range of input length should be [1, 30720]"],
    ["Zhipu", "Prompt exceeds max length"],
    ["MiniMax", "invalid params, context window exceeds limit"],
  ])("knows it from %s", (_, message) => {
    expect(isContextOverflow(apiFailure(message))).toBe(true);
    expect(isContextOverflow(new Error(`The model's stream reported an error: ${message}`))).toBe(true);
  });

  it.each([
    ["OpenAI's code", '{"error":{"message":"no","code":"context_length_exceeded"}}', 400],
    ["llama.cpp's type", '{"error":{"code":400,"message":"no","type":"exceed_context_size_error"}}', 400],
    [
      "Anthropic's type",
      '{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
      413,
    ],
  ])("knows it from %s in the body", (_, body, status) => {
    expect(isContextOverflow(apiFailure("Bad Request", status, body))).toBe(true);
  });

  it.each([
    [
      "a limit of tokens a minute",
      apiFailure("Request too large for gpt on tokens per min (TPM): Limit 30000, Requested 40000", 429),
    ],
    ["the same in other words", apiFailure("This request would exceed your maximum context length per minute", 429)],
    ["a bad key", apiFailure("Incorrect API key provided", 401)],
    [
      "a bad key, with the request repeated",
      apiFailure("Unauthorized", 401, '{"error":"no key","request":{"messages":[{"content":"prompt is too long"}]}}'),
    ],
    [
      "too long an answer",
      apiFailure("max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens"),
    ],
    ["an overload", apiFailure("Overloaded", 529)],
    ["a bad tool", apiFailure("Invalid schema for function 'x': context must be an object")],
    ["what is no error", "prompt is too long"],
    ["something said far behind the error", apiFailure(`Invalid request: ${"x".repeat(5000)} prompt is too long`)],
  ])("does not take %s for it", (_, error) => {
    expect(isContextOverflow(error)).toBe(false);
  });
});
