import type { Usage } from "../reply.ts";
import type { ModelPrice } from "./options.ts";

/** The cost of these tokens. */
export function costOf({ inputTokens, outputTokens, cachedInputTokens = 0 }: Usage, price: ModelPrice): number {
  const { input, output, cachedInput = input } = price;
  const cached = Math.min(cachedInputTokens, inputTokens);
  return ((inputTokens - cached) * input + cached * cachedInput + outputTokens * output) / 1_000_000;
}
