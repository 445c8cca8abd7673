import {
  APICallError,
  type AssistantModelMessage,
  type ModelMessage,
  NoSuchToolError,
  type Tool,
  type ToolSet,
  generateText,
  jsonSchema,
} from "ai";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Clock } from "../clock.ts";
import { AssistantError, messageOf } from "../errors.ts";
import type { Usage } from "../reply.ts";
import type { JsonValue } from "../store/index.ts";
import { isContextOverflow } from "./context-overflow.ts";
import { type CoolDowns, retryAfterMs } from "./cool-down.ts";
import { type DeltaListener, type ModelObject, foldStream } from "./fold-stream.ts";
import { type ModelInfo, modelFacts, modelName } from "./model-info.ts";
import { textProtocol } from "./text-protocol.ts";

/** A message of the prompt, in the shape of the AI SDK's `ModelMessage`. */
export interface PromptMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly content: JsonValue;
}

/** A tool as the model is told of it. Keep the same object from step to step: what is derived from it is kept too. */
export interface OfferedTool {
  readonly modelName: string;
  readonly description: string;
  readonly jsonSchema: { readonly [key: string]: JsonValue | undefined };
}

export interface ModelCall {
  readonly instructions: string;
  readonly messages: readonly PromptMessage[];
  readonly tools: readonly OfferedTool[];
  /** `none`: the tools are shown, since the history holds calls of them, but the answer has to be a text. Default `auto`. */
  readonly toolChoice?: "auto" | "none";
  readonly signal: AbortSignal;
  /**
   * Set when somebody watches: the answer is then streamed. Told of one try only: when a model fails in the middle, what the next one says
   * is in the answer, since a text that was told cannot be taken back.
   */
  readonly onDelta?: DeltaListener;
}

/** What the model answered in one step. */
export interface ModelAnswer {
  /** The assistant message, to stand in the next prompt as it is; `null` when the model said nothing at all. */
  readonly message: JsonValue;
  readonly text: string;
  readonly calls: readonly {
    readonly toolCallId: string;
    readonly name: string;
    readonly input: JsonValue;
    readonly invalid?: string;
  }[];
  readonly usage: Usage;
  readonly finish: string;
  /** `provider/model` that answered. */
  readonly model: string;
}

export interface AgentOptions {
  /** Tried in order. */
  readonly models: readonly ModelObject[];
  readonly clock: Clock;
  /** Longest wait for one model's answer, in milliseconds, before the next model is tried. Default 120_000. */
  readonly modelTimeoutMs?: number;
  /** What is known of the models: windows, and whether tools are told of in words. Default nothing. */
  readonly modelInfo?: ModelInfo | undefined;
  /** One for all agents of an assistant: models that rest are asked last. Default: no model rests. */
  readonly coolDowns?: CoolDowns | undefined;
  /** Told of every failed try. `coolDownMs`: so long the model is asked last. */
  onFailure?(failure: ModelFailure): void;
  /** Told of what each answer cost, also of one that is thrown away later. */
  onUsage?(used: { readonly model: string; readonly usage: Usage }): void;
}

/** One try that failed. */
export interface ModelFailure {
  /** `provider/model`. */
  readonly model: string;
  readonly error: unknown;
  /** All models are tried again after so long. */
  readonly retryInMs?: number;
  readonly coolDownMs?: number;
}

/** Waits before all models are tried again, when none answered but a later try may help. */
const RETRY_WAITS_MS = [1000, 4000] as const;
/** A provider that asks for a longer wait than this is not waited for. */
const LONGEST_RETRY_AFTER_MS = 30_000;

/**
 * Asks the models in order until one answers; one AI SDK call a step, with tools that are only described and never run by the SDK.
 * @throws {AssistantError} `MODEL_UNAVAILABLE` when all of them failed; `CONTEXT_OVERFLOW` when the prompt is too long for one that should have answered and no
 * model with a larger known window did; the reason of `signal` when that aborted.
 */
