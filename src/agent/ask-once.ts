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
import type { LanguageModelV4Content } from "@ai-sdk/provider";
import type { Clock } from "../clock.ts";
import { AssistantError, messageOf } from "../errors.ts";
import type { Platform } from "../platform.ts";
import type { Usage } from "../reply.ts";
import { type JsonValue, isObject } from "../store/index.ts";
import { startDeadline } from "../time-limit.ts";
import { type DeltaListener, type ModelObject, foldStream, generatingWith } from "./fold-stream.ts";
import { type ModelInfo, modelFacts, modelName } from "./model-info.ts";
import { asReported } from "./reported-failure.ts";
import { withFiles } from "./show-files.ts";
import { textProtocol } from "./text-protocol.ts";

/** A message of the prompt, in the shape of the AI SDK's `ModelMessage`. */
export interface PromptMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly content: JsonValue;
  /** Files of the message. A model that takes them sees them after the text. */
  readonly files?: readonly { readonly artifact: string; readonly mediaType: string }[];
}

/** A tool as the model sees it. Keep the same object from step to step, because values derived from it are cached. */
export interface OfferedTool {
  readonly modelName: string;
  readonly description: string;
  readonly jsonSchema: { readonly [key: string]: JsonValue | undefined };
}

export interface ModelCall {
  readonly instructions: string;
  readonly messages: readonly PromptMessage[];
  readonly tools: readonly OfferedTool[];
  /**
   * `none`: the tools are sent because the history has calls of them, but the answer must be a text. Default `auto`.
   */
  readonly toolChoice?: "auto" | "none";
  readonly signal: AbortSignal;
  /** Reads a file of a message; `undefined` if it no longer exists. Without this function no model sees files. */
  readonly readFile?: ((artifact: string) => Promise<Uint8Array | undefined>) | undefined;
  /**
   * Set if the turn has a watcher: the answer is then streamed. Receives the deltas of one try only, because text
   * that was emitted cannot be taken back. If a model fails midway, the next model's text appears only in the answer.
   */
  readonly onDelta?: DeltaListener;
}

/** The model's answer in one step. */
export interface ModelAnswer {
  /** The assistant message, which goes unchanged into the next prompt; `null` if the model said nothing. */
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
  /** Artifacts that the server did not take, so it answered without them. They are not shown again in this turn. */
  readonly unshown?: readonly string[];
  /** Whether the first model refused them for another reason than an outage. Then no later prompt shows them either. */
  readonly isUnshownForGood?: boolean;
}

export const DEFAULT_MODEL_TIMEOUT_MS = 120_000;

export interface AskOptions {
  readonly clock: Clock;
  /**
   * Longest wait for one model's answer, in milliseconds, before the next model is tried.
   * Default `DEFAULT_MODEL_TIMEOUT_MS`.
   */
  readonly modelTimeoutMs?: number;
  /** Facts about the models: context windows, and whether tools are described in the text. Default none. */
  readonly modelInfo?: ModelInfo | undefined;
  /** Whether a tracer observes the AI SDK's calls. Default: none does. */
  readonly isTracing?: Platform["isTracing"] | undefined;
}

/**
 * Asks one model once.
 *
 * @throws {AssistantError} `MODEL_UNAVAILABLE` if it does not answer in time; `CONTENT_FILTERED` if its provider
 * withholds the whole answer; the model's own errors; the reason of the signal.
 */
export async function askOnce(
  model: ModelObject,
  { clock, modelInfo, isTracing = noTracer, modelTimeoutMs = DEFAULT_MODEL_TIMEOUT_MS }: AskOptions,
  call: ModelCall,
): Promise<ModelAnswer> {
  const { signal, onDelta, tools, toolChoice } = call;
  signal.throwIfAborted();
  const late = () =>
    new AssistantError("MODEL_UNAVAILABLE", `The model did not answer within ${modelTimeoutMs / 1000} s`);
  // A provider that ignores its signal is abandoned, and its later output is dropped.
  const deadline = startDeadline(clock, modelTimeoutMs, late, signal);
  const heard: ModelCall = {
    ...call,
    ...wellFormed(call),
    ...(onDelta && {
      onDelta(delta) {
        if (!deadline.signal.aborted) onDelta(delta);
      },
    }),
  };
  try {
    const asked =
      modelFacts(model, modelInfo).protocol === "text"
        ? textProtocol(model, { tools, isLast: toolChoice === "none", clock, onDelta: heard.onDelta })
        : asTold(model, heard);
    return await deadline.within(
      withFiles(model, modelInfo, heard, (messages) =>
        generate(asked, { ...heard, messages }, deadline.signal, isTracing),
      ),
    );
  } finally {
    deadline.end();
  }
}

function asTold(model: ModelObject, { toolChoice, onDelta }: ModelCall): ModelObject {
  return withCallsApart(onDelta ? foldStream(model, onDelta) : model, toolChoice === "none");
}

