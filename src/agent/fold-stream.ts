import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from "@ai-sdk/provider";

/**
 * A model object of any version that the AI SDK supports. A string is not accepted, because the SDK would
 * silently send it to a gateway.
 */
export type ModelObject = LanguageModelV4 | LanguageModelV3 | LanguageModelV2;

export type DeltaListener = (delta: { readonly type: "text" | "reasoning"; readonly text: string }) => void;

/** What the stream parts of all versions share, as far as folding needs it. */
interface Part {
  readonly type: string;
  readonly id?: string;
  readonly delta?: string;
  readonly error?: unknown;
  readonly [key: string]: unknown;
}

type Content = { type: string; text?: string; [key: string]: unknown };

/** Parts that go unchanged into the content. */
const CONTENT_PARTS: ReadonlySet<string> = new Set([
  "tool-call",
  "tool-result",
  "file",
  "source",
  "reasoning-file",
  "custom",
  "tool-approval-request",
]);

/**
 * A model whose `doGenerate` calls `doStream`, passes each delta to `listener` and folds the parts into one result.
 * So a watched turn uses `generateText` like any other; `streamText` costs several times more (docs/performance.md).
 */
export function foldStream(model: ModelObject, listener: DeltaListener): ModelObject {
  return generatingWith(model, async (streaming, options) => {
    const { stream, request, response } = await streaming.doStream(options);
    if (isJson(response?.headers)) {
      await stream.cancel().catch(() => undefined);
      return streaming.doGenerate(options);
    }
    const result = await fold(stream as ReadableStream<Part>, listener, options.abortSignal);
    // Only the arrangement of the model's own parts changes, so the result has the version's shape.
    return { ...result, request, response: { ...response, ...result.response } } as unknown as Awaited<
      ReturnType<LanguageModelV4["doGenerate"]>
    >;
  });
}

/**
 * Whether the server answered a stream request with JSON: an error or a whole answer. The SDK looks only for events
 * and finds none, so the call is repeated without streaming.
 */
function isJson(headers: Readonly<Record<string, string>> | undefined): boolean {
  return headers?.["content-type"]?.startsWith("application/json") === true;
}

/**
 * A model with a different `doGenerate`. Nothing here calls a wrapped model's `doStream`,
 * so that stays the model's own.
 */
export function generatingWith(
  model: ModelObject,
  generate: (
    model: LanguageModelV4,
    options: Parameters<LanguageModelV4["doGenerate"]>[0],
  ) => ReturnType<LanguageModelV4["doGenerate"]>,
): ModelObject {
  // The versions differ in parts of prompts and answers, which pass through unchanged.
  const inner = model as LanguageModelV4;
  const { specificationVersion, provider, modelId, supportedUrls } = inner;
  const made: LanguageModelV4 = {
    specificationVersion,
    provider,
    modelId,
    supportedUrls,
    doStream: (options) => inner.doStream(options),
    doGenerate: (options) => generate(inner, options),
  };
  return made;
}

async function fold(stream: ReadableStream<Part>, listener: DeltaListener, signal: AbortSignal | undefined) {
  const content: Content[] = [];
  const open = new Map<string, Content>();
  let response: Record<string, unknown> = {};
  let warnings: unknown = [];
  let end: Part | undefined;

  const block = (type: "text" | "reasoning", part: Part): Content => {
    const key = `${type}:${part.id}`;
    let found = open.get(key);
    if (!found) {
      found = { type, text: "" };
      open.set(key, found);
      content.push(found);
    }
    if (part["providerMetadata"] !== undefined) found["providerMetadata"] = part["providerMetadata"];
    return found;
  };

  const reader = stream.getReader();
  // A stream that is not read to its end keeps its connection open.
  const leave = () => void reader.cancel(signal?.reason).catch(() => undefined);
  signal?.addEventListener("abort", leave, { once: true });
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const part = next.value;
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
      case "text-end":
      case "reasoning-end":
        block(part.type.startsWith("text") ? "text" : "reasoning", part);
        break;
      case "text-delta":
      case "reasoning-delta": {
        const type = part.type === "text-delta" ? "text" : "reasoning";
        const text = part.delta ?? "";
        const target = block(type, part);
        target.text = (target.text ?? "") + text;
        if (text !== "") listener({ type, text });
        break;
      }
      case "stream-start":
        warnings = part["warnings"];
        break;
      case "response-metadata":
        response = { ...response, ...part };
        break;
      case "finish":
        end = part;
        break;
      case "error":
        await reader.cancel().catch(() => undefined);
        throw part.error instanceof Error
          ? part.error
          : new Error(`The model's stream reported an error: ${describe(part.error)}`);
      default:
        if (CONTENT_PARTS.has(part.type)) content.push(part);
    }
  }
  signal?.removeEventListener("abort", leave);
  signal?.throwIfAborted();
  // OpenAI's client ends its stream with `finish` even after an interruption.
  if (!end || (end["finishReason"] as { unified?: unknown } | undefined)?.unified === "interrupted")
    throw new Error("The model's stream ended without saying that it was finished");
  return {
    content,
    finishReason: end["finishReason"],
    usage: end["usage"],
    providerMetadata: end["providerMetadata"],
    warnings,
    response,
  };
}

function describe(error: unknown): string {
  return typeof error === "string" ? error : (JSON.stringify(error) ?? String(error));
}
