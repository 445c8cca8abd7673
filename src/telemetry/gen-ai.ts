import type { Usage } from "../reply.ts";
import type { SpanAttributes } from "../telemetry-port.ts";
import type { SpanAbout, SpanOutcome } from "./tracing.ts";

// Names of OpenTelemetry's semantic conventions for generative AI, which are in development: version 1.41.
// Source: https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-agent-spans/ and gen-ai-spans/. Attributes that
// the conventions do not have begin with `wakeful.`. No attribute contains text of people or models.

/** Returns the span of a turn. */
export function turnSpan(turn: {
  readonly id: string;
  readonly agent: { readonly id: string; readonly name?: string | undefined };
  readonly sessionKey: string;
  /** Trigger of the turn: `message`, `approval`, `job`, `heartbeat`. */
  readonly source: string;
}): SpanAbout {
  const { id, agent, sessionKey, source } = turn;
  const name = agent.name ?? agent.id;
  return {
    name: `invoke_agent ${name}`,
    kind: "internal",
    key: id,
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": "wakeful",
      "gen_ai.agent.id": agent.id,
      "gen_ai.agent.name": name,
      "gen_ai.conversation.id": sessionKey,
      "wakeful.turn.id": id,
      "wakeful.turn.source": source,
    },
  };
}

/** Returns the span of one model call. */
export function chatSpan(call: {
  readonly turnId: string;
  readonly sessionKey: string;
  readonly model: { readonly provider: string; readonly modelId: string } | undefined;
}): SpanAbout {
  const { turnId, sessionKey, model } = call;
  return {
    name: model === undefined ? "chat" : `chat ${model.modelId}`,
    kind: "client",
    below: [turnId],
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": providerName(model?.provider ?? ""),
      "gen_ai.request.model": model?.modelId,
      "gen_ai.conversation.id": sessionKey,
    },
  };
}

/** Returns the outcome of a model call, without its text. `model`: `provider/modelId`. */
export function chatOutcome(answer: {
  readonly model: string;
  readonly finish: string;
  readonly usage: Usage;
}): SpanOutcome {
  const { model, finish, usage } = answer;
  return {
    attributes: {
      "gen_ai.response.model": model.slice(model.indexOf("/") + 1),
      "gen_ai.response.finish_reasons": [finish],
      ...usageAttributes(usage),
    },
  };
}

/**
 * Returns the span of one tool call. @param call.name Name of an existing tool: any other name in a call is text of
 * the model.
 */
export function toolSpan(call: {
  readonly name: string | undefined;
  readonly callId: string;
  readonly taskId: string;
}): SpanAbout {
  const { name = "unknown", callId, taskId } = call;
  return {
    name: `execute_tool ${name}`,
    kind: "internal",
    key: callId,
    // The id of a call that a tool makes starts with the id of its caller's call.
    below: [callId.slice(0, callId.lastIndexOf(".")), taskId],
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": callId,
    },
  };
}

export function usageAttributes({ inputTokens, outputTokens, cachedInputTokens }: Usage): SpanAttributes {
  return {
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
    "gen_ai.usage.cache_read.input_tokens": cachedInputTokens,
  };
}

/** Providers that the AI SDK calls by another name than the conventions. */
const PROVIDERS: Readonly<Record<string, string>> = {
  "amazon-bedrock": "aws.bedrock",
  azure: "azure.ai.openai",
  "azure-openai": "azure.ai.openai",
  google: "gcp.gemini",
  mistral: "mistral_ai",
  vertex: "gcp.vertex_ai",
  xai: "x_ai",
};

/** Returns `openai` for the AI SDK's `openai.responses`. */
function providerName(provider: string): string {
  const [name = ""] = provider.split(".");
  return PROVIDERS[name] ?? name;
}