async function generate(
  model: ModelObject,
  call: ModelCall,
  signal: AbortSignal,
  isTracing: Platform["isTracing"],
): Promise<ModelAnswer> {
  const result = await generateText({
    model,
    instructions: call.instructions,
    // Rebuilt from the journal, which stores the SDK's own messages as JSON.
    messages: call.messages as unknown as ModelMessage[],
    ...(call.tools.length === 0 ? {} : { tools: toolSet(call.tools) }),
    maxRetries: 0,
    abortSignal: signal,
    ...(model.provider.endsWith(".responses") && UNSTORED),
    ...(!isFollowed(isTracing) && UNTOLD),
  }).catch((error: unknown) => {
    throw asReported(error);
  });
  if (result.text.trim() === "" && result.toolCalls.length === 0) {
    // Google's models report a malformed call in this way. A second try usually succeeds.
    if (result.finishReason === "error") {
      const message = "The model broke off without an answer";
      throw new APICallError({ message, url: "", requestBodyValues: {}, isRetryable: true });
    }
    if (result.finishReason === "content-filter") throw new AssistantError("CONTENT_FILTERED", "It gave no answer");
  }
  const answer = result.responseMessages.find(
    (message): message is AssistantModelMessage => message.role === "assistant",
  );
  const { inputTokens, outputTokens, inputTokenDetails } = result.usage;
  const cached = inputTokenDetails?.cacheReadTokens;
  return {
    message: answer === undefined ? null : plainMessage(answer),
    text: result.text,
    calls: result.toolCalls.map((toolCall) => ({
      toolCallId: toolCall.toolCallId,
      name: toolCall.toolName,
      input: toolCall.input as JsonValue,
      // The dispatch point refuses a tool that was not offered: it gives the reason, counts it and audits it.
      ...(toolCall.invalid && !NoSuchToolError.isInstance(toolCall.error)
        ? { invalid: result.finishReason === "length" ? CUT_OFF : messageOf(toolCall.error) }
        : {}),
    })),
    usage: {
      inputTokens: countOf(inputTokens),
      outputTokens: countOf(outputTokens),
      ...(cached === undefined ? {} : { cachedInputTokens: countOf(cached) }),
    },
    finish: result.finishReason,
    model: modelName(model),
  };
}

/**
 * Replaces lone surrogates, which remain when a cut or a broken client splits a character. Servers refuse a whole
 * prompt with one, and then every later prompt.
 */
function wellFormed({ instructions, messages }: ModelCall): Pick<ModelCall, "instructions" | "messages"> {
  const asked = { instructions, messages };
  if (isWellFormed(asked)) return asked;
  return JSON.parse(JSON.stringify(asked), (_, value: unknown) =>
    typeof value === "string" ? value.toWellFormed() : value,
  ) as typeof asked;
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  return typeof value !== "object" || value === null || Object.values(value).every(isWellFormed);
}

/** The SDK's message contains the whole input and does not say why its end is missing. */
const CUT_OFF = "The call is cut off, as the answer reached the model's limit: do it in several calls with less each";

const noTracer = () => false;
/**
 * Without this, OpenAI would store each answer for 30 days and receive ids instead of words.
 * The journal stores what was said.
 */
const UNSTORED = { providerOptions: { openai: { store: false } } };
const UNTOLD = { telemetry: { isEnabled: false } } as const;

/**
 * Whether telemetry is needed. If it is on, the SDK copies each prompt and its tools several
 * times, even without a listener.
 */
function isFollowed(isTracing: Platform["isTracing"]): boolean {
  return (globalThis.AI_SDK_TELEMETRY_INTEGRATIONS?.length ?? 0) > 0 || isTracing();
}

/** A count of a server as a number that can be added; 0 if it is invalid. */
function countOf(reported: number | undefined): number {
  return typeof reported === "number" && Number.isFinite(reported) && reported > 0 ? reported : 0;
}

/**
 * Gives each call of an answer its own id. Some servers give two calls the same id or none, and the SDK then uses the
 * first call for both. With `isLast` the model is told to call nothing; the SDK's own `toolChoice` would turn an
 * answer with a call into an error.
 */
function withCallsApart(model: ModelObject, isLast: boolean): ModelObject {
  return generatingWith(model, (inner, options) => {
    const answer = inner.doGenerate(isLast ? { ...options, toolChoice: { type: "none" } } : options);
    return answer.then((result) => ({ ...result, content: withOwnIds(result.content) }));
  });
}

function withOwnIds(content: readonly LanguageModelV4Content[]): LanguageModelV4Content[] {
  const taken = new Set<string>();
  return content.map((part) => {
    if (part.type !== "tool-call") return part;
    let toolCallId = part.toolCallId;
    for (let at = taken.size; toolCallId === "" || taken.has(toolCallId); at++) {
      toolCallId = `${part.toolCallId || "call"}_${at}`;
    }
    taken.add(toolCallId);
    return { ...part, toolCallId };
  });
}

/**
 * An answer as JSON that every provider accepts back: without files, which the log cannot store, and with an object
 * as the input of each call. `null` if nothing is left.
 */
function plainMessage(message: AssistantModelMessage): JsonValue {
  const content =
    typeof message.content === "string" ? [{ type: "text" as const, text: message.content }] : message.content;
  const [only] = content;
  if (content.length === 1 && only?.type === "text" && only.providerOptions === undefined) {
    return { role: "assistant", content: [{ type: "text", text: only.text }] };
  }
  const kept = content
    .filter((part) => part.type !== "file")
    .map((part) => (part.type === "tool-call" ? { ...part, input: isObject(part.input) ? part.input : {} } : part));
  return kept.length === 0 ? null : (JSON.parse(JSON.stringify({ role: "assistant", content: kept })) as JsonValue);
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

/** Only describes the tool. The dispatch point, which every run passes, checks the input; the SDK only parses it. */
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
