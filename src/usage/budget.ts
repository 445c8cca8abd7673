import type { UsageTotals } from "./totals.ts";
import type { Budget } from "./options.ts";

/** A day or a month in the assistant's time zone. */
export type BudgetPeriod = "daily" | "monthly";

/** Usage of one budget. */
export interface BudgetUse {
  /** The budget's period. */
  readonly budget: BudgetPeriod;
  /** What is counted: tokens of prompts and answers, or money. */
  readonly kind: "tokens" | "cost";
  /** In tokens, or in the currency of the prices. */
  readonly used: number;
  /** In the same unit as `used`. */
  readonly limit: number;
}

/** Whether a model may be asked. */
export type BudgetState =
  | { readonly ok: true }
  | (BudgetUse & {
      readonly ok: false;
      /** For logs and errors: the budget, and when it opens again. */
      readonly reason: string;
      /** When it opens again, milliseconds since the epoch. */
      readonly untilMs: number;
      /** The same for people: `2026-11-23 00:00`, in the assistant's time zone. */
      readonly opensAt: string;
    });

/** Usage of each configured budget. */
export function budgetUses(budget: Budget, used: Readonly<Record<BudgetPeriod, UsageTotals>>): readonly BudgetUse[] {
  return (["daily", "monthly"] as const).flatMap((period) => {
    const { tokens, cost } = budget[period] ?? {};
    const { inputTokens, outputTokens, cost: spent } = used[period];
    return [
      ...(tokens === undefined
        ? []
        : [{ budget: period, kind: "tokens", used: inputTokens + outputTokens, limit: tokens } as const]),
      ...(cost === undefined ? [] : [{ budget: period, kind: "cost", used: spent, limit: cost } as const]),
    ];
  });
}

/** Describes a budget, as `the daily budget of 100000 tokens`. */
export function describeBudget({ budget, kind, limit }: BudgetUse): string {
  return kind === "tokens" ? `the ${budget} budget of ${limit} tokens` : `the ${budget} budget of ${limit} (cost)`;
}
