import type { Spent } from "../../workflow/index.ts";

export const NOTHING: Spent = { tokens: 0, toolCalls: 0, activeMs: 0 };

export function sumOf(one: Spent, other: Spent): Spent {
  const cost = other.cost === undefined ? one.cost : (one.cost ?? 0) + other.cost;
  return {
    tokens: one.tokens + other.tokens,
    toolCalls: one.toolCalls + other.toolCalls,
    activeMs: one.activeMs + other.activeMs,
    ...(cost !== undefined && { cost }),
  };
}

/** @param counted The use that was counted before. */
export function usedSince({ tokens, toolCalls, activeMs, cost }: Spent, counted?: Spent): Spent {
  return {
    tokens: tokens - (counted?.tokens ?? 0),
    toolCalls: toolCalls - (counted?.toolCalls ?? 0),
    activeMs: activeMs - (counted?.activeMs ?? 0),
    ...(cost !== undefined && { cost: cost - (counted?.cost ?? 0) }),
  };
}
