import type { UsageTotals } from "./totals.ts";
import type { Budget } from "./options.ts";

export type BudgetPeriod = "daily" | "monthly";

/** How far one budget is used. */
export interface BudgetUse {
  readonly budget: BudgetPeriod;
  readonly kind: "tokens" | "cost";
  readonly used: number;
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
