import { type JsonValue, isObject } from "../store/index.ts";
import type { PromptMessage } from "./turn-messages.ts";

/** Characters kept of a shortened result, at its beginning and at its end. */
const KEPT_CHARS = 400;

/**
 * Shortens the oldest long tool results until the messages fit, for a turn that alone outgrows the window. The
 * log keeps the complete results.
 */
export function shortenResults(
  messages: readonly PromptMessage[],
  fits: (messages: readonly PromptMessage[]) => boolean,
): readonly PromptMessage[] {
  let shortened = messages;
  for (let index = 0; index < messages.length && !fits(shortened); index += 1) {
    const message = messages[index]!;
    if (message.role !== "tool" || !isList(message.content)) continue;
    const content = message.content.map(shortenResult);
    shortened = shortened.map((one, place) => (place === index ? { ...message, content } : one));
  }
  return shortened;
}

function shortenResult(part: JsonValue): JsonValue {
  if (!isObject(part) || !isObject(part["output"])) return part;
  const { type, value } = part["output"];
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text === undefined || text.length <= 3 * KEPT_CHARS) return part;
  const short = `${text.slice(0, KEPT_CHARS)}\n… ${text.length - 2 * KEPT_CHARS} characters made room for what came after …\n${text.slice(-KEPT_CHARS)}`;
  return { ...part, output: { type: type === "error-text" ? "error-text" : "text", value: short } };
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);
