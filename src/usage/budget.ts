import type { UsageTotals } from "./totals.ts";
import type { Budget } from "./options.ts";

/** A day or a month of the assistant's time zone. */
export type BudgetPeriod = "daily" | "monthly";

/** How far one budget is used. */
export interface BudgetUse {
  /** Of which period. */
  readonly budget: BudgetPeriod;
  /** What is counted: tokens of prompts and answers, or money. */
  readonly kind: "tokens" | "cost";
  /** In tokens, or in the currency of the prices. */
  readonly used: number;
  /** In the same unit as `used`. */
  readonly limit: number;
}

/** May a model be asked? */
export type BudgetState =
  | { readonly ok: true }
  | (BudgetUse & {
      readonly ok: false;
      /** For logs and errors: which budget, and until when. */
      readonly reason: string;
      /** When it is open again, milliseconds since the epoch. */
      readonly untilMs: number;
      /** The same for people: `2026-11-23 00:00`, in the assistant's time zone. */
      readonly opensAt: string;
    });

/** How far each budget is used that is set. */
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

/** `the daily budget of 100000 tokens`. */
export function describeBudget({ budget, kind, limit }: BudgetUse): string {
  return kind === "tokens" ? `the ${budget} budget of ${limit} tokens` : `the ${budget} budget of ${limit} (cost)`;
}
