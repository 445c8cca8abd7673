import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { answer } from "./answer.ts";
import { nextCallNumber } from "./conversation.ts";
import type { Intent } from "./intent.ts";
import { artifactIntents } from "./intents/artifacts.ts";
import { commandIntents } from "./intents/commands.ts";
import { conversationIntents } from "./intents/conversation.ts";
import { fileIntents } from "./intents/files.ts";
import { goalIntents } from "./intents/goals.ts";
import { memoryIntents } from "./intents/memory.ts";
import { messageIntents } from "./intents/message.ts";
import { noteIntents } from "./intents/notes.ts";
import { ownLifeIntents } from "./intents/own-life.ts";
import { planIntents } from "./intents/plan.ts";
import { alarmIntents } from "./intents/alarms.ts";
import { reminderIntents } from "./intents/reminders.ts";
import { searchIntents } from "./intents/search.ts";
import { skillIntents } from "./intents/skills.ts";
import { talkIntents } from "./intents/talk.ts";
import { timeIntents } from "./intents/time.ts";
import { workflowIntents } from "./intents/workflows.ts";
import { createMatcher } from "./matcher.ts";

/** Options of `offlineModel`. */
export interface OfflineModelOptions {
  /** Additional intents. They are tried first, and replace shipped intents of the same name. Default none. */
  readonly intents?: readonly Intent[];
  /** Default `"offline"`. */
  readonly modelId?: string;
}

/** The shipped intents, in the order in which they are tried. */
export const shippedIntents: readonly Intent[] = [
  ...reminderIntents,
  ...alarmIntents,
  ...timeIntents,
  ...artifactIntents,
  ...fileIntents,
  ...workflowIntents,
  ...skillIntents,
  ...commandIntents,
  ...messageIntents,
  ...planIntents,
  ...noteIntents,
  ...searchIntents,
  ...conversationIntents,
  ...goalIntents,
  ...ownLifeIntents,
  ...memoryIntents,
  ...talkIntents,
];

/** Created once, at the first use: it takes some milliseconds, which a process with its own model saves. */
let shippedMatcher: ReturnType<typeof createMatcher> | undefined;
const matchShipped: ReturnType<typeof createMatcher> = (text) =>
  (shippedMatcher ??= createMatcher(shippedIntents))(text);

/**
 * A language model without a network: fixed rules convert some English and Chinese sentences to tool calls, and word the
 * results. The same prompt and tools always give the same answer. To a text that it does not understand, it answers with
 * what it can do, never with a guess.
 *
 * Token counts are estimates: a quarter of the bytes.
 *
 * Source: docs/models-offline.md, "The offline model".
 *
 * @throws {SyntaxError} If a phrasing of an intent is malformed.
 * @example
 * ```ts
 * const assistant = await createAssistant({ model: offlineModel(), store: memoryStore() });
 * ```
 */
export function offlineModel(options: OfflineModelOptions = {}): LanguageModelV4 {
  const { intents: extra = [], modelId = "offline" } = options;
  const replaced = new Set(extra.map(({ name }) => name));
  const intents = [...extra, ...shippedIntents.filter(({ name }) => !replaced.has(name))];
  // Compiled at once, so that errors in the caller's intents show early.
  const match = extra.length > 0 ? createMatcher(intents) : matchShipped;

  function generate(request: LanguageModelV4CallOptions): LanguageModelV4GenerateResult {
    request.abortSignal?.throwIfAborted();
    const { content, finishReason } = limited(contentOf(answer(request, intents, match), request.prompt), request);
    const inputTokens = promptTokens(request.prompt);
    let outputTokens = 0;
    for (const part of content) {
      outputTokens += tokensOf(part.type === "text" ? part.text : part.type === "tool-call" ? part.input : "");
    }
    return {
      content,
      finishReason: { unified: finishReason, raw: undefined },
      usage: {
        inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: undefined, cacheWrite: undefined },
        outputTokens: { total: outputTokens, text: outputTokens, reasoning: undefined },
      },
      response: { modelId },
      warnings: warningsFor(request),
    };
  }

  return {
    specificationVersion: "v4",
    provider: "wakeful",
    modelId,
    supportedUrls: {},
    async doGenerate(request) {
      return generate(request);
    },
    async doStream(request) {
      return { stream: streamOf(partsOf(generate(request), modelId), request.abortSignal) };
    },
  };
}

