import { APICallError } from "ai";

/**
 * How servers report that a prompt is too long for their model. There is no standard; a word that no other error
 * contains is enough. In this order: OpenAI and compatible servers (Azure, DeepSeek, Groq, OpenRouter, vLLM, xAI,
 * Mistral), OpenAI's Responses API; Anthropic and Bedrock; Gemini; llama.cpp, Ollama, LM Studio; Text Generation
 * Inference (Together, Hugging Face); Cohere, Moonshot, DashScope, Zhipu.
 */
const OVERFLOW =
  /context_length_exceeded|maximum (?:context|prompt|model) length|exceeds? (?:the|its|this model's) (?:available |maximum )?context|context (?:window|length|size|limit)[a-z ]{0,20} exceed|prompt is too (?:long|big)|exceed context limit|input is too long|request_too_large|input token count[ ()\d]{0,20}exceeds|exceed_context_size|initial prompt is greater than the context|(?:when|reached) context[a-z ]{0,20}(?:overflow|length of)|must be <= \d+\.? given|too many tokens|exceeded model token limit|range of input length|prompt exceeds max length/i;

/** Statuses about keys, bills, model names and waits; and rate limits, which mention tokens too. */
const OTHER: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 429]);

/** Some servers repeat the request in their error. */
const MAX_ERROR_CHARS = 2000;

/** Whether the error says that the prompt has more tokens than the model takes. Asking the same again cannot help. */
export function isContextOverflow(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (APICallError.isInstance(error) && OTHER.has(error.statusCode ?? 0)) return false;
  return OVERFLOW.test(textOfError(error));
}

/** An error's message and the beginning of its response body. */
export function textOfError(error: Error): string {
  const given: unknown = APICallError.isInstance(error) ? error.responseBody : undefined;
  // OpenAI's client passes an unusable response in parsed form.
  const body = typeof given === "string" ? given : (JSON.stringify(given) ?? "");
  return `${error.message.slice(0, MAX_ERROR_CHARS)}\n${body.slice(0, MAX_ERROR_CHARS)}`;
}
