import { APICallError } from "@ai-sdk/provider";
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import type { Clock } from "../clock.ts";

type UnifiedFinish = LanguageModelV4FinishReason["unified"];

/**
 * A tool call of a script: name, input, and an id if the default (`call-<call>-<index>`, from 0) does not fit. A string
 * input is sent unchanged.
 */
export type ScriptedCall = readonly [toolName: string, input: unknown, toolCallId?: string];

/** What the model does in one call. Created by `says`, `calls`, `fails`, `hangs`, `streams` and `delayed`. */
export type ScriptedStep =
  | {
      readonly type: "answer";
      readonly text: string;
      readonly calls: readonly ScriptedCall[];
      readonly finish?: UnifiedFinish;
    }
  | { readonly type: "error"; readonly error: Error }
  | { readonly type: "hang"; readonly text: string }
  | { readonly type: "stream"; readonly parts: readonly unknown[] }
  | { readonly type: "delay"; readonly ms: number; readonly step: ScriptedStep };

/**
 * Steps in order, where a plain string means `says(string)`; or a function that returns the step of every call
 * (`callIndex` counts from 0).
 */
export type Script =
  | readonly (ScriptedStep | string)[]
  | ((
      prompt: LanguageModelV4Prompt,
      callIndex: number,
      options: LanguageModelV4CallOptions,
    ) => ScriptedStep | string | Promise<ScriptedStep | string>);

/** Options of `scriptedModel`. */
export interface ScriptedModelOptions {
  /** Default `"scripted"`. */
  readonly provider?: string;
  /** Default `"scripted"`. */
  readonly modelId?: string;
  /**
   * Keeps the arguments of calls in `requests`: `true` for the newest 1,000 calls, a number for that many. Default
   * `false`: none.
   */
  readonly record?: boolean | number;
  /** The clock that `delayed` steps wait on. Needed only for them. */
  readonly clock?: Clock;
  /** Tokens that each answer reports. Default 10 in, 5 out. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
}

/** A language model that follows a script. */
export interface ScriptedModel extends LanguageModelV4 {
  /** Number of calls since creation or reset, generate and stream together. */
  readonly callCount: number;
  /** Arguments of the calls, oldest first. Empty unless `record` is set. */
  readonly requests: readonly LanguageModelV4CallOptions[];
  /** Restarts the script and clears `callCount` and `requests`. */
  reset(): void;
}

/** Answers with a text. `finish` is the reported finish reason. Default `"stop"`. */
export function says(text: string, options: { finish?: UnifiedFinish } = {}): ScriptedStep {
  return { type: "answer", text, calls: [], ...options };
}

/**
 * Calls tools, all in one step. A leading string is text said before the calls.
 *
 * @example
 * ```ts
 * calls(["time", {}], ["file_read", { path: "a.txt" }, "my-id"]);
 * calls(["time", "{ not JSON"]); // malformed input, as a confused model sends it
 * ```
 */
export function calls(...parts: readonly [string, ...ScriptedCall[]] | readonly ScriptedCall[]): ScriptedStep {
  const [first, ...rest] = parts;
  if (typeof first === "string") return { type: "answer", text: first, calls: rest as readonly ScriptedCall[] };
  return { type: "answer", text: "", calls: parts as readonly ScriptedCall[] };
}

/**
 * Fails: with the AI SDK's `APICallError` for a status (0: no connection), or with the given error. 0, 408, 409, 429
 * and 500 upwards count as retryable.
 *
 * @param options.retryAfterSeconds Sent as the header `retry-after`.
 */
export function fails(failure: number | Error, options: { retryAfterSeconds?: number } = {}): ScriptedStep {
  if (typeof failure !== "number") return { type: "error", error: failure };
  const { retryAfterSeconds } = options;
  const retryable = failure === 0 || failure === 408 || failure === 409 || failure === 429 || failure >= 500;
  const error = new APICallError({
    message: failure === 0 ? "Cannot connect to the scripted model" : `The scripted model answered ${failure}`,
    url: "http://scripted.invalid/",
    requestBodyValues: {},
    ...(failure === 0 ? {} : { statusCode: failure }),
    ...(retryAfterSeconds === undefined ? {} : { responseHeaders: { "retry-after": String(retryAfterSeconds) } }),
    isRetryable: retryable,
  });
  return { type: "error", error };
}

/** Never answers; only an abort ends the call. `text` is streamed first. */
export function hangs(text = ""): ScriptedStep {
  return { type: "hang", text };
}

/** Streams exactly these parts, valid or not, then closes the stream. `doGenerate` folds them into one result. */
export function streams(parts: readonly unknown[]): ScriptedStep {
  return { type: "stream", parts };
}

/** Waits on the model's clock before `step`. An abort ends the wait. */
export function delayed(ms: number, step: ScriptedStep | string): ScriptedStep {
  return { type: "delay", ms, step: asStep(step) };
}

/**
 * A language model for tests and benchmarks: follows its script at once, through `doGenerate` and `doStream` alike.
 *
 * Source: docs/models.md, "In tests".
 *
 * @throws {RangeError} On a call after the last step of a list: the test and the script disagree.
 * @example
 * ```ts
 * const model = scriptedModel([calls(["time", {}]), says("It is noon")]);
 * ```
 */
export function scriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  const { provider = "scripted", modelId = "scripted", record = false, clock } = options;
  const usage = usageOf(options.usage ?? { inputTokens: 10, outputTokens: 5 });
  const recordLimit = record === true ? 1000 : Number(record);
  let callCount = 0;
  let requests: LanguageModelV4CallOptions[] = [];