export async function askModel(options: AgentOptions, call: ModelCall): Promise<ModelAnswer> {
  const { clock, coolDowns, modelInfo, onFailure, onUsage } = options;
  const models = restingLast(options.models, coolDowns);
  const failures: string[] = [];
  let told = false;
  const { onDelta, ...unwatched } = call;
  const watched: ModelCall = onDelta
    ? {
        ...call,
        onDelta(delta) {
          told = true;
          onDelta(delta);
        },
      }
    : call;
  for (let round = 0; ; round += 1) {
    let waitMs: number | undefined;
    let overflow: { readonly model: ModelObject; readonly error: unknown } | undefined;
    for (const model of models) {
      if (overflow !== undefined && !takesMore(model, overflow.model, modelInfo)) continue;
      const name = modelName(model);
      try {
        const answer = await askOnce(model, options, told ? unwatched : watched);
        coolDowns?.answered(model);
        onUsage?.({ model: name, usage: answer.usage });
        return answer;
      } catch (error) {
        call.signal.throwIfAborted();
        const isOverflow = isContextOverflow(error);
        if (isOverflow) overflow = { model, error };
        const retryInMs = isOverflow ? undefined : retryDelay(error, round);
        const coolDownMs = isOverflow ? undefined : coolDowns?.failed(model, error);
        onFailure?.({
          model: name,
          error,
          ...(retryInMs !== undefined && { retryInMs }),
          ...(coolDownMs !== undefined && { coolDownMs }),
        });
        failures.push(`${name}: ${messageOf(error)}`);
        if (retryInMs !== undefined) waitMs = Math.min(waitMs ?? Infinity, retryInMs);
      }
    }
    if (overflow !== undefined) {
      throw new AssistantError(
        "CONTEXT_OVERFLOW",
        `The prompt is longer than ${modelName(overflow.model)} takes: ${messageOf(overflow.error)}`,
        { cause: overflow.error },
      );
    }
    if (waitMs === undefined) {
      throw new AssistantError("MODEL_UNAVAILABLE", `No model answered: ${[...new Set(failures)].join("; ")}`);
    }
    await clock.sleep(waitMs, call.signal);
  }
}

/** The models in their order, those that rest behind the others: they are asked when nobody else answers. */
function restingLast(models: readonly ModelObject[], coolDowns: CoolDowns | undefined): readonly ModelObject[] {
  const resting = coolDowns === undefined ? [] : models.filter((model) => coolDowns.of(model) !== undefined);
  return resting.length === 0 ? models : [...models.filter((model) => !resting.includes(model)), ...resting];
}

/** As far as it is known: a window that nobody told of may be as small. */
function takesMore(model: ModelObject, than: ModelObject, info: ModelInfo | undefined): boolean {
  return (modelFacts(model, info).contextWindow ?? 0) > (modelFacts(than, info).contextWindow ?? Infinity);
}

