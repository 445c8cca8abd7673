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
import type { Clock } from "../clock.ts";
import { AssistantError, messageOf } from "../errors.ts";
import type { Usage } from "../reply.ts";
import type { JsonValue } from "../store/index.ts";
import { type DeltaListener, type ModelObject, foldStream } from "./fold-stream.ts";

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
  readonly signal: AbortSignal;
  /** Set when somebody watches: the answer is then streamed. */
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
  /** Told of every failed try. */
  onFailure?(failure: { model: string; error: unknown; retryInMs?: number }): void;
}

/** Waits before all models are tried again, when none answered but a later try may help. */
const RETRY_WAITS_MS = [1000, 4000] as const;
/** A provider that asks for a longer wait than this is not waited for. */
const LONGEST_RETRY_AFTER_MS = 30_000;

/**
 * Asks the models in order until one answers; one AI SDK call a step, with tools that are only described and never run by the SDK.
 * @throws {AssistantError} `MODEL_UNAVAILABLE` when all of them failed; the reason of `signal` when that aborted.
 */
export async function askModel(options: AgentOptions, call: ModelCall): Promise<ModelAnswer> {
  const { models, clock, onFailure } = options;
  const failures: string[] = [];
  for (let round = 0; ; round += 1) {
    let waitMs: number | undefined;
    for (const model of models) {
      try {
        return await askOnce(model, options, call);
      } catch (error) {
        call.signal.throwIfAborted();
        const name = nameOf(model);
        const retryInMs = retryDelay(error, round);
        onFailure?.({ model: name, error, ...(retryInMs === undefined ? {} : { retryInMs }) });
        failures.push(`${name}: ${messageOf(error)}`);
        if (retryInMs !== undefined) waitMs = Math.min(waitMs ?? Infinity, retryInMs);
      }
    }
    if (waitMs === undefined) {
      throw new AssistantError("MODEL_UNAVAILABLE", `No model answered: ${[...new Set(failures)].join("; ")}`);
    }
    await clock.sleep(waitMs, call.signal);
  }
}

async function askOnce(
  model: ModelObject,
  { clock, modelTimeoutMs = 120_000 }: AgentOptions,
  call: ModelCall,
): Promise<ModelAnswer> {
  const { signal } = call;
  signal.throwIfAborted();
  const stop = new AbortController();
  return new Promise((resolve, reject) => {
    // A provider that does not listen to its signal is left behind.
    const leave = (reason: unknown) => {
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
    generate(model, call, stop.signal).then(resolve, reject).then(end, end);
  });
}

async function generate(model: ModelObject, call: ModelCall, signal: AbortSignal): Promise<ModelAnswer> {
  const result = await generateText({
    model: call.onDelta ? foldStream(model, call.onDelta) : model,
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
  return {
    message: answer === undefined || answer.content.length === 0 ? null : plainMessage(answer),
    text: result.text,
    calls: result.toolCalls.map((toolCall) => ({
      toolCallId: toolCall.toolCallId,
      name: toolCall.toolName,
      input: toolCall.input as JsonValue,
      // A tool that was not offered is refused at the dispatch point, which says why, counts it and audits it.
      ...(toolCall.invalid && !NoSuchToolError.isInstance(toolCall.error) ? { invalid: messageOf(toolCall.error) } : {}),
    })),
    usage: { inputTokens, outputTokens, ...(cached === undefined ? {} : { cachedInputTokens: cached }) },
    finish: result.finishReason,
    model: nameOf(model),
  };
}

/** As JSON: what the log cannot hold (bytes, `undefined`) is left out or written as text. */
function plainMessage(message: AssistantModelMessage): JsonValue {
  const content = message.content;
  if (typeof content === "string") return { role: "assistant", content };
  const [only] = content;
  if (content.length === 1 && only?.type === "text" && only.providerOptions === undefined) {
    return { role: "assistant", content: [{ type: "text", text: only.text }] };
  }
  return JSON.parse(
    JSON.stringify({ role: "assistant", content: content.filter((part) => part.type !== "file") }),
  ) as JsonValue;
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

/** Seconds only: a date in this header would need the provider's clock to agree with ours. */
function retryAfterMs(headers: Readonly<Record<string, string>> | undefined): number | undefined {
  const milliseconds = Number(headers?.["retry-after-ms"]);
  if (Number.isFinite(milliseconds) && milliseconds > 0) return milliseconds;
  const seconds = Number(headers?.["retry-after"]);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
}

function nameOf(model: ModelObject): string {
  return `${model.provider}/${model.modelId}`;
}
