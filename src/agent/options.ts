// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

import type { ModelPrice } from "../usage/index.ts";

/**
 * Facts about models, by `provider/modelId`. The name is that of the AI SDK's object (`openai.responses/gpt-5`),
 * the same without the part after the provider's first dot (`openai/gpt-5`), or the model's id alone. The first
 * of these that exists counts.
 */
export type ModelInfo = Readonly<Record<string, ModelFacts>>;

/** Facts about one model. */
export interface ModelFacts {
  /** Tokens of prompt and answer together that this model accepts. Default: `context.contextWindow`. */
  readonly contextWindow?: number;
  /** Prices, in the currency of the budget; 0 for a model that costs nothing. */
  readonly price?: ModelPrice;
  /** Types of files that the model is shown (images, application/pdf); default: what its provider says. */
  readonly files?: readonly string[];
  /**
   * How models call tools: with the provider's function calling, or in their text, for models without it. Default
   * `native`. Source: docs/models.md, "Models that cannot call tools".
   */
  readonly protocol?: ToolProtocol;
}

/**
 * How models call tools: with the provider's function calling, or in their text, for models without it. Default
 * `native`. Source: docs/models.md, "Models that cannot call tools".
 */
export type ToolProtocol = "native" | "text";