function contentOf(decided: ReturnType<typeof answer>, prompt: LanguageModelV4Prompt): LanguageModelV4Content[] {
  if ("text" in decided) return [{ type: "text", text: decided.text }];
  const first = nextCallNumber(prompt);
  return decided.calls.map(({ toolName, input }, index) => ({
    type: "tool-call",
    toolCallId: `offline-${first + index}`,
    toolName,
    input: JSON.stringify(input),
  }));
}

/** Applies the caller's stop sequences and token limit. */
function limited(
  content: LanguageModelV4Content[],
  { stopSequences = [], maxOutputTokens }: LanguageModelV4CallOptions,
): { content: LanguageModelV4Content[]; finishReason: LanguageModelV4FinishReason["unified"] } {
  const [part] = content;
  if (part?.type !== "text") return { content, finishReason: "tool-calls" };
  let { text } = part;
  for (const stop of stopSequences) {
    const at = stop === "" ? -1 : text.indexOf(stop);
    if (at !== -1) text = text.slice(0, at);
  }
  if (maxOutputTokens === undefined || tokensOf(text) <= maxOutputTokens) {
    return { content: [{ type: "text", text }], finishReason: "stop" };
  }
  const bytes = encoder.encode(text).subarray(0, Math.max(0, Math.floor(maxOutputTokens)) * BYTES_PER_TOKEN);
  const cut = new TextDecoder().decode(bytes).replace(/\uFFFD+$/u, "");
  return { content: [{ type: "text", text: cut }], finishReason: "length" };
}

function warningsFor({
  responseFormat,
  toolChoice,
}: LanguageModelV4CallOptions): LanguageModelV4GenerateResult["warnings"] {
  const warnings: LanguageModelV4GenerateResult["warnings"] = [];
  if (responseFormat?.type === "json") {
    warnings.push({
      type: "unsupported",
      feature: "responseFormat",
      details: "the offline model answers in plain text",
    });
  }
  if (toolChoice?.type === "required" || toolChoice?.type === "tool") {
    warnings.push({
      type: "unsupported",
      feature: "toolChoice",
      details: "the offline model calls a tool only when it is asked to",
    });
  }
  return warnings;
}

const BYTES_PER_TOKEN = 4;
const encoder = new TextEncoder();
const NOT_ASCII = /[^ -~\n\r\t]/;

function tokensOf(text: string): number {
  // Most prompts are ASCII, and this test is several times faster than encoding.
  const bytes = NOT_ASCII.test(text) ? encoder.encode(text).length : text.length;
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

function promptTokens(prompt: LanguageModelV4Prompt): number {
  let tokens = 0;
  for (const { content } of prompt) {
    if (typeof content === "string") {
      tokens += tokensOf(content);
      continue;
    }
    for (const part of content) {
      if (part.type === "text" || part.type === "reasoning") tokens += tokensOf(part.text);
      else if (part.type === "tool-call") tokens += tokensOf(JSON.stringify(part.input) ?? "");
      else if (part.type === "tool-result") tokens += tokensOf(JSON.stringify(part.output));
    }
  }
  return tokens;
}

function partsOf(result: LanguageModelV4GenerateResult, modelId: string): LanguageModelV4StreamPart[] {
  const parts: LanguageModelV4StreamPart[] = [
    { type: "stream-start", warnings: result.warnings },
    { type: "response-metadata", modelId },
  ];
  for (const [index, part] of result.content.entries()) {
    if (part.type === "text") {
      const id = `text-${index}`;
      parts.push({ type: "text-start", id });
      for (const [delta] of part.text.matchAll(DELTA)) parts.push({ type: "text-delta", id, delta });
      parts.push({ type: "text-end", id });
    } else if (part.type === "tool-call") {
      parts.push({ type: "tool-input-start", id: part.toolCallId, toolName: part.toolName });
      parts.push({ type: "tool-input-delta", id: part.toolCallId, delta: part.input });
      parts.push({ type: "tool-input-end", id: part.toolCallId });
      parts.push(part);
    }
  }
  parts.push({ type: "finish", finishReason: result.finishReason, usage: result.usage });
  return parts;
}

/** A word with the blanks after it, or a dozen characters of a text without blanks, such as Chinese. */
const DELTA = /\S{1,12}\s*|\s+/gu;

/** Yields parts on demand, so that an abort ends the stream between two parts. */
function streamOf(
  parts: readonly LanguageModelV4StreamPart[],
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      if (signal?.aborted) return controller.error(signal.reason);
      const part = parts[next++];
      if (part !== undefined) controller.enqueue(part);
      if (next >= parts.length) controller.close();
    },
  });
}
