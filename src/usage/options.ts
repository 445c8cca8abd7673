// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** What it costs, in the currency of the budget; 0 for a model that costs nothing. */
export interface ModelPrice {
  /** A million tokens of the prompt. */
  readonly input: number;
  /** A million tokens of the answer. */
  readonly output: number;
  /** A million tokens that the provider had in its cache; when left out, as input. */
  readonly cachedInput?: number;
}

/**
 * How much models may be used; over it no model is asked until the day or the month is over. Source:
 * docs/models-failures.md, "Budgets".
 */
export interface Budget {
  /** A day, in the assistant's time zone. */
  readonly daily?: BudgetLimit;
  /** A month. */
  readonly monthly?: BudgetLimit;
}

/** What may be used in one period. */
export interface BudgetLimit {
  /** Tokens of prompts and answers. */
  readonly tokens?: number;
  /** Money, in the currency of the prices; needs a price of every model. */
  readonly cost?: number;
}