async function askOnce(
  model: ModelObject,
  { clock, modelInfo, modelTimeoutMs = 120_000 }: AgentOptions,
  call: ModelCall,
): Promise<ModelAnswer> {
  const { signal, onDelta } = call;
  signal.throwIfAborted();
  const stop = new AbortController();
  return new Promise((resolve, reject) => {
    let isAwaited = true;
    // A provider that does not listen to its signal is left behind, and what it still says is not heard.
    const leave = (reason: unknown) => {
      isAwaited = false;
      stop.abort(reason);
      reject(reason);
    };
    const onAbort = () => leave(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    const cancelTimer = clock.at(clock.now() + modelTimeoutMs, () =>
      leave(new AssistantError("MODEL_UNAVAILABLE", `The model did not answer within ${modelTimeoutMs / 1000} s`)),
    );
    const end = () => {
      cancelTimer();
      signal.removeEventListener("abort", onAbort);
    };
    const heard: ModelCall = onDelta
      ? {
          ...call,
          onDelta(delta) {
            if (isAwaited) onDelta(delta);
          },
        }
      : call;
    const asked = modelFacts(model, modelInfo).protocol === "text" ? inText(model, heard, clock) : asTold(model, heard);
    generate(asked, heard, stop.signal).then(resolve, reject).then(end, end);
  });
}

function inText(model: ModelObject, { tools, toolChoice, onDelta }: ModelCall, clock: Clock): ModelObject {
  return textProtocol(model, { tools, isLast: toolChoice === "none", clock, onDelta });
}

function asTold(model: ModelObject, { toolChoice, onDelta }: ModelCall): ModelObject {
  const asked = toolChoice === "none" ? callingNothing(model) : model;
  return onDelta ? foldStream(asked, onDelta) : asked;
}

async function generate(model: ModelObject, call: ModelCall, signal: AbortSignal): Promise<ModelAnswer> {
  const result = await generateText({
    model,
    instructions: call.instructions,
    // Rebuilt from the journal, which holds the SDK's own messages as JSON.
    messages: call.messages as unknown as ModelMessage[],
    ...(call.tools.length === 0 ? {} : { tools: toolSet(call.tools) }),
    maxRetries: 0,
    abortSignal: signal,
  });
  const answer = result.responseMessages.find(
    (message): message is AssistantModelMessage => message.role === "assistant",
  );
  const { inputTokens = 0, outputTokens = 0, inputTokenDetails } = result.usage;
  const cached = inputTokenDetails?.cacheReadTokens;
  const ids = uniqueIds(result.toolCalls.map(({ toolCallId }) => toolCallId));
  return {
    message: answer === undefined ? null : plainMessage(answer, ids),
    text: result.text,
    calls: result.toolCalls.map((toolCall, index) => ({
      toolCallId: ids[index] ?? toolCall.toolCallId,
      name: toolCall.toolName,
      input: toolCall.input as JsonValue,
      // A tool that was not offered is refused at the dispatch point, which says why, counts it and audits it.
      ...(toolCall.invalid && !NoSuchToolError.isInstance(toolCall.error)
        ? { invalid: messageOf(toolCall.error) }
        : {}),
    })),
    usage: { inputTokens, outputTokens, ...(cached === undefined ? {} : { cachedInputTokens: cached }) },
    finish: result.finishReason,
    model: modelName(model),
  };
}

/** The model with the wish that it calls no tool. The SDK's own `toolChoice` makes an error of an answer that calls one all the same. */
function callingNothing(model: ModelObject): ModelObject {
  const inner = model as LanguageModelV4;
  const none = { toolChoice: { type: "none" } } as const;
  const asking: LanguageModelV4 = {
    specificationVersion: inner.specificationVersion,
    provider: inner.provider,
    modelId: inner.modelId,
    supportedUrls: inner.supportedUrls,
    doGenerate: (options) => inner.doGenerate({ ...options, ...none }),
    doStream: (options) => inner.doStream({ ...options, ...none }),
  };
  return asking;
}

/**
 * As JSON, in a form that every provider takes back: without files, which the log cannot hold; calls with ids of their own and with an object as input,
 * whatever the model wrote. `null` when nothing is left.
 */
function plainMessage(message: AssistantModelMessage, callIds: readonly string[]): JsonValue {
  const content =
    typeof message.content === "string" ? [{ type: "text" as const, text: message.content }] : message.content;
  const [only] = content;
  if (content.length === 1 && only?.type === "text" && only.providerOptions === undefined) {
    return { role: "assistant", content: [{ type: "text", text: only.text }] };
  }
  let calls = 0;
  const kept = content
    .filter((part) => part.type !== "file")
    .map((part) => {
      if (part.type !== "tool-call") return part;
      const toolCallId = callIds[calls++] ?? part.toolCallId;
      return { ...part, toolCallId, input: isPlainObject(part.input) ? part.input : {} };
    });
  return kept.length === 0 ? null : (JSON.parse(JSON.stringify({ role: "assistant", content: kept })) as JsonValue);
}

/** Some servers give two calls of one answer the same id, or none: then results could not be told apart. */
function uniqueIds(ids: readonly string[]): readonly string[] {
  return ids.map((id, index) => (id === "" || ids.indexOf(id) !== index ? `${id || "call"}_${index}` : id));
}

function isPlainObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const toolSets = new WeakMap<readonly OfferedTool[], ToolSet>();
const described = new WeakMap<OfferedTool, Tool>();

function toolSet(tools: readonly OfferedTool[]): ToolSet {
  let set = toolSets.get(tools);
  if (!set) {
    set = Object.fromEntries(tools.map((tool) => [tool.modelName, describeTool(tool)]));
    toolSets.set(tools, set);
  }
  return set;
}

/** Input is checked at the dispatch point, which every way of running a tool passes; the SDK only parses it. */
function describeTool(tool: OfferedTool): Tool {
  let made = described.get(tool);
  if (!made) {
    made = {
      description: tool.description,
      inputSchema: jsonSchema(tool.jsonSchema as Parameters<typeof jsonSchema>[0]),
    } as Tool;
    described.set(tool, made);
  }
  return made;
}

/** How long to wait before a further round, or `undefined` when another try cannot help or the rounds are used up. */
function retryDelay(error: unknown, round: number): number | undefined {
  const planned = RETRY_WAITS_MS[round];
  if (planned === undefined) return undefined;
  if (!APICallError.isInstance(error)) return undefined;
  if (!error.isRetryable) return undefined;
  const asked = retryAfterMs(error.responseHeaders);
  if (asked === undefined) return planned;
  return asked <= LONGEST_RETRY_AFTER_MS ? Math.max(asked, planned) : undefined;
}