  async function next(request: LanguageModelV4CallOptions): Promise<{ step: ScriptedStep; callIndex: number }> {
    const callIndex = callCount++;
    if (recordLimit > 0) {
      requests.push(request);
      if (requests.length > recordLimit) requests.shift();
    }
    request.abortSignal?.throwIfAborted();
    let step: ScriptedStep;
    if (typeof script === "function") {
      step = asStep(await script(request.prompt, callIndex, request));
    } else {
      const scripted = script[callIndex];
      if (scripted === undefined) {
        throw new RangeError(
          `Cannot answer call ${callIndex + 1} of the scripted model as its script has ${script.length} steps`,
        );
      }
      step = asStep(scripted);
    }
    while (step.type === "delay") {
      if (clock === undefined)
        throw new TypeError("Cannot delay a scripted step without `clock`: give one to scriptedModel()");
      await clock.sleep(step.ms, request.abortSignal);
      step = step.step;
    }
    if (step.type === "error") throw step.error;
    return { step, callIndex };
  }

  return {
    specificationVersion: "v4",
    provider,
    modelId,
    supportedUrls: {},
    get callCount() {
      return callCount;
    },
    get requests() {
      return requests;
    },
    reset() {
      callCount = 0;
      requests = [];
    },

    async doGenerate(request) {
      const { step, callIndex } = await next(request);
      if (step.type === "hang") return untilAborted(request.abortSignal);
      if (step.type === "stream") return fold(step.parts as readonly LanguageModelV4StreamPart[], usage);
      if (step.type !== "answer") throw new TypeError(`Unknown step ${JSON.stringify(step)} in the script`);
      return { content: contentOf(step, callIndex), finishReason: finishOf(step), usage, warnings: [] };
    },

    async doStream(request) {
      const { step, callIndex } = await next(request);
      if (step.type === "hang") return { stream: hangingStream(step.text, request.abortSignal) };
      if (step.type === "stream") return { stream: streamOf(step.parts as readonly LanguageModelV4StreamPart[]) };
      if (step.type !== "answer") throw new TypeError(`Unknown step ${JSON.stringify(step)} in the script`);
      return { stream: streamOf(partsOf(contentOf(step, callIndex), finishOf(step), usage)) };
    },
  };
}

