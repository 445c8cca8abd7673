// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

import type { ModelPrice } from "../usage/index.ts";

/**
 * What is known of models, by `provider/modelId`. The name is as the AI SDK's object says it
 * (`openai.responses/gpt-5`), the same without what follows the provider's first dot (`openai/gpt-5`), or the
 * model's id alone. The first of these that is there counts.
 */
export type ModelInfo = Readonly<Record<string, ModelFacts>>;

/** What is known of one model. */
export interface ModelFacts {
  /** Tokens that this model takes in all. Default: `context.contextWindow`. */
  readonly contextWindow?: number;
  /** What it costs, in the currency of the budget; 0 for a model that costs nothing. */
  readonly price?: ModelPrice;
  /** Types of files that it is shown (images, application/pdf); what its provider says when left out. */
  readonly files?: readonly string[];
  /**
   * How models call tools: by the provider's function calling, or in their text, for models without it. Default
   * `native`. Source: docs/models.md, "Models that cannot call tools".
   */
  readonly protocol?: ToolProtocol;
}

/**
 * How models call tools: by the provider's function calling, or in their text, for models without it. Default
 * `native`. Source: docs/models.md, "Models that cannot call tools".
 */
export type ToolProtocol = "native" | "text";
