import type { Usage } from "../reply.ts";

/** What a million tokens of a model cost, in whatever currency the budget is in. 0 for a model that costs nothing. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Of input that the provider had in its cache. Default: `input`. */
  readonly cachedInput?: number;
}

/** What these tokens cost. */
export function costOf({ inputTokens, outputTokens, cachedInputTokens = 0 }: Usage, price: ModelPrice): number {
  const { input, output, cachedInput = input } = price;
  const cached = Math.min(cachedInputTokens, inputTokens);
  return ((inputTokens - cached) * input + cached * cachedInput + outputTokens * output) / 1_000_000;
}