function asStep(step: ScriptedStep | string): ScriptedStep {
  return typeof step === "string" ? says(step) : step;
}

function usageOf(usage: { readonly inputTokens: number; readonly outputTokens: number }): LanguageModelV4Usage {
  return {
    inputTokens: { total: usage.inputTokens, noCache: usage.inputTokens, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: usage.outputTokens, text: usage.outputTokens, reasoning: undefined },
  };
}

function finishOf(step: ScriptedStep & { type: "answer" }): LanguageModelV4FinishReason {
  return { unified: step.finish ?? (step.calls.length > 0 ? "tool-calls" : "stop"), raw: undefined };
}

function contentOf(step: ScriptedStep & { type: "answer" }, callIndex: number): LanguageModelV4Content[] {
  const content: LanguageModelV4Content[] = [];
  if (step.text !== "") content.push({ type: "text", text: step.text });
  for (const [index, [toolName, input, toolCallId]] of step.calls.entries()) {
    content.push({
      type: "tool-call",
      toolCallId: toolCallId ?? `call-${callIndex}-${index}`,
      toolName,
      input: typeof input === "string" ? input : JSON.stringify(input ?? {}),
    });
  }
  return content;
}

function partsOf(
  content: readonly LanguageModelV4Content[],
  finishReason: LanguageModelV4FinishReason,
  usage: LanguageModelV4Usage,
): LanguageModelV4StreamPart[] {
  const parts: LanguageModelV4StreamPart[] = [{ type: "stream-start", warnings: [] }];
  for (const [index, part] of content.entries()) {
    if (part.type === "text") {
      const id = `text-${index}`;
      parts.push({ type: "text-start", id });
      for (const delta of wordsOf(part.text)) parts.push({ type: "text-delta", id, delta });
      parts.push({ type: "text-end", id });
    } else if (part.type === "tool-call") {
      parts.push({ type: "tool-input-start", id: part.toolCallId, toolName: part.toolName });
      parts.push({ type: "tool-input-delta", id: part.toolCallId, delta: part.input });
      parts.push({ type: "tool-input-end", id: part.toolCallId });
      parts.push(part);
    }
  }
  parts.push({ type: "finish", finishReason, usage });
  return parts;
}

/** Splits a text into words, each with the blank after it, as a provider streams it. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let from = 0;
  while (from < text.length) {
    const blank = text.indexOf(" ", from);
    const to = blank === -1 ? text.length : blank + 1;
    words.push(text.slice(from, to));
    from = to;
  }
  return words;
}

function streamOf(parts: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function hangingStream(text: string, signal: AbortSignal | undefined): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: "stream-start", warnings: [] });
      if (text !== "") {
        controller.enqueue({ type: "text-start", id: "text-0" });
        for (const delta of wordsOf(text)) controller.enqueue({ type: "text-delta", id: "text-0", delta });
      }
      signal?.addEventListener("abort", () => controller.error(signal.reason), { once: true });
    },
  });
}

/** The result of these parts for a caller without streaming. Without a `finish` part the answer counts as interrupted. */
function fold(parts: readonly LanguageModelV4StreamPart[], usage: LanguageModelV4Usage): LanguageModelV4GenerateResult {
  const content: LanguageModelV4Content[] = [];
  let finishReason: LanguageModelV4FinishReason = { unified: "interrupted", raw: undefined };
  let reported = usage;
  for (const part of parts) {
    switch (part?.type) {
      case "error":
        throw part.error;
      case "text-delta": {
        const last = content.at(-1);
        if (last?.type === "text") content[content.length - 1] = { ...last, text: last.text + part.delta };
        else content.push({ type: "text", text: part.delta });
        break;
      }
      case "tool-call":
      case "file":
      case "source":
        content.push(part);
        break;
      case "finish":
        finishReason = part.finishReason;
        reported = part.usage;
        break;
    }
  }
  return { content, finishReason, usage: reported, warnings: [] };
}
