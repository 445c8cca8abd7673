import { AssistantError } from "../errors.ts";
import type { Budget } from "./definition.ts";

/** The most that a budget may allow. */
export const BUDGET_MAXIMA: Budget = { maxTokens: 1_000_000_000, maxSeconds: 31_536_000, maxToolCalls: 1_000_000 };

/** What a program gives beside a definition. @throws {AssistantError} `OPTION_INVALID`, naming the key and what was expected. */
export function checkBudget(budget: Partial<Budget> = {}): void {
  for (const [key, value] of Object.entries(budget) as [string, unknown][]) {
    if (!Object.hasOwn(BUDGET_MAXIMA, key))
      throw new AssistantError(
        "OPTION_INVALID",
        `Invalid option budget.${key}: there is no such key, only ${Object.keys(BUDGET_MAXIMA).join(", ")}`,
      );
    const most = BUDGET_MAXIMA[key as keyof Budget];
    if (value === undefined || (Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most)) continue;
    throw new AssistantError(
      "OPTION_INVALID",
      `Invalid option budget.${key}: expected a whole number from 1 to ${most}, got ${JSON.stringify(value)}`,
    );
  }
}
