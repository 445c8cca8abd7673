// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** Prices, in the currency of the budget; 0 for a model that costs nothing. */
export interface ModelPrice {
  /** Price of a million tokens of the prompt. */
  readonly input: number;
  /** Price of a million tokens of the answer. */
  readonly output: number;
  /** Price of a million tokens that the provider had in its cache; default: as input. */
  readonly cachedInput?: number;
}

/**
 * Limits on the use of models; above them no model is called until the day or the month ends. Source:
 * docs/models-failures.md, "Budgets".
 */
export interface Budget {
  /** Limits per day, in the assistant's time zone. */
  readonly daily?: BudgetLimit;
  /** Limits per month. */
  readonly monthly?: BudgetLimit;
}

/** Limits for one period. */
export interface BudgetLimit {
  /** Tokens of prompts and answers. */
  readonly tokens?: number;
  /** Cost, in the currency of the prices; needs a price for every model. */
  readonly cost?: number;
}
