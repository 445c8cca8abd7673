import { APICallError } from "ai";
import { AssistantError } from "../errors.ts";
import { textOfError } from "./context-overflow.ts";

/**
 * How servers report that they refuse a prompt's words. There is no standard; a word that no other error
 * contains is enough. In this order: OpenAI, Azure, Anthropic, Moonshot; OpenAI's Responses API and
 * OpenRouter; DashScope; DeepSeek; MiniMax.
 */
const FILTERED =
  /content.?(?:filter|management.policy|policy.violation)|(?:input|prompt) was flagged|data.?inspection.?failed|content exists risk|considered high risk|new_sensitive/i;

/**
 * Statuses about the content of a request. 403: OpenRouter's. Source:
 * https://openrouter.ai/docs/api-reference/errors.
 */
const ABOUT_WORDS: ReadonlySet<number | undefined> = new Set([undefined, 400, 403, 422]);

/**
 * Whether the provider refused the prompt's words or withheld the whole answer. Asking
 * the same model again cannot help.
 */
export function isContentFiltered(error: unknown): boolean {
  if (AssistantError.is(error)) return error.code === "CONTENT_FILTERED";
  if (!(error instanceof Error) || (APICallError.isInstance(error) && !ABOUT_WORDS.has(error.statusCode))) return false;
  return FILTERED.test(textOfError(error));
}
