import type { UsageRecorder } from "../usage/index.ts";
import type { WorkBudgetOptions } from "./options.ts";

/** Default budgets in tokens: of all jobs in a day, of all jobs in a month, and of one person's jobs in a day. */
export const DEFAULT_DAILY_TOKENS = 500_000;
export const DEFAULT_MONTHLY_TOKENS = 5_000_000;
export const DEFAULT_PERSON_DAILY_TOKENS = 50_000;

export interface WorkBudgetDeps {
  readonly usage: Pick<UsageRecorder, "unattended">;
  isOwner(user: string): boolean;
}

/**
 * @returns Why a person's unattended work may not start now; undefined: it may.
 * Work under way continues: its tokens are counted only when it has ended.
 */
export function createWorkBudget({ usage, isOwner }: WorkBudgetDeps, options: WorkBudgetOptions = {}) {
  const {
    daily = DEFAULT_DAILY_TOKENS,
    monthly = DEFAULT_MONTHLY_TOKENS,
    perPersonDaily = DEFAULT_PERSON_DAILY_TOKENS,
  } = options;
  return function whyNot(user: string): string | undefined {
    const used = usage.unattended(user);
    if (used.monthTokens >= monthly) return `the budget for all jobs of ${monthly} tokens per month is used up`;
    if (used.dayTokens >= daily) return `the budget for all jobs of ${daily} tokens per day is used up`;
    if (!isOwner(user) && used.personDayTokens >= perPersonDaily)
      return `the budget for this person's jobs of ${perPersonDaily} tokens per day is used up`;
    return undefined;
  };
}
