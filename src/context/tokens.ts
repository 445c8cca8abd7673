import QuickLRU from "quick-lru";
import { estimateTokenCount } from "tokenx";
import type { JsonValue } from "../store/index.ts";
import type { PromptMessage } from "./turn-messages.ts";

/** Estimates run low on dense JSON: tool results count this many times (docs/context.md, "Counting tokens"). */
const TOOL_TOKENS_FACTOR = 1.5;
/** The estimate of no text has more tokens than this for each UTF-16 unit: single emoji come closest. */
export const MAX_TOKENS_A_CHAR = 2;
/** Without such signs every estimated token has a sign of its own at least. */
const NOT_ASCII = /[^\0-\x7f]/;
/** What a message costs beside its text. */
const MESSAGE_OVERHEAD_TOKENS = 4;

/** What an image costs at most providers, about; a page of a PDF costs as much. */
const FILE_TOKENS = 1200;
const MAX_FILE_TOKENS = 60_000;
const PDF_BYTES_A_TOKEN = 40;

/** Tools and rules of a few assistants. */
const MAX_KEPT_TEXTS = 500;
const kept = new QuickLRU<string, number>({ maxSize: MAX_KEPT_TEXTS });

/** Estimated tokens of a text that all assistants of a process tell their models, as what a tool is for: counted once for all. */
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

/** No estimate of the message is higher. Counting takes a hundred times as long as looking how long a text is. */
export function mostTokens(message: PromptMessage): number {
  const { role, content } = message;
  const chars = role === "tool" ? undefined : textLength(content);
  // Looking takes less time than remembering.
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

/** As `mostTokens`, and for most texts half as high: for what is asked once and then kept, as their signs are looked at. */
export function mostTokensByText(message: PromptMessage): number {
  const { role, content } = message;
  const texts = role === "tool" ? undefined : textsOf(content);
  if (texts === undefined) return mostTokens(message);
  return MESSAGE_OVERHEAD_TOKENS + fileTokens(message) + texts.reduce((most, text) => most + mostTokensOf(text), 0);
}

/** No estimate of the text is higher. */
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

/** Whether texts are so short that their estimates are together within a budget, without counting them. False: it may be. */
export function fitsByLength(texts: readonly string[], budgetTokens: number): boolean {
  let most = 0;
  for (const text of texts) most += mostTokensOf(text);
  return most <= budgetTokens;
}

/** Texts as they are, everything else as the JSON that it is. */
function weigh(content: JsonValue, textWeight: (text: string) => number): number {
  if (typeof content === "string") return textWeight(content);
  if (!isList(content)) return textWeight(JSON.stringify(content));
  return content.reduce((sum: number, part) => sum + textWeight(textOf(part) ?? JSON.stringify(part)), 0);
}

/** In UTF-16 units; `undefined` when it is not all text. */
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
