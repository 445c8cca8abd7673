import QuickLRU from "quick-lru";
import { estimateTokenCount } from "tokenx";
import type { JsonValue } from "../store/index.ts";
import type { PromptMessage } from "./turn-messages.ts";

/** Factor for tool results, because estimates are too low for dense JSON (docs/context.md, "Counting tokens"). */
const TOOL_TOKENS_FACTOR = 1.5;
/** Upper bound of estimated tokens per UTF-16 unit; single emoji come closest. */
export const MAX_TOKENS_A_CHAR = 2;
/** In pure ASCII text, every estimated token has at least one character. */
const NOT_ASCII = /[^\0-\x7f]/;
/** Tokens of a message besides its text. */
const MESSAGE_OVERHEAD_TOKENS = 4;

/** Approximate tokens of an image at most providers; a PDF page costs about the same. */
const FILE_TOKENS = 1200;
const MAX_FILE_TOKENS = 60_000;
const PDF_BYTES_A_TOKEN = 40;

/** Tools and rules of a few assistants. */
const MAX_KEPT_TEXTS = 500;
const kept = new QuickLRU<string, number>({ maxSize: MAX_KEPT_TEXTS });

/** Estimated tokens of a text that all assistants of a process share, such as a tool's description. Counted once. */
export function tokensOfTold(text: string): number {
  let tokens = kept.get(text);
  if (tokens === undefined) kept.set(text, (tokens = estimateTokenCount(text)));
  return tokens;
}

const counts = new WeakMap<PromptMessage, number>();
const bounds = new WeakMap<PromptMessage, number>();

/** Estimated tokens of a message. Messages never change, so each is counted once. */
export function messageTokens(message: PromptMessage): number {
  let tokens = counts.get(message);
  if (tokens === undefined) {
    const text = weigh(message.content, estimateTokenCount);
    tokens =
      MESSAGE_OVERHEAD_TOKENS +
      fileTokens(message) +
      (message.role === "tool" ? Math.ceil(text * TOOL_TOKENS_FACTOR) : text);
    counts.set(message, tokens);
  }
  return tokens;
}

/** Upper bound of a message's estimate. Counting takes a hundred times as long as reading the length. */
export function mostTokens(message: PromptMessage): number {
  const { role, content } = message;
  const chars = role === "tool" ? undefined : textLength(content);
  // Reading the length is faster than a cache.
  if (chars !== undefined) return MESSAGE_OVERHEAD_TOKENS + fileTokens(message) + chars * MAX_TOKENS_A_CHAR;
  let most = bounds.get(message);
  if (most === undefined) {
    const text = weigh(message.content, (one) => one.length * MAX_TOKENS_A_CHAR);
    most =
      MESSAGE_OVERHEAD_TOKENS +
      fileTokens(message) +
      Math.ceil(message.role === "tool" ? text * TOOL_TOKENS_FACTOR : text);
    bounds.set(message, most);
  }
  return most;
}

/**
 * Like `mostTokens` but about half as high for most texts, because it reads their
 * characters. For results that are cached.
 */
export function mostTokensByText(message: PromptMessage): number {
  const { role, content } = message;
  const texts = role === "tool" ? undefined : textsOf(content);
  if (texts === undefined) return mostTokens(message);
  return MESSAGE_OVERHEAD_TOKENS + fileTokens(message) + texts.reduce((most, text) => most + mostTokensOf(text), 0);
}

/** Upper bound of a text's estimate. */
export function mostTokensOf(text: string): number {
  return text.length * (NOT_ASCII.test(text) ? MAX_TOKENS_A_CHAR : 1);
}

function textsOf(content: JsonValue): readonly string[] | undefined {
  if (typeof content === "string") return [content];
  if (!isList(content)) return undefined;
  const texts = content.map(textOf).filter((text) => text !== undefined);
  return texts.length === content.length ? texts : undefined;
}

function fileTokens({ files }: PromptMessage): number {
  if (!files) return 0;
  return files.reduce((sum, { mediaType, sizeBytes = 0 }) => {
    const size = mediaType.startsWith("image/") ? 0 : Math.ceil(sizeBytes / PDF_BYTES_A_TOKEN);
    return sum + Math.min(MAX_FILE_TOKENS, Math.max(FILE_TOKENS, size));
  }, 0);
}

/** Whether the texts are within a budget by their lengths alone, without counting. False: unknown. */
export function fitsByLength(texts: readonly string[], budgetTokens: number): boolean {
  let most = 0;
  for (const text of texts) most += mostTokensOf(text);
  return most <= budgetTokens;
}

/** Weighs texts as they are, and everything else as JSON. */
function weigh(content: JsonValue, textWeight: (text: string) => number): number {
  if (typeof content === "string") return textWeight(content);
  if (!isList(content)) return textWeight(JSON.stringify(content));
  return content.reduce((sum: number, part) => sum + textWeight(textOf(part) ?? JSON.stringify(part)), 0);
}

/** Length in UTF-16 units; `undefined` if not everything is text. */
function textLength(content: JsonValue): number | undefined {
  if (typeof content === "string") return content.length;
  if (!isList(content)) return undefined;
  let length = 0;
  for (const part of content) {
    const text = textOf(part);
    if (text === undefined) return undefined;
    length += text.length;
  }
  return length;
}

function textOf(part: JsonValue): string | undefined {
  if (typeof part !== "object" || part === null || isList(part)) return undefined;
  return part["type"] === "text" && typeof part["text"] === "string" ? part["text"] : undefined;
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);
