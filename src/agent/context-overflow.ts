import { APICallError } from "ai";

/**
 * How servers say that a prompt is too long for their model. There is no standard: a word is enough that no other error has.
 * In this order: OpenAI and those that speak like it (Azure, DeepSeek, Groq, OpenRouter, vLLM, xAI, Mistral), OpenAI's Responses API; Anthropic and Bedrock;
 * Gemini; llama.cpp, Ollama, LM Studio; Text Generation Inference (Together, Hugging Face); Cohere, Moonshot, DashScope, Zhipu.
 */
const OVERFLOW =
  /context_length_exceeded|maximum (?:context|prompt|model) length|exceeds? (?:the|its|this model's) (?:available |maximum )?context|context (?:window|length|size|limit)[a-z ]{0,20} exceed|prompt is too (?:long|big)|exceed context limit|input is too long|request_too_large|input token count[ ()\d]{0,20}exceeds|exceed_context_size|initial prompt is greater than the context|(?:when|reached) context[a-z ]{0,20}(?:overflow|length of)|must be <= \d+\.? given|too many tokens|exceeded model token limit|range of input length|prompt exceeds max length/i;

/** A key, a bill, a model's name, a wait; and limits a minute, which speak of tokens too. */
const OTHER: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 429]);

/** Some servers repeat the request in their error. */
const MAX_ERROR_CHARS = 2000;

/** Does the error say that the prompt has more tokens than the model takes? Then asking the same again cannot help. */
export function isContextOverflow(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (APICallError.isInstance(error) && OTHER.has(error.statusCode ?? 0)) return false;
  return OVERFLOW.test(textOfError(error));
}

/** What an error says, and the beginning of the answer that it was made from. */
export function textOfError(error: Error): string {
  const given: unknown = APICallError.isInstance(error) ? error.responseBody : undefined;
  // OpenAI's client gives an answer that it cannot use as it is parsed.
  const body = typeof given === "string" ? given : (JSON.stringify(given) ?? "");
  return `${error.message.slice(0, MAX_ERROR_CHARS)}\n${body.slice(0, MAX_ERROR_CHARS)}`;
}
