import { extractReasoningMiddleware, wrapLanguageModel } from "ai";
import type { LanguageModelV4 } from "@ai-sdk/provider";

/**
 * A model that writes its thoughts into its answer, between `<think>` and `</think>`, as Qwen, DeepSeek and others do behind servers that do not take them
 * out: they become reasoning, which is neither sent to anybody nor remembered.
 *
 * Source: docs/models.md, "Local servers".
 */
export function withThoughtsApart(model: LanguageModelV4): LanguageModelV4 {
  return wrapLanguageModel({ model, middleware: extractReasoningMiddleware({ tagName: "think" }) });
}
