import { extractReasoningMiddleware, wrapLanguageModel } from "ai";
import type { LanguageModelV4, LanguageModelV4Middleware } from "@ai-sdk/provider";

/**
 * A model that writes its thoughts into its answer, between `<think>` and `</think>`, as Qwen, DeepSeek and others do behind servers that do not take them
 * out: they become reasoning, which is neither sent to anybody nor remembered.
 *
 * Source: docs/models.md, "Local servers".
 */
export function withThoughtsApart(model: LanguageModelV4): LanguageModelV4 {
  return wrapLanguageModel({ model, middleware: [extractReasoningMiddleware({ tagName: "think" }), endingThoughts] });
}

/** A model whose answer is cut off while it thinks writes no end: in a whole answer the SDK would take such thoughts for words. */
const endingThoughts: LanguageModelV4Middleware = {
  specificationVersion: "v4",
  async wrapGenerate({ doGenerate }) {
    const result = await doGenerate();
    return {
      ...result,
      content: result.content.map((part) =>
        part.type === "text" && /^\s*<think>(?![^]*<\/think>)/.test(part.text)
          ? { ...part, text: `${part.text}</think>` }
          : part,
      ),
    };
  },
};
